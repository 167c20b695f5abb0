"""From a path to a database that can be used: made, checked, brought up to date, or moved out of the way.

Runs in a thread, before any connection of ours is open. Two locks in `locks/` beside the file keep
consoles apart: one opens at a time, and each holds a shared *presence* for as long as it has the file
open, so that nobody moves or migrates a file that another console uses.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from core.errors import StoreDamaged, StoreError, StoreLocked, StoreTooNew
from core.store import files, schema
from core.store.clock import Clock
from core.store.connection import connect_plain
from core.store.failures import explain, explain_os, is_damage
from core.store.locks import FileLock
from core.store.migrations import MIGRATIONS

ALWAYS_CHECKED_BYTES = 256 * 1024 * 1024
"""Up to here a file is checked at every open: a tenth of a second. A larger one that was closed cleanly
and needs no migration is taken as it is. Damage that a read meets later has the next open check."""


@dataclass(frozen=True, slots=True)
class StoreReport:
    """What happened at open. `sentence` is for the person; "" when there is nothing to tell.

    `fresh`: the file was made now. `migrated_from`: the version before, with its copy in `backup`.
    `moved_to`: where a damaged file went; `damage` is what SQLite had against it.
    """

    fresh: bool = False
    migrated_from: int | None = None
    backup: Path | None = None
    moved_to: Path | None = None
    damage: str = ""

    @property
    def sentence(self) -> str:
        if self.moved_to is not None:
            return (
                f"The database was damaged and a new one was begun. The old file was moved to {self.moved_to}; "
                "sessions are read again from Codex."
            )
        if self.backup is not None:
            return f"The database was brought up to date. A copy of the old one is {self.backup}."
        return ""


@dataclass(frozen=True, slots=True)
class Opening:
    """What to open and how. `wait_ms`: how long to wait for another process, each time one is in the way."""

    path: Path
    clock: Clock
    wait_ms: int
    migrations: tuple[str, ...] = MIGRATIONS


def prepare(opening: Opening, presence: FileLock) -> StoreReport:
    """Leave a sound file of the newest version at the path, and `presence` held shared.

    Raises StoreLocked, StoreTooNew, StoreDamaged (another console still has the damaged file open), or
    StoreError where the file or its folder cannot be used. `presence` is let go then.
    """
    path = opening.path
    turn = FileLock(lock_folder(path) / f"{path.name}-opening.lock")
    try:
        files.make_private_folder(path.parent)
        files.make_private_folder(lock_folder(path))
        if not turn.wait_exclusive(opening.wait_ms):
            raise _being_opened(path)
        report = _settle(opening, presence)
        if not presence.try_shared():
            raise _being_opened(path)
        return report
    except sqlite3.Error as error:
        presence.release()
        raise explain(error, path) from error
    except OSError as error:
        presence.release()
        raise explain_os(error, path) from error
    except BaseException:
        presence.release()
        raise
    finally:
        turn.release()


def lock_folder(path: Path) -> Path:
    """Where the locks of a database are."""
    return path.parent / "locks"


def presence_lock(path: Path) -> FileLock:
    """The lock that says: this console has the database open."""
    return FileLock(lock_folder(path) / f"{path.name}-open.lock")


def _settle(opening: Opening, presence: FileLock) -> StoreReport:
    path = opening.path
    if not path.exists() or path.stat().st_size == 0:
        orphan = files.move_aside(path, opening.clock()) if files.has_log(path) else None
        create(path, opening.migrations)
        return StoreReport(fresh=True, moved_to=orphan, damage="its log was left alone" if orphan else "")
    files.make_private(path)
    try:
        return _take(opening, presence)
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise
        damage = str(error)
    _need_nobody(presence, _damaged_but_open(path, damage))
    moved_to = files.move_aside(path, opening.clock())
    create(path, opening.migrations)
    return StoreReport(fresh=True, moved_to=moved_to, damage=damage)


def create(path: Path, migrations: tuple[str, ...] = MIGRATIONS) -> None:
    """An empty database, private from its first moment, where there is none or an empty file.

    Raises sqlite3.Error, OSError, StoreError.
    """
    if not path.exists():
        files.create_private(path)
    with connected(path) as connection:
        _use_log(connection, path)
        schema.fill(connection, migrations)


def _use_log(connection: sqlite3.Connection, path: Path) -> None:
    """Readers beside a writer need it. The file remembers; a backup put back in its place does not."""
    mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
    if mode != "wal":
        raise StoreError(
            f"The database {path} cannot be kept there",
            why="This file system has no shared memory, which SQLite's write-ahead log needs",
            todo="Set a place on a local disk in config.toml.",
        )


def _take(opening: Opening, presence: FileLock) -> StoreReport:
    """Use the file that is there. Raises sqlite3.DatabaseError with SQLITE_CORRUPT for a damaged one."""
    path = opening.path
    version, mode = _inspect(opening)
    if version == len(opening.migrations) and mode == "wal":
        return StoreReport()
    with connected(path, opening.wait_ms) as connection:
        _use_log(connection, path)
        if version == len(opening.migrations):
            return StoreReport()
        if version == 0:
            schema.fill(connection, opening.migrations)
            return StoreReport(fresh=True)
        _need_nobody(presence, _old_but_open(path))
        backup = _back_up(connection, path, version)
        schema.migrate(connection, opening.migrations)
        return StoreReport(migrated_from=version, backup=backup)


def _inspect(opening: Opening) -> tuple[int, str]:
    """The file's version and journal mode, once it is known to be ours and sound.

    Nothing is written, except to undo a change that was cut short: a connection that could write would, at
    its end, empty the log into the file and delete it, damaged or not.
    """
    path, newest = opening.path, len(opening.migrations)
    doubtful = files.has_log(path) or files.is_suspect(path)
    with closing(connect_plain(path, opening.wait_ms, writes=files.has_journal(path))) as connection:
        if not schema.is_ours(connection):
            raise StoreError(
                f"{path} is not a Quarterdeck database",
                why="It is an SQLite database of another program",
                todo="Set another place in config.toml.",
            )
        version = schema.version_of(connection)
        if version > newest:
            raise StoreTooNew(
                f"The database {path} was written by a newer Quarterdeck",
                why=f"Its version is {version}, this program knows up to {newest}",
                todo="Update Quarterdeck; the file was not touched.",
            )
        if doubtful or version < newest or path.stat().st_size <= ALWAYS_CHECKED_BYTES:
            problem = schema.problem_in(connection)
            if problem is not None:
                raise _damage(problem)
            files.clear_suspicion(path)
        return version, connection.execute("PRAGMA journal_mode").fetchone()[0]


def _back_up(connection: sqlite3.Connection, path: Path, version: int) -> Path:
    """A whole copy beside the file. It has its name only once it is on the disk."""
    target = files.free_name(path, f"v{version}-backup")
    unfinished = files.companion(target, "-unfinished")
    unfinished.unlink(missing_ok=True)
    files.create_private(unfinished)
    try:
        connection.execute("VACUUM INTO ?", (str(unfinished),))
        files.sync_file(unfinished)
        unfinished.rename(target)
    finally:
        unfinished.unlink(missing_ok=True)
    files.sync_folder(path.parent)
    return target


@contextmanager
def connected(path: Path, wait_ms: int = 0) -> Generator[sqlite3.Connection]:
    """A durable connection for this thread, closed at the end. Raises sqlite3.Error."""
    with closing(connect_plain(path, wait_ms, writes=True)) as connection:
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA fullfsync = ON")
        yield connection


def _need_nobody(presence: FileLock, refusal: StoreError) -> None:
    if not presence.try_exclusive():
        raise refusal


def _damage(problem: str) -> sqlite3.DatabaseError:
    error = sqlite3.DatabaseError(problem)
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return error


def _being_opened(path: Path) -> StoreLocked:
    return StoreLocked(
        f"The database {path} is being opened by another console",
        why="It has not finished in the time we wait",
        todo="Wait until that console has started, then try again.",
    )


def _damaged_but_open(path: Path, damage: str) -> StoreDamaged:
    return StoreDamaged(
        f"The database {path} is damaged and cannot be moved aside",
        why=f"Another console has it open ({damage})",
        todo="Quit every other console, then start again.",
    )


def _old_but_open(path: Path) -> StoreLocked:
    return StoreLocked(
        f"The database {path} cannot be brought up to date",
        why="Another console, of an earlier version, has it open",
        todo="Quit every other console, then start again.",
    )
