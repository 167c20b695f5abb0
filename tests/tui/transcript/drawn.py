"""Entries drawn without an app: rows with no styles."""

from __future__ import annotations

from rich.style import Style

from core.thread.boxes import ChatBox
from tui.transcript.document import Document
from tui.transcript.drawing import Drawer
from tui.transcript.entries import Entry
from tui.transcript.rows import Look, Rendered, Row, Tap


def styler(look: Look) -> Style:
    """No colours, but what a click does."""
    meta = {part.action: part.value for part in look if isinstance(part, Tap)}
    return Style(meta=meta) if meta else Style.null()


def row_text(row: Row) -> str:
    return "".join(segment.text for segment in row.segments)


def draw(entry: Entry, width: int = 80) -> Rendered:
    return Drawer(styler).draw(entry, width)


def draw_boxes(boxes: list[ChatBox], width: int = 80, folded: bool | None = None) -> list[str]:
    """The rows of all entries as text, right ends stripped."""
    document = Document()
    document.add_boxes(boxes)
    found: list[str] = []
    for entry in document.entries():
        entry.folded = folded
        found += [row_text(row).rstrip() for row in draw(entry, width).rows]
    return found
