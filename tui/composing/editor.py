"""A text in the editor of the person's choice; what is there when it closes is the text."""

from __future__ import annotations

import asyncio
import os
import shlex
import tempfile
from pathlib import Path

from textual.app import App, SuspendNotSupported

from core.errors import QuarterdeckError

EDITORS = ("VISUAL", "EDITOR")
FALLBACK = "vi"


async def edited(app: App[object], text: str, suffix: str = ".md") -> str:
    """The text as it was saved. Everything else goes on meanwhile; nothing is drawn until the editor is done.

    The file is readable by the person alone, and is removed. Raises QuarterdeckError where the editor does not do
    it: then nothing is changed.
    """
    command = editor_command()
    with tempfile.TemporaryDirectory(prefix="quarterdeck-") as folder:
        path = Path(folder) / f"message{suffix}"
        path.touch(0o600)
        path.write_text(text, encoding="utf-8")
        try:
            with app.suspend(), app.batch_update():
                status = await _run((*command, str(path)))
        except SuspendNotSupported as error:
            raise QuarterdeckError(
                "No editor can be opened here", why="this terminal has to stay ours"
            ) from error
        if status != 0:
            raise QuarterdeckError(
                f"{command[0]} ended with {status}",
                why="your text is as it was",
                todo="Set $EDITOR to another.",
            )
        try:
            return path.read_text(encoding="utf-8").removesuffix("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise QuarterdeckError("What the editor left cannot be read", why=str(error)) from error


def editor_command() -> tuple[str, ...]:
    """The words of $VISUAL, else of $EDITOR. Raises QuarterdeckError for one that is no command line."""
    line = next((value for name in EDITORS if (value := os.environ.get(name, "").strip())), FALLBACK)
    try:
        return tuple(shlex.split(line))
    except ValueError as error:
        raise QuarterdeckError(f"$EDITOR is no command: {line}", why=str(error)) from error


async def _run(command: tuple[str, ...]) -> int:
    try:
        process = await asyncio.create_subprocess_exec(*command)
    except OSError as error:
        raise QuarterdeckError(
            f"{command[0]} cannot be started",
            why=error.strerror or str(error),
            todo="Set $EDITOR to another.",
        ) from error
    try:
        return await process.wait()
    except asyncio.CancelledError:
        process.terminate()
        await process.wait()
        raise
