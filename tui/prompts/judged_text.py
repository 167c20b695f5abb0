"""The text that is judged, painted line by line: a diff of 10,000 lines costs what is visible of it."""

from __future__ import annotations

from itertools import pairwise
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Size
from textual.strip import Strip
from textual.widget import Widget

from tui.prompts.lines import Judged, Line, Look
from tui.transcript import cells

_Row = tuple[str, str, Look]
"""Margin, text, look."""


class JudgedText(Widget):
    """As high as its text is at its width; whoever holds it scrolls."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "judged--text",
        "judged--code",
        "judged--label",
        "judged--added",
        "judged--removed",
        "judged--muted",
        "judged--warning",
    }

    def __init__(self, judged: Judged) -> None:
        super().__init__()
        self._judged = judged
        self._rows: list[_Row] = []
        self._rows_width = -1

    @property
    def judged(self) -> Judged:
        """What it shows."""
        return self._judged

    @property
    def laid_out(self) -> bool:
        """Has it its place on the screen as what it shows now, and not as what it showed before?"""
        region = self.region
        return not self.display or region.height == len(self._rows_at(region.width))

    def show(self, judged: Judged) -> None:
        """Another text in its place."""
        self._judged = judged
        self._rows_width = -1
        self.refresh(layout=True)

    def get_content_width(self, container: Size, viewport: Size) -> int:
        return container.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._rows_at(width))

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        rows = self._rows_at(width)
        base = self.rich_style
        if y >= len(rows):
            return Strip.blank(width, base)
        margin, text, look = rows[y]
        style = self._style(look)
        margin_style = style if look in ("added", "removed", "warning") else self._style("muted")
        segments = [Segment(margin, margin_style), Segment(text, style)]
        return Strip(segments).adjust_cell_length(width, base)

    def _style(self, look: Look) -> Style:
        return self.get_component_rich_style(f"judged--{look}")

    def _rows_at(self, width: int) -> list[_Row]:
        if width != self._rows_width:
            self._rows = [row for line in self._judged.lines for row in _wrapped(line, max(width, 1))]
            self._rows_width = width
        return self._rows


def _wrapped(line: Line, width: int) -> list[_Row]:
    room = max(1, width - cells.width_of(line.margin))
    hang = " " * cells.width_of(line.margin)
    ends = [*cells.starts(line.text, room), len(line.text)]
    return [
        (line.margin if number == 0 else hang, line.text[start:end], line.look)
        for number, (start, end) in enumerate(pairwise(ends))
    ]
