"""What of each conversation a person saw, and in which ones something is new."""

from __future__ import annotations

from collections.abc import Mapping

from core.conversation.pages import REVERT_KINDS, reverted_in
from core.store.records import Records
from core.store.seen import Seen


class SeenBoxes:
    def __init__(self, seen: Seen, records: Records) -> None:
        self._seen = seen
        self._records = records

    async def mark(self, boxes: Mapping[str, int]) -> None:
        """A person saw these conversations up to these boxes. Raises StoreError."""
        await self._seen.mark(boxes)

    async def unseen(self) -> frozenset[str]:
        """The conversations that have boxes behind what was seen; what was taken back is no news. Raises StoreError."""
        found: set[str] = set()
        for conversation_id, behind in (await self._seen.behind()).items():
            gone = reverted_in(await self._records.read_events(conversation_id, REVERT_KINDS))
            if any(not any(box in span for span in gone) for box in behind):
                found.add(conversation_id)
        return frozenset(found)
