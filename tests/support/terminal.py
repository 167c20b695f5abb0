"""A program in a real pseudo-terminal: what it draws, as text, and what is typed into it."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType

_ESCAPES = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|[@-Z\\-_=>78()].?)"
)
END_SECONDS = 10.0

_ANSWERS = {
    b"\x1b[6n": "\x1b[1;1R",
    b"\x1b[c": "\x1b[?62;22c",
    b"\x1b]10;?": "\x1b]10;rgb:ffff/ffff/ffff\x1b\\",
    b"\x1b]11;?": "\x1b]11;rgb:0000/0000/0000\x1b\\",
}
"""What a terminal says to a program that asks about cursor, kind and colours."""


def _take_terminal() -> None:
    """In the child: the pseudo-terminal is its controlling one, so that losing it is a SIGHUP."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


class Terminal:
    """A context manager; the program and its process group are gone afterwards."""

    def __init__(
        self,
        argv: Sequence[str],
        env: Mapping[str, str],
        columns: int = 80,
        rows: int = 24,
        *,
        controlling: bool = True,
        folder: Path | None = None,
        answers: bool = False,
    ) -> None:
        """Without `controlling`, losing the terminal sends no SIGHUP: reading from it just ends.

        `folder` is where the program runs; `answers`: it asks its terminal things and waits to be told.
        """
        self._answers = answers
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.process = subprocess.Popen(
            argv,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**env, "TERM": "xterm-256color", "COLUMNS": str(columns), "LINES": str(rows)},
            cwd=folder,
            start_new_session=True,
            preexec_fn=_take_terminal if controlling else None,
        )
        os.close(slave)
        self.drawn = ""
        self.sent = b""
        """Everything the program sent, sequences and all."""

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(END_SECONDS)
        self.hang_up()

    def type(self, text: str) -> None:
        os.write(self._master, text.encode())

    def until(self, text: str, seconds: float = 30.0) -> float:
        """Read until this was drawn since the last call; the seconds that took."""
        began = time.monotonic()
        while text not in self.drawn:
            left = began + seconds - time.monotonic()
            if left <= 0 or not self._read(left):
                raise AssertionError(f"{text!r} was not drawn; the last was: {self.drawn[-2000:]!r}")
        self.drawn = self.drawn.partition(text)[2]
        return time.monotonic() - began

    def press_until(self, key: str, text: str, seconds: float = 30.0) -> None:
        """Press a key again and again until this is drawn: a prompt takes none in its quiet moment."""
        deadline = time.monotonic() + seconds
        while text not in self.drawn:
            assert time.monotonic() < deadline, (
                f"{text!r} was not drawn; the last was: {self.drawn[-2000:]!r}"
            )
            self.type(key)
            pause = time.monotonic() + 0.7
            while text not in self.drawn and time.monotonic() < pause:
                self._read(pause - time.monotonic())

    def read_for(self, seconds: float) -> None:
        """Read on for so long; a program whose terminal nobody reads stops."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            self._read(left)

    def end(self, seconds: float = END_SECONDS) -> int:
        """Read to the end of the program; its exit code."""
        deadline = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < deadline:
            self._read(0.1)
        while self._read(0):
            continue
        return self.process.wait(max(0.1, deadline - time.monotonic()))

    def hang_up(self) -> None:
        """Close the terminal's other end: the program gets SIGHUP."""
        if self._master >= 0:
            os.close(self._master)
            self._master = -1

    def _read(self, seconds: float) -> bool:
        """Take what is there within so many seconds. False: nothing, or the end."""
        ready, _, _ = select.select([self._master], [], [], seconds)
        if not ready:
            return False
        try:
            data = os.read(self._master, 65536)
        except OSError:
            return False
        if self._answers:
            for question in (question for question in _ANSWERS if question in data):
                self.type(_ANSWERS[question])
        self.sent += data
        self.drawn += _ESCAPES.sub("", data.decode("utf-8", "replace"))
        return bool(data)
