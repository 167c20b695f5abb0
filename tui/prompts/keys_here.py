"""What the keys of a prompt do where the focus is, besides the letters beside its choices. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tui.widgets.key_chips import Chip


@dataclass(frozen=True, slots=True)
class Standing:
    """How a prompt stands. `settled`: nothing is left to decide; `deciding`: a decision is on its way.

    `saying`: the line to Codex has the focus, with something in it if `written`. `chooses`: the arrows mark choices
    here, and one is `marked`.
    """

    settled: bool = False
    deciding: bool = False
    saying: bool = False
    written: bool = False
    chooses: bool = False
    marked: bool = False


def chips_of(now: Standing) -> Iterable[Chip]:
    """The keys that are no bindings."""
    if now.settled:
        yield Chip("escape", "Esc", "Close")
        return
    if now.saying:
        if now.written and not now.deciding:
            yield Chip("enter", "Enter", "Decline with this")
        yield Chip("escape", "Esc", "To the choices")
        return
    if now.chooses:
        yield Chip("right", "←→", "Mark a choice")
    if now.chooses and now.marked and not now.deciding:
        yield Chip("enter", "Enter", "Take it")
    yield Chip("escape", "Esc", "Back")
