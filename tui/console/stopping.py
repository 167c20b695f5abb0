"""Ending a turn on the console: what waits for after it would begin by itself, so it comes into the composer first."""

from __future__ import annotations

from tui.console.ability import Ability

BACK_AGAIN = "What waited is in the composer again."


class Stopping(Ability):
    def interrupt(self) -> None:
        """End the turn that runs."""
        if self.desk is not None and self.desk.current.id is not None:
            self.console.ask(self.end_turn(self.desk.current.id))

    async def end_turn(self, conversation_id: str) -> None:
        """End the turn of any conversation. Raises QuarterdeckError."""
        assert self.desk is not None
        waited = await self._put_back(conversation_id)
        conversation = await self.desk.engine.open(conversation_id)
        await conversation.interrupt()
        if waited:
            self._tell(conversation_id, f"Stopped. {BACK_AGAIN}")

    async def take_all_back(self, conversation_id: str) -> None:
        """Put all that waits in a conversation before what is written there. Raises QuarterdeckError."""
        if await self._put_back(conversation_id):
            self._tell(conversation_id, BACK_AGAIN)

    async def _put_back(self, conversation_id: str) -> bool:
        """False where nothing waited."""
        assert self.desk is not None
        place, returned = await self.desk.take_all_back(conversation_id)
        if returned:
            self.console.composer.put_before(place.writing, returned)
        return bool(returned)

    def _tell(self, conversation_id: str, text: str) -> None:
        self.console.notices.tell(self.console.about(conversation_id) + text)
