"""Files and folders that documents follow."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from enum import Enum, auto
from typing import Any

from core.knowledge.documents import FileText, Import, Owner, OwnerKind, Written
from core.store.clock import Clock
from core.store.database import Database
from core.store.knowledge import key_of, refuse_forgotten

_FOLLOW = """
INSERT INTO documents (owner_kind, owner_id, name, title, text, characters, origin, import_id, path, stamp, updated_at_ms,
    pinned)
VALUES (:kind, :owner, :name, :title, :text, :characters, 'file', :import, :path, :stamp, :now,
    EXISTS (SELECT 1 FROM missing_pins WHERE import_id = :import AND name = :name))
ON CONFLICT (owner_kind, owner_id, name) DO UPDATE SET
    title = excluded.title, text = excluded.text, characters = excluded.characters,
    path = excluded.path, stamp = excluded.stamp, updated_at_ms = excluded.updated_at_ms
"""


_KEEP_PIN = """
INSERT OR IGNORE INTO missing_pins
SELECT import_id, name FROM documents WHERE import_id = ? AND name = ? AND pinned
"""

# An unchanged text keeps the time of its last change, and the index as it is.
_STAMP = """
UPDATE documents SET stamp = :stamp WHERE owner_kind = :kind AND owner_id = :owner AND name = :name
"""

_NAMED = """
SELECT import_id, title, text FROM documents
WHERE owner_kind = :kind AND owner_id = :owner AND name = :name
"""


class _Outcome(Enum):
    """What a file's text did to its document. Refused: the name is another document's."""

    WRITTEN = auto()
    SAME = auto()
    REFUSED = auto()


class Imports:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def add(self, owner: Owner, path: str, label: str) -> Import:
        """The import of a path, a new one or the one there is; a label that is taken gets a number.

        Raises Conflict for an owner that is being forgotten, StoreError, Closed.
        """
        return await self._database.write(lambda connection: _add(connection, owner, path, label))

    async def all(self) -> list[Import]:
        """The oldest first. Raises StoreError, Closed."""
        return await self._database.read(
            lambda connection: [
                Import(row[0], Owner(OwnerKind(row[1]), row[2]), row[3], row[4])
                for row in connection.execute(
                    "SELECT id, owner_kind, owner_id, path, label FROM imports ORDER BY id"
                )
            ]
        )

    async def drop(self, import_id: int) -> None:
        """End it, with its documents; nothing to do where it is gone. Raises StoreError, Closed."""

        def operation(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM documents WHERE import_id = ?", (import_id,))
            connection.execute("DELETE FROM imports WHERE id = ?", (import_id,))

        await self._database.write(operation)

    async def stamps(self, import_id: int) -> dict[str, str]:
        """The stamp of each document of an import, by name. Raises StoreError, Closed."""
        return await self._database.read(
            lambda connection: dict(
                connection.execute(
                    "SELECT name, stamp FROM documents WHERE import_id = ?", (import_id,)
                ).fetchall()
            )
        )

    async def follow(self, import_id: int, texts: Sequence[FileText], gone: Sequence[str]) -> Written:
        """Make documents say what their files say. Nothing happens for an import that is gone.

        Raises StoreError, Closed.
        """
        now = self._clock()
        return await self._database.write(lambda connection: _follow(connection, import_id, texts, gone, now))


def _add(connection: sqlite3.Connection, owner: Owner, path: str, label: str) -> Import:
    refuse_forgotten(connection, owner)
    key = key_of(owner)
    row = connection.execute(
        "SELECT id, label FROM imports WHERE owner_kind = ? AND owner_id = ? AND path = ?", (*key, path)
    ).fetchone()
    if row:
        return Import(row[0], owner, path, row[1])
    taken = {
        row[0]
        for row in connection.execute("SELECT label FROM imports WHERE owner_kind = ? AND owner_id = ?", key)
    }
    free, number = label, 2
    while free in taken:
        free, number = f"{label} ({number})", number + 1
    cursor = connection.execute(
        "INSERT INTO imports (owner_kind, owner_id, path, label) VALUES (?, ?, ?, ?)", (*key, path, free)
    )
    assert cursor.lastrowid is not None, "an INSERT has a row id"
    return Import(cursor.lastrowid, owner, path, free)


def _follow(
    connection: sqlite3.Connection, import_id: int, texts: Sequence[FileText], gone: Sequence[str], now: int
) -> Written:
    # What is being forgotten must not come back from a look at its files that began before.
    row = connection.execute(
        "SELECT owner_kind, owner_id FROM imports WHERE id = ? "
        "AND (owner_kind, owner_id) NOT IN (SELECT owner_kind, owner_id FROM forgets)",
        (import_id,),
    ).fetchone()
    if row is None:
        return Written(changed=False, refused=())
    leaving = [(import_id, name) for name in gone]
    connection.executemany(_KEEP_PIN, leaving)
    deleted = connection.executemany(
        "DELETE FROM documents WHERE import_id = ? AND name = ?", leaving
    ).rowcount
    key = {"kind": row[0], "owner": row[1], "import": import_id, "now": now}
    outcomes = {text.name: _write(connection, key, text) for text in texts}
    return Written(
        changed=deleted > 0 or _Outcome.WRITTEN in outcomes.values(),
        refused=tuple(name for name, outcome in outcomes.items() if outcome is _Outcome.REFUSED),
    )


def _write(connection: sqlite3.Connection, key: dict[str, Any], text: FileText) -> _Outcome:
    values = {
        **key,
        "name": text.name,
        "title": text.title,
        "text": text.text,
        "characters": len(text.text),
        "path": text.path,
        "stamp": text.stamp,
    }
    taken = connection.execute(_NAMED, values).fetchone()
    if taken is not None and taken[0] != key["import"]:
        return _Outcome.REFUSED
    if taken is not None and taken[1:] == (text.title, text.text):
        connection.execute(_STAMP, values)
        return _Outcome.SAME
    connection.execute(_FOLLOW, values)
    connection.execute("DELETE FROM missing_pins WHERE import_id = :import AND name = :name", values)
    return _Outcome.WRITTEN
