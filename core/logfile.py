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
"""Bytes from which the file is begun anew; the one before is kept as `NAME.1`."""

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
        return _FileOf(path)
    except OSError:
        return logging.NullHandler()


class _FileOf(logging.StreamHandler[TextIO]):
    """Owns its stream. A disk that is full is not told on the screen, over what stands there.

    Several consoles write the same file: it is the first to find it large that begins it anew.
    """

    def __init__(self, path: Path) -> None:
        """Raises OSError."""
        self._path = path
        super().__init__(_opened(path))
        self._begin_anew_if_large()

    def emit(self, record: logging.LogRecord) -> None:
        super().emit(record)
        self._begin_anew_if_large()

    def _begin_anew_if_large(self) -> None:
        """Where that cannot be done it goes on as it is."""
        try:
            ours = os.fstat(self.stream.fileno())
            if ours.st_size <= LARGEST:
                return
            if self._path.exists() and os.path.samestat(ours, self._path.stat()):
                self._path.replace(self._path.with_name(f"{self._path.name}.1"))
            anew = _opened(self._path)
        except OSError:
            return
        before = self.setStream(anew)
        if before is not None:
            before.close()

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        """Nothing: there is nowhere left to say it."""

    def close(self) -> None:
        self.stream.close()
        super().close()


def _opened(path: Path) -> TextIO:
    """Raises OSError."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    return os.fdopen(descriptor, "a", encoding="utf-8", errors="backslashreplace")
