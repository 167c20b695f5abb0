"""The pen of a thread's commands: what they say becomes records, folded in at once and kept to be written."""

from __future__ import annotations

from core.thread import fold, log
from core.thread.boxes import BoxDraft, BoxId, ChatBox
from core.thread.records import BoxRecord, EventRecord, Record
from core.thread.thread import Arrival, Thread


class Recorder:
    """Numbers records after the log so far. Pure: who writes them to disk asks `drain` for them."""

    def __init__(self, thread: Thread) -> None:
        self._thread = thread
        self._new: list[Record] = []

    def drain(self) -> list[Record]:
        """The records since the last call, oldest first."""
        new, self._new = self._new, []
        return new

    def event(self, event: log.LogEvent) -> None:
        thread = self._thread
        record = EventRecord(thread.anchor, thread.event_index + 1, event.kind, event.model_dump_json())
        self._add(record)

    def place(self, box: BoxDraft) -> BoxId:
        """Give a box its number and its place in the conversation."""
        box_id = BoxId(len(self._thread.boxes) + 1)
        placed = ChatBox(box_id, box.box_type, box.contents, box.hidden_type, box.hidden_contents)
        self._add(BoxRecord(placed))
        return box_id

    def place_arrival(self, arrival: Arrival) -> None:
        self.event(log.Placed(key=arrival.key))
        self.place(arrival.draft)

    def _add(self, record: Record) -> None:
        fold.apply(self._thread, record)
        self._new.append(record)
