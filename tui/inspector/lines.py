"""Lines with a margin of their own, wrapped between words. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from textual.content import Content

from tui.transcript import cells, safe


class Line(NamedTuple):
    """`mark` stands before the first row, the rows below are as far in. Both are styled by Textual's words."""

    text: str = ""
    style: str = ""
    mark: str = ""
    mark_style: str = ""


def drawn(lines: Iterable[Line], width: int) -> Content:
    """The lines in `width` cells; what they say is shown, never interpreted."""
    return Content("\n").join(row for line in lines for row in _rows(line, width))


def _rows(line: Line, width: int) -> list[Content]:
    text = safe.line(line.text)
    indent = cells.width_of(line.mark)
    starts = cells.starts(text, max(8, width - indent)) if text else [0]
    ends = [*starts[1:], len(text)]
    rows = [text[start:end].rstrip() for start, end in zip(starts, ends, strict=True)]
    first = Content.assemble((line.mark, line.mark_style), (rows[0], line.style))
    return [first, *(Content.assemble(" " * indent, (row, line.style)) for row in rows[1:])]
