"""Which decisions of the ledger are looked for, and how a person writes that. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeVar

from core.access.times import WRITTEN, ago
from core.errors import InvalidRequest


class Who(StrEnum):
    """Who or what decided. `NOBODY`: it ended undecided, or nobody was there to ask."""

    PERSON = "person"
    RULE = "rule"
    PROFILE = "profile"
    NOBODY = "nobody"


class Decided(StrEnum):
    """What was decided. `UNDECIDED`: it was withdrawn, or died with its host."""

    ACCEPTED = "accepted"
    DECLINED = "declined"
    ANSWERED = "answered"
    UNDECIDED = "undecided"


class Fate(StrEnum):
    """What became of it. `WORKED` and `FAILED` are of what ran; `OPEN`: nothing is known of it yet."""

    DELIVERED = "delivered"
    LATE = "late"
    DIED = "died"
    WITHDRAWN = "withdrawn"
    WORKED = "worked"
    FAILED = "failed"
    OPEN = "open"


KINDS = ("command", "file_change", "permissions", "question", "mcp_form", "mcp_link", "tool", "rule", "other")
"""The kinds of requests (`core.agent.requests`), and a change of the rules."""


@dataclass(frozen=True, slots=True)
class LedgerFilter:
    """What is set has to hold, all of it.

    `words`: each is in what was decided on, as `core.knowledge.query.every_word` reads them. `by`: a part of
    the name of who decided. Times in Unix milliseconds; `until_ms` itself is out.
    """

    words: str = ""
    conversation_id: str | None = None
    kind: str | None = None
    who: Who | None = None
    by: str = ""
    decided: Decided | None = None
    fate: Fate | None = None
    since_ms: int | None = None
    until_ms: int | None = None


EVERYTHING = LedgerFilter()

SYNTAX = "Words, and who: is: kind: outcome: since: until: by: to narrow it down"
"""How a filter is written, in a line."""

_VALUES = {
    "who": ", ".join(Who),
    "is": ", ".join(Decided),
    "kind": ", ".join(KINDS),
    "outcome": ", ".join(Fate),
    "since": f"{WRITTEN}; a span is so long ago",
    "until": f"{WRITTEN}; a span is so long ago",
    "by": "a part of the name of who decided, such as 3 for rule 3",
    "in": "the id of a conversation",
}

_TERM = re.compile(r"(?<!\S)(who|is|kind|outcome|since|until|by|in):(\S*)")


def parse_filter(text: str, now_ms: int) -> LedgerFilter:
    """What a person wrote: `name:value` terms, and words to look for. Raises InvalidRequest.

    A term whose value is not written yet says nothing.
    """
    found = LedgerFilter(words=" ".join(_TERM.sub(" ", text).split()) + (" " if text[-1:].isspace() else ""))
    for name, value in _TERM.findall(text):
        if value:
            found = _with(found, name, value, now_ms)
    return found


def hint_of(text: str) -> str:
    """What can be written now: the values of the term that is being written, else the terms there are."""
    term = _TERM.fullmatch(text.rpartition(" ")[2])
    return SYNTAX if term is None else f"{term[1]}: {_VALUES[term[1]]}"


def _with(found: LedgerFilter, name: str, value: str, now_ms: int) -> LedgerFilter:
    match name:
        case "who":
            return replace(found, who=_one_of(Who, name, value))
        case "is":
            return replace(found, decided=_one_of(Decided, name, value))
        case "outcome":
            return replace(found, fate=_one_of(Fate, name, value))
        case "kind":
            return replace(found, kind=kind_of(value))
        case "since":
            return replace(found, since_ms=ago(value, now_ms))
        case "until":
            return replace(found, until_ms=ago(value, now_ms))
        case "in":
            return replace(found, conversation_id=value)
        case _:
            return replace(found, by=value)


def kind_of(value: str) -> str:
    """Raises InvalidRequest for none of KINDS."""
    if value not in KINDS:
        raise InvalidRequest(f"There is no kind {value}", todo=f"Write one of {_VALUES['kind']}.")
    return value


_Member = TypeVar("_Member", bound=StrEnum)


def _one_of(kind: type[_Member], name: str, value: str) -> _Member:
    try:
        return kind(value)
    except ValueError as error:
        raise InvalidRequest(
            f"{name}:{value} is nothing to look for", todo=f"Write one of {_VALUES[name]}."
        ) from error
