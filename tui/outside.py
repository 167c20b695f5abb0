"""Another program has the terminal for a while: the pager, the editor. The console goes on behind it.

This is the one way to give the terminal away: Textual's own writer is gone meanwhile, and what was still written
would fill its queue and stop the event loop for good.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from weakref import WeakSet

from textual.app import App, SuspendNotSupported

from core.errors import InvalidRequest
from tui.hangup import interrupts_are_anothers

PAGERS = ("less -R", "more")
EDITORS = ("nano", "vim", "vi")
TERMINATING_SECONDS = 2.0
"""How long a program may take to end that is told to."""

_away: WeakSet[App[Any]] = WeakSet()
"""Whose terminal another program has."""


def pager() -> Sequence[str]:
    """The command that shows a file: $PAGER, else less. Raises InvalidRequest."""
    return _command(("PAGER",), PAGERS, "pager")


def editor() -> Sequence[str]:
    """The command that edits a file: $VISUAL, $EDITOR, else one that is there. Raises InvalidRequest."""
    return _command(("VISUAL", "EDITOR"), EDITORS, "editor")


async def open_text(app: App[Any], command: Sequence[str], text: str, suffix: str) -> None:
    """Show a text that has no escape sequences in another program; returns when that ends.

    Raises InvalidRequest where the terminal cannot be given away.
    """
    with tempfile.TemporaryDirectory(prefix="quarterdeck-") as folder:
        await run(app, [*command, _written(Path(folder, f"text{suffix}"), text)])


async def run(app: App[Any], command: Sequence[str]) -> int:
    """Give the terminal to a program and wait for its end; its exit code. Ctrl+C is the program's meanwhile.

    The event loop goes on: whatever comes from Codex meanwhile is heard and kept. A program that nobody waits for
    any more is ended. Raises InvalidRequest where it cannot be started, the terminal cannot be given away, or another
    program has it.
    """
    if app in _away:
        raise InvalidRequest(
            f"{command[0]} was not opened", why="another program has the terminal", todo="End that one first."
        )
    _away.add(app)
    try:
        with app.suspend(), _silent(app), interrupts_are_anothers():
            return await _until_its_end(command)
    except SuspendNotSupported as error:
        raise InvalidRequest(
            "Another program cannot be opened here", why="this terminal cannot be given away"
        ) from error
    finally:
        _away.discard(app)
        app.refresh(layout=True)


async def _until_its_end(command: Sequence[str]) -> int:
    try:
        process = await asyncio.create_subprocess_exec(*command)
    except OSError as error:
        raise InvalidRequest(f"{command[0]} cannot be started", why=error.strerror or str(error)) from error
    try:
        return await process.wait()
    finally:
        if process.returncode is None:
            process.terminate()
            with suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), TERMINATING_SECONDS)
        if process.returncode is None:
            process.kill()
            await process.wait()


def _written(path: Path, text: str) -> str:
    path.write_text(text + "\n", encoding="utf-8")
    return str(path)


@contextmanager
def _silent(app: App[Any]) -> Iterator[None]:
    """Nothing is written to the terminal."""
    driver = app._driver
    with app.batch_update():
        if driver is not None:
            driver.write = lambda data: None  # type: ignore[method-assign]
        try:
            yield
        finally:
            if driver is not None:
                del driver.write


def _command(variables: Sequence[str], known: Sequence[str], name: str) -> Sequence[str]:
    wanted = next((found for variable in variables if (found := os.environ.get(variable, "").strip())), "")
    todo = f"Set {variables[-1]} to the one you use."
    for line in (wanted,) if wanted else known:
        try:
            command = shlex.split(line)
        except ValueError as error:
            raise InvalidRequest(f"The {name} is no command: {line}", why=str(error), todo=todo) from error
        if command and shutil.which(command[0]):
            return command
    why = f"{wanted} is not on the PATH" if wanted else f"none of {', '.join(known)} is on the PATH"
    raise InvalidRequest(f"There is no {name}", why=why, todo=todo)
