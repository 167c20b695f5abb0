"""What stands in a composer and is not sent yet."""

from __future__ import annotations

import sqlite3

from core.store.clock import Clock
from core.store.database import Database

_SAVE = """
INSERT INTO drafts (key, text, updated_at_ms) VALUES (?, ?, ?)
ON CONFLICT (key) DO UPDATE SET text = excluded.text, updated_at_ms = excluded.updated_at_ms
"""


class Drafts:
    """`key` is whatever the composer belongs to: a conversation's id, or a folder before there is one."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def save(self, key: str, text: str) -> None:
        """Keep the text; an empty one forgets the draft. Raises StoreError, Closed."""
        at_ms = self._clock()
        await self._database.write(lambda connection: save_draft(connection, key, text, at_ms))

    async def load(self, key: str) -> str:
        """The text; "" where there is none. Raises StoreError, Closed."""
        row = await self._database.read(
            lambda connection: connection.execute("SELECT text FROM drafts WHERE key = ?", (key,)).fetchone()
        )
        return row[0] if row else ""

    async def all(self) -> dict[str, str]:
        """Every draft by its key. Raises StoreError, Closed."""
        return await self._database.read(
            lambda connection: dict(
                connection.execute("SELECT key, text FROM drafts ORDER BY key").fetchall()
            )
        )


def save_draft(connection: sqlite3.Connection, key: str, text: str, at_ms: int) -> None:
    if text:
        connection.execute(_SAVE, (key, text, at_ms))
    else:
        connection.execute("DELETE FROM drafts WHERE key = ?", (key,))
