"""One console writes a conversation at a time; the others show it and say who has it.

A lease is a lock of the kernel on a file, so that a killed console has let go of it at once. What stands
in the file is only for people.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from core.errors import InvalidRequest
from core.store.clock import Clock
from core.store.failures import explain_os
from core.store.files import make_private_folder
from core.store.locks import FileLock

_SAFE_ID = re.compile(r"[A-Za-z0-9_-]{1,128}")


@dataclass(frozen=True, slots=True)
class Holder:
    """Who has it. The parts are unknown (0, "", 0) in the instant before the holder has written them."""

    pid: int
    console: str
    since_ms: int


class Lease:
    """The right to write a conversation, until `release` or the end of this process."""

    def __init__(self, conversation_id: str, lock: FileLock) -> None:
        self.conversation_id = conversation_id
        self._lock = lock

    @property
    def held(self) -> bool:
        return self._lock.held

    def release(self) -> None:
        """Let go; the file goes too. Harmless when it is released already."""
        if self._lock.held:
            self._lock.path.unlink(missing_ok=True)
            self._lock.release()


class Leases:
    """Takes and gives back leases. A few system calls on a local file each: fit for the event loop.

    `console` tells people which console this is, such as the name of its terminal.
    """

    def __init__(self, database: Path, folder: Path, console: str, clock: Clock) -> None:
        self._database = database
        self._folder = folder
        self._console = console
        self._clock = clock
        self._leases: dict[str, Lease] = {}

    def acquire(self, conversation_id: str) -> Lease | Holder:
        """The lease, or who has it: this console too, when it has acquired it before.

        Raises InvalidRequest for an id that is no file name, StoreError where the folder cannot be written.
        """
        if not _SAFE_ID.fullmatch(conversation_id):
            raise InvalidRequest(
                f"{conversation_id!r} is not a conversation's id",
                why="It may hold letters, digits, _ and - only",
            )
        path = self._folder / f"{conversation_id}.lease"
        lock = FileLock(path)
        try:
            make_private_folder(self._folder)
            if not _take(lock):
                return _holder(path)
            self._sign(path)
        except OSError as error:
            lock.release()
            raise explain_os(error, self._database) from error
        lease = Lease(conversation_id, lock)
        self._leases[conversation_id] = lease
        return lease

    def release(self, conversation_id: str) -> None:
        """Let go of one; harmless where this console does not have it."""
        lease = self._leases.pop(conversation_id, None)
        if lease is not None:
            lease.release()

    def release_all(self) -> None:
        """Let go of every lease of this console."""
        for lease in self._leases.values():
            lease.release()
        self._leases.clear()

    def _sign(self, path: Path) -> None:
        path.write_text(
            json.dumps({"pid": os.getpid(), "console": self._console, "since_ms": self._clock()}),
            encoding="utf-8",
        )


def _take(lock: FileLock) -> bool:
    """Lock the file that has the name now: its last holder may have removed it after we opened it."""
    while lock.try_exclusive():
        if lock.names_its_file():
            return True
        lock.release()
    return False


def _holder(path: Path) -> Holder:
    try:
        written: Any = json.loads(path.read_text(encoding="utf-8", errors="replace"))
    except (FileNotFoundError, ValueError):
        return Holder(0, "", 0)
    if not isinstance(written, dict):
        return Holder(0, "", 0)
    fields = cast("dict[str, Any]", written)
    pid, console, since_ms = fields.get("pid"), fields.get("console"), fields.get("since_ms")
    return Holder(
        pid if isinstance(pid, int) else 0,
        console if isinstance(console, str) else "",
        since_ms if isinstance(since_ms, int) else 0,
    )
