"""Where times come from. Rows are ordered by their numbers, never by a time: clocks go backwards."""

from __future__ import annotations

import time
from collections.abc import Callable

Clock = Callable[[], int]
"""Milliseconds since the Unix epoch."""


def wall_clock() -> int:
    """The machine's own clock, in milliseconds since the Unix epoch."""
    return time.time_ns() // 1_000_000
