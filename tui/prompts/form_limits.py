"""What an MCP form asks of a value, and whether a value does. Pure.

MCP lets a form ask little (its "primitive schemas"): that little is checked here, so that nothing of a server's schema
is carried out: no reference is followed, and no pattern is tried that could take long. The server checks its answer
itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from urllib.parse import urlsplit

Limit = tuple[str, str | float]
"""A keyword of JSON schema with its value."""

MOST_MATCHED = 200
"""Characters of a value that a pattern is tried on."""

_WORDS = {
    "format": "as {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minimum": "at least {}",
    "maximum": "at most {}",
    "minItems": "at least {} of them",
    "maxItems": "at most {} of them",
    "pattern": "like {}",
}
_TEXTS = ("format", "pattern")
_TRIVIAL = (("minLength", 0), ("minLength", 1), ("minItems", 0))


@dataclass(frozen=True, slots=True)
class Limits:
    """What one field asks, in the order in which it is said."""

    asked: tuple[Limit, ...] = ()

    @property
    def hint(self) -> str:
        """For the person, before they write."""
        return ", ".join(_said(limit) for limit in self.asked if limit not in _TRIVIAL)

    def broken_by(self, value: str | float | Sequence[str]) -> str:
        """What the value does not keep to, in words; "" where it does."""
        return next((_said(limit) for limit in self.asked if not _keeps(limit, value)), "")


NONE = Limits()


def parse_limits(spec: Mapping[str, Any]) -> Limits:
    """Of a field's schema; what is no limit that can be understood asks nothing."""
    asked = [(key, spec[key]) for key in _WORDS if key in spec]
    return Limits(tuple(limit for limit in asked if _is_limit(*limit)))


def _is_limit(key: str, value: object) -> bool:
    if key in _TEXTS:
        return isinstance(value, str)
    return isinstance(value, int | float) and not isinstance(value, bool)


def _said(limit: Limit) -> str:
    key, value = limit
    return _WORDS[key].format(value)


def _keeps(limit: Limit, value: str | float | Sequence[str]) -> bool:
    match limit, value:
        case ("format", str(kind)), str(text):
            return kind not in _FORMATS or _FORMATS[kind](text)
        case ("pattern", str(pattern)), str(text):
            return _may_match(pattern, text)
        case ("minLength", int() | float() as least), str(text):
            return len(text) >= least
        case ("maxLength", int() | float() as most), str(text):
            return len(text) <= most
        case ("minimum", int() | float() as least), int() | float():
            return value >= least
        case ("maximum", int() | float() as most), int() | float():
            return value <= most
        case ("minItems", int() | float() as least), tuple() | list():
            return len(value) >= least
        case ("maxItems", int() | float() as most), tuple() | list():
            return len(value) <= most
        case _:
            return True


_ATOMS = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]", re.DOTALL)
_REPEATS = re.compile(r"[*+?]|\{\d*,\d*\}")


def _may_match(pattern: str, text: str) -> bool:
    """False only where the pattern surely does not match.

    Python's matcher goes back and forth: repeats in repeats, or many after each other, take for ever on a short text.
    A pattern is tried where it has no groups and at most two repeats; any other is left to the server.
    """
    bare = _ATOMS.sub("x", pattern)
    if len(text) > MOST_MATCHED or "(" in bare or len(_REPEATS.findall(bare)) > 2:
        return True
    try:
        return re.search(pattern, text) is not None
    except (re.error, OverflowError, RecursionError):
        return True


def _is_address(text: str) -> bool:
    """Close enough to an e-mail address; the server knows better."""
    name, at, domain = text.rpartition("@")
    return bool(name and at and domain) and not any(character.isspace() for character in f"{name}{domain}")


def _is_uri(text: str) -> bool:
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return bool(parts.scheme) and bool(parts.netloc or parts.path)


def _reads(read: Callable[[str], object]) -> Callable[[str], bool]:
    def check(text: str) -> bool:
        try:
            read(text)
        except ValueError:
            return False
        return True

    return check


def _moment(text: str) -> datetime:
    """Raises ValueError for a moment without a zone, which RFC 3339 does not know."""
    found = datetime.fromisoformat(text)
    if found.tzinfo is None:
        raise ValueError("it has no zone")
    return found


_FORMATS: dict[str, Callable[[str], bool]] = {
    "email": _is_address,
    "uri": _is_uri,
    "date": _reads(date.fromisoformat),
    "date-time": _reads(_moment),
}
"""The formats that MCP lets a form ask for."""
