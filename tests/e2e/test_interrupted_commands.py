"""Commands of the shell that are told to end midway, on the real Codex."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import time
from functools import partial

import pytest

from core.codex.options import HostOptions
from core.codex.status import host_status
from core.demo.scratch import Scratch
from core.hosting import host_options
from core.settings import config_path, load_settings

SECONDS = 30.0
POLL_SECONDS = 0.01
ATTEMPTS = 5
"""A command that was through before the signal came is begun again."""


def until_a_host_is_noted(options: HostOptions, running: subprocess.Popen[bytes]) -> None:
    """Return as soon as the command has started a host, and before it has met it."""
    deadline = time.monotonic() + SECONDS
    while not tuple(options.state_dir.glob("host-*.json")):
        assert running.poll() is None, "it ended before it started a host"
        assert time.monotonic() < deadline
        time.sleep(POLL_SECONDS)


def told_to_end(number: signal.Signals) -> tuple[int, HostOptions]:
    """Tell a command to end that has just started a host. What it ended with, and where that host was to be."""
    options = host_options(load_settings(config_path()))
    command = [sys.executable, "-m", "tui", "sessions", "--json"]
    # Whoever started the tests may have them ignore Ctrl+C, which a child would inherit.
    heed = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=quiet, stderr=quiet, preexec_fn=heed) as running:
        until_a_host_is_noted(options, running)
        running.send_signal(number)
        return running.wait(SECONDS), options


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_command_that_is_told_to_end_leaves_no_host_behind(
    number: signal.Signals, scratch: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEX_HOME", str(scratch.home))
    codes: list[int] = []
    for attempt in range(ATTEMPTS):
        for name in ("CONFIG", "DATA", "STATE"):
            monkeypatch.setenv(f"XDG_{name}_HOME", str(scratch.folder / f"{name.lower()}-{attempt}"))
        code, options = told_to_end(number)
        codes.append(code)
        assert asyncio.run(host_status(options)) is None
        if code != 0:
            break
    assert codes[-1] == (1 if number == signal.SIGINT else 128 + number)
