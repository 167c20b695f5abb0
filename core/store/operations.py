"""What is done with a conversation in more than one step: begun on disk, then done, then ended on disk."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from core.errors import Conflict
from core.rows import ForkDraft, OperationRow
from core.store.clock import Clock
from core.store.database import Database
from core.store.records import insert_records
from core.thread.records import Record

_INSERT_FORK = """
INSERT INTO conversations (id, workspace_id, workspace_revision, title, created_at_ms, updated_at_ms, recency,
    thread_id, materialised, defaults, selection, lifecycle, last_state, forked_from)
SELECT :id, workspace_id, workspace_revision, :title, :now, :now,
    (SELECT 1 + max(recency) FROM conversations), :thread_id, 1, defaults, selection, 'open', 'idle', id
FROM conversations WHERE id = :origin
"""

_COPY_OUTPUT = """
INSERT INTO chunks (conversation_id, item_id, channel, part, seq, text, kept)
SELECT :id, item_id, channel, part, seq, text, 1 FROM chunks WHERE conversation_id = :origin AND kept = 1
"""


class Operations:
    """The journal. Who begins one holds a lease on it, so that no other console takes it for left behind."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def begin(self, conversation_id: str, kind: str, data: str) -> int:
        """Its number; it is on disk now. `data` is JSON. Raises StoreError, Closed."""
        now = self._clock()

        def operation(connection: sqlite3.Connection) -> int:
            cursor = connection.execute(
                "INSERT INTO operations (at_ms, conversation_id, kind, data) VALUES (?, ?, ?, ?)",
                (now, conversation_id, kind, data),
            )
            assert cursor.lastrowid is not None
            return cursor.lastrowid

        return await self._database.write(operation)

    async def end(self, number: int, outcome: str = "", *, failed: bool = False) -> None:
        """It is done, or failed for the reason in `outcome`. Raises StoreError, Closed."""
        await self._database.write(lambda connection: _end(connection, number, outcome, failed=failed))

    async def pending(self) -> list[OperationRow]:
        """Those that never ended, oldest first. Raises StoreError, Closed."""
        return await self._database.read(
            lambda connection: [
                OperationRow(*row)
                for row in connection.execute(
                    "SELECT id, at_ms, conversation_id, kind, data FROM operations "
                    "WHERE state = 'pending' ORDER BY id"
                )
            ]
        )

    async def end_fork(self, number: int, fork: ForkDraft, records: Sequence[Record]) -> None:
        """Make the copy with its records and the long outputs they speak of, and end the operation: all or nothing.

        Raises Conflict where the thread is another conversation's, StoreError, Closed.
        """
        now = self._clock()
        values = {
            "id": fork.id,
            "origin": fork.origin_id,
            "title": fork.title,
            "thread_id": fork.thread_id,
            "now": now,
        }

        def operation(connection: sqlite3.Connection) -> None:
            try:
                connection.execute(_INSERT_FORK, values)
            except sqlite3.IntegrityError as error:
                raise Conflict(
                    "The copy cannot be bound to its thread", why=str(error), todo="Look for it in the list."
                ) from error
            insert_records(connection, fork.id, 0, records, now)
            connection.execute(_COPY_OUTPUT, {"id": fork.id, "origin": fork.origin_id})
            _end(connection, number, fork.id, failed=False)

        await self._database.write(operation)


def _end(connection: sqlite3.Connection, number: int, outcome: str, *, failed: bool) -> None:
    connection.execute(
        "UPDATE operations SET state = ?, outcome = ? WHERE id = ?",
        ("failed" if failed else "done", outcome, number),
    )
