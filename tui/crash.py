"""When the console itself fails: a trace in a file, a sentence on the screen."""

from __future__ import annotations

import os
import traceback
from pathlib import Path

from platformdirs import user_log_dir

SENTENCE = "Quarterdeck failed and has ended. What runs at Codex goes on; what you wrote is kept."


def crash_file() -> Path:
    return Path(user_log_dir("quarterdeck", appauthor=False)) / "crash.log"


def note_crash(error: BaseException) -> str:
    """Keep the trace, without any values of variables: they may hold secrets. What to tell the person."""
    path = crash_file()
    trace = "".join(traceback.format_exception(error))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "a") as file:
            file.write(f"{trace}\n")
    except OSError as problem:
        return f"{SENTENCE}\nNo trace could be written to {path}: {problem.strerror}.\nIt was: {error!r}"
    return f"{SENTENCE}\nStart it again to go on. The trace is in\n{path}"
