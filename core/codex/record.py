"""What consoles on this machine tell each other about a host: who started it, and who is starting one.

Files in our state folder, named after the CODEX_HOME: `host-NAME.json`, `.lock` and `.log`.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import os
import sys
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import asdict
from pathlib import Path

from core.codex.options import HostOptions
from core.codex.translate import fields_of
from core.errors import HostUnavailable
from core.process import ProcessId

POLL_SECONDS = 0.05


class HostRecord:
    """The files of one CODEX_HOME."""

    def __init__(self, options: HostOptions) -> None:
        home = os.fsencode(options.codex_home.expanduser().resolve())
        self._base = options.state_dir / f"host-{hashlib.sha256(home).hexdigest()[:12]}"

    @property
    def log(self) -> Path:
        """What the host that we started last writes to its stderr."""
        return self._base.with_suffix(".log")

    def note_started(self, process: ProcessId) -> None:
        """Remember, for every console, that Quarterdeck started this host. Raises OSError."""
        path = self._base.with_suffix(".json")
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        fresh = path.with_suffix(f".{os.getpid()}.tmp")
        fresh.write_text(json.dumps(asdict(process)), encoding="utf-8")
        fresh.replace(path)

    def started(self, process: ProcessId) -> bool:
        """Whether some console of ours started this very process."""
        try:
            noted = fields_of(json.loads(self._base.with_suffix(".json").read_text(encoding="utf-8")))
        except (OSError, ValueError):
            return False
        return noted.get("pid") == process.pid and noted.get("started") == process.started

    def forget(self, process: ProcessId) -> None:
        """It was ended. Another one, that was started since, is still ours."""
        if self.started(process):
            self._base.with_suffix(".json").unlink(missing_ok=True)

    @asynccontextmanager
    async def start_lock(self, seconds: float) -> AsyncGenerator[None]:
        """Held while a host is started, so that two consoles start one. Raises HostUnavailable.

        The kernel lets go of it if we die.
        """
        lock = await self._locked(self._base.with_suffix(".lock"), seconds)
        try:
            yield
        finally:
            os.close(lock)

    async def _locked(self, path: Path, seconds: float) -> int:
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise _not_started(str(error), f"Make {path.parent} writable.") from error
        deadline = time.monotonic() + seconds
        try:
            while not _try_lock(lock):
                if time.monotonic() >= deadline:
                    why = "another console has been starting one for too long"
                    raise _not_started(why, "Look whether another Quarterdeck hangs, and end it.")
                await asyncio.sleep(POLL_SECONDS)
        except BaseException:
            os.close(lock)
            raise
        return lock


def _not_started(why: str, todo: str) -> HostUnavailable:
    return HostUnavailable("No Codex host was started", why=why, todo=todo)


def _try_lock(lock: int) -> bool:
    """Always true where there is no flock: Codex itself refuses a second host for the same home."""
    if sys.platform == "win32":
        return True
    import fcntl

    with contextlib.suppress(BlockingIOError):
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False
