"""Selecting text: offsets that name a character of a logical line, whatever is wrapped or added meanwhile.

An offset's y packs the entry's order and its logical line, x is the character in that line. Textual
takes offsets from the style meta of rendered lines; they are baked in for hit tests only, since each
costs a pickle.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Offset
from textual.screen import Screen
from textual.selection import SelectEnd, Selection
from textual.strip import Strip
from textual.widget import Widget

from tui.transcript import cells
from tui.transcript.rows import Row

if TYPE_CHECKING:
    from tui.transcript.entries import Entry
    from tui.transcript.flow import Flow

LINE_BITS = 24
_LINE_MASK = (1 << LINE_BITS) - 1


def pack(order: int, line: int) -> int:
    """An offset's y."""
    return order << LINE_BITS | line


def unpack(y: int) -> tuple[int, int]:
    """The order and the logical line in an offset's y."""
    return y >> LINE_BITS, y & _LINE_MASK


def span(selection: Selection, entry: Entry, row: Row) -> tuple[int, int] | None:
    """Which characters of a row are selected, counted from its first; None for none."""
    if row.line < 0:
        return None
    found = selection.get_span(pack(entry.order, row.line))
    if found is None:
        return None
    begin = max(0, found[0] - row.start)
    end = row.length if found[1] == -1 else min(row.length, found[1] - row.start)
    return (begin, end) if begin < end else None


def highlighted(row: Row, chosen: tuple[int, int], style: Style) -> list[Segment]:
    """The row's segments with the chosen characters in `style`."""
    segments: list[Segment] = []
    column = 0
    taken = 0
    for segment in row.segments:
        text, own, _ = segment
        if column < row.indent or taken >= row.length:
            segments.append(segment)
        else:
            begin, end = (min(len(text), row.length - taken, max(0, cut - taken)) for cut in chosen)
            over = style if own is None else own + style
            pieces = ((text[:begin], own), (text[begin:end], over), (text[end:], own))
            segments += (Segment(piece, look) for piece, look in pieces if piece)
            taken += len(text)
        column += cells.width_of(text)
    return segments


def hit_strip(entry: Entry, rows: list[Row], number: int, width: int) -> Strip:
    """Row `number` of an entry with offsets in its meta, for the compositor's hit tests.

    Cells left of the text lead to its beginning. A row without text leads to the end of the text above.
    """
    row = rows[number]
    if row.line < 0:
        line, x = _end_above(rows, number)
        return Strip([_marked("", Style.null(), x - 1, pack(entry.order, line)), *row.segments], width)
    y = pack(entry.order, row.line)
    segments: list[Segment] = []
    column = 0
    taken = 0
    for segment in row.segments:
        style = segment.style or Style.null()
        if column < row.indent:
            segments += (_marked(character, style, row.start - 1, y) for character in segment.text)
        elif taken < row.length:
            shown = segment.text[: row.length - taken]
            segments.append(_marked(shown, style, row.start + taken, y))
            if len(shown) < len(segment.text):
                segments.append(Segment(segment.text[len(shown) :], style))
            taken += len(segment.text)
        else:
            segments.append(segment)
        column += cells.width_of(segment.text)
    return Strip(segments, width)


def text(selection: Selection, flow: Flow) -> str:
    """The selected text: whole logical lines, whatever the screen's width; entries parted by an empty line."""
    first = None if selection.start is None else unpack(selection.start.y)[0]
    last = None if selection.end is None else unpack(selection.end.y)[0]
    parts: list[str] = []
    for index in flow.between(first, last):
        entry = flow.entry(index)
        lines: list[str] = []
        for number, line in enumerate(flow.rendered(index).lines):
            found = selection.get_span(pack(entry.order, number))
            if found is not None:
                lines.append(
                    line[max(0, found[0]) : None if found[1] == -1 else max(0, found[1])].rstrip(" ")
                )
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def follow_orders(view: Widget, orders: dict[int, int]) -> None:
    """Entries have other orders now (old -> new): the selection, finished or not, keeps its characters."""
    screen = view.screen
    chosen = screen.selections.get(view)
    if chosen is not None:
        moved = Selection(_moved(chosen.start, orders), _moved(chosen.end, orders))
        screen.selections = {**screen.selections, view: moved}
    state = screen._select_state
    if state is None:
        return
    start, end = state.start, state.end
    if start.content_widget is view:
        start = start._replace(content_offset=_moved(start.content_offset, orders))
    if end is not None and end.content_widget is view:
        end = end._replace(content_offset=_moved(end.content_offset, orders))
    screen.set_reactive(Screen._select_state, state._replace(start=start, end=end))


def follow_pointer(view: Widget) -> None:
    """The view scrolled under a pointer that selects: the selection reaches to what is there now.

    Textual does this only when the pointer moves.
    """
    screen = view.screen
    state = screen._select_state
    if not screen._selecting or state is None or state.start.content_widget is not view:
        return
    pointer = view.app.mouse_position
    widget, offset = screen.get_widget_and_offset_at(*pointer)
    if widget is view and offset is not None and isinstance(view.parent, Widget):
        screen._select_state = state.update_end(pointer, SelectEnd(view.parent, view, offset))


def _moved(offset: Offset | None, orders: dict[int, int]) -> Offset | None:
    if offset is None:
        return None
    order, line = unpack(offset.y)
    return Offset(offset.x, pack(orders.get(order, order), line))


def _marked(text: str, style: Style, x: int, y: int) -> Segment:
    return Segment(text, style + Style(meta={"offset": (x, y)}))


def _end_above(rows: list[Row], number: int) -> tuple[int, int]:
    """The end of the last text above a row of decoration; before the first character where there is none."""
    for row in reversed(rows[:number]):
        if row.line >= 0:
            return row.line, row.start + row.length
    return 0, 0
