"""What the keys of the composer do with what is written now. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tui.composing.meaning import Said, ShellLine, Slash, meaning
from tui.widgets.key_chips import Chip

_LOOKED_AT, _LINES_LOOKED_AT = 400, 50
"""Characters, and lines, that tell what a text is."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How the composer stands. `beginning`: of what is written; `queues`: a turn runs, which Tab can queue behind.

    `choosing`: the list of completions is open, `choices` is there something in it? `expands`: the cursor is at a
    paste that can be written out.
    """

    beginning: str = ""
    queues: bool = False
    choosing: bool = False
    choices: bool = False
    expands: bool = False

    @property
    def empty(self) -> bool:
        return not self.beginning.strip()


def words_of(action: str, now: Standing) -> str | None:
    """What the action of one of its bindings does; "" for nothing, None for none of these."""
    said = isinstance(_meaning(now), Said)
    match action:
        case "send":
            return "" if now.empty or (now.choosing and now.choices) else _sends(now)
        case "queue":
            return "Queue" if now.queues and said and not now.empty and not now.choosing else ""
        case "expand":
            return "Write it out" if now.expands else ""
        case _:
            return None


def chips_of(now: Standing) -> Iterable[Chip]:
    """The keys of the list of completions, where it is open."""
    if now.choosing and now.choices:
        yield Chip("down", "↑↓", "Choose")
        yield Chip("enter", "Enter", "Take it")
    if now.choosing:
        yield Chip("escape", "Esc", "Close the list")


def _sends(now: Standing) -> str:
    match _meaning(now):
        case Slash():
            return "Do it"
        case ShellLine():
            return "Run it"
        case Said():
            return "Steer" if now.queues else "Send"


def _meaning(now: Standing) -> Said | Slash | ShellLine:
    return meaning(now.beginning)


def all_words(now: Standing) -> tuple[str | None, ...]:
    return tuple(words_of(action, now) for action in ("send", "queue", "expand"))


def beginning_of(lines: Sequence[str]) -> str:
    """As much of a text as tells what it is: of its first line that has something."""
    found = next((line for line in lines[:_LINES_LOOKED_AT] if line.strip()), None)
    if found is None:
        return "…" if len(lines) > _LINES_LOOKED_AT else ""
    return found[:_LOOKED_AT]
