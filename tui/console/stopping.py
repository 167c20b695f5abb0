"""Ending a turn on the console: what waits for after it would begin by itself, so it comes into the composer first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.console.ability import Ability

if TYPE_CHECKING:
    from core.agent.requests import Answer
    from tui.desk import Desk

BACK_AGAIN = "What waited is in the composer again."


class Stopping(Ability):
    def interrupt(self) -> None:
        """End the turn that runs."""
        if self.desk is not None:
            self.interrupt_in(self.desk.current.id)

    def interrupt_in(self, conversation_id: str | None) -> None:
        """End the turn of any conversation."""
        if self.desk is not None and conversation_id is not None:
            self.console.ask(self._interrupt(self.desk, conversation_id))

    async def _interrupt(self, desk: Desk, conversation_id: str) -> None:
        waited = await self.take_all_back(conversation_id)
        conversation = await desk.engine.open(conversation_id)
        await conversation.interrupt()
        if waited:
            self._tell(conversation_id, f"Stopped. {BACK_AGAIN}")

    async def take_all_back(self, conversation_id: str) -> bool:
        """Put all that waits in a conversation before what is written there; False where nothing did.

        Raises QuarterdeckError.
        """
        assert self.desk is not None
        place, returned = await self.desk.take_all_back(conversation_id)
        if returned:
            self.console.composer.put_before(place.writing, returned)
        return bool(returned)

    async def before_decision(self, notification_id: int, answer: Answer) -> None:
        """A turn may end with the answer. Raises QuarterdeckError."""
        from tui.prompts.choices import stops_turn

        pending = self.desk.engine.pending() if self.desk is not None else ()
        asked = next((one for one in pending if one.id == notification_id), None)
        if asked is None or asked.conversation_id is None or not stops_turn(answer):
            return
        if await self.take_all_back(asked.conversation_id):
            self._tell(asked.conversation_id, BACK_AGAIN)

    def _tell(self, conversation_id: str, text: str) -> None:
        self.console.notices.tell(self.console.about(conversation_id) + text)
