"""Sixty kills, the same ones each time. `python -m tests.crash` does more."""

from __future__ import annotations

import pytest

from core.demo.process import ModelProcess
from tests.crash.__main__ import KILLS_A_CAMPAIGN, campaign


@pytest.mark.parametrize("seed", range(1, 7))
def test_nothing_is_lost_doubled_or_run_twice_when_console_and_host_are_killed(seed: int) -> None:
    model = ModelProcess.start(pace=0.002, record=False)
    try:
        run, problems = campaign(seed, KILLS_A_CAMPAIGN, model)
    finally:
        model.close()
    assert problems == []
    assert run.story.kills == KILLS_A_CAMPAIGN
    assert run.story.accepted
