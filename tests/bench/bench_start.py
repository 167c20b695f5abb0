"""From the command to a composer that takes a key, against a bare Textual app with one Input."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.bench.figures import Figure, bench, median
from tests.support.terminal import Terminal

RUNS = 9
_BARE = """
from textual.app import App
from textual.widgets import Input
class Bare(App):
    def compose(self):
        yield Input(placeholder="Message Codex")
Bare().run()
"""


@bench("start.composer")
def start() -> Sequence[Figure]:
    command = str(Path(sys.executable).with_name("quarterdeck"))
    with tempfile.TemporaryDirectory(prefix="qd-bench-", dir="/var/tmp") as home:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "CODEX_"))}
        env = {**kept, "HOME": home}
        settings = Path(home, ".config/quarterdeck/config.toml")
        settings.parent.mkdir(parents=True)
        settings.write_text('[host]\nmode = "stdio"\n')
        ours: list[float] = []
        floor: list[float] = []
        for _ in range(RUNS):
            floor.append(_seconds([sys.executable, "-c", _BARE], env))
            ours.append(_seconds([command], env))
    return [
        Figure(
            "command to usable composer ÷ bare Textual app with one Input",
            median(ours) * 1000,
            2.2,
            median(floor) * 1000,
        )
    ]


def _seconds(argv: Sequence[str], env: dict[str, str]) -> float:
    """Until a typed key is drawn."""
    began = time.monotonic()
    with Terminal(argv, env) as terminal:
        terminal.until("Codex")
        terminal.type("q")
        terminal.until("q")
        return time.monotonic() - began
