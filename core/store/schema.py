"""The schema of a database file: whose it is, which migrations it has seen, whether it is sound.

`PRAGMA user_version` counts how many migrations a file has seen.
"""

from __future__ import annotations

import sqlite3
from typing import Final

APPLICATION_ID: Final = 0x51444543
"""In the file's header ("QDEC"): tells our file from any other SQLite database."""


def version_of(connection: sqlite3.Connection) -> int:
    """How many migrations the file has seen; 0 for a new one."""
    return connection.execute("PRAGMA user_version").fetchone()[0]


def is_ours(connection: sqlite3.Connection) -> bool:
    """Whether Quarterdeck made this file. True of an empty one."""
    if connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID:
        return True
    return connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0


def problem_in(connection: sqlite3.Connection) -> str | None:
    """What `PRAGMA quick_check` has against the file, in SQLite's words; None for a sound one.

    Raises sqlite3.DatabaseError where the damage stops the check itself. About 0.4 s a gigabyte from
    the page cache.
    """
    findings = [row[0] for row in connection.execute("PRAGMA quick_check(5)")]
    return None if findings == ["ok"] else "; ".join(findings)


def migrate(connection: sqlite3.Connection, migrations: tuple[str, ...]) -> None:
    """Bring the file to the newest version, each step in a transaction of its own.

    The connection is in autocommit mode with foreign keys off, so that a step may rebuild a table.
    Raises sqlite3.Error, with the failed step undone and the ones before it kept.
    """
    for number in range(version_of(connection) + 1, len(migrations) + 1):
        _step(connection, migrations[number - 1], number)


def fill(connection: sqlite3.Connection, migrations: tuple[str, ...]) -> None:
    """Bring an empty file to the newest version in one step: cut short, it is empty, and no old one to be copied.

    The connection is as for `migrate`. Raises sqlite3.Error.
    """
    _step(connection, "\n".join(migrations), len(migrations))


def _step(connection: sqlite3.Connection, script: str, version: int) -> None:
    try:
        connection.executescript(f"BEGIN IMMEDIATE; {script}")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {version}")
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
