"""Looking at a database without opening it for use, and making a sound one of a damaged one."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from core.errors import InvalidRequest, StoreLocked
from core.store import files, schema
from core.store.connection import connect_plain
from core.store.failures import explain
from core.store.opening import presence_lock
from core.store.repair import Salvaged, salvage


@dataclass(frozen=True, slots=True)
class Examination:
    """`problem` is what SQLite has against the file, "" for a sound one; `aside`: damaged files moved away."""

    path: Path
    exists: bool
    version: int = 0
    size: int = 0
    problem: str = ""
    aside: tuple[Path, ...] = ()

    @property
    def sound(self) -> bool:
        return not self.problem


@dataclass(frozen=True, slots=True)
class Repair:
    """`tables`: what was taken over. `aside`: where the file that stood in the place is now."""

    tables: tuple[Salvaged, ...]
    aside: Path | None


def examine(path: Path) -> Examination:
    """Check the whole file, which is only read. Blocks, about 0.4 s a gigabyte. Raises StoreError."""
    moved = path.parent.glob(f"{path.name}.damaged-*")
    aside = tuple(sorted(file for file in moved if not file.name.endswith(("-wal", "-shm", "-journal"))))
    if not path.exists():
        return Examination(path, exists=False, aside=aside)
    size = path.stat().st_size
    try:
        with closing(connect_plain(path, 0, writes=False)) as connection:
            problem = schema.problem_in(connection) or ""
            version = schema.version_of(connection)
    except sqlite3.OperationalError as error:
        raise explain(error, path) from error
    except sqlite3.DatabaseError as error:
        return Examination(path, True, 0, size, str(error), aside)
    return Examination(path, True, version, size, problem, aside)


def bound_threads(path: Path) -> frozenset[str]:
    """The threads of our conversations; none where the database cannot be read. Only reads. Blocks."""
    query = "SELECT thread_id FROM conversations WHERE lifecycle = 'open' AND thread_id IS NOT NULL"
    try:
        with closing(connect_plain(path, 0, writes=False)) as connection:
            return frozenset(thread_id for (thread_id,) in connection.execute(query))
    except sqlite3.Error:
        return frozenset()


def repair(path: Path, source: Path, at_ms: int) -> Repair:
    """Put what is readable in `source` (the database itself, or a file moved aside) into its place.

    What stands there is moved aside, never deleted. Blocks. Raises StoreLocked while a console has it
    open, InvalidRequest where there is no source, StoreDamaged where nothing can be read, StoreError.
    """
    if not source.exists():
        raise InvalidRequest(f"{source} is not there", todo="Name the file that was moved aside.")
    presence = presence_lock(path)
    presence.path.parent.mkdir(mode=0o700, exist_ok=True)
    if not presence.try_exclusive():
        raise StoreLocked(
            "The database is not repaired", why="a console has it open", todo="Quit every console first."
        )
    try:
        made = files.free_name(path, "repaired")
        tables = salvage(source, made)
        aside = files.move_aside(path, at_ms) if path.exists() else None
        made.rename(path)
        files.sync_folder(path.parent)
        return Repair(tables, aside)
    finally:
        presence.release()
