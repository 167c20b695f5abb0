"""What the conversation layer needs of the store. `core.store.store.Store` has it.

Every method raises StoreError where the database cannot do it, and Closed after it was closed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from core.rows import (
    Chunk,
    ChunkDraft,
    NotificationDraft,
    NotificationRow,
    NotificationState,
)
from core.thread.boxes import ChatBox
from core.thread.records import Record


class RecordLog(Protocol):
    async def append(
        self,
        conversation_id: str,
        expected_seq: int,
        records: Sequence[Record],
        *,
        settled: Sequence[str] = (),
        draft: str | None = None,
    ) -> int:
        """Raises SequenceConflict where another writer was first."""
        ...

    async def read(self, conversation_id: str, after_seq: int = 0) -> list[Record]: ...

    async def tail_boxes(
        self, conversation_id: str, before_box_id: int | None = None, limit: int = 100
    ) -> list[ChatBox]: ...


class ChunkStore(Protocol):
    async def append_chunks(self, chunks: Sequence[ChunkDraft]) -> None: ...

    async def read_chunks(self, conversation_id: str) -> list[Chunk]: ...


class NotificationQueue(Protocol):
    async def raise_(self, draft: NotificationDraft) -> tuple[NotificationRow, bool]:
        """The row, and whether it is new."""
        ...

    async def decide(
        self, notification_id: int, *, decided_by: str, answer: str, shown_hash: str
    ) -> NotificationRow:
        """Raises Conflict for one that is not pending."""
        ...

    async def move(
        self, notification_id: int, state: NotificationState, outcome: str = ""
    ) -> NotificationRow:
        """Raises Conflict for a move that is not forward."""
        ...

    async def get(self, notification_id: int) -> NotificationRow: ...

    async def host_died(self, generation: str) -> list[NotificationRow]: ...

    async def unsettled(self) -> list[NotificationRow]: ...


class Binder(Protocol):
    """Keeps which Codex thread a conversation is bound to, and what its list shows of it."""

    async def bind(self, conversation_id: str, thread_id: str) -> None:
        """Bound, not materialised yet."""
        ...

    async def materialise(self, conversation_id: str) -> None: ...

    async def note(self, conversation_id: str, state: str) -> None:
        """The state that a list shows: idle, running, stalled."""
        ...

    async def entitle(self, conversation_id: str, title: str) -> None: ...
