"""Workspaces: a folder, its defaults and policy, and the revision that every change counts up."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

from core.errors import Conflict, NotFound
from core.rows import WorkspaceRow
from core.store.database import Database

_COLUMNS = "id, path, revision, defaults, policy"

_CHANGE = """
UPDATE workspaces SET revision = revision + 1, defaults = ?, policy = ? WHERE id = ? AND revision = ?
"""


class Workspaces:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(
        self, workspace_id: str, path: str, *, defaults: str = "{}", policy: str = "{}"
    ) -> WorkspaceRow:
        """A workspace at revision 1; `defaults` and `policy` are JSON.

        Raises Conflict where the id or the path has one already, StoreError, Closed.
        """
        row = WorkspaceRow(workspace_id, path, 1, defaults, policy)
        await self._database.write(lambda connection: _insert(connection, row))
        return row

    async def get(self, workspace_id: str) -> WorkspaceRow:
        """Raises NotFound, StoreError, Closed."""
        return await self._database.read(lambda connection: _row(connection, workspace_id))

    async def find(self, path: str) -> WorkspaceRow | None:
        """By its folder, exactly as it was recorded. Raises StoreError, Closed."""
        rows = await self._database.read(lambda connection: _rows(connection, "path = ?", (path,)))
        return rows[0] if rows else None

    async def all(self) -> list[WorkspaceRow]:
        """By path. Raises StoreError, Closed."""
        return await self._database.read(lambda connection: _rows(connection, "true", ()))

    async def change(self, workspace_id: str, revision: int, *, defaults: str, policy: str) -> WorkspaceRow:
        """Set both (JSON) and count the revision up, if it still is `revision`.

        Raises Conflict where it has moved on, NotFound, StoreError, Closed.
        """
        return await self._database.write(
            lambda connection: _change(connection, workspace_id, revision, defaults, policy)
        )


def _insert(connection: sqlite3.Connection, row: WorkspaceRow) -> None:
    try:
        connection.execute(
            f"INSERT INTO workspaces ({_COLUMNS}) VALUES (?, ?, ?, ?, ?)",
            (row.id, row.path, row.revision, row.defaults, row.policy),
        )
    except sqlite3.IntegrityError as error:
        raise Conflict(
            f"There is a workspace for {row.path} already", why=str(error), todo="Use the one that is there."
        ) from error


def _change(
    connection: sqlite3.Connection, workspace_id: str, revision: int, defaults: str, policy: str
) -> WorkspaceRow:
    changed = connection.execute(_CHANGE, (defaults, policy, workspace_id, revision)).rowcount
    row = _row(connection, workspace_id)
    if not changed:
        raise Conflict(
            f"The workspace {row.path} has changed meanwhile",
            why=f"It is at revision {row.revision}, not {revision}",
            todo="Look at it again, then repeat the change.",
        )
    return row


def _row(connection: sqlite3.Connection, workspace_id: str) -> WorkspaceRow:
    rows = _rows(connection, "id = ?", (workspace_id,))
    if not rows:
        raise NotFound(f"There is no workspace {workspace_id}")
    return rows[0]


def _rows(connection: sqlite3.Connection, condition: str, values: Sequence[Any]) -> list[WorkspaceRow]:
    """`condition` is one of this file's own; what comes from outside is in `values`."""
    cursor = connection.execute(f"SELECT {_COLUMNS} FROM workspaces WHERE {condition} ORDER BY path", values)
    return [WorkspaceRow(*row) for row in cursor]
