"""The keys that work now, in one line: as many as fit, those that matter most now first. A click presses one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from textual import events
from textual.binding import Binding
from textual.content import Content
from textual.dom import DOMNode
from textual.widget import Widget

from tui.widgets.key_chips import Chip, TellsKeys
from tui.widgets.key_names import short_name

GAP = 2


class KeyBar(Widget):
    """`urgent` names the actions that come first whenever they are possible, `last` those that stay at the end.
    `always` names the one that is shown however little room there is.

    What the keys of the focused widget do is asked of it, and of all that it is in (`TellsKeys`).
    """

    DEFAULT_CSS = "KeyBar { height: 1; }"

    def __init__(
        self,
        *,
        urgent: tuple[str, ...] = (),
        last: tuple[str, ...] = (),
        always: str,
        widget_id: str | None = None,
    ) -> None:
        super().__init__(id=widget_id)
        self._always = always
        self._urgent = urgent
        self._last = last
        self._places: list[tuple[int, Chip]] = []

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, lambda _: self.refresh())

    def render(self) -> Content:
        self._places = list(self._laid_out(self.chips(), self.size.width))
        text = Content("")
        for left, chip in self._places:
            text += Content(" " * (left - text.cell_length))
            text += Content.assemble((chip.shown, "bold $accent"), " ", (chip.words, "$foreground 80%"))
        return text

    def on_click(self, event: events.Click) -> None:
        for left, chip in self._places:
            if left <= event.x < left + chip.width:
                self.app.simulate_key(chip.key)

    def chips(self) -> list[Chip]:
        """All of them, also those that there is no room for."""
        tellers = self._tellers()
        found: dict[str, tuple[int, Chip]] = {}
        for place, active in enumerate(self.screen.active_bindings.values()):
            binding = active.binding
            name = binding.action.rpartition(".")[2]
            words = _words(tellers, name)
            if words is None:
                words = binding.description if binding.show else ""
            if not words or not active.enabled:
                continue
            chip = Chip(binding.key, short_name(binding.key), words, name)
            if words not in found:
                found[words] = (self._rank(name, place), chip)
            elif found[words][1].action != name:
                rank, other = found[words]
                found[words] = (rank, chip._replace(shown=_both(other.shown, chip.shown)))
            elif binding.key == _first_key(active.node, binding):
                found[words] = (found[words][0], chip)
        told = [chip for teller in tellers for chip in teller.key_chips()]
        return [*told, *(chip for _, chip in sorted(found.values(), key=lambda ranked: ranked[0]))]

    def _tellers(self) -> Sequence[TellsKeys]:
        focused = self.screen.focused
        nodes = [self.screen] if focused is None else focused.ancestors_with_self
        return [node for node in nodes if isinstance(node, TellsKeys)]

    def _rank(self, name: str, place: int) -> int:
        if name in self._urgent:
            return self._urgent.index(name) - 1000
        return 1000 + self._last.index(name) if name in self._last else place

    def _laid_out(self, chips: Iterable[Chip], width: int) -> Iterable[tuple[int, Chip]]:
        """From the left; room is kept for the key that is always shown."""
        chips = list(chips)
        kept = sum(chip.width + GAP for chip in chips if chip.action == self._always)
        left = 1
        for chip in chips:
            if chip.action == self._always:
                kept = 0
            if left + chip.width + kept <= width:
                yield left, chip
                left += chip.width + GAP


def _words(tellers: Iterable[TellsKeys], action: str) -> str | None:
    told = (teller.key_words(action) for teller in tellers)
    return next((words for words in told if words is not None), None)


def _first_key(node: DOMNode, binding: Binding) -> str:
    """The one that its class names first: Textual puts those first that a base class has too."""
    declared = (one for base in type(node).__mro__ for one in base.__dict__.get("BINDINGS", ()))
    same = (one for one in declared if isinstance(one, Binding) and one.action == binding.action)
    return next((one.key.partition(",")[0].strip() for one in same), "")


def _both(one: str, other: str) -> str:
    """Two keys that do the same: `↑↓`, `j/Space`."""
    return f"{one}{other}" if len(one) == len(other) == 1 else f"{one}/{other}"
