"""What is typed into the browser: words to find, and filters such as `in:folder is:archived since:2w`. Pure.

A filter is `name:value`, with the value in double quotes where it has spaces. What is no filter is looked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import PurePath

from core.sessions.model import Facet, Facets, SessionQuery, SessionState, Sort

STATES = {state.value.replace(" ", "-"): state for state in SessionState}
WHICH = ("archived", "any", "pinned", "changed", *STATES)
SORTS = tuple(sort.value for sort in Sort)
TIMES = ("today", "yesterday", "2d", "1w", "2w", "1m", "3m", "1y")
NAMES = ("in", "is", "source", "model", "branch", "tag", "since", "until", "sort")

_TOKEN = re.compile(r'(?P<name>[a-z]+):(?:"(?P<quoted>[^"]*)"?|(?P<value>\S*))(?!\S)|"[^"]*"?|\S+')
_SPAN = re.compile(r"(\d{1,5})(h|d|w|m|y)")
_HOURS = {"h": 1, "d": 24, "w": 24 * 7, "m": 24 * 30, "y": 24 * 365}


@dataclass(frozen=True, slots=True)
class Filter:
    """One filter of the line, as it is typed."""

    name: str
    value: str

    def __str__(self) -> str:
        quoted = (
            f'"{self.value}"' if not self.value or any(one.isspace() for one in self.value) else self.value
        )
        return f"{self.name}:{quoted}"


@dataclass(frozen=True, slots=True)
class Asked:
    """What the line asks for. `problems` names filters that are not understood, a sentence each."""

    query: SessionQuery
    filters: tuple[Filter, ...] = ()
    problems: tuple[str, ...] = ()


def read(line: str, facets: Facets, now: datetime) -> Asked:
    """The query of a line. `facets` complete folders, models and branches that are not written out."""
    words: list[str] = []
    filters: list[Filter] = []
    problems: list[str] = []
    query = SessionQuery()
    for match in _TOKEN.finditer(line):
        name = match["name"]
        if name not in NAMES:
            words.append(match[0])
            continue
        value = match["quoted"] if match["quoted"] is not None else match["value"]
        if not value:
            continue  # It is still being typed.
        found = _applied(query, name, value, facets, now)
        if found is None:
            begun = match.end() == len(line) and any(_begins(one, value) for one in values(name, facets))
            if not begun:
                problems.append(_problem(name, value))
            continue
        query = found
        filters.append(Filter(name, value))
    return Asked(replace(query, text=" ".join(words)), tuple(filters), tuple(problems))


def with_filter(line: str, name: str, value: str) -> str:
    """The line with this filter; without it where it has it already. Others of the name make room.

    Of `is` there may be several.
    """
    wanted = Filter(name, value)
    kept: list[str] = []
    had = False
    for match in _TOKEN.finditer(line):
        given = match["quoted"] if match["quoted"] is not None else match["value"]
        same = match["name"] == name and given == value
        had = had or same
        if not same and (match["name"] != name or (name == "is" and value not in STATES)):
            kept.append(match[0])
    return " ".join(kept if had else [*kept, str(wanted)])


def completion(line: str, facets: Facets) -> str | None:
    """The line with its last filter completed; None where there is nothing to complete."""
    matches = list(_TOKEN.finditer(line))
    if not matches or matches[-1].end() != len(line):
        return None
    last = matches[-1]
    if last["name"] in NAMES:
        value = last["quoted"] if last["quoted"] is not None else last["value"]
        found = next((one for one in values(last["name"], facets) if _begins(one, value)), None)
        return (
            None if found is None or found == value else _completed(line, last, Filter(last["name"], found))
        )
    name = next((name for name in NAMES if len(last[0]) > 1 and name.startswith(last[0])), None)
    return None if name is None else f"{line[: last.start()]}{name}:"


def values(name: str, facets: Facets) -> Sequence[str]:
    """What may stand behind the name of a filter."""
    match name:
        case "in":
            return [PurePath(one.value).name or one.value for one in facets.folders]
        case "is":
            return WHICH
        case "source":
            return _names(facets.sources)
        case "model":
            return _names(facets.models)
        case "branch":
            return _names(facets.branches)
        case "tag":
            return _names(facets.tags)
        case "sort":
            return SORTS
        case _:
            return TIMES


def _completed(line: str, last: re.Match[str], found: Filter) -> str | None:
    """Only what goes on from what was typed: a completion stands behind the cursor."""
    whole = f"{line[: last.start()]}{found}"
    return whole if whole.lower().startswith(line.lower()) else None


def _begins(candidate: str, typed: str) -> bool:
    return candidate.lower().startswith(typed.lower())


def _names(facets: Iterable[Facet]) -> list[str]:
    return [facet.value for facet in facets]


def _applied(
    query: SessionQuery, name: str, value: str, facets: Facets, now: datetime
) -> SessionQuery | None:
    """The query with one filter more; None where the value is none."""
    match name:
        case "in":
            return replace(query, folder=_folder(value, facets))
        case "is":
            return _which(query, value)
        case "source":
            return replace(query, source=_known(value, facets.sources))
        case "model":
            return replace(query, model=_known(value, facets.models))
        case "branch":
            return replace(query, branch=_known(value, facets.branches))
        case "tag":
            return replace(query, tag=_known(value, facets.tags))
        case "sort":
            return replace(query, sort=Sort(value)) if value in SORTS else None
        case _:
            at_ms = _moment(value, now)
            if at_ms is None:
                return None
            return replace(query, since_ms=at_ms) if name == "since" else replace(query, until_ms=at_ms)


def _which(query: SessionQuery, value: str) -> SessionQuery | None:
    match value:
        case "archived":
            return replace(query, archived=True)
        case "any":
            return replace(query, archived=None)
        case "pinned":
            return replace(query, pinned=True)
        case "changed":
            return replace(query, has_changes=True)
        case _:
            return replace(query, state=STATES[value]) if value in STATES else None


def _folder(value: str, facets: Facets) -> str:
    """The folder that is meant: as it is written, by its name, or by a part of its path."""
    paths = _names(facets.folders)
    if value in paths:
        return value
    wanted = value.removeprefix("~").rstrip("/").lower()
    tests = (
        lambda path: PurePath(path).name.lower() == wanted,
        lambda path: path.lower().endswith(wanted) and wanted != "",
        lambda path: wanted in path.lower() and wanted != "",
    )
    return next((path for test in tests for path in paths if test(path)), value)


def _known(value: str, facets: Iterable[Facet]) -> str:
    """The value that is meant: as it is written, or the first that begins so, or has it."""
    names = _names(facets)
    if value in names:
        return value
    begins = [name for name in names if _begins(name, value)]
    has = [name for name in names if value.lower() in name.lower()]
    return next(iter((*begins, *has)), value)


def _moment(value: str, now: datetime) -> int | None:
    """The time that a value means, in Unix milliseconds: `2w` ago, `today`, or a day."""
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    try:
        if value in ("today", "yesterday"):
            at = midnight - timedelta(days=0 if value == "today" else 1)
        elif span := _SPAN.fullmatch(value):
            at = now - timedelta(hours=int(span[1]) * _HOURS[span[2]])
        else:
            at = datetime.fromisoformat(value)
        return int((at if at.tzinfo else at.replace(tzinfo=now.tzinfo)).timestamp() * 1000)
    except (OverflowError, OSError, ValueError):
        return None


def _problem(name: str, value: str) -> str:
    choices = {
        "is": ", ".join(WHICH),
        "sort": ", ".join(SORTS),
    }.get(name, "today, yesterday, 3h, 2d, 2w, 1m, 1y, or a day such as 2026-01-31")
    return f"{name}:{value} is no filter: write {name}: and {choices}"
