"""The pager and the editor have the terminal for a while: in a real pseudo-terminal."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest
from textual.app import App

from core.errors import InvalidRequest
from tests.support.terminal import Terminal
from tests.tui.host import until
from tui import outside

_APP = """
import asyncio, os, sys
from textual.app import App
from textual.widgets import Static
from tui import outside

class Console(App):
    ticks = 0
    def compose(self):
        yield Static("the console")
    def on_mount(self):
        self.set_interval(0.01, self.tick)
    def tick(self):
        self.ticks += 1
        self.query_one(Static).update(f"tick {self.ticks}")
        self.bell()
    def on_key(self, event):
        if event.key == "o":
            self.run_worker(self.open())
        else:
            self.exit()
    async def open(self):
        before = self.ticks
        await outside.open_text(self, [sys.executable, "-c", os.environ["PAGED"]], "some text", ".md")
        self.sub_title = f"{self.ticks - before}"
        self.query_one(Static).update(f"back, and {'went on' if self.ticks - before > 20 else 'stood still'}")
        await asyncio.sleep(1)

Console().run()
"""

_PAGER = """
import sys
path = sys.argv[1]
print("paged:", open(path).read().strip(), path.endswith(".md"), flush=True)
sys.stdin.readline()
"""


def test_the_loop_goes_on_while_another_program_has_the_terminal() -> None:
    with Terminal([sys.executable, "-c", _APP], {**os.environ, "PAGED": _PAGER}) as terminal:
        terminal.until("tick")
        terminal.type("o")
        terminal.until("paged: some text True")
        terminal.drawn = ""
        for _ in range(5):
            terminal._read(0.1)
        assert "tick" not in terminal.drawn
        terminal.type("\n")
        terminal.until("went on")


def test_the_persons_own_pager_and_editor_are_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "my editor"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PAGER", f"'{program}' -x")
    monkeypatch.setenv("EDITOR", str(program).replace(" ", "\\ "))
    monkeypatch.delenv("VISUAL", raising=False)
    assert outside.pager() == [str(program), "-x"]
    assert outside.editor() == [str(program)]


def test_one_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGER", "no-such-pager -R")
    with pytest.raises(InvalidRequest, match="no-such-pager"):
        outside.pager()


def test_a_command_line_that_is_none_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGER", 'less "')
    with pytest.raises(InvalidRequest, match="no command"):
        outside.pager()


async def test_a_program_that_nobody_waits_for_is_ended(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(App, "suspend", lambda app: nullcontext())
    app = App[None]()
    async with app.run_test() as pilot:
        line = f"echo $$ > {tmp_path}/pid.new; mv {tmp_path}/pid.new {tmp_path}/pid; exec sleep 60"
        running = asyncio.create_task(outside.run(app, ["sh", "-c", line]))
        await until(pilot, (tmp_path / "pid").exists)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        with pytest.raises(ProcessLookupError):
            os.kill(int((tmp_path / "pid").read_text()), 0)
