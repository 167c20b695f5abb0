"""Rows become strips: the cursor, the selection and the app's filters are laid over them here.

A strip weighs two kilobytes, so only those of about a screen are kept. The compositor asks for the whole
visible part even when one line changed; unchanged rows cost a look into that cache.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual.selection import Selection
from textual.strip import Strip
from textual.widget import Widget

from tui.transcript import selection
from tui.transcript.rows import Row, Styler

if TYPE_CHECKING:
    from tui.transcript.entries import Entry

Marks = Callable[["Entry", Row], Sequence[tuple[int, int, bool]]]
"""What is found in a row: characters from and to, and whether it is the current hit."""

MAX_STRIPS = 320
_CURSORS = {" ": "▌", "▌": "█"}
"""What the cursor makes of a pane's first cell; the empty row after an entry is one wider segment."""


class Mark(NamedTuple):
    """What the cursor is on: an entry, or of it the logical lines from `first` to `last`."""

    entry: Entry
    first: int = -1
    last: int = sys.maxsize

    def covers(self, row: Row, above: bool) -> bool:
        """Whether a row of the entry is marked; one of decoration inside a part is, as the row `above` it."""
        if row.line < 0 <= self.first:
            return above
        return self.first <= row.line <= self.last


class Painter:
    """Paints rows of one view."""

    def __init__(self, view: Widget, styler: Styler) -> None:
        self._view = view
        self._styler = styler
        self._strips: dict[tuple[int, bool], tuple[Row, Strip]] = {}
        self._background = view.background_colors[1]
        self._filters = view.get_line_filters()
        self._selection = Style.null()
        self.marks: Marks | None = None
        """What is to be marked as found."""

    def clear(self) -> None:
        """Forget what was painted: the styles are others now."""
        self._strips.clear()

    def paint(self, rows: list[tuple[Entry, Row]], width: int, cursor: Mark | None) -> list[Strip]:
        """A strip of `width` cells for each row; what the cursor is on is marked at its left."""
        self._background = self._view.background_colors[1]
        self._filters = self._view.get_line_filters()
        chosen = self._view.text_selection
        if chosen is not None:
            self._selection = _selection_style(self._view)
        strips: list[Strip] = []
        marked = False
        for entry, row in rows:
            marked = cursor is not None and entry is cursor.entry and cursor.covers(row, marked)
            strips.append(self._strip(entry, row, width, marked, chosen))
        return strips

    def _strip(self, entry: Entry, row: Row, width: int, marked: bool, chosen: Selection | None) -> Strip:
        span = selection.span(chosen, entry, row) if chosen is not None else None
        if span is not None:
            return self._filtered(selection.highlighted(row, span, self._selection), width, marked)
        key = (id(row), marked)
        found = self._strips.get(key)
        if found is not None and found[0] is row:
            return found[1]
        strip = self._filtered(self._segments(entry, row), width, marked)
        if len(self._strips) >= MAX_STRIPS:
            self._strips.clear()
        self._strips[key] = (row, strip)
        return strip

    def _segments(self, entry: Entry, row: Row) -> list[Segment]:
        """The row's segments with what is found in it marked."""
        segments = row.segments
        if self.marks is not None:
            for part in (row,) if row.left is None else (row.left, row):
                for begin, end, current in self.marks(entry, part):
                    marked = part._replace(segments=segments)
                    segments = tuple(
                        selection.highlighted(marked, (begin, end), self._found(current=current))
                    )
        return list(segments)

    def _found(self, *, current: bool) -> Style:
        """The current hit has its colour as ground: a component class cannot give an opaque one."""
        if not current:
            return self._styler(("found",))
        style = self._styler(("found-current",))
        return Style(color=style.bgcolor, bgcolor=style.color, bold=True)

    def _filtered(self, segments: list[Segment], width: int, marked: bool) -> Strip:
        if marked and (cursor := _CURSORS.get(segments[0].text)):
            ground = segments[0].style or Style.null()
            color = self._styler(("cursor",)).color
            segments[0] = Segment(cursor, Style(color=color, bgcolor=ground.bgcolor, bold=True))
        for line_filter in self._filters:
            segments = line_filter.apply(segments, self._background)
        return Strip(segments).adjust_cell_length(width)


def _selection_style(view: Widget) -> Style:
    """What the theme gives selected text; most give it a ground and leave its colour."""
    style = view.screen.get_visual_style("screen--selection")
    rich = style.rich_style
    return Style(bgcolor=rich.bgcolor) if style.has_transparent_foreground else rich
