"""What bash itself does with a line: the witness against which our reading is held."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

_TELL = """
command_not_found_handle() { printf '%s\\0' "$@" >"$TOLD/$BASHPID"; return CODE; }
"""


def run_in_bash(line: str, folder: Path, code: int = 0) -> list[tuple[str, ...]]:
    """The words of each command that bash would start for the line, in no order.

    No program can be found, so each that is no builtin only tells its words, into a file of its own; each
    ends with `code`.
    """
    here, told = folder / "here", folder / "told"
    for fresh in (here, told):
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir()
    subprocess.run(
        ["/bin/bash", "--noprofile", "--norc", "-c", _TELL.replace("CODE", str(code)) + line],
        cwd=here,
        env={"PATH": "/nonexistent", "TOLD": str(told), "LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=10,
        check=False,
    )
    return [tuple(file.read_text(errors="surrogateescape").split("\0")[:-1]) for file in told.iterdir()]
