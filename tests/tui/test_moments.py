"""Moments as a person reads them."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime

import pytest

from tui.widgets import moments

NINE_PAST_TWO = int(datetime(2026, 1, 31, 14, 5, 9).timestamp() * 1000)


@pytest.mark.parametrize(
    ("written", "words"),
    [
        (moments.to_the_minute, "2026-01-31 14:05"),
        (moments.to_the_second, "2026-01-31 14:05:09"),
        (moments.in_brief, "31 Jan 14:05"),
        (moments.clock, "14:05:09"),
    ],
)
def test_a_moment_is_written_on_the_clock_of_this_machine(written: Callable[[int], str], words: str) -> None:
    assert written(NINE_PAST_TWO) == words


@pytest.mark.parametrize(
    ("now", "words"),
    [
        (datetime(2026, 1, 31, 9), "14:05"),
        (datetime(2026, 1, 30, 9), "31 Jan 14:05"),
        (datetime(2025, 12, 31, 9), "31 Jan 2026"),
    ],
)
def test_what_the_reader_knows_is_left_out(now: datetime, words: str) -> None:
    assert moments.seen_from(NINE_PAST_TWO, now.timestamp() * 1000) == words


@pytest.mark.parametrize("at_ms", [0, -1, 10**18])
def test_a_time_that_is_none_is_no_moment(at_ms: int) -> None:
    assert moments.to_the_second(at_ms) == ""
    assert moments.seen_from(at_ms, time.time() * 1000) == ""
