"""What is done with what waits for the person, on the console and on the screens over it: going to it, deciding,
putting it off, a rule made of it, and what was written for it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from core.errors import NotFound, QuarterdeckError
from tui.console.ability import Ability
from tui.prompts.hearing import HearsPrompts

if TYPE_CHECKING:
    from core.agent.requests import Answer
    from core.conversation.feed import Notification
    from core.engine import Engine
    from tui.prompts.area import PromptArea
    from tui.prompts.kept import Kept
    from tui.screens.opening import OverScreen
    from tui.widgets.sign_in import SignIn


class Answering(Ability):
    """Decides nothing by itself: each answer comes from a prompt, with the hash of what it showed."""

    @property
    def kept(self) -> Kept:
        """What was put into prompts that are away."""
        assert self.console.prompts is not None
        return self.console.prompts.kept

    @property
    def _engine(self) -> Engine:
        assert self.desk is not None
        return self.desk.engine

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

    async def decide(self, notification_id: int, answer: Answer, shown_hash: str) -> None:
        """Give an answer to exactly what was shown. Raises Conflict, NotFound, StoreError: then nothing is decided.

        What waits for after a turn that ends with it comes back first: it would begin by itself.
        """
        from tui.prompts.choices import stops_turn

        asked = next((one for one in self._engine.pending() if one.id == notification_id), None)
        if asked is not None and asked.conversation_id is not None and stops_turn(answer):
            await self.console.stopping.take_all_back(asked.conversation_id)
        filled = self.kept.take(notification_id)
        try:
            await self._engine.decide(notification_id, answer, shown_hash)
        except QuarterdeckError:
            if asked is not None and filled is not None:
                self.kept.keep(asked, filled)
            raise

    async def end_turn(self, conversation_id: str) -> None:
        """End the turn that asks. Raises QuarterdeckError."""
        await self.console.stopping.end_turn(conversation_id)

    def put_off(self, notification_id: int, *, snoozed: bool = True) -> None:
        """Put a request off, or bring it back."""
        self._engine.snooze(notification_id, snoozed=snoozed)

    def make_rule(self, notification: Notification, tell: Callable[[str], None]) -> None:
        """Have the person make a rule of what is asked; `tell` is given what came of it."""
        from tui.prompts.rule_maker import RuleMaker

        def made(said: str | None) -> None:
            if said is not None:
                tell(said)

        self.console.app.push_screen(RuleMaker(self._engine, notification), made)

    # What is written in prompts.

    def put_up(self, screen: OverScreen) -> None:
        """A screen lies over the console from now on: prompts on it are answered here, and hold what is put in here."""
        screen.answering = self
        if self.console.prompts is not None:
            self.console.prompts.lend()

    def put_away(self) -> None:
        """It is gone."""
        if self.console.prompts is not None:
            self.console.prompts.take_again()

    def give_back(self, conversation_id: str | None, text: str) -> None:
        """What was written in a prompt that is gone stands in the message of its conversation."""
        self.console.ask(self._give_back(conversation_id, text))

    async def _give_back(self, conversation_id: str | None, text: str) -> None:
        assert self.desk is not None
        try:
            writing = await self.desk.writing_of(conversation_id)
        except NotFound:
            writing = self.desk.current.writing
        self.console.composer.put_before(writing, text)
        self.desk.edited(writing)
        where = self.console.about(conversation_id) if writing is not self.desk.current.writing else ""
        self.console.notices.tell(f"{where}What you had written there stands in your message now.")

    async def close(self) -> None:
        """What is written in prompts is in the drafts of their conversations, for the next start."""
        if self.console.prompts is None or self.desk is None:
            return
        for screen in self.console.app.screen_stack:
            if isinstance(screen, HearsPrompts):
                screen.keep_filled()
        for conversation_id, text in self.kept.written():
            await self._give_back(conversation_id, text)

    # Signing in.

    def sign_in(self, *, device: bool) -> None:
        """Begin to sign in with ChatGPT."""
        if self.console.signing_in is not None:
            self.console.ask(self.console.signing_in.with_chatgpt(device=device))

    def sign_in_with_key(self, key: str) -> None:
        if self.console.signing_in is not None:
            self.console.ask(self.console.signing_in.with_key(key))
