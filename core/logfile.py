"""The log file: what happened behind the screen, for whoever looks for a fault. Secrets in it are masked."""

from __future__ import annotations

import logging
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from core.masking import mask
from core.settings import DIRS

LARGEST = 1_000_000
"""Bytes from which the file is begun anew at the next start; the one before is kept as `NAME.1`."""

OURS = ("core", "tui")
LINE = "%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"


def log_file() -> Path:
    return Path(DIRS.user_log_dir) / "quarterdeck.log"


class _Masked(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return mask(super().format(record))


@contextmanager
def logging_to(path: Path) -> Generator[None]:
    """Within it what the engine and the console log goes to the file, and others' warnings too.

    Without a file that can be written nothing is logged: that is no reason not to start.
    """
    root = logging.getLogger()
    handler = _handler(path)
    handler.setFormatter(_Masked(LINE))
    before = {name: logging.getLogger(name).level for name in OURS}
    for name in OURS:
        logging.getLogger(name).setLevel(logging.INFO)
    root.addHandler(handler)
    try:
        yield
    finally:
        root.removeHandler(handler)
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)
        handler.close()


def _handler(path: Path) -> logging.Handler:
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if path.exists() and path.stat().st_size > LARGEST:
            path.replace(path.with_name(f"{path.name}.1"))
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    except OSError:
        return logging.NullHandler()
    return _FileOf(os.fdopen(descriptor, "a", encoding="utf-8", errors="backslashreplace"))


class _FileOf(logging.StreamHandler[TextIO]):
    """Owns its stream. A disk that is full is not told on the screen, over what stands there."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        """Nothing: there is nowhere left to say it."""

    def close(self) -> None:
        self.stream.close()
        super().close()
