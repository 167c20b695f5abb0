"""Conversations: what is known of each without its log."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any, NoReturn, Unpack

from core.errors import Conflict, NotFound
from core.rows import ConversationChange, ConversationRow, Lifecycle
from core.store.clock import Clock
from core.store.database import Database

_COLUMNS = """id, workspace_id, workspace_revision, title, created_at_ms, updated_at_ms, recency, thread_id,
    materialised, defaults, selection, lifecycle, last_state, archived, parent_id, forked_from"""

NEXT_RECENCY = "(SELECT 1 + coalesce(max(recency), 0) FROM conversations)"

_INSERT = f"""
INSERT INTO conversations (id, workspace_id, workspace_revision, title, created_at_ms, updated_at_ms, recency,
    materialised, defaults, lifecycle, last_state, thread_id, parent_id)
VALUES (:id, :workspace, :revision, :title, :now, :now, {NEXT_RECENCY}, :thread IS NOT NULL, :defaults, 'open', 'idle',
    :thread, :parent)
"""

_OPEN_FORK = """
WITH RECURSIVE forks (id, lifecycle) AS (
    SELECT id, lifecycle FROM conversations WHERE forked_from = ?
    UNION SELECT made.id, made.lifecycle FROM conversations AS made JOIN forks ON made.forked_from = forks.id
)
SELECT 1 FROM forks WHERE lifecycle != 'closed' LIMIT 1
"""

_CHANGEABLE = frozenset(ConversationChange.__annotations__)
_AFTER_THE_LAST = 2**63 - 1


class Conversations:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def create(
        self,
        conversation_id: str,
        workspace_id: str,
        workspace_revision: int,
        *,
        title: str = "",
        defaults: str = "{}",
        thread_id: str | None = None,
        parent_id: str | None = None,
    ) -> ConversationRow:
        """An open, idle conversation; `defaults` is JSON. `thread_id`: of a thread that Codex has already.

        Raises NotFound for an unknown workspace, Conflict for an id that is taken or a thread that is bound to another
        conversation, StoreError, Closed.
        """
        values = {
            "id": conversation_id,
            "workspace": workspace_id,
            "revision": workspace_revision,
            "title": title,
            "now": self._clock(),
            "defaults": defaults,
            "thread": thread_id,
            "parent": parent_id,
        }

        def operation(connection: sqlite3.Connection) -> ConversationRow:
            try:
                connection.execute(_INSERT, values)
            except sqlite3.IntegrityError as error:
                _refuse(error, conversation_id, workspace_id)
            return _row(connection, conversation_id)

        return await self._database.write(operation)

    async def change(self, conversation_id: str, **change: Unpack[ConversationChange]) -> ConversationRow:
        """Set what is given, and make it the most recent. Returns the row as it is now.

        Raises Conflict for a thread that is bound to another conversation, NotFound, StoreError, Closed;
        and TypeError for a name that is not of `ConversationChange`.
        """
        unknown = change.keys() - _CHANGEABLE
        if unknown:
            raise TypeError(f"a conversation has no {', '.join(sorted(unknown))} to change")
        assignments = "".join(f"{name} = :{name}, " for name in change)
        values = {**change, "now": self._clock(), "id": conversation_id}
        statement = f"UPDATE conversations SET {assignments} updated_at_ms = :now, recency = {NEXT_RECENCY} WHERE id = :id"

        def operation(connection: sqlite3.Connection) -> ConversationRow:
            try:
                connection.execute(statement, values)
            except sqlite3.IntegrityError as error:
                _refuse(error, conversation_id, None)
            return _row(connection, conversation_id)

        return await self._database.write(operation)

    async def get(self, conversation_id: str) -> ConversationRow:
        """Raises NotFound, StoreError, Closed."""
        return await self._database.read(lambda connection: _row(connection, conversation_id))

    async def find_by_thread(self, thread_id: str) -> ConversationRow | None:
        """The one that is bound to a Codex thread. Raises StoreError, Closed."""
        rows = await self._database.read(
            lambda connection: _rows(connection, "thread_id = ?", (thread_id,), 1)
        )
        return rows[0] if rows else None

    async def has_forks(self, conversation_id: str) -> bool:
        """Whether one that was copied from it, or from such a copy, is not closed. Raises StoreError, Closed."""
        return await self._database.read(
            lambda connection: connection.execute(_OPEN_FORK, (conversation_id,)).fetchone() is not None
        )

    async def recent(
        self, *, workspace_id: str | None = None, before_recency: int | None = None, limit: int = 100
    ) -> list[ConversationRow]:
        """The most recent first, of one workspace or of all; `before_recency` goes on after a page's last row.

        Raises StoreError, Closed.
        """
        before = _AFTER_THE_LAST if before_recency is None else before_recency
        if workspace_id is None:
            return await self._database.read(
                lambda connection: _rows(connection, "recency < ?", (before,), limit)
            )
        return await self._database.read(
            lambda connection: _rows(
                connection, "workspace_id = ? AND recency < ?", (workspace_id, before), limit
            )
        )

    async def closing(self) -> list[ConversationRow]:
        """Those that were closed and are not cleaned up yet. Raises StoreError, Closed."""
        return await self._database.read(
            lambda connection: _rows(connection, "lifecycle = ?", (Lifecycle.CLOSING,), _AFTER_THE_LAST)
        )


def _refuse(error: sqlite3.IntegrityError, conversation_id: str, workspace_id: str | None) -> NoReturn:
    if error.sqlite_errorcode == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
        raise NotFound(f"There is no workspace {workspace_id}") from error
    if error.sqlite_errorcode == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY:
        raise Conflict(f"There is a conversation {conversation_id} already") from error
    if error.sqlite_errorcode == sqlite3.SQLITE_CONSTRAINT_UNIQUE:
        raise Conflict(
            f"Conversation {conversation_id} cannot be bound to this thread",
            why="Another conversation is bound to it",
            todo="Open that one.",
        ) from error
    raise error


def _row(connection: sqlite3.Connection, conversation_id: str) -> ConversationRow:
    rows = _rows(connection, "id = ?", (conversation_id,), 1)
    if not rows:
        raise NotFound(f"There is no conversation {conversation_id}")
    return rows[0]


def _rows(
    connection: sqlite3.Connection, condition: str, values: Sequence[Any], limit: int
) -> list[ConversationRow]:
    """`condition` is one of this file's own; what comes from outside is in `values`."""
    cursor = connection.execute(
        f"SELECT {_COLUMNS} FROM conversations WHERE {condition} ORDER BY recency DESC LIMIT ?",
        (*values, limit),
    )
    return [_conversation(list(row)) for row in cursor]


def _conversation(fields: list[Any]) -> ConversationRow:
    """From the values of `_COLUMNS`."""
    fields[8] = bool(fields[8])
    fields[11] = Lifecycle(fields[11])
    fields[13] = bool(fields[13])
    return ConversationRow(*fields)
