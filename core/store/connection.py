"""One SQLite connection on a thread of its own, set up the way all of ours are."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import aiosqlite

T = TypeVar("T")

_LOG_KEPT_BYTES = 16 * 1024 * 1024


def connect_plain(path: Path, busy_timeout_ms: int, *, writes: bool) -> sqlite3.Connection:
    """A connection in autocommit mode to a file that exists: SQLite must not make one, with its own mode.

    Raises sqlite3.Error.
    """
    uri = f"{path.absolute().as_uri()}?mode={'rw' if writes else 'ro'}"
    return sqlite3.connect(uri, uri=True, isolation_level=None, timeout=busy_timeout_ms / 1000)


def _connect_set_up(
    path: Path, busy_timeout_ms: int, *, writes: bool, durable: bool = True
) -> sqlite3.Connection:
    # A reader opens for writing too: the last one to close has to be able to empty the log.
    connection = connect_plain(path, busy_timeout_ms, writes=True)
    try:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
        # macOS: an ordinary fsync leaves the data in the drive's cache.
        connection.execute("PRAGMA fullfsync = ON")
        connection.execute(f"PRAGMA journal_size_limit = {_LOG_KEPT_BYTES}")
        connection.execute(f"PRAGMA query_only = {'OFF' if writes else 'ON'}")
        # The first read makes -wal and -shm, or recovers them: any refusal comes here, not at a first use.
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


class Connection(aiosqlite.Connection):
    """A connection that runs whole functions on its thread, so that a transaction is one hop."""

    def __init__(self, path: Path, busy_timeout_ms: int, *, writes: bool, durable: bool = True) -> None:
        super().__init__(
            lambda: _connect_set_up(path, busy_timeout_ms, writes=writes, durable=durable), iter_chunk_size=1
        )
        # A console that crashed before it closed the store must end, not hang on this thread.
        self._thread.daemon = True

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """The result of `work`, run on the thread. A cancelled caller leaves it running to its end."""
        execute = cast(
            "Callable[..., Awaitable[Any]]",
            self._execute,  # pyright: ignore[reportUnknownMemberType] - aiosqlite leaves it untyped
        )
        return await execute(work, self._conn)

    def give_up(self) -> None:
        """End the statement that runs now, if one does: whoever wanted its result is gone."""
        self._conn.interrupt()
