"""Making databases small again, on request: free pages go back to the file system, word indexes are merged."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from core.errors import StoreLocked
from core.store.connection import connect_plain
from core.store.failures import explain
from core.store.files import companion
from core.store.opening import presence_lock

WAIT_MS = 2_000


@dataclass(frozen=True, slots=True)
class Compacted:
    """Bytes of a database with its companions, before and after."""

    path: Path
    before: int
    after: int


def compact(path: Path) -> Compacted | None:
    """None where there is no such database. Nothing that is kept is lost. Blocks, some seconds a gigabyte.

    Raises StoreLocked while a console has it open, StoreError.
    """
    if not path.exists():
        return None
    with closing(_Alone(path)):
        before = size_of(path)
        try:
            with closing(connect_plain(path, WAIT_MS, writes=True)) as connection:
                for (table,) in connection.execute(
                    "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%USING fts5%'"
                ).fetchall():
                    connection.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")
                connection.execute("VACUUM")
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.Error as error:
            raise explain(error, path) from error
        return Compacted(path, before, size_of(path))


def delete(path: Path) -> bool:
    """Delete a database that can be made again, with its companions; whether there was one.

    Raises StoreLocked while a console has it open.
    """
    if not path.exists():
        return False
    with closing(_Alone(path)):
        for suffix in ("-wal", "-shm", "-journal", "-suspect", ""):
            companion(path, suffix).unlink(missing_ok=True)
        return True


def size_of(path: Path) -> int:
    """Bytes on disk, with what is not merged into the file yet."""
    files = (companion(path, suffix) for suffix in ("", "-wal", "-shm"))
    return sum(file.stat().st_size for file in files if file.exists())


def problem_of_words(path: Path) -> str:
    """What the word index of sessions has against itself, "" for nothing. Blocks, about as long as building a tenth of it."""
    try:
        with closing(connect_plain(path, WAIT_MS, writes=True)) as connection:
            connection.execute("INSERT INTO texts_index (texts_index) VALUES ('integrity-check')")
    except sqlite3.Error as error:
        return str(error)
    return ""


class _Alone:
    """Nobody else has the database open until `close`."""

    def __init__(self, path: Path) -> None:
        self._lock = presence_lock(path)
        self._lock.path.parent.mkdir(mode=0o700, exist_ok=True)
        if not self._lock.try_exclusive():
            raise StoreLocked(
                f"{path.name} is left as it is", why="a console has it open", todo="Quit every console first."
            )

    def close(self) -> None:
        self._lock.release()
