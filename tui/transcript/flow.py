"""A document laid out at one width: which rows its entries take, drawn only where somebody looks.

Heights are one constant until an entry is drawn, exact from then on. Drawn rows are kept for the entries
that were looked at last. The document may be ahead: indices here are those of its last changes that were
applied. Pure of Textual; knows panes only as the function that draws an entry.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tui.transcript.heights import Heights
from tui.transcript.rows import Rendered, Row

if TYPE_CHECKING:
    from tui.transcript.changes import Changes
    from tui.transcript.document import Document
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
        self._heights = Heights()
        self._drawn: OrderedDict[Entry, Rendered] = OrderedDict()
        self._kept_rows = 0
        self._settled = 0
        self._first_order = 0
        self._tail: tuple[Entry, ...] = ()
        self.resize(width)

    def __len__(self) -> int:
        return len(self._heights)

    @property
    def height(self) -> int:
        """Rows of all entries."""
        return self._heights.total

    def entry(self, index: int) -> Entry:
        """The entry at an index."""
        if index >= self._settled:
            return self._tail[index - self._settled]
        return self.document[index + self._first_order - self.document.first_order]

    def index(self, entry: Entry) -> int:
        """Where an entry is. Raises ValueError for one that is not here."""
        if not self.holds(entry):
            raise ValueError(f"{entry!r} is not in this flow")
        if entry in self._tail:
            return self._settled + self._tail.index(entry)
        return entry.order - self._first_order

    def holds(self, entry: Entry) -> bool:
        """Is an entry here?"""
        return entry in self._tail or 0 <= entry.order - self._first_order < self._settled

    def between(self, first: int | None, last: int | None) -> Iterator[int]:
        """The indices of the entries from one order to another, both included; None: no bound."""
        begin = 0 if first is None else min(self._settled, max(0, first - self._first_order))
        for index in range(begin, len(self._heights)):
            order = self.entry(index).order
            if last is not None and order > last:
                return
            if first is None or order >= first:
                yield index

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
        return self.entry(index) in self._drawn

    def rendered(self, index: int) -> Rendered:
        """An entry's rows; drawing it makes its height exact."""
        entry = self.entry(index)
        rendered = self._drawn.get(entry)
        if rendered is None:
            rendered = self._draw(entry, self.width)
            self._keep(entry, rendered)
            self._heights.set(index, len(rendered.rows))
        else:
            self._drawn.move_to_end(entry)
        return rendered

    def redraw(self, entry: Entry) -> None:
        """Draw an entry again that was drawn before and looks different now."""
        before = self._drawn.pop(entry, None)
        if before is not None:
            self._kept_rows -= len(before.rows)
            if self.holds(entry):
                self.rendered(self.index(entry))

    def window(self, row: int, count: int) -> list[tuple[Entry, Row]]:
        """`count` rows from `row` on, fewer at the end."""
        index, offset = self._heights.find(max(0, row))
        found: list[tuple[Entry, Row]] = []
        while len(found) < count and index < len(self._heights):
            rows = self.rendered(index).rows
            entry = self.entry(index)
            found += [(entry, shown) for shown in rows[offset : offset + count - len(found)]]
            offset = 0
            index += 1
        return found

    def shown(self, row: int, count: int) -> set[Entry]:
        """The entries that have some of these rows."""
        return {entry for entry, _ in self.window(row, count)}

    def measure(self, row: int, count: int) -> None:
        """Make the heights of the entries in these rows exact."""
        index, offset = self._heights.find(max(0, row))
        missing = count + offset
        while missing > 0 and index < len(self._heights):
            missing -= len(self.rendered(index).rows)
            index += 1

    def measure_end(self, count: int) -> None:
        """Make the heights of the last `count` rows exact."""
        index = len(self._heights) - 1
        while count > 0 and index >= 0:
            count -= len(self.rendered(index).rows)
            index -= 1

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
        return Anchor(self.entry(index), offset, shown.line, shown.start)

    def row_of(self, anchor: Anchor) -> int | None:
        """The row that shows a place now; None where its entry is gone."""
        if not self.holds(anchor.entry):
            return None
        index = self.index(anchor.entry)
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
        """Lay the document as it is out anew, at another width or in other styles."""
        self.width = width
        self.document.take_changes()
        self._drawn.clear()
        self._kept_rows = 0
        self._take_entries()
        self._heights = Heights()
        self._heights.extend(self._settled + len(self._tail), ESTIMATE)

    def apply(self, changes: Changes) -> None:
        """Follow the document. What was drawn and changed, and the few that are new at the end, is drawn again."""
        if changes.prepended:
            self._heights.prepend(changes.prepended, ESTIMATE)
        if changes.appended or changes.tail:
            first = self._settled + changes.prepended
            self._heights.truncate(first)
            self._heights.extend(len(self.document) - first, ESTIMATE)
            self._take_entries()
            self._restore(first)
        else:
            self._take_entries()
        for entry in changes.redrawn:
            self.redraw(entry)

    def trim(self, kept: int) -> None:
        """Keep the rows of so many entries only."""
        while len(self._drawn) > kept:
            self._drop_oldest()

    def _take_entries(self) -> None:
        self._settled = self.document.settled
        self._first_order = self.document.first_order
        self._tail = self.document.tail

    def _restore(self, first: int) -> None:
        """Give the entries from `first` on the heights they have, as far as that is known or cheap to know."""
        for index in range(first, len(self._heights)):
            known = self._drawn.get(self.entry(index))
            if known is not None:
                self._heights.set(index, len(known.rows))
            elif index >= len(self._heights) - DRAWN_AT_ONCE:
                self.rendered(index)

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
