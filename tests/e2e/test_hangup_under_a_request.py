"""A terminal that is lost while Codex asks something, on a host that lives on."""

from __future__ import annotations

import sys
from pathlib import Path

from core.demo.process import ModelProcess
from core.demo.scratch import make_scratch, remove_scratch
from tests.support.terminal import Terminal


def test_a_request_outlives_the_terminal_and_is_decided_in_the_next() -> None:
    command = str(Path(sys.executable).with_name("quarterdeck"))
    model = ModelProcess.start()
    scratch = make_scratch(model)
    kept = {name: value for name, value in scratch.env.items() if not name.startswith("XDG_")}
    env = {**kept, "HOME": str(scratch.folder)}
    try:
        with Terminal([command], env, folder=scratch.project) as terminal:
            terminal.until("Message Codex")
            terminal.type(" /run! echo it ran\r")
            terminal.until("Codex wants to run a command")
            terminal.hang_up()
            terminal.process.wait(20)
        with Terminal([command, "--continue"], env, folder=scratch.project) as terminal:
            terminal.until("Codex wants to run a command")
            terminal.type("\x1b[17~")
            terminal.until("A letter, or")
            terminal.press_until("y", "exit 0")
            terminal.type("\x11")
            assert terminal.end() == 0
    finally:
        remove_scratch(scratch)
        model.close()
