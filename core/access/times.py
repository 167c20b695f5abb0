"""Times as a person writes them. Pure."""

from __future__ import annotations

import re
from datetime import datetime

from core.errors import InvalidRequest

WRITTEN = "30m, 2h, 7d, 2w, or a date like 2026-01-31"

_SPAN = re.compile(r"(\d{1,6})(m|h|d|w)")
_SPAN_MS = {"m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000}


def ago(text: str, now_ms: int) -> int:
    """Unix milliseconds of a span before now, or of a date or time, here. Raises InvalidRequest."""
    span = _span_of(text)
    return _at(text) if span is None else now_ms - span


def ahead(text: str, now_ms: int) -> int:
    """Unix milliseconds of a span from now on, or of a date or time, here. Raises InvalidRequest."""
    span = _span_of(text)
    return _at(text) if span is None else now_ms + span


def _span_of(text: str) -> int | None:
    span = _SPAN.fullmatch(text)
    return None if span is None else int(span[1]) * _SPAN_MS[span[2]]


def _at(text: str) -> int:
    try:
        return int(datetime.fromisoformat(text).timestamp() * 1000)
    except (ValueError, OverflowError, OSError) as error:
        raise InvalidRequest(f"{text} is no time", todo=f"Write it like {WRITTEN}.") from error
