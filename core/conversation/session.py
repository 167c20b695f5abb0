"""Where a conversation's records go: its log, and with a record of an item away with its streamed text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.conversation.ports import RecordLog
from core.thread.boxes import CallMeta, ItemMeta, ResultMeta, hidden_of
from core.thread.records import BoxRecord, Record


class RecordSession:
    """Implements `core.thread.durable.Session` for one conversation."""

    def __init__(self, conversation_id: str, log: RecordLog) -> None:
        self._conversation_id = conversation_id
        self._log = log
        self._calls: dict[int, str] = {}

    def note_calls(self, records: Sequence[Record]) -> None:
        """Take up which calls are of which items, from records that are on disk already."""
        self._settled(records)

    async def persist(self, after: int, records: Sequence[Record], drafts: Mapping[str, str]) -> None:
        """Raises SequenceConflict where another console wrote this conversation meanwhile, StoreError."""
        settled = self._settled(records)
        await self._log.append(self._conversation_id, after, records, settled=settled, drafts=drafts)

    async def kept(self, after: int) -> Sequence[Record]:
        """Raises StoreError."""
        return await self._log.read(self._conversation_id, after)

    def _settled(self, records: Sequence[Record]) -> list[str]:
        """The items that these records complete."""
        settled: list[str] = []
        for record in records:
            if not isinstance(record, BoxRecord):
                continue
            match hidden_of(record.box):
                case ItemMeta(item_id=item_id):
                    settled.append(item_id)
                case CallMeta(item_id=item_id):
                    self._calls[record.box.id] = item_id
                case ResultMeta(tool_call_id=call) if call in self._calls:
                    settled.append(self._calls[call])
                case _:
                    pass
        return settled
