"""What can still be read of a damaged database, as a new one.

SQLite stops at a bad page; this steps over it, row by row, and goes on behind it. The new file refuses what
must not be: of a log only the beginning up to the first lost record is taken, since a log has no gaps. The
rest of a session is with Codex.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import StoreDamaged
from core.store.connection import connect_plain
from core.store.failures import explain, explain_os
from core.store.migrations import MIGRATIONS
from core.store.opening import connected, create
from core.store.schema import migrate, version_of

TABLES = (
    "workspaces",
    "conversations",
    "records",
    "chunks",
    "decisions",
    "outcomes",
    "notifications",
    "drafts",
    "session_pins",
    "session_tags",
    "rules",
    "imports",
    "documents",
    "missing_pins",
    "forgets",
    "imported",
    "operations",
    "seen",
)
"""Each after those that its rows belong to."""

_LONGEST_HOLE = 100_000
"""Row ids that are tried one by one behind a bad page before the rest of a table is given up."""


@dataclass(frozen=True, slots=True)
class Salvaged:
    """What became of one table's rows.

    `refused`: readable, but what they continue or belong to is lost. `unreadable`: they are on bad pages.
    `to_the_end`: False where nothing more could be read behind a bad page.
    """

    table: str
    taken: int
    refused: int
    unreadable: int
    to_the_end: bool


def salvage(damaged: Path, target: Path) -> tuple[Salvaged, ...]:
    """Make a sound database at `target` of what is readable at `damaged`, which is only read.

    Blocks, for minutes with a large file: run it in a thread. Nobody may have either file open. Raises
    FileExistsError where `target` is taken, StoreDamaged where nothing at all can be read, StoreError.
    """
    if target.exists():
        raise FileExistsError(target)
    try:
        create(target)
        with _reading(damaged) as source, connected(target) as sink:
            sink.execute("PRAGMA foreign_keys = ON")
            sink.execute("BEGIN")
            report = tuple(_salvage_table(source, sink, table) for table in _tables_in(source))
            sink.execute("COMMIT")
            return report
    except sqlite3.Error as error:
        target.unlink(missing_ok=True)
        raise explain(error, damaged) from error
    except OSError as error:
        target.unlink(missing_ok=True)
        raise explain_os(error, target) from error
    except BaseException:
        target.unlink(missing_ok=True)
        raise


def _tables_in(source: sqlite3.Connection) -> tuple[str, ...]:
    """Those that a file of its version has; the newest version's where it does not say."""
    version = version_of(source) or len(MIGRATIONS)
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as made:
        migrate(made, MIGRATIONS[:version])
        names = {row[0] for row in made.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    return tuple(table for table in TABLES if table in names)


def _reading(damaged: Path) -> closing[sqlite3.Connection]:
    """With its log, if it has one. A connection that could write would empty the log into the file at its end."""
    connection = connect_plain(damaged, 0, writes=False)
    connection.execute("PRAGMA cell_size_check = ON")
    return closing(connection)


def _salvage_table(source: sqlite3.Connection, sink: sqlite3.Connection, table: str) -> Salvaged:
    columns = [name for name in _columns(sink, table) if name in _columns(source, table)]
    if not columns:
        raise StoreDamaged(
            f"The table {table} is gone",
            why="The part of the file that describes the tables cannot be read",
            todo="Begin with a new database; sessions are read again from Codex.",
        )
    names, marks = ", ".join(columns), ", ".join("?" * len(columns))
    rows = _Rows(source, table, names)
    taken = refused = 0
    for row in rows.readable():
        try:
            sink.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", row)
            taken += 1
        except sqlite3.IntegrityError:
            refused += 1
    return Salvaged(table, taken, refused, rows.unreadable, rows.to_the_end)


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]


class _Rows:
    """The rows of a damaged table, in the order they were written."""

    def __init__(self, connection: sqlite3.Connection, table: str, names: str) -> None:
        self._connection = connection
        self._select = f"SELECT rowid, {names} FROM {table}"
        self._seen = -1
        self.unreadable = 0
        self.to_the_end = True

    def readable(self) -> Iterator[tuple[Any, ...]]:
        while True:
            try:
                yield from self._run()
                return
            except sqlite3.DatabaseError:
                # The run ended at a bad page. What lies behind it is looked for one row id at a time.
                behind = self._step_over()
            if behind is None:
                self.to_the_end = False
                return
            yield behind

    def _run(self) -> Iterator[tuple[Any, ...]]:
        for row in self._connection.execute(f"{self._select} WHERE rowid > ? ORDER BY rowid", (self._seen,)):
            self._seen = row[0]
            yield row[1:]

    def _step_over(self) -> tuple[Any, ...] | None:
        first = self._seen + 1
        for rowid in range(first, first + _LONGEST_HOLE):
            try:
                row = self._connection.execute(f"{self._select} WHERE rowid = ?", (rowid,)).fetchone()
            except sqlite3.DatabaseError:
                self.unreadable += 1
                continue
            if row is not None:
                self._seen = rowid
                return row[1:]
        return None
