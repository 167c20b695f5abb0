"""The choices of a prompt in a row that wraps: letters to press, arrows and Enter, or the mouse.

Nothing is chosen to begin with, so that Enter alone never decides.
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

    def show(self, offers: Sequence[Offer]) -> None:
        """Other choices in their place; none is marked."""
        self._offers = tuple(offers)
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
        return len(self._laid_out(width))

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        rows = self._laid_out(width)
        segments: list[Segment] = []
        at = 0
        for left, index in rows[y] if y < len(rows) else ():
            segments.append(Segment(" " * (left - at), self.rich_style))
            segments.extend(self._chip(index))
            at = left + _width(self._offers[index])
        return Strip(segments).adjust_cell_length(width, self.rich_style)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        rows = self._laid_out(self.size.width)
        for left, index in rows[event.y] if event.y < len(rows) else ():
            if left <= event.x < left + _width(self._offers[index]):
                self.post_message(self.Clicked(self._offers[index], event.time))

    def _laid_out(self, width: int) -> list[list[tuple[int, int]]]:
        """Rows of (left, offer's index)."""
        rows: list[list[tuple[int, int]]] = [[]]
        left = 0
        for index, offer in enumerate(self._offers):
            if rows[-1] and left + _width(offer) > width:
                rows.append([])
                left = 0
            rows[-1].append((left, index))
            left += _width(offer) + _GAP
        return rows

    def _chip(self, index: int) -> list[Segment]:
        offer = self._offers[index]
        counts = self.armed and (self.accepts or offer.effect not in NEED_ALL_SEEN)
        counts = counts or (self.entered and offer.effect is Effect.LATER)
        key, label = ("key", "label") if counts and offer.effect is not Effect.NONE else ("dim", "dim")
        if index == self.marked:
            key = label = "marked"
        return [
            Segment(f" {offer.key or '·'} ", self._style(key)),
            Segment(f" {offer.label} ", self._style(label)),
        ]

    def _style(self, part: str) -> Style:
        return self.get_component_rich_style(f"choices--{part}")


def _width(offer: Offer) -> int:
    return 5 + cells.width_of(offer.label)
