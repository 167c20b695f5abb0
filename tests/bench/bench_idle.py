"""What the console costs while it only shows that a turn runs: more than a bare Textual app with a cursor."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from core.demo.leftovers import end_leftovers
from tests.bench.figures import Figure, bench
from tests.support.terminal import Terminal

SETTLE_SECONDS = 4.0
SECONDS = 20.0
_BARE = """
from textual.app import App
from textual.widgets import Input
class Bare(App):
    def compose(self):
        yield Input(placeholder="Message Codex")
Bare().run()
"""


@bench("idle.spinner")
def idle() -> Sequence[Figure]:
    command = str(Path(sys.executable).with_name("quarterdeck"))
    with tempfile.TemporaryDirectory(prefix="qd-bench-", dir="/var/tmp") as home:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "CODEX_"))}
        env = {**kept, "HOME": home}
        try:
            bare = _percent([sys.executable, "-c", _BARE], env)
            ours = _percent([command, "--demo", " /hold forever"], env, "running")
        finally:
            for codex_home in Path(home).rglob("home"):
                end_leftovers(codex_home)
    return [
        Figure(
            "idle CPU with a spinner running, more than a bare Textual app",
            max(0.0, ours - bare),
            1.0,
            unit="% of a core",
            note=f"{ours:.2f} % against {bare:.2f} %",
        )
    ]


def _percent(argv: Sequence[str], env: Mapping[str, str], shown: str = "Codex") -> float:
    """Of one core, over `SECONDS` after it has come to rest."""
    with Terminal(argv, dict(env), 120, 40) as terminal:
        terminal.until(shown)
        terminal.read_for(SETTLE_SECONDS)
        before = _cpu_seconds(terminal.process.pid)
        terminal.read_for(SECONDS)
        return 100 * (_cpu_seconds(terminal.process.pid) - before) / SECONDS


def _cpu_seconds(pid: int) -> float:
    """User and system time of all threads (proc(5), stat: fields 14 and 15)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
