"""A conversation that was imported from another machine: read, searched and exported, never gone on with.

Its thread is Codex's there; none is begun for it here, so nothing of it ever runs.
"""

from __future__ import annotations

from core.conversation.choosing import Selected
from core.conversation.feed import ThreadState
from core.conversation.info import ConversationInfo
from core.conversation.ports import RecordLog
from core.conversation.read_only import ReadOnlyConversation
from core.errors import Unsupported
from core.thread.boxes import ChatBox
from core.thread.state import Status
from core.writers import IMPORTED


class ImportedConversation(ReadOnlyConversation):
    """Implements `core.conversation.info.Conversation`; whatever would write raises Unsupported."""

    def __init__(self, info: ConversationInfo, selection: Selected, records: RecordLog) -> None:
        super().__init__(info, IMPORTED, selection)
        self.state = ThreadState(Status.IDLE)
        self._records = records

    async def page(self, before: int | None = None, limit: int = 200) -> tuple[ChatBox, ...]:
        return tuple(await self._records.tail_boxes(self.id, before, limit))

    async def live(self) -> None:
        """Nothing streams."""

    async def detach(self) -> None:
        """Nothing is held."""

    def _refusal(self) -> Unsupported:
        return Unsupported(
            "This conversation was imported: it can be read, and not gone on with",
            why="its thread is at the Codex that it came from",
            todo="Fork it in the sessions browser: a new conversation begins with its text.",
        )
