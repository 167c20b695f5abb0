"""What the conversation layer needs of the store. `core.store.store.Store` has it.

Every method raises StoreError where the database cannot do it, and Closed after it was closed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from core.rows import (
    Chunk,
    ChunkDraft,
    ConversationRow,
    KeptImage,
    NotificationDraft,
    NotificationRow,
    NotificationState,
    WorkspaceRow,
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
        drafts: Mapping[str, str] = ...,
    ) -> int:
        """`drafts` are saved in the same transaction. Raises SequenceConflict where another writer was first."""
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

    async def on_items(self, conversation_id: str, item_ids: Sequence[str]) -> list[NotificationRow]:
        """All that was decided on these items."""
        ...

    async def item_ended(self, conversation_id: str, thread_id: str, item_id: str, outcome: str) -> None:
        """Say of the decisions on an item of this thread how it ended; once."""
        ...


@dataclass(frozen=True, slots=True)
class Rendered:
    """A message as Codex gets it; `sources` name what was put before it, for the person to see."""

    text: str
    sources: tuple[str, ...] = ()


class ImageStore(Protocol):
    async def keep(self, conversation_id: str, paths: Sequence[str]) -> Sequence[KeptImage]:
        """Copies of these image files, on the disk when this returns; the same contents and name are the same copy.

        Raises InvalidRequest for what cannot go to Codex.
        """
        ...


class Knowledge(Protocol):
    """What is known to a conversation."""

    async def render_prompt(self, workspace_id: str, conversation_id: str, text: str) -> Rendered:
        """The text, with what the policy says put before it."""
        ...

    async def settle_forget(self, conversation_id: str) -> None:
        """Forget what the conversation owned, where the policy says so."""
        ...


class Catalog(Protocol):
    """The rows that say which conversations there are, and what lists show of them."""

    async def workspace(self, workspace_id: str) -> WorkspaceRow:
        """Raises NotFound."""
        ...

    async def conversation(self, conversation_id: str) -> ConversationRow:
        """Raises NotFound."""
        ...

    async def bind(self, conversation_id: str, thread_id: str) -> None:
        """Bound, not materialised yet."""
        ...

    async def unbind(self, conversation_id: str) -> None:
        """Codex never had a rollout of the thread: the next message begins another one."""
        ...

    async def materialise(self, conversation_id: str) -> None: ...

    async def note(self, conversation_id: str, state: str) -> None:
        """The state that a list shows: idle, running, stalled."""
        ...

    async def entitle(self, conversation_id: str, title: str) -> None: ...

    async def choose(self, conversation_id: str, choices: str) -> None:
        """Keep what the person chose for it, as JSON."""
        ...

    async def select(self, conversation_id: str, selection: str) -> None:
        """Remember what the last prompt ran with, as JSON."""
        ...

    async def close_conversation(self, conversation_id: str) -> None:
        """Nothing uses it from now on; what is left to clean up is kept until `finish_cleanup`."""
        ...

    async def finish_cleanup(self, conversation_id: str) -> None: ...
