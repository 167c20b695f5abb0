"""A store for a pump that stands alone: the runtime keeps everything itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.rows import Chunk, ChunkDraft
from core.thread.records import Record


class Memory:
    """A log and a chunk store in memory."""

    async def persist(self, after: int, records: Sequence[Record], drafts: Mapping[str, str]) -> None:
        """It is kept by the thread itself."""

    async def kept(self, after: int) -> Sequence[Record]:
        """A write that fails here did not happen."""
        return ()

    async def append_chunks(self, chunks: Sequence[ChunkDraft]) -> None:
        """It is kept by the recorder itself."""

    async def read_chunks(self, conversation_id: str) -> list[Chunk]:
        return []
