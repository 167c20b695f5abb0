"""Pages of a conversation as a person reads it: what was taken back is left out."""

from __future__ import annotations

from collections.abc import Sequence

from core.conversation.ports import RecordLog
from core.thread import log
from core.thread.boxes import ChatBox
from core.thread.records import EventRecord, Record
from core.thread.thread import Span

REVERT_KINDS = (log.Reverted.kind, log.Forked.kind)
"""The events that say which boxes were taken back."""


async def visible_page(
    records: RecordLog, conversation_id: str, before: int | None, limit: int, reverted: Sequence[Span]
) -> tuple[ChatBox, ...]:
    """The last `limit` boxes before box `before` (None: the newest) that were not taken back, oldest first.

    Fewer only where there are no more. Raises StoreError.
    """
    found: list[ChatBox] = []
    while len(found) < limit:
        page = await records.tail_boxes(conversation_id, before, limit)
        found[:0] = [box for box in page if not any(box.id in span for span in reverted)]
        if len(page) < limit:
            break
        before = min([page[0].id, *(span.first for span in reverted if page[0].id in span)])
    return tuple(found[-limit:])


def reverted_in(records: Sequence[Record]) -> tuple[Span, ...]:
    """The boxes that were taken back, as these records say. Raises InvalidState."""
    spans: list[Span] = []
    for record in records:
        if isinstance(record, EventRecord) and record.kind in REVERT_KINDS:
            match log.parse_event(record.kind, record.data):
                case log.Reverted(first=first, last=last):
                    spans.append(Span(first, last))
                case log.Forked(reverted=copied):
                    spans.extend(Span(first, last) for first, last in copied)
                case _:
                    pass
    return tuple(spans)
