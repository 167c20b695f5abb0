"""A document laid out at one width: which rows its entries take, drawn only where somebody looks.

Heights are one constant until an entry is drawn, exact from then on. Drawn rows are kept for the entries
that were looked at last. Pure of Textual; knows panes only as the function that draws an entry.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tui.transcript.heights import Heights
from tui.transcript.rows import Rendered, Row

if TYPE_CHECKING:
    from tui.transcript.document import Changes, Document
    from tui.transcript.entries import Entry

ESTIMATE = 6
"""Rows of an entry that nobody has looked at."""

KEPT_ENTRIES = 128
DRAWN_AT_ONCE = 4
"""Entries that are drawn as soon as they come, so that the end is where it seems to be."""

ALWAYS_KEPT = 64
KEPT_ROWS = 6_000
"""Past so many rows (a row weighs about a kilobyte) only `ALWAYS_KEPT` entries are: more than a screen holds."""

Draw = Callable[["Entry", int], Rendered]


@dataclass(frozen=True, slots=True)
class Anchor:
    """A place in the document that survives wrapping and changes elsewhere: a character of an entry.

    Where the row shows no text, `row` counts from the entry's first.
    """

    entry: Entry
    row: int
    line: int
    start: int


class Flow:
    """The rows of one document."""

    def __init__(self, document: Document, draw: Draw, width: int) -> None:
        self.document = document
        self.width = width
        self._draw = draw
        document.take_changes()
        self._settled = document.settled
        self._heights = Heights()
        self._heights.extend(len(document), ESTIMATE)
        self._drawn: OrderedDict[Entry, Rendered] = OrderedDict()
        self._kept_rows = 0

    def __len__(self) -> int:
        return len(self._heights)

    @property
    def height(self) -> int:
        """Rows of all entries."""
        return self._heights.total

    def top(self, index: int) -> int:
        """The row where an entry begins."""
        return self._heights.before(index)

    def height_of(self, index: int) -> int:
        return self._heights[index]

    def find(self, row: int) -> tuple[int, int]:
        """The entry that holds `row` and which of its rows that is; the last one for rows past the end."""
        index, offset = self._heights.find(max(0, row))
        if index >= len(self._heights) and index:
            return index - 1, max(0, self._heights[index - 1] - 1)
        return index, offset

    def is_drawn(self, index: int) -> bool:
        return self._valid(self.document[index]) is not None

    def rendered(self, index: int) -> Rendered:
        """An entry's rows; drawing it makes its height exact."""
        entry = self.document[index]
        rendered = self._valid(entry)
        if rendered is not None:
            self._drawn.move_to_end(entry)
            return rendered
        before = self._drawn.pop(entry, None)
        if before is not None:
            self._kept_rows -= len(before.rows)
        rendered = self._draw(entry, self.width)
        self._keep(entry, rendered)
        self._heights.set(index, len(rendered.rows))
        return rendered

    def window(self, row: int, count: int) -> list[tuple[Entry, Row]]:
        """`count` rows from `row` on, fewer at the end."""
        index, offset = self._heights.find(max(0, row))
        found: list[tuple[Entry, Row]] = []
        while len(found) < count and index < len(self._heights):
            rows = self.rendered(index).rows
            entry = self.document[index]
            found += [(entry, shown) for shown in rows[offset : offset + count - len(found)]]
            offset = 0
            index += 1
        return found

    def measure(self, row: int, count: int) -> None:
        """Make the heights of the entries in these rows exact."""
        index, offset = self._heights.find(max(0, row))
        missing = count + offset
        while missing > 0 and index < len(self._heights):
            missing -= len(self.rendered(index).rows)
            index += 1

    def measure_above(self, row: int, count: int) -> int:
        """Make the heights of the `count` rows above `row` exact; by how much `row` moved down."""
        index, offset = self.find(row)
        if not len(self._heights):
            return 0
        before = self._heights.before(index)
        missing = count - offset
        above = index - 1
        while missing > 0 and above >= 0:
            missing -= len(self.rendered(above).rows)
            above -= 1
        return self._heights.before(index) - before

    def anchor(self, row: int) -> Anchor | None:
        """The place that `row` shows; None in an empty document."""
        if not len(self._heights):
            return None
        index, offset = self.find(row)
        rows = self.rendered(index).rows
        shown = rows[min(offset, len(rows) - 1)]
        return Anchor(self.document[index], offset, shown.line, shown.start)

    def row_of(self, anchor: Anchor) -> int | None:
        """The row that shows a place now; None where its entry is gone."""
        try:
            index = self.document.index(anchor.entry)
        except ValueError:
            return None
        rows = self.rendered(index).rows
        if anchor.line < 0:
            return self.top(index) + min(anchor.row, len(rows) - 1)
        found = 0
        for number, row in enumerate(rows):
            if row.line == anchor.line and row.start <= anchor.start:
                found = number
            elif row.line > anchor.line:
                break
        return self.top(index) + found

    def resize(self, width: int) -> None:
        """Lay everything out anew at another width, or in other styles."""
        self.width = width
        self._drawn.clear()
        self._kept_rows = 0
        self._heights = Heights()
        self._heights.extend(len(self.document), ESTIMATE)
        self._settled = self.document.settled

    def apply(self, changes: Changes) -> None:
        """Follow the document. What was drawn and changed, and the few that are new at the end, is drawn again."""
        if changes.prepended:
            self._heights.prepend(changes.prepended, ESTIMATE)
            self._settled += changes.prepended
        if changes.appended or changes.tail:
            first = self._settled
            self._heights.truncate(first)
            self._settled = self.document.settled
            self._heights.extend(len(self.document) - first, ESTIMATE)
            self._restore(first)
        for entry in changes.redrawn:
            if entry in self._drawn and self._valid(entry) is None:
                self._redraw(entry)

    def trim(self, kept: int) -> None:
        """Keep the rows of so many entries only."""
        while len(self._drawn) > kept:
            self._drop_oldest()

    def _restore(self, first: int) -> None:
        """Give the entries from `first` on the heights they have, as far as that is known or cheap to know."""
        for index in range(first, len(self.document)):
            known = self._drawn.get(self.document[index])
            if known is not None:
                self._heights.set(index, len(known.rows))
            elif index >= len(self.document) - DRAWN_AT_ONCE:
                self.rendered(index)

    def _redraw(self, entry: Entry) -> None:
        try:
            index = self.document.index(entry)
        except ValueError:
            return
        self.rendered(index)

    def _valid(self, entry: Entry) -> Rendered | None:
        rendered = self._drawn.get(entry)
        return rendered if rendered is not None and rendered.version == entry.version else None

    def _keep(self, entry: Entry, rendered: Rendered) -> None:
        self._drawn[entry] = rendered
        self._kept_rows += len(rendered.rows)
        while len(self._drawn) > KEPT_ENTRIES or (
            self._kept_rows > KEPT_ROWS and len(self._drawn) > ALWAYS_KEPT
        ):
            self._drop_oldest()

    def _drop_oldest(self) -> None:
        _, dropped = self._drawn.popitem(last=False)
        self._kept_rows -= len(dropped.rows)
