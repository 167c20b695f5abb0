"""The installed `quarterdeck` in a real pseudo-terminal, on the real Codex of the demo."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.demo.leftovers import end_leftovers
from tests.support.terminal import Terminal


@pytest.fixture
def env() -> Iterator[dict[str, str]]:
    """A home of its own, short enough for sockets, with no `codex` on PATH but the bundled one."""
    home = Path(tempfile.mkdtemp(prefix="qd-e2e-", dir="/var/tmp"))
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "CODEX_"))}
    yield {**kept, "HOME": str(home)}
    for codex_home in home.rglob("home"):
        end_leftovers(codex_home)
    shutil.rmtree(home, ignore_errors=True)


@pytest.fixture
def command() -> str:
    installed = Path(sys.executable).with_name("quarterdeck")
    assert installed.exists(), "the command is not installed"
    return str(installed)


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (120, 40)])
def test_a_newcomer_asks_decides_quits_and_finds_it_again(
    env: dict[str, str], command: str, columns: int, rows: int
) -> None:
    with Terminal([command, "--demo"], env, columns, rows) as terminal:
        terminal.until("Message Codex")
        terminal.type(" /say It is alive.\r")
        terminal.until("It is alive.")
        terminal.until("●")
        terminal.type(" /run! echo it ran\r")
        terminal.until("Codex wants to run a command")
        terminal.type("y")
        terminal.type("\x1b[17~")
        terminal.until("A letter, or")
        terminal.press_until("y", "exit 0")
        terminal.type("\x11")
        assert terminal.end() == 0
    with Terminal([command, "--demo", "--continue"], env, columns, rows) as terminal:
        terminal.until("it ran")
        terminal.type("\x11")
        assert terminal.end() == 0


def test_a_console_that_was_killed_shows_its_draft_and_its_question_again(
    env: dict[str, str], command: str
) -> None:
    with Terminal([command, "--demo"], env) as terminal:
        terminal.until("Message Codex")
        terminal.type(" /run! echo later\r")
        terminal.until("Codex wants to run a command")
        terminal.type("half a thought")
        terminal.until("half a thought")
        terminal.until("needs you")
        os.kill(terminal.process.pid, signal.SIGKILL)
        terminal.process.wait(10)
    with Terminal([command, "--demo", "--continue"], env) as terminal:
        terminal.until("Codex wants to run a command")
        terminal.type("\x1b[17~")
        terminal.until("A letter, or")
        terminal.press_until("y", "exit 0")
        terminal.type("\x11")
        assert terminal.end() == 0


def test_a_closed_terminal_ends_the_console_and_loses_nothing(env: dict[str, str], command: str) -> None:
    with Terminal([command, "--demo"], env) as terminal:
        terminal.until("Message Codex")
        terminal.type(" /say kept\r")
        terminal.until("kept")
        terminal.until("ready")
        terminal.hang_up()
        terminal.process.wait(15)
    with Terminal([command, "--demo", "--continue"], env) as terminal:
        terminal.until("kept")
        terminal.type("\x11")
        assert terminal.end() == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_told_to_end_it_quits_as_a_person_would(
    env: dict[str, str], command: str, number: signal.Signals
) -> None:
    with Terminal([command, "--demo"], env) as terminal:
        terminal.until("Message Codex")
        terminal.until("ready")
        terminal.process.send_signal(number)
        assert terminal.end(20) == 0


def test_without_its_terminal_it_ends_and_does_not_spin(env: dict[str, str], command: str) -> None:
    with Terminal([command, "--demo"], env, controlling=False) as terminal:
        terminal.until("Message Codex")
        terminal.until("ready")
        terminal.hang_up()
        terminal.process.wait(20)


def test_a_folder_that_is_not_there_is_one_sentence_and_an_exit_code(
    env: dict[str, str], command: str
) -> None:
    with Terminal([command, "--cd", "/no/such/folder"], env) as terminal:
        assert terminal.end() == 2
        assert "/no/such/folder" in terminal.drawn
        assert "Traceback" not in terminal.drawn


def test_a_terminal_that_is_not_looked_at_tells_and_has_its_title_back(
    env: dict[str, str], command: str
) -> None:
    env = {name: value for name, value in env.items() if name not in ("TMUX", "STY")}
    with Terminal([command, "--demo"], {**env, "TERM_PROGRAM": "WezTerm"}) as terminal:
        terminal.until("Message Codex")
        terminal.until("ready")
        terminal.type(" /wait 1\r")
        terminal.until("running")
        terminal.type("\x1b[O")
        terminal.until("ready")
        deadline = time.monotonic() + 15
        while b"\x1b]9;" not in terminal.sent and time.monotonic() < deadline:
            terminal.read_for(0.2)
        assert b"\x1b]9;/wait 1: done\x1b\\" in terminal.sent
        assert b"\x1b[22;2t\x1b]2;Quarterdeck" in terminal.sent
        assert b"\x1b[23;2t" not in terminal.sent
        terminal.type("\x11")
        assert terminal.end() == 0
        assert terminal.sent.count(b"\x1b[23;2t") == 1
