"""The keys that work now, in one line: as many as fit, those that matter most now first. A click presses one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from textual import events
from textual.content import Content
from textual.widget import Widget

from tui.transcript import cells
from tui.widgets.key_names import short_name

GAP = 2


class Chip(NamedTuple):
    """A key, how it is written, and what it does; `action` is its name, "" for what is no binding."""

    key: str
    shown: str
    words: str
    action: str = ""

    @property
    def width(self) -> int:
        return cells.width_of(self.shown) + 1 + cells.width_of(self.words)


class KeyBar(Widget):
    """`urgent` names the actions that come first whenever they are possible, `last` those that stay at the end.
    `always` names the one that is shown however little room there is.

    `extra` comes before all.
    """

    def __init__(
        self, *, urgent: tuple[str, ...], last: tuple[str, ...], always: str, widget_id: str
    ) -> None:
        super().__init__(id=widget_id)
        self._always = always
        self._urgent = urgent
        self._last = last
        self.extra: tuple[Chip, ...] = ()
        self._places: list[tuple[int, Chip]] = []

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, lambda _: self.refresh())

    def render(self) -> Content:
        self._places = list(self._laid_out(self._chips(), self.size.width))
        text = Content("")
        for left, chip in self._places:
            text += Content(" " * (left - text.cell_length))
            text += Content.assemble((chip.shown, "bold $accent"), " ", (chip.words, "$foreground 80%"))
        return text

    def on_click(self, event: events.Click) -> None:
        for left, chip in self._places:
            if left <= event.x < left + chip.width:
                self.app.simulate_key(chip.key)

    def _chips(self) -> list[Chip]:
        found: dict[str, tuple[int, Chip]] = {}
        for place, active in enumerate(self.screen.active_bindings.values()):
            binding = active.binding
            if not binding.show or not active.enabled or binding.action in found:
                continue
            name = binding.action.rpartition(".")[2]
            chip = Chip(binding.key, short_name(binding.key), binding.description, name)
            found[binding.action] = (self._rank(binding.action, place), chip)
        return [*self.extra, *(chip for _, chip in sorted(found.values(), key=lambda ranked: ranked[0]))]

    def _rank(self, action: str, place: int) -> int:
        name = action.rpartition(".")[2]
        if name in self._urgent:
            return self._urgent.index(name) - 1000
        return 1000 + self._last.index(name) if name in self._last else place

    def _laid_out(self, chips: Iterable[Chip], width: int) -> Iterable[tuple[int, Chip]]:
        """From the left; room is kept for the key that shows all the others."""
        chips = list(chips)
        kept = sum(chip.width + GAP for chip in chips if chip.action == self._always)
        left = 1
        for chip in chips:
            if chip.action == self._always:
                kept = 0
            if left + chip.width + kept <= width:
                yield left, chip
                left += chip.width + GAP
