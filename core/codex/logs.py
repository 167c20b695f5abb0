"""The log files of what we start: its stderr, and the few last lines of it that say why it died."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import IO

TAIL_BYTES = 16 * 1024
TAIL_LINES = 4
LINE_SHOWN = 300

_ESCAPE = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]+")
_BACKTRACE = "Stack backtrace:"


def opened_log(path: Path) -> IO[bytes]:
    """A fresh log, for our eyes only; the one before is kept as `NAME.1`. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if path.exists():
        path.replace(path.with_name(f"{path.name}.1"))
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o600), "wb")


def tail(path: Path) -> str:
    """The last lines that say something, on one line, harmless to show. "" for an empty or absent log."""
    try:
        with path.open("rb") as log:
            log.seek(max(0, log.seek(0, os.SEEK_END) - TAIL_BYTES))
            text = log.read().decode("utf-8", "replace")
    except OSError:
        return ""
    text = _ESCAPE.sub("", text).partition(_BACKTRACE)[0]
    lines = [_CONTROL.sub(" ", line).strip()[:LINE_SHOWN] for line in text.splitlines()]
    return " / ".join([line for line in lines if line][-TAIL_LINES:])
