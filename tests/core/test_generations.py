"""Whether who asked is still there."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from core import generations
from core.process import ProcessId, identify


def test_what_this_process_used_before_is_gone() -> None:
    assert not generations.lives(generations.of_console())
    assert not generations.lives(generations.of_connection())


@pytest.mark.parametrize("kind", ["of_console", "of_connection"])
def test_what_another_process_asks_under_lives_as_long_as_it_does(kind: str) -> None:
    script = f"from core import generations; print(generations.{kind}(), flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None and process.stdin is not None
        generation = process.stdout.readline().strip()
        assert generations.lives(generation)
        process.stdin.close()
        process.wait()
    assert not generations.lives(generation)


def test_a_host_is_told_from_one_that_has_its_pid_now() -> None:
    me = identify(os.getpid())
    assert me is not None
    assert generations.lives(generations.of_host(me))
    assert not generations.lives(generations.of_host(ProcessId(me.pid, "1")))


@pytest.mark.parametrize("generation", ["", "unknown-0f", "g1", "a-b", "console-1-2", "-1-2"])
def test_what_names_no_process_is_gone(generation: str) -> None:
    assert not generations.lives(generation)
