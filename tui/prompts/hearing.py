"""What prompts tell the screen that they stand on: the same on each, but for where the focus goes then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message_pump import MessagePump

from core.errors import QuarterdeckError
from tui.browsing import open_page

if TYPE_CHECKING:
    from core.agent.requests import Answer
    from tui.console.answering import Answering
    from tui.prompts.mcp_link import LinkPrompt
    from tui.prompts.prompt import Prompt


class HearsPrompts(MessagePump):
    """A screen with prompts on it. Its workers for them are the app's: leaving the screen ends none."""

    answering: Answering
    """The console's: it does what prompts want."""

    def leave_prompt(self) -> None:
        """The focus goes out of the prompt."""
        raise NotImplementedError

    def keep_filled(self) -> None:
        """What is put into a prompt here is kept, as if it was put away."""
        raise NotImplementedError

    def tell_of_prompt(self, text: str) -> None:
        """Say what became of something."""
        raise NotImplementedError

    def not_done(self, error: QuarterdeckError) -> None:
        """Say what could not be done."""
        raise NotImplementedError

    def not_decided(self, notification_id: int, error: QuarterdeckError) -> None:
        """Say why a decision was not taken."""
        raise NotImplementedError

    def decided_with(self, event: Prompt.Decided) -> dict[int, str]:
        """The requests that this decision is for, each with the hash of what was shown of it."""
        return {event.notification_id: event.shown_hash}

    def on_prompt_decided(self, event: Prompt.Decided) -> None:
        event.stop()
        decided = self.decided_with(event)
        self.app.run_worker(self.decide(event.answer, decided), group="decide")

    async def decide(self, answer: Answer, decided: dict[int, str]) -> None:
        """One answer, to each by what was shown of it. What fails is told, and the others go on."""
        for notification_id, shown_hash in decided.items():
            try:
                await self.answering.decide(notification_id, answer, shown_hash)
            except QuarterdeckError as error:
                self.not_decided(notification_id, error)

    def on_prompt_postponed(self, event: Prompt.Postponed) -> None:
        event.stop()
        self.answering.put_off(event.notification_id)
        self.leave_prompt()

    def on_prompt_left(self, event: Prompt.Left) -> None:
        event.stop()
        self.leave_prompt()

    def on_prompt_rule_wanted(self, event: Prompt.RuleWanted) -> None:
        event.stop()
        self.answering.make_rule(event.notification, self.tell_of_prompt)

    def on_prompt_interrupted(self, event: Prompt.Interrupted) -> None:
        event.stop()
        self.leave_prompt()
        if event.conversation_id is not None:
            self.app.run_worker(self._end_turn(event.conversation_id), group="interrupt")

    async def _end_turn(self, conversation_id: str) -> None:
        try:
            await self.answering.end_turn(conversation_id)
        except QuarterdeckError as error:
            self.not_done(error)

    def on_link_prompt_opened(self, event: LinkPrompt.Opened) -> None:
        open_page(self.app, event.url, self.tell_of_prompt)
