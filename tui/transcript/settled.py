"""The entries that have a box, in box order; a call's messages and return are joined to it.

Of a large first batch, entries are made only when somebody looks at them: opening a conversation costs a
pass over its boxes, not an object for each.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from core.thread.boxes import TOOL_CALL, TOOL_MESSAGE, TOOL_RETURN, ChatBox
from tui.transcript import hidden
from tui.transcript.entries import Entry

FIRST_ORDER = 1 << 40
"""Order of the first entry that was added; older pages count down from it, never below 0."""

CALL_DISTANCE = 256
"""Entries between a call and what belongs to it, at most, where that is looked for."""

_FOLLOWING = (TOOL_RETURN, TOOL_MESSAGE)


class Settled:
    """A list of entries that grows at both ends."""

    def __init__(self) -> None:
        self._slots: list[Entry | ChatBox] = []
        self._batch: list[ChatBox] = []
        self._batch_searched = True
        self._orphans: dict[int, list[ChatBox]] = {}
        self._first_order = FIRST_ORDER

    def __len__(self) -> int:
        return len(self._slots)

    def __getitem__(self, index: int) -> Entry:
        slot = self._slots[index]
        if isinstance(slot, Entry):
            return slot
        index %= len(self._slots)
        entry = self._slots[index] = Entry(self.order(index), slot)
        if slot.box_type == TOOL_CALL:
            entry.followers = tuple(self._following_in_batch(slot))
        return entry

    def order(self, index: int) -> int:
        """The order of the entry at an index, whether it is there or to come."""
        return self._first_order + index

    def newest(self, count: int) -> Iterator[Entry]:
        """The last `count` entries, newest first."""
        for index in range(len(self._slots) - 1, max(-1, len(self._slots) - 1 - count), -1):
            yield self[index]

    def index(self, order: int) -> int:
        """Where the entry of this order is; not within the list for one that is not here."""
        return order - self._first_order

    def index_of_box(self, box_id: int) -> int | None:
        """Where a box is shown: its own entry, or its call's; the entry before it where it has none."""
        slots = self._slots
        index = bisect_right(slots, box_id, key=_box_id) - 1
        if index < 0 or _box_id(slots[index]) == box_id:
            return max(0, index) if slots else None
        for above in range(index, max(-1, index - CALL_DISTANCE), -1):
            if any(box.id == box_id for box in self[above].followers):
                return above
        return index

    def load(self, boxes: list[ChatBox]) -> None:
        """The first boxes, in id order."""
        self._batch = boxes
        self._batch_searched = False
        self._slots = [box for box in boxes if box.box_type not in _FOLLOWING or not hidden.names_call(box)]

    def append(self, entry: Entry) -> None:
        """An entry at the end; its order is `order(len)`."""
        self._slots.append(entry)
        self._adopt(entry)

    def follow(self, box: ChatBox) -> Entry | None:
        """Join a tool message or return to its call, or keep it until the call's page comes.

        The entry that it was joined to, if there is one.
        """
        call = hidden.call_id(box)
        entry = self._of_box(call) if call is not None else None
        if entry is not None:
            entry.followers = (*entry.followers, box)
        elif call is not None:
            self._search_batch()
            self._orphans.setdefault(call, []).append(box)
        return entry

    def prepend(self, boxes: Sequence[ChatBox]) -> int:
        """The boxes before the first, in id order; how many entries that makes."""
        self._search_batch()
        entries: list[Entry] = []
        followers: dict[int, list[ChatBox]] = {}
        for box in boxes:
            call = hidden.call_id(box) if follows(box) else None
            if call is None:
                entries.append(Entry(0, box))
            else:
                followers.setdefault(call, []).append(box)
        for call, found in followers.items():
            self._orphans[call] = found + self._orphans.get(call, [])
        self._first_order -= len(entries)
        for offset, entry in enumerate(entries):
            entry.order = self.order(offset)
            self._adopt(entry)
        self._slots[:0] = entries
        return len(entries)

    def _adopt(self, entry: Entry) -> None:
        if self._orphans and entry.box is not None and entry.box.box_type == TOOL_CALL:
            entry.followers = (*self._orphans.pop(entry.box.id, ()), *entry.followers)

    def _of_box(self, box_id: int) -> Entry | None:
        slots = self._slots
        if slots and _box_id(slots[-1]) == box_id:
            return self[-1]
        index = bisect_left(slots, box_id, key=_box_id)
        return self[index] if index < len(slots) and _box_id(slots[index]) == box_id else None

    def _following_in_batch(self, call: ChatBox) -> Iterator[ChatBox]:
        batch = self._batch
        for index in range(bisect_right(batch, call.id, key=lambda box: box.id), len(batch)):
            box = batch[index]
            if box.box_type in _FOLLOWING and hidden.call_id(box) == call.id:
                yield box
                if box.box_type == TOOL_RETURN:
                    return

    def _search_batch(self) -> None:
        """Find what in the batch belongs to calls of older pages."""
        if self._batch_searched:
            return
        self._batch_searched = True
        first = self._batch[0].id
        for box in self._batch:
            call = hidden.call_id(box) if box.box_type in _FOLLOWING else None
            if call is not None and call < first:
                self._orphans.setdefault(call, []).append(box)


def follows(box: ChatBox) -> bool:
    """Is it a call's message or return, shown with its call? One that names no call is shown by itself."""
    return box.box_type in _FOLLOWING and hidden.names_call(box)


def _box_id(slot: Entry | ChatBox) -> int:
    if isinstance(slot, ChatBox):
        return slot.id
    return slot.box.id if slot.box is not None else 0
