"""The whole console (engine, store and screen) beside the official one, each in a real terminal on the same stream."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from codex_cli_bin import bundled_codex_path

from core.demo.process import ModelProcess
from core.demo.scratch import Scratch, make_scratch, remove_scratch
from tests.bench.figures import Figure, bench, median
from tests.support.terminal import Terminal

WORDS = 4_000
A_SECOND = 400
IDLE_SECONDS = 5.0
LAST = "ze''bra"
DRAWN_LAST = "zebra"
"""What a shell makes of it: the message that asks for it does not have it."""

SIZE = (120, 40)
STARTS = 5
SLOWER_START = 350.0
"""Milliseconds: how much later than the official one's composer ours may be there."""

NO_BYTE_CODE = "PYTHONDONTWRITEBYTECODE"

_TICKS = os.sysconf("SC_CLK_TCK")


@bench("beside.streaming")
def streaming() -> Sequence[Figure]:
    """CPU of the console's own process; the host of neither is counted."""
    ours, ours_idle = _measured([quarterdeck()], "Message Codex")
    official, official_idle = _measured([str(bundled_codex_path())], "for shortcuts")
    return [
        Figure(f"CPU of {WORDS:,} deltas, whole console ÷ official TUI", ours, 1.0, official),
        Figure(
            "CPU idle after it, % of a core, official TUI's beside it",
            ours_idle,
            1.0 + official_idle,
            unit="%",
        ),
    ]


@bench("beside.start")
def start() -> Sequence[Figure]:
    ours = median([_composer_there([quarterdeck()]) for _ in range(STARTS)])
    official = median([_composer_there([str(bundled_codex_path())]) for _ in range(STARTS)])
    return [Figure("composer takes a key, later than the official one's", ours - official, SLOWER_START)]


def quarterdeck() -> str:
    return str(Path(sys.executable).with_name("quarterdeck"))


def _measured(argv: Sequence[str], ready: str) -> tuple[float, float]:
    """Milliseconds of CPU while the words stream in, and the share of a core in percent when all is done."""
    model = ModelProcess.start()
    scratch = make_scratch(model)
    try:
        with in_terminal(argv, scratch) as terminal:
            terminal.until(ready)
            terminal.type(f" /stream {WORDS} at {A_SECOND}\n/run echo {LAST}")
            terminal.until(LAST)
            began = _cpu_ms(terminal.process.pid)
            terminal.type("\r")
            terminal.until(DRAWN_LAST, seconds=60 + WORDS / A_SECOND)
            streamed = _cpu_ms(terminal.process.pid) - began
            terminal.read_for(2.0)
            began = _cpu_ms(terminal.process.pid)
            terminal.read_for(IDLE_SECONDS)
            return streamed, (_cpu_ms(terminal.process.pid) - began) / IDLE_SECONDS / 10
    finally:
        remove_scratch(scratch)
        model.close()


def _composer_there(argv: Sequence[str]) -> float:
    """Milliseconds from the command to the first typed sign on the screen."""
    model = ModelProcess.start()
    scratch = make_scratch(model)
    try:
        began = time.monotonic()
        with in_terminal(argv, scratch) as terminal:
            terminal.until("Codex")
            terminal.type("§")
            terminal.until("§")
            return (time.monotonic() - began) * 1000
    finally:
        remove_scratch(scratch)
        model.close()


def in_terminal(argv: Sequence[str], scratch: Scratch) -> Terminal:
    """As on a person's machine: the byte code of an earlier start is there."""
    kept = {name: value for name, value in scratch.env.items() if not name.startswith(("XDG_", NO_BYTE_CODE))}
    env = {**kept, "HOME": str(scratch.folder)}
    return Terminal(argv, env, *SIZE, folder=scratch.project, answers=True)


def _cpu_ms(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / _TICKS
