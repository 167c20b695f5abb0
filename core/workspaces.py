"""The folders that conversations are on, and what is set for each."""

from __future__ import annotations

import os
import uuid
from pathlib import Path

from core.catalog import StoreCatalog
from core.conversation.workspace import Workspace
from core.errors import Conflict, InvalidRequest
from core.paths import expanded
from core.rows import WorkspaceRow
from core.store.store import Store


class Workspaces:
    """Remembers the path of every workspace that was read, so that lists can show it without asking again."""

    def __init__(self, store: Store, catalog: StoreCatalog) -> None:
        self._store = store
        self._catalog = catalog
        self._paths: dict[str, str] = {}

    def path_of(self, workspace_id: str) -> str:
        """Its folder; "" where it was not read yet."""
        return self._paths.get(workspace_id, "")

    async def read_all(self) -> None:
        """Raises StoreError."""
        for row in await self._store.workspaces.all():
            self._note(row)

    async def get(self, workspace_id: str) -> WorkspaceRow:
        """Raises NotFound, StoreError."""
        return self._note(await self._store.workspaces.get(workspace_id))

    async def find(self, path: Path) -> WorkspaceRow | None:
        """That of a folder, if anything was begun there. Raises InvalidRequest, StoreError."""
        row = await self._store.workspaces.find(str(checked_folder(path)))
        return None if row is None else self._note(row)

    async def at(self, path: Path) -> WorkspaceRow:
        """That of a folder, which need not be there; made where there is none. Raises Conflict, StoreError."""
        return self._note(await workspace_of(self._store, path))

    async def read(self, path: Path) -> Workspace:
        """That of a folder, as it is set itself. Raises InvalidRequest, InvalidState, StoreError."""
        row = await self.at(checked_folder(path))
        return Workspace.parse(row.id, row.path, row.revision, row.defaults, row.policy)

    async def effective(self, path: Path) -> WorkspaceRow:
        """As what is begun there now sees it; nothing is made. Raises InvalidRequest, StoreError."""
        folder = str(checked_folder(path))
        row = await self._store.workspaces.find(folder) or WorkspaceRow("", folder, 1, "{}", "{}")
        return self._catalog.effective(row)

    async def change(self, workspace: Workspace) -> None:
        """Set its defaults and policy; handles on its conversations are stale from now on.

        Raises Conflict where it changed since it was read.
        """
        await self._store.workspaces.change(
            workspace.id,
            workspace.revision,
            defaults=workspace.defaults.model_dump_json(),
            policy=workspace.policy.model_dump_json(),
        )

    def _note(self, row: WorkspaceRow) -> WorkspaceRow:
        self._paths[row.id] = row.path
        return row


async def workspace_of(store: Store, path: Path) -> WorkspaceRow:
    """The workspace of a folder, made where there is none. Raises Conflict, StoreError."""
    row = await store.workspaces.find(str(path))
    if row is None:
        try:
            row = await store.workspaces.create(uuid.uuid4().hex, str(path))
        except Conflict:
            row = await store.workspaces.find(str(path))
    if row is None:
        raise Conflict(f"The workspace of {path} changed meanwhile", todo="Try again.")
    return row


def checked_folder(path: Path) -> Path:
    """The folder, resolved. Raises InvalidRequest: Codex itself accepts one that is not there (PROTOCOL)."""
    try:
        folder = expanded(path).resolve(strict=True)
    except OSError as error:
        raise InvalidRequest(
            f"{path} is not there", why=str(error.strerror or error), todo="Choose a folder that exists."
        ) from error
    if not folder.is_dir():
        raise InvalidRequest(f"{path} is not a folder", todo="Choose a folder.")
    if not os.access(folder, os.R_OK | os.X_OK):
        raise InvalidRequest(f"{path} cannot be read", why="permission denied", todo="Choose another folder.")
    return folder
