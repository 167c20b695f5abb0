"""`quarterdeck export` and `quarterdeck import`: without a console, and with Codex only where it is needed."""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from core.agent.port import ItemEntry, Page, TurnInfo
from core.codex.client import CodexAgent
from core.ending import to_its_end
from core.engine import DATABASE
from core.errors import Conflict, NotFound
from core.export.export import Export, Imported
from core.export.parts import Format
from core.hosting import host_options
from core.rows import ConversationRow
from core.settings import Settings
from core.store.store import Store
from core.workspaces import checked_folder

MOST_LOOKED_AT = 100_000
SHORTEST_PREFIX = 4


@dataclass(frozen=True, slots=True)
class ExportOrder:
    """What to export: `conversation` is an id, or its beginning, or a thread's; None: the last of `folder`.

    `output` None: a name from the title, in the current folder; "-": standard output.
    """

    conversation: str | None
    folder: Path
    format: Format
    output: str | None
    secrets: bool
    overwrite: bool


class WhenNeeded:
    """Codex, connected at the first question and let go of with `close`."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._agent: CodexAgent | None = None

    async def turns(self, thread_id: str, cursor: str | None = None) -> Page[TurnInfo]:
        return await (await self._connected()).turns(thread_id, cursor)

    async def items(
        self, thread_id: str, turn_id: str | None = None, cursor: str | None = None
    ) -> Page[ItemEntry]:
        return await (await self._connected()).items(thread_id, turn_id, cursor)

    async def close(self) -> None:
        if self._agent is not None:
            await self._agent.release()

    async def _connected(self) -> CodexAgent:
        if self._agent is None:
            # Kept before it is open: a host that was started for it is let go of too.
            self._agent = CodexAgent(host_options(self._settings))
            await self._agent.open()
        return self._agent


@asynccontextmanager
async def _opened(settings: Settings) -> AsyncGenerator[tuple[Store, Export]]:
    store = await Store.open(settings.data_dir / DATABASE, console="command line")
    codex = WhenNeeded(settings)
    try:
        yield store, Export(store, codex)
    finally:
        await to_its_end(codex.close())
        await store.close()


async def export(settings: Settings, order: ExportOrder) -> tuple[str, ...]:
    """Write the export; what to tell the person, a line each. Raises as `Export.to_file`, InvalidRequest."""
    async with _opened(settings) as (store, made):
        row = await _wanted(store, order)
        if order.output == "-":
            pieces = made.pieces(row.id, order.format, secrets=order.secrets)
            async for text in pieces.text:
                sys.stdout.write(text)
            sys.stdout.flush()
            return tuple(pieces.missing)
        path = Path(order.output or await made.name(row.id, order.format))
        done = await made.to_file(
            row.id, path, order.format, secrets=order.secrets, overwrite=order.overwrite
        )
        covered = "with its secrets" if order.secrets else "secrets covered"
        return (f"Wrote {done.path} ({done.size:,} bytes, {covered}).", *done.missing)


async def take(settings: Settings, path: Path) -> Imported:
    """Import a file ("-": standard input). Raises InvalidRequest, StoreError."""
    async with _opened(settings) as (_, made):
        return await made.take(path)


async def _wanted(store: Store, order: ExportOrder) -> ConversationRow:
    if order.conversation is None:
        return await _last(store, order.folder)
    rows = await store.conversations.recent(limit=MOST_LOOKED_AT)
    name = order.conversation
    exact = [row for row in rows if name in (row.id, row.thread_id)]
    if exact:
        return exact[0]
    found = [row for row in rows if row.id.startswith(name) or (row.thread_id or "").startswith(name)]
    if not found or len(name) < SHORTEST_PREFIX:
        raise NotFound(
            f"There is no conversation {name}", todo="See `quarterdeck sessions --json` for those there are."
        )
    if len(found) > 1:
        raise Conflict(f"{len(found)} conversations begin with {name}", todo="Give more of the id.")
    return found[0]


async def _last(store: Store, folder: Path) -> ConversationRow:
    """A sub-agent's goes with the conversation that began it."""
    folder = checked_folder(folder)
    workspace = await store.workspaces.find(str(folder))
    if workspace is not None:
        for row in await store.conversations.recent(workspace_id=workspace.id, limit=MOST_LOOKED_AT):
            if row.parent_id is None:
                return row
    raise NotFound(f"There is no conversation in {folder}", todo="Name one by its id.")
