"""Locks between processes. The kernel holds them, so a killed process has let go of them at once."""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path

_RETRY_S = 0.01


class FileLock:
    """`flock` on a file of its own. The file stays; only the lock on it means something.

    Two FileLocks on one path exclude each other within a process too. A child process does not inherit
    it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor: int | None = None

    @property
    def held(self) -> bool:
        return self._descriptor is not None

    def names_its_file(self) -> bool:
        """Whether the path still leads to the file that is locked. False after somebody removed it."""
        if self._descriptor is None:
            return False
        try:
            return os.path.samestat(os.fstat(self._descriptor), self.path.stat())
        except FileNotFoundError:
            return False

    def try_exclusive(self) -> bool:
        """Take it alone. False: somebody else has it.

        Not for who holds it shared: the kernel gives a shared hold up when it cannot widen it.
        """
        return self._take(fcntl.LOCK_EX)

    def try_shared(self) -> bool:
        """Take it beside others, also in place of an exclusive hold. False: somebody has it alone."""
        return self._take(fcntl.LOCK_SH)

    def wait_exclusive(self, timeout_ms: int) -> bool:
        """Take it alone within `timeout_ms`. Blocks the thread; False when the time is over."""
        deadline = time.monotonic() + timeout_ms / 1000
        while not self.try_exclusive():
            if time.monotonic() >= deadline:
                return False
            time.sleep(_RETRY_S)
        return True

    def release(self) -> None:
        """Let go. Harmless when it is not held."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _take(self, kind: int) -> bool:
        if self._descriptor is None:
            self._descriptor = os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600)
        try:
            fcntl.flock(self._descriptor, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            self.release()
            return False
        except BaseException:
            self.release()
            raise
        return True
