"""Text that is read and selected: wrapped lines, drawn where they are seen."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from textual.content import Content
from textual.selection import Selection
from textual.strip import Strip

from tui.transcript import cells
from tui.widgets.line_view import LineView


class TextView(LineView):
    """Shows lines of any length. A selection is of whole lines, however they are wrapped."""

    def __init__(self, *, widget_id: str) -> None:
        super().__init__(widget_id=widget_id)
        self._lines: Sequence[Content] = ()
        self._rows: list[tuple[int, int, int]] = []
        self._strips: dict[int, Strip] = {}
        self._wrapped_at = 0

    @property
    def text(self) -> str:
        """All of it, without the breaks of the screen."""
        return "\n".join(line.plain for line in self._lines)

    def set_text(self, lines: Sequence[Content]) -> None:
        """Show these lines; where it was scrolled to stays."""
        self._lines = lines
        self._wrap()

    def on_resize(self) -> None:
        if self.scrollable_content_region.width != self._wrapped_at:
            self._wrap()

    def _wrap(self) -> None:
        self._wrapped_at = width = self.scrollable_content_region.width
        self._rows = []
        for number, line in enumerate(self._lines):
            text = line.plain
            if len(text) <= width and text.isascii():
                self._rows.append((number, 0, len(text)))
            else:
                ends = [*cells.starts(text, max(1, width)), len(text)]
                self._rows += [(number, start, end) for start, end in pairwise(ends)]
        self._strips.clear()
        self.set_lines(len(self._rows))
        self.refresh()

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        at = y + self.scroll_offset.y
        if at >= len(self._rows):
            return Strip.blank(width, self.rich_style)
        strip = self._strips.get(at)
        if strip is None or strip.cell_length != width:
            strip = self._strips[at] = self._drawn(at, width)
        return strip

    def _drawn(self, at: int, width: int) -> Strip:
        number, start, end = self._rows[at]
        line = self._lines[number]
        piece = line if end - start == len(line.plain) else line[start:end]
        span = None if self.text_selection is None else self.text_selection.get_span(number)
        if span is not None:
            chosen = max(0, span[0] - start), end - start if span[1] < 0 else min(end, span[1]) - start
            if chosen[0] < chosen[1]:
                piece = piece.stylize(self.screen.get_visual_style("screen--selection"), *chosen)
        return self.strip_of(piece.rstrip(), width).apply_offsets(start, number)

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._strips.clear()

    # Selecting.

    def selection_updated(self, selection: Selection | None) -> None:
        self._strips.clear()
        super().selection_updated(selection)

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        return selection.extract(self.text), "\n"
