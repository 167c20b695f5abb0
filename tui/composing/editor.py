"""A text in the editor of the person's choice; what is there when it closes is the text."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from textual.app import App

from core.errors import QuarterdeckError
from tui import outside


async def edited(app: App[object], text: str, suffix: str = ".md") -> str:
    """The text as it was saved. Everything else goes on meanwhile; nothing is drawn until the editor is done.

    The file is readable by the person alone, and is removed, unless something was saved that could not be taken: then
    it stays. Raises QuarterdeckError where the editor does not do it: then nothing is changed, and the file is named.
    """
    command = outside.editor()
    folder = Path(tempfile.mkdtemp(prefix="quarterdeck-"))
    path = folder / f"message{suffix}"
    taken = False
    try:
        path.touch(0o600)
        path.write_text(text, encoding="utf-8")
        status = await outside.run(app, (*command, str(path)))
        if status != 0:
            kept = "your text is as it was" if _holds(path, text) else f"what it saved stays in {path}"
            raise QuarterdeckError(
                f"{command[0]} ended with {status}", why=kept, todo="Set $EDITOR to another."
            )
        saved = _read(path)
        taken = True
    finally:
        if taken or _holds(path, text):
            shutil.rmtree(folder, ignore_errors=True)
    return saved.removesuffix("\n")


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = f"{error}; it stays in {path}" if path.exists() else str(error)
        raise QuarterdeckError("What the editor left cannot be read", why=why) from error


def _holds(path: Path, text: str) -> bool:
    """Is nothing else in the file?"""
    return not path.exists() or path.read_bytes() in (b"", text.encode())
