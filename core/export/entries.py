"""What the formats for people have in common: a title a conversation, an entry a box or decision. Pure."""

from __future__ import annotations

from abc import ABC, abstractmethod

from core.export.parts import Begin, Decided, Head, Part, Recorded
from core.export.shown import Showing, Shown, decision
from core.thread.records import BoxRecord


class EntryWriter(ABC):
    """A `core.export.parts.Writer`; events of the log are left out."""

    def __init__(self) -> None:
        self.head = Head(0, "", masked=False)
        self._showing = Showing()

    def begin(self, head: Head) -> str:
        self.head = head
        return ""

    def part(self, part: Part) -> str:
        match part:
            case Begin():
                self._showing = Showing()
                return self.title(part)
            case Recorded(at_ms, BoxRecord(box)):
                return self.entry(self._showing.box(box), at_ms)
            case Recorded():
                return ""
            case Decided(entry):
                return self.entry(decision(entry), entry.at_ms)

    def end(self) -> str:
        return ""

    @abstractmethod
    def title(self, begin: Begin) -> str:
        """What stands before the entries of a conversation."""

    @abstractmethod
    def entry(self, shown: Shown, at_ms: int) -> str:
        """One entry; `at_ms` 0: not known when."""
