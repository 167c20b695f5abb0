"""What the status line says, in as much room as there is. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple

from core.writers import IMPORTED
from tui.transcript import cells, safe

if TYPE_CHECKING:
    from core.conversation.choosing import Selected

SEPARATOR = " │ "
LONGEST_PATH = 40
BAR = 8
"""Cells of the bar that shows how full the context is."""

FULL = 80
"""Percent from which the context is said to be nearly full."""

SHORT = {"workspace-write": "workspace", "danger-full-access": "full-access"}
COMING = "→"
"""Before what holds from the next turn on."""


@dataclass(frozen=True, slots=True)
class StatusFacts:
    """What there is to say; "" and None where it is not known."""

    folder: str = ""
    home: str = ""
    branch: str = ""
    host: str = ""
    host_ready: bool = False
    selected: Selected | None = None
    context: int | None = None
    window: int | None = None
    waiting: int = 0
    """Requests for a person in other conversations."""
    writer: str = ""
    """Who else writes this conversation."""


class Part(NamedTuple):
    """A part of the line: `forms` from the longest to the shortest, `rank` 0 for what is dropped last.

    `name` says what a click on it is about; parts of one `group` stand closer together.
    """

    rank: int
    group: str
    name: str
    forms: Sequence[str]


class Shown(NamedTuple):
    """A part as it is shown, after `before`: a separator or a space."""

    name: str
    text: str
    before: str


def status_parts(facts: StatusFacts, width: int) -> list[Shown]:
    """At most `width` cells; what matters least is shortened, then dropped, first."""
    parts = [part for part in _parts(facts) if part.forms and part.forms[0]]
    by_rank = sorted(parts, key=lambda part: -part.rank)
    forms = {part.name: 0 for part in parts}
    for part in by_rank:
        while _width(_laid_out(parts, forms)) > width and forms[part.name] < len(part.forms) - 1:
            forms[part.name] += 1
    for part in by_rank:
        if len(parts) > 1 and _width(_laid_out(parts, forms)) > width:
            parts.remove(part)
    shown = _laid_out(parts, forms)
    return [shown[0]._replace(text=cells.cut(shown[0].text, width))] if len(shown) == 1 else shown


def _laid_out(parts: Sequence[Part], forms: dict[str, int]) -> list[Shown]:
    shown: list[Shown] = []
    group = ""
    for part in parts:
        before = "" if not shown else " " if part.group == group else SEPARATOR
        shown.append(Shown(part.name, part.forms[forms[part.name]], before))
        group = part.group
    return shown


def _width(shown: Sequence[Shown]) -> int:
    return sum(cells.width_of(part.before) + cells.width_of(part.text) for part in shown)


def _parts(facts: StatusFacts) -> list[Part]:
    """From left to right."""
    selected = facts.selected
    writer = cells.cut(safe.line(facts.writer), 48)
    path = path_words(facts.folder, facts.home)
    sandbox = _marked(selected, "sandbox")
    return [
        Part(0, "writer", "writer", _read_only(writer)),
        Part(1, "waiting", "waiting", _waiting(facts.waiting)),
        Part(7, "where", "folder", [path, cells.cut(path.rpartition("/")[2] or path, 16)]),
        Part(6, "where", "branch", _branch(facts.branch)),
        Part(9 if facts.host_ready else 2, "host", "host", [safe.line(facts.host, 60)]),
        Part(4, "model", "model", [_marked(selected, "model", 28), _marked(selected, "model", 16)]),
        Part(8, "model", "effort", [_marked(selected, "effort")]),
        Part(4, "plan", "plan", ["plans first"] if selected is not None and selected.planning else []),
        Part(5, "sandbox", "sandbox", [sandbox, SHORT.get(sandbox, sandbox)]),
        Part(10, "sandbox", "approvals", [_marked(selected, "approvals")]),
        Part(5, "profile", "profile", [_marked(selected, "profile")]),
        Part(3, "context", "context", context_forms(facts.context, facts.window)),
    ]


def _marked(selected: Selected | None, name: str, longest: int = 24) -> str:
    if selected is None:
        return ""
    value = safe.line(getattr(selected, name), longest)
    return f"{COMING}{value}" if value and name in selected.coming else value


def _branch(name: str) -> list[str]:
    shown = safe.line(name, 60)
    return [f"⎇ {cells.cut(shown, 24)}", f"⎇ {cells.cut(shown, 12)}"] if shown else []


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


def percent_of(context: int | None, window: int | None) -> int | None:
    """How full the model's window is; None where that is not known."""
    return min(100, round(100 * context / window)) if context and window else None


def context_forms(context: int | None, window: int | None) -> list[str]:
    """How full the model's window is, with a bar where there is room."""
    percent = percent_of(context, window)
    if percent is None or window is None:
        return [f"{thousands(context)} tokens"] if context else []
    size = thousands(window)
    return [
        f"{bar(percent, BAR)} {percent}% of {size}",
        f"{bar(percent, BAR // 2)} {percent}%",
        f"{percent}%",
    ]


def bar(percent: int, width: int) -> str:
    """A bar of `width` cells, in halves of a cell; what is not nothing is seen."""
    halves = max(round(percent * width * 2 / 100), 1 if percent else 0)
    full, half = divmod(halves, 2)
    return ("━" * full + "╸" * half).ljust(width, "─")


def clock_words(seconds: float) -> str:
    """`1:02` or `1:02:03`."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def thousands(number: int) -> str:
    """`900`, `41k`, `1.2M`."""
    if number >= 999_500:
        return f"{number / 1_000_000:.1f}M"
    return f"{number / 1000:.0f}k" if number >= 1000 else str(number)


def _read_only(writer: str) -> list[str]:
    if writer == IMPORTED:
        return ["imported: read-only"]
    return [f"read-only: {writer} writes this"] if writer else []


def _waiting(count: int) -> list[str]:
    if not count:
        return []
    return ["1 waits elsewhere" if count == 1 else f"{count} wait elsewhere"]
