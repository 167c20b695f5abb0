"""Records: what a conversation's log is made of, and all that is ever persisted of its state.

A record is a box, or an event anchored after a box: `event_index` counts 1, 2, 3… among the events
that follow the same box (seed 000, `persist_done`).
"""

from __future__ import annotations

from dataclasses import dataclass

from core.thread.boxes import ChatBox


@dataclass(frozen=True, slots=True)
class BoxRecord:
    box: ChatBox


@dataclass(frozen=True, slots=True)
class EventRecord:
    """`after_box_id` 0: before the first box. `data` is a JSON object as text."""

    after_box_id: int
    event_index: int
    kind: str
    data: str


Record = BoxRecord | EventRecord
