"""When something was or will be, on the clock of this machine. "" where that is not known."""

from __future__ import annotations

from datetime import datetime

_MINUTE = "%Y-%m-%d %H:%M"
_BRIEF = "%d %b %H:%M"


def to_the_minute(at_ms: int) -> str:
    """`2026-01-31 14:05`: whole, and as it is typed too."""
    return _written(at_ms, _MINUTE)


def to_the_second(at_ms: int) -> str:
    """`2026-01-31 14:05:09`: for what may have to be proved."""
    return _written(at_ms, f"{_MINUTE}:%S")


def in_brief(at_ms: int) -> str:
    """`31 Jan 14:05`, for lists of what is not old."""
    return _written(at_ms, _BRIEF)


def clock(at_ms: int) -> str:
    """`14:05:09`, where the day is said beside it."""
    return _written(at_ms, "%H:%M:%S")


def seen_from(at_ms: int, now_ms: float) -> str:
    """In at most 12 cells: without the day where that is today, without the year where it is this one's."""
    at, now = _local(at_ms), _local(now_ms)
    if at is None or now is None:
        return ""
    if at.date() == now.date():
        return f"{at:%H:%M}"
    return at.strftime(_BRIEF if at.year == now.year else "%d %b %Y")


def _written(at_ms: int, how: str) -> str:
    at = _local(at_ms)
    return at.strftime(how) if at is not None else ""


def _local(at_ms: float) -> datetime | None:
    if at_ms <= 0:
        return None
    try:
        return datetime.fromtimestamp(at_ms / 1000)
    except (OverflowError, OSError, ValueError):
        return None
