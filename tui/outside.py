"""Another program has the terminal for a while: the pager, the editor. The console goes on behind it."""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from textual.app import App, SuspendNotSupported

from core.errors import InvalidRequest

PAGERS = ("less -R", "more")
EDITORS = ("nano", "vim", "vi")


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
    """Give the terminal to a program and wait for its end; its exit code.

    The event loop goes on: whatever comes from Codex meanwhile is heard and kept. Raises InvalidRequest.
    """
    try:
        with app.suspend(), _silent(app):
            process = await asyncio.create_subprocess_exec(*command)
            return await process.wait()
    except SuspendNotSupported as error:
        raise InvalidRequest(
            "Another program cannot be opened here", why="this terminal cannot be given away"
        ) from error
    finally:
        app.refresh(layout=True)


def _written(path: Path, text: str) -> str:
    path.write_text(text + "\n", encoding="utf-8")
    return str(path)


@contextmanager
def _silent(app: App[Any]) -> Iterator[None]:
    """Nothing is written to the terminal: it is another's, and Textual's own writer is gone until it is back."""
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
    for line in (wanted,) if wanted else known:
        command = shlex.split(line)
        if command and shutil.which(command[0]):
            return command
    why = f"{wanted} is not on the PATH" if wanted else f"none of {', '.join(known)} is on the PATH"
    raise InvalidRequest(f"There is no {name}", why=why, todo=f"Set {variables[-1]} to the one you use.")
