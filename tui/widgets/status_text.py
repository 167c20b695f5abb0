"""What the status line says, in as much room as there is. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath

from tui.transcript import cells, safe

SEPARATOR = " │ "
LONGEST_PATH = 40


@dataclass(frozen=True, slots=True)
class StatusFacts:
    """What there is to say; "" and None where it is not known."""

    folder: str = ""
    home: str = ""
    host: str = ""
    host_ready: bool = False
    model: str = ""
    context: int | None = None
    window: int | None = None
    waiting: int = 0
    """Requests for a person in other conversations."""
    writer: str = ""
    """Who else writes this conversation."""


def status_text(facts: StatusFacts, width: int) -> str:
    """One line of at most `width` cells. What matters most is dropped last."""
    parts = [
        (0, f"read-only: {safe.line(facts.writer, 40)} writes this" if facts.writer else ""),
        (1, _waiting(facts.waiting)),
        (2 if not facts.host_ready else 5, safe.line(facts.host, 60)),
        (3, context_words(facts.context, facts.window)),
        (4, path_words(facts.folder, facts.home)),
        (6, safe.line(facts.model, 30)),
    ]
    order = (4, 2, 5, 3, 1, 0)
    shown = [(rank, text) for place in order for rank, text in [parts[place]] if text]
    while len(shown) > 1 and _width(shown) > width:
        shown.remove(max(shown))
    return cells.cut(SEPARATOR.join(text for _, text in shown), width)


def home_short(folder: str, home: str) -> str:
    """`folder` with the person's home as `~`."""
    if not folder or not home:
        return folder
    path = PurePath(folder)
    return f"~/{path.relative_to(home)}".removesuffix("/.") if path.is_relative_to(home) else folder


def path_words(folder: str, home: str) -> str:
    """A folder in at most `LONGEST_PATH` cells: its last names matter most."""
    shown = safe.line(home_short(folder, home))
    parts = shown.split("/")
    for kept in range(len(parts) - 2, 0, -1):
        if cells.width_of(shown) <= LONGEST_PATH:
            break
        shown = "/".join((parts[0], "…", *parts[-kept:]))
    return cells.cut(shown, LONGEST_PATH)


def context_words(context: int | None, window: int | None) -> str:
    """How full the model's window is."""
    if not context:
        return ""
    if not window:
        return f"{_thousands(context)} tokens"
    return f"{min(100, round(100 * context / window))}% of {_thousands(window)}"


def clock_words(seconds: float) -> str:
    """`1:02` or `1:02:03`."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _waiting(count: int) -> str:
    if not count:
        return ""
    return "1 waits elsewhere" if count == 1 else f"{count} wait elsewhere"


def _thousands(number: int) -> str:
    return f"{number / 1000:.0f}k" if number >= 1000 else str(number)


def _width(parts: list[tuple[int, str]]) -> int:
    return sum(cells.width_of(text) for _, text in parts) + len(SEPARATOR) * (len(parts) - 1)
