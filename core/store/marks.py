"""Pins and tags of sessions: what a person attached, so it is kept here and not in the index."""

from __future__ import annotations

import sqlite3

from core.sessions.rows import Marks as MarksOf
from core.store.clock import Clock
from core.store.database import Database


class Marks:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def move(self, former: str, key: str) -> None:
        """What was attached to a conversation belongs to its thread from now on. Raises StoreError, Closed."""

        def operation(connection: sqlite3.Connection) -> None:
            for table in ("session_pins", "session_tags"):
                connection.execute(f"UPDATE OR IGNORE {table} SET key = ? WHERE key = ?", (key, former))
                connection.execute(f"DELETE FROM {table} WHERE key = ?", (former,))

        await self._database.write(operation)

    async def pin(self, key: str, pinned: bool) -> MarksOf:
        """Returns the marks as they are now. Raises StoreError, Closed."""
        now = self._clock()

        def operation(connection: sqlite3.Connection) -> MarksOf:
            if pinned:
                connection.execute("INSERT OR IGNORE INTO session_pins VALUES (?, ?)", (key, now))
            else:
                connection.execute("DELETE FROM session_pins WHERE key = ?", (key,))
            return _marks(connection, key)

        return await self._database.write(operation)

    async def tag(self, key: str, tag: str, attached: bool) -> MarksOf:
        """Returns the marks as they are now. Raises StoreError, Closed."""
        change = (
            "INSERT OR IGNORE INTO session_tags VALUES (?, ?)"
            if attached
            else "DELETE FROM session_tags WHERE key = ? AND tag = ?"
        )

        def operation(connection: sqlite3.Connection) -> MarksOf:
            connection.execute(change, (key, tag))
            return _marks(connection, key)

        return await self._database.write(operation)

    async def all(self) -> list[MarksOf]:
        """Of every session that has any. Raises StoreError, Closed."""
        keys = "SELECT key FROM session_pins UNION SELECT key FROM session_tags"
        return await self._database.read(
            lambda connection: [_marks(connection, key) for (key,) in connection.execute(keys).fetchall()]
        )


def _marks(connection: sqlite3.Connection, key: str) -> MarksOf:
    pinned = connection.execute("SELECT 1 FROM session_pins WHERE key = ?", (key,)).fetchone()
    tags = connection.execute("SELECT tag FROM session_tags WHERE key = ? ORDER BY tag", (key,))
    return MarksOf(key, pinned is not None, tuple(tag for (tag,) in tags))
