"""Where in a TOML text a key stands. Pure.

The standard parser does not tell, but it tells whether a text is whole: a key stands where the shortest
beginning that is whole and has it goes on from the one before.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from typing import Any

_FURTHEST_BACK = 200
"""Lines. How far back a value over several lines is looked for the line that it begins on."""


def line_of(text: str, keys: Sequence[str | int]) -> int:
    """The line, from 1, of a key in a valid TOML text; of the closest one above it that is there; else 1."""
    whole = _keys_of(text) or {}
    depth = max((n for n in range(len(keys) + 1) if _has(whole, keys[:n])), default=0)
    if depth == 0:
        return 1
    lines = text.splitlines(keepends=True)
    without, with_it = 0, len(lines)
    before = 0
    while with_it - without > 1:
        middle = (without + with_it) // 2
        number, found = _whole_beginning(lines, middle, without)
        if found is not None and _has(found, keys[:depth]):
            with_it = number
        else:
            before = number if found is not None else before
            without = middle
    return _first_of_value(lines, before, with_it)


def _whole_beginning(lines: list[str], end: int, above: int) -> tuple[int, dict[str, Any] | None]:
    """The longest whole beginning of at most `end` lines, and more than `above`; None where there is none."""
    for number in range(end, max(above, end - _FURTHEST_BACK), -1):
        found = _keys_of("".join(lines[:number]))
        if found is not None:
            return number, found
    return above, None


def _first_of_value(lines: list[str], before: int, with_it: int) -> int:
    """The line after `before` that says something: comments and empty lines do not."""
    for number in range(before, with_it):
        stripped = lines[number].strip()
        if stripped and not stripped.startswith("#"):
            return number + 1
    return with_it


def _keys_of(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return None


def _has(found: Any, keys: Sequence[str | int]) -> bool:
    try:
        for key in keys:
            found = found[key]
    except (LookupError, TypeError):
        return False
    return True
