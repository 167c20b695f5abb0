"""What happened to a document, for the view that shows it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tui.transcript.entries import Entry


@dataclass(slots=True)
class Changes:
    """What happened to a document since the last `take_changes`.

    `prepended` and `appended` count entries of boxes; `tail` is set where live or waiting entries came,
    went or moved; `redrawn` are entries to draw again; `moved` has the order that an entry had before.
    """

    prepended: int = 0
    appended: int = 0
    tail: bool = False
    redrawn: set[Entry] = field(default_factory=set)
    moved: dict[Entry, int] = field(default_factory=dict)

    @property
    def in_place(self) -> bool:
        """Is all that happened that one entry looks different?"""
        return len(self.redrawn) == 1 and not (self.prepended or self.appended or self.tail)

    def __bool__(self) -> bool:
        return bool(self.prepended or self.appended or self.tail or self.redrawn)
