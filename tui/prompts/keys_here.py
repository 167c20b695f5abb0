"""What the keys of a prompt do where the focus is, besides the letters beside its choices. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, auto

from tui.prompts.sitting import Phase
from tui.widgets.key_chips import Chip


class Focus(Enum):
    """Where it is in a prompt."""

    ELSEWHERE = auto()
    TEXT = auto()
    """On what is judged."""
    PICKER = auto()
    FIELD = auto()
    LINE = auto()
    """Where the message to Codex is written."""
    CHOICES = auto()

    @property
    def chooses(self) -> bool:
        """Do the arrows mark choices here?"""
        return self in (Focus.TEXT, Focus.CHOICES)


def chips_of(phase: Phase, focus: Focus, *, written: bool, marked: bool) -> Iterable[Chip]:
    """The keys that are no bindings. `written`: there is a message to Codex; `marked`: a choice is."""
    if phase is Phase.SETTLED:
        yield Chip("escape", "Esc", "Close")
        return
    if focus is Focus.LINE:
        if written and phase is not Phase.DECIDING:
            yield Chip("enter", "Enter", "Decline with this")
        yield Chip("escape", "Esc", "To the choices")
        return
    if focus.chooses:
        yield Chip("right", "←→", "Mark a choice")
    if focus.chooses and marked and phase is not Phase.DECIDING:
        yield Chip("enter", "Enter", "Take it")
    yield Chip("escape", "Esc", "Back")
