"""Sessions as lines of a list: groups, titles, and below a title where the words were found. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from textual.content import Content

from core.sessions.model import Hit, Kind, SessionEntry, SessionMatch, SessionState
from tui.transcript import cells, safe
from tui.widgets.ages import age_words
from tui.widgets.status_text import home_short

HITS = 2
"""Lines of hits below a title."""

MARKS = {
    SessionState.NEEDS_YOU: "?",
    SessionState.RUNNING: "▸",
    SessionState.STALLED: "!",
    SessionState.UNREADABLE: "✗",
    SessionState.IDLE: " ",
}
KINDS = {
    Kind.TITLE: "title",
    Kind.FOLDER: "folder",
    Kind.USER: "you",
    Kind.ASSISTANT: "codex",
    Kind.REASONING: "thought",
    Kind.PLAN: "plan",
    Kind.COMMAND: "ran",
    Kind.OUTPUT: "output",
    Kind.FILES: "files",
    Kind.TOOL: "tool",
    Kind.SEARCH: "web",
    Kind.DECISION: "decided",
    Kind.NOTICE: "notice",
    Kind.OTHER: "other",
}
LEAST = 12
"""Cells that a title gets, whatever else there is to say."""

_KIND_WIDTH = 7
_HIT = "bold $accent"
_DIM = "$foreground 60%"


@dataclass(frozen=True, slots=True)
class Heading:
    """A folder, and how many of the sessions that are listed so far are in it."""

    folder: str
    count: int


@dataclass(frozen=True, slots=True)
class Title:
    match: int


@dataclass(frozen=True, slots=True)
class HitLine:
    match: int
    hit: Hit


@dataclass(frozen=True, slots=True)
class Why:
    match: int


Line = Heading | Title | HitLine | Why


def lines_of(matches: Sequence[SessionMatch], *, grouped: bool) -> list[Line]:
    """The lines, in order; `grouped`: by folder, the folder of the first match first."""
    lines: list[Line] = []
    if not grouped:
        for index, match in enumerate(matches):
            lines.extend(_lines_of(index, match))
        return lines
    folders: dict[str, list[int]] = {}
    for index, match in enumerate(matches):
        folders.setdefault(match.entry.folder, []).append(index)
    for folder, places in folders.items():
        lines.append(Heading(folder, len(places)))
        for index in places:
            lines.extend(_lines_of(index, matches[index]))
    return lines


def _lines_of(index: int, match: SessionMatch) -> Iterable[Line]:
    yield Title(index)
    if match.entry.state is SessionState.UNREADABLE and match.entry.why:
        yield Why(index)
    for hit in match.hits[:HITS]:
        if hit.kind is not Kind.TITLE:
            yield HitLine(index, hit)


def heading_content(heading: Heading, home: str) -> Content:
    folder = safe.line(home_short(heading.folder, home), 200) or "no folder"
    return Content.assemble((folder, "bold $primary"), (f"  {heading.count}", _DIM))


def title_content(
    match: SessionMatch, width: int, now_ms: int, *, with_folder: bool, goes_in: int | None = None
) -> Content:
    """`goes_in`: seconds until it is deleted."""
    entry = match.entry
    going = goes_in is not None
    age = f"{age_words(now_ms - entry.updated_at_ms):>4}"
    tails = (
        [f"  goes in {goes_in} s, u undoes"]
        if going
        else [f"  {_facts(entry, with_folder)}  {age}", f"  {age}"]
    )
    tail = next((one for one in tails if cells.width_of(one) <= width - LEAST - 4), tails[-1])
    room = max(1, width - 4 - cells.width_of(tail))
    title = _title(match, room)
    pad = " " * max(0, room - title.cell_length)
    if going:
        title = title.stylize("strike")
    elif not entry.readable:
        title = title.stylize("$foreground 60%")
    mark = f"{'★' if entry.pinned else ' '}{MARKS[entry.state]} "
    return Content.assemble((mark, "bold $accent"), title, f"{pad} ", (tail, "$warning" if going else _DIM))


def hit_content(hit: Hit, width: int) -> Content:
    """Where the words were found, around the first of them."""
    label = f"    {KINDS[hit.kind]:<{_KIND_WIDTH}} "
    room = max(4, width - cells.width_of(label))
    return Content.assemble((label, _DIM), pieces_content(hit.pieces, room))


def why_content(entry: SessionEntry, width: int) -> Content:
    return Content.assemble(("    ", ""), (cells.cut(safe.line(entry.why), max(4, width - 4)), "$warning"))


def pieces_content(pieces: Iterable[tuple[str, bool]], room: int | None = None) -> Content:
    """Text with its hits marked; in at most `room` cells, so that the first hit is seen."""
    shown = [(" ".join(safe.line(text).split("\n")).replace("␊", " "), hit) for text, hit in pieces]
    if room is not None:
        shown = _around_hit(shown, room)
    return Content.assemble(*((text, _HIT if hit else "$foreground 80%") for text, hit in shown))


def size_words(size: int) -> str:
    """Bytes as a person reads them."""
    amount = float(size)
    for unit in ("B", "kB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "B" or amount >= 10 else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"


def name_of(entry: SessionEntry, width: int = 80) -> str:
    """The title, or what there is instead of one."""
    return cells.cut(safe.line(entry.title or entry.preview, 300).replace("␊", " "), width) or "Untitled"


def _title(match: SessionMatch, room: int) -> Content:
    hit = next((hit for hit in match.hits if hit.kind is Kind.TITLE), None)
    if hit is not None:
        shown = _fitted([(safe.line(text).replace("␊", " "), marked) for text, marked in hit.pieces], room)
        return Content.assemble(*((text, _HIT if marked else "") for text, marked in shown))
    return Content(name_of(match.entry, room))


def _facts(entry: SessionEntry, with_folder: bool) -> str:
    facts = [f"#{safe.line(tag, 20)}" for tag in entry.tags[:3]]
    if entry.archived:
        facts.append("archived")
    if entry.has_changes:
        facts.append("±")
    if with_folder and entry.folder:
        facts.append(cells.cut(safe.line(PurePath(entry.folder).name or entry.folder, 60), 20))
    return " ".join(facts)


def _around_hit(pieces: list[tuple[str, bool]], room: int) -> list[tuple[str, bool]]:
    """Without the beginning as far as the first hit would else not be seen with what stands behind it."""
    first = next((place for place, (_, hit) in enumerate(pieces) if hit), 0)
    before = "".join(text for text, _ in pieces[:first])
    behind = sum(cells.width_of(text) for text, _ in pieces[first:])
    kept = room - min(behind, max(cells.width_of(pieces[first][0]) if pieces else 0, room // 2))
    if cells.width_of(before) > kept:
        before = f"…{before[max(0, len(before) - max(0, kept - 1)) :]}" if kept > 0 else "…"
        while cells.width_of(before) > max(kept, 1):
            before = f"…{before[2:]}"
    return _fitted([(before, False), *pieces[first:]], room)


def _fitted(pieces: list[tuple[str, bool]], room: int) -> list[tuple[str, bool]]:
    fitted: list[tuple[str, bool]] = []
    for text, hit in pieces:
        if room <= 0:
            break
        shown = cells.cut(text, room)
        room -= cells.width_of(shown)
        fitted.append((shown, hit))
    return fitted
