"""The choices of a prompt in a row that wraps: letters to press, arrows and Enter, or the mouse.

Nothing is chosen to begin with, so that Enter alone never decides. Where it is given fewer rows than it wants
(`max-height`), the last one says how many more there are, and the arrows, the wheel or a click show them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from tui.prompts.choices import NEED_ALL_SEEN, Effect, Offer
from tui.transcript import cells

_GAP = 2
_MORE = 10
"""Cells beside several choices in a row that are kept free to say that there are more, where not all fit."""
_KEY = 5
"""Cells of a choice that are not its label."""
Placed = tuple[int, int]
"""Where a choice begins, and its place among the offers."""


class ChoiceBar(Widget, can_focus=True):
    """`entered`, `armed` and `accepts` say which choices count now: the others look dim."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "choices--key",
        "choices--label",
        "choices--dim",
        "choices--marked",
    }

    marked: reactive[int | None] = reactive(None)
    entered = reactive(False)
    armed = reactive(False)
    accepts = reactive(False)

    class Clicked(Message):
        """`time` is when the button went down, on the clock of key events."""

        def __init__(self, offer: Offer, time: float) -> None:
            super().__init__()
            self.offer = offer
            self.time = time

    def __init__(self, offers: Sequence[Offer]) -> None:
        super().__init__()
        self._offers = tuple(offers)
        self._top = 0
        """The first row that is shown."""

    def rows_at(self, width: int) -> int:
        """How many rows of `width` cells it takes to show all."""
        return len(_in_rows(self._offers, width))

    def show(self, offers: Sequence[Offer]) -> None:
        """Other choices in their place; none is marked."""
        self._offers = tuple(offers)
        self._top = 0
        self.marked = None
        self.refresh(layout=True)

    def move(self, step: int) -> None:
        """Mark the next or previous choice that can be taken; beyond either end none is marked."""
        able = [index for index, offer in enumerate(self._offers) if offer.effect is not Effect.NONE]
        slots: list[int | None] = [None, *able]
        self.marked = slots[(slots.index(self.marked) + step) % len(slots)]

    def under_mark(self) -> Offer | None:
        return None if self.marked is None else self._offers[self.marked]

    def keyed(self, key: str) -> Offer | None:
        """The offer under a letter."""
        return next((offer for offer in self._offers if offer.key == key), None)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self.rows_at(width)

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        more_y, more = self._more()
        room = width - (cells.width_of(more) + 1 if y == more_y and more else 0)
        segments: list[Segment] = []
        at = 0
        for left, index in self._shown_row(y):
            segments.append(Segment(" " * (left - at), self.rich_style))
            segments.extend(self._chip(index, room - left))
            at = left + _width(self._offers[index], room - left)
        if room < width:
            segments.append(Segment(more.rjust(width - at), self._style("dim")))
        return Strip(segments).adjust_cell_length(width, self.rich_style)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        more_y, more = self._more()
        if more and event.y == more_y and event.x >= self.size.width - cells.width_of(more):
            below = self._top + self.size.height < len(self._rows)
            self._scroll(self._top + self.size.height if below else 0)
            return
        for left, index in self._shown_row(event.y):
            if left <= event.x < left + _width(self._offers[index], self.size.width):
                self.post_message(self.Clicked(self._offers[index], event.time))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._wheel(event, 1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._wheel(event, -1)

    def _wheel(self, event: events.MouseEvent, step: int) -> None:
        if self._crowded:
            event.stop()
            self._scroll(self._top + step)

    @property
    def _crowded(self) -> bool:
        return self.size.height < self.rows_at(self.size.width)

    @property
    def _rows(self) -> list[list[Placed]]:
        return _in_rows(self._offers, self.size.width, beside=_MORE if self._crowded else 0)

    def _shown_row(self, y: int) -> list[Placed]:
        rows = self._rows
        top = min(self._top, max(len(rows) - self.size.height, 0))
        return rows[top + y] if top + y < len(rows) else []

    def _more(self) -> tuple[int, str]:
        """How many are not seen, with the arrow that leads to them, and the row where that stands best: the last
        one with room for it."""
        rows = [self._shown_row(y) for y in range(self.size.height)]
        shown = [index for row in rows for _, index in row]
        hidden = len(self._offers) - len(shown)
        if not hidden or not shown:
            return 0, ""
        before, after = shown[0] > 0, shown[-1] < len(self._offers) - 1
        more = f"{'←' if before else ''}{'→' if after else ''} {hidden} more"
        room = self.size.width - cells.width_of(more) - 1
        free = [y for y, row in enumerate(rows) if row and self._end(row) <= room]
        return (free or range(len(rows)))[-1], more

    def _end(self, row: Sequence[Placed]) -> int:
        left, index = row[-1]
        return left + _width(self._offers[index], self.size.width)

    def _scroll(self, top: int) -> None:
        self._top = max(0, min(top, len(self._rows) - self.size.height))
        self.refresh()

    def watch_marked(self) -> None:
        """What is marked is on the screen; with no mark the first ones are."""
        if not self.size.height:
            return
        rows = self._rows
        row = next(
            (y for y, placed in enumerate(rows) if any(index == self.marked for _, index in placed)), 0
        )
        if row < self._top or row >= self._top + self.size.height:
            self._scroll(row if row < self._top else row - self.size.height + 1)

    def _chip(self, index: int, room: int) -> list[Segment]:
        offer = self._offers[index]
        counts = self.armed and (self.accepts or offer.effect not in NEED_ALL_SEEN)
        counts = counts or (self.entered and offer.effect is Effect.LATER)
        key, label = ("key", "label") if counts and offer.effect is not Effect.NONE else ("dim", "dim")
        if index == self.marked:
            key = label = "marked"
        return [
            Segment(f" {offer.key or '·'} ", self._style(key)),
            Segment(f" {_label(offer, room)} ", self._style(label)),
        ]

    def _style(self, part: str) -> Style:
        return self.get_component_rich_style(f"choices--{part}")


def _in_rows(offers: Sequence[Offer], width: int, beside: int = 0) -> list[list[Placed]]:
    """`beside`: cells that stay free in a row of several."""
    rows: list[list[Placed]] = [[]]
    left = 0
    for index, offer in enumerate(offers):
        if rows[-1] and left + _width(offer, width) > width - beside:
            rows.append([])
            left = 0
        rows[-1].append((left, index))
        left += _width(offer, width) + _GAP
    return rows


def _width(offer: Offer, room: int) -> int:
    return _KEY + cells.width_of(_label(offer, room))


def _label(offer: Offer, room: int) -> str:
    """As much of it as there is room for."""
    return cells.cut(offer.label, max(room - _KEY, 1))
