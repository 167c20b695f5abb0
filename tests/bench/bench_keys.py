"""From a key to the screen, in a real terminal, while text streams: the whole console, 400 deltas a second."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence

from core.demo.process import ModelProcess
from core.demo.scratch import make_scratch, remove_scratch
from tests.bench.bench_beside import A_SECOND, SIZE, in_terminal, quarterdeck
from tests.bench.figures import Figure, bench, percentile
from tests.support.terminal import Terminal

KEYS = [chr(0x0430 + number) for number in range(32)] + [chr(0x0410 + number) for number in range(32)]
"""Letters that nothing else on the screen has: each is drawn once, when its key was heard."""

PAUSE = 0.08
"""Seconds between keys, at least."""

SCRIPT = "\n".join(f"/stream 100 at {A_SECOND}" for _ in range(80))
"""Twenty seconds of messages, a hundred words each."""

CTRL_N = "\x0e"


_BARE = """
from textual.app import App
from textual.widgets import Input
class Bare(App):
    def compose(self):
        yield Input(placeholder="bare")
Bare().run()
"""


@bench("keys.streaming")
def keys() -> Sequence[Figure]:
    """A bare app's time beside it: on a busy machine that is late too."""
    bare = _bare_times()
    return [
        _figure("key → screen while 400 deltas a second arrive, p95", _times(1), 25.0, bare),
        _figure("key → screen while three conversations stream so, p95", _times(3), 30.0, bare),
    ]


def _figure(name: str, times: Sequence[float], limit: float, bare: Sequence[float]) -> Figure:
    note = f"p50 {percentile(times, 50):.1f}; a bare Input: p50 {percentile(bare, 50):.1f}, p95 {percentile(bare, 95):.1f}"
    return Figure(name, percentile(times, 95), limit, note=note)


def _bare_times() -> list[float]:
    with Terminal([sys.executable, "-c", _BARE], dict(os.environ), *SIZE) as terminal:
        terminal.until("bare")
        return [_time(terminal, key) for key in KEYS]


def _times(conversations: int) -> list[float]:
    """Milliseconds from each key to its letter on the screen."""
    model = ModelProcess.start()
    scratch = make_scratch(model)
    try:
        with in_terminal([quarterdeck()], scratch) as terminal:
            terminal.until("Message Codex")
            for number in range(conversations):
                if number:
                    terminal.type(CTRL_N)
                    terminal.until("Message Codex")
                terminal.type(f" {SCRIPT}")
                terminal.read_for(1.0)
                terminal.drawn = ""
                terminal.type("\r")
                terminal.until("word20")
            terminal.drawn = ""
            terminal.until("word")
            return [_time(terminal, key) for key in KEYS]
    finally:
        remove_scratch(scratch)
        model.close()


def _time(terminal: Terminal, key: str) -> float:
    terminal.read_for(PAUSE)
    terminal.drawn = ""
    began = time.perf_counter()
    terminal.type(key)
    terminal.until(key)
    return (time.perf_counter() - began) * 1000
