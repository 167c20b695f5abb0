"""How far a person saw each conversation: a watermark that only rises."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from core.store.database import Database

_MARK = """
INSERT INTO seen SELECT id, :box_id FROM conversations WHERE id = :conversation_id
ON CONFLICT (conversation_id) DO UPDATE SET box_id = max(box_id, excluded.box_id)
"""

# What was imported is nobody's news.
_BEHIND = """
SELECT id, seen, newest FROM (
    SELECT c.id, coalesce((SELECT box_id FROM seen WHERE conversation_id = c.id), 0) AS seen,
        (SELECT max(box_id) FROM records WHERE conversation_id = c.id AND box_id IS NOT NULL) AS newest
    FROM conversations AS c
    WHERE c.lifecycle = 'open' AND NOT EXISTS (SELECT 1 FROM imported WHERE conversation_id = c.id)
) WHERE newest > seen
"""


class Seen:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def mark(self, boxes: Mapping[str, int]) -> None:
        """A person saw these conversations up to these boxes; a conversation that is gone is left out.

        Raises StoreError, Closed.
        """
        rows = [{"conversation_id": key, "box_id": box_id} for key, box_id in boxes.items()]

        def operation(connection: sqlite3.Connection) -> None:
            connection.executemany(_MARK, rows)

        await self._database.write(operation)

    async def behind(self) -> dict[str, range]:
        """The boxes behind what was seen, of the conversations that have any. Raises StoreError, Closed."""
        return await self._database.read(
            lambda connection: {
                conversation_id: range(seen + 1, newest + 1)
                for conversation_id, seen, newest in connection.execute(_BEHIND).fetchall()
            }
        )
