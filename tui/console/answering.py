"""What waits for the person on the console: going to it, putting it off, a rule made of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.console.ability import Ability

if TYPE_CHECKING:
    from core.conversation.feed import Notification
    from tui.prompts.area import PromptArea
    from tui.widgets.sign_in import SignIn


class Answering(Ability):
    """Decides nothing: each answer comes from a prompt, with the hash of what it showed."""

    @property
    def possible(self) -> bool:
        return self._target() is not None or self._elsewhere() is not None

    def enter(self) -> None:
        """Go into what waits for the person, from within it on to the next, or to where something waits."""
        if target := self._target():
            target.enter()
        elif conversation_id := self._elsewhere():
            self.console.go_to(conversation_id)

    def _target(self) -> PromptArea | SignIn | None:
        prompts, sign_in = self.console.prompts, self.console.sign_in
        if prompts is not None and prompts.waiting:
            return prompts
        return sign_in if sign_in is not None and sign_in.display else None

    def _elsewhere(self) -> str | None:
        """Another conversation in which something waits, the longest first."""
        elsewhere = self.desk.pending()[1] if self.desk is not None else ()
        return elsewhere[0].conversation_id if elsewhere else None

    def put_off(self, notification_id: int, *, snoozed: bool = True) -> None:
        """Put a request off, or bring it back."""
        if self.desk is not None:
            self.desk.engine.snooze(notification_id, snoozed=snoozed)

    def give_back(self, text: str) -> None:
        """What was written in a prompt that is gone stands in the message."""
        composer = self.console.composer
        composer.put_before(composer.writing, text)
        self.console.notices.tell("What you had written there stands in your message now.")

    async def close(self) -> None:
        """What is written in prompts is in the drafts of their conversations, for the next start."""
        if self.console.prompts is None or self.desk is None:
            return
        for conversation_id, text in self.console.prompts.unsent():
            writing = self.desk.writing_of(conversation_id)
            writing.text = writing.behind(text)
            self.desk.edited(writing)

    def make_rule(self, notification: Notification) -> None:
        """Make a rule of what is asked."""
        from tui.prompts.rule_maker import RuleMaker

        if self.desk is not None:
            self.console.app.push_screen(RuleMaker(self.desk.engine, notification), self._rule_made)

    def _rule_made(self, said: str | None) -> None:
        if said is not None:
            self.console.notices.tell(said)

    def sign_in(self, *, device: bool) -> None:
        """Begin to sign in with ChatGPT."""
        if self.console.signing_in is not None:
            self.console.ask(self.console.signing_in.with_chatgpt(device=device))

    def sign_in_with_key(self, key: str) -> None:
        if self.console.signing_in is not None:
            self.console.ask(self.console.signing_in.with_key(key))
