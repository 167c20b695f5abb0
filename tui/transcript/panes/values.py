"""JSON that others wrote, for showing: never an error, whatever it is."""

from __future__ import annotations

import json

MAX_CHARACTERS = 200_000
"""Longer JSON is shown as it came."""


def parsed(text: str) -> object:
    """The value; None where it is no JSON, too deep or too long to be worth it."""
    if len(text) > MAX_CHARACTERS:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def fields(value: object) -> dict[str, object]:
    """An object, or the object that a text is as JSON; {} for anything else."""
    if isinstance(value, str):
        value = parsed(value)
    return value if isinstance(value, dict) else {}


def short(value: object) -> str:
    """A value on one line; a string without its quotes."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def indented(text: str) -> str:
    """JSON over several lines; other text as it is."""
    value = parsed(text)
    return text if value is None else json.dumps(value, ensure_ascii=False, indent=2)
