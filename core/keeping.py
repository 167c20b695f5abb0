"""What is kept, looked at and changed without a Codex: knowledge, rules, the ledger, for the command line.

Each function opens the store, does one thing and closes it; a console that is open on the same database
sees the change.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from core.decided import DecisionLedger
from core.engine import DATABASE
from core.errors import NotFound
from core.knowledge.base import KnowledgeBase
from core.knowledge.documents import Owner, OwnerKind, Visible
from core.rulebook import Rulebook
from core.settings import Settings
from core.store.store import Store
from core.workspaces import checked_folder, workspace_of


@asynccontextmanager
async def _opened(settings: Settings) -> AsyncGenerator[Store]:
    store = await Store.open(settings.data_dir / DATABASE, console="command line")
    try:
        yield store
    finally:
        await store.close()


async def _owner(store: Store, folder: Path | None) -> Owner:
    """The workspace of a folder, or everyone who uses Codex here."""
    if folder is None:
        return Visible.to("", "").agent
    row = await workspace_of(store, checked_folder(folder))
    return Owner(OwnerKind.WORKSPACE, row.id)


async def add_knowledge(settings: Settings, folder: Path | None, path: Path, pinned: bool) -> str:
    """Import a Markdown file or a folder of them for a workspace (None: for all); followed from now on.

    Raises InvalidRequest, Conflict, StoreError.
    """
    async with _opened(settings) as store:
        base = KnowledgeBase(store.knowledge, store.imports)
        owner = await _owner(store, folder)
        report = await base.import_path(owner, path)
        if pinned:
            for info in await base.listing((owner,)):
                if info.path and Path(info.path).is_relative_to(Path(report.followed.path)):
                    await base.pin(owner, info.name, True)
        await base.close()
    skipped = "".join(f"\n  left out: {one}" for one in report.skipped)
    return f"{report.documents} documents of {report.followed.path} are known and follow the files.{skipped}"


async def list_knowledge(settings: Settings, folder: Path | None) -> str:
    """The documents of a workspace, and those for all."""
    async with _opened(settings) as store:
        base = KnowledgeBase(store.knowledge, store.imports)
        owners = dict.fromkeys((await _owner(store, folder), await _owner(store, None)))
        found = await base.listing(tuple(owners))
    lines = (f"{'*' if one.pinned else ' '} {one.name}  ({one.owner.kind}) {one.title}" for one in found)
    return "\n".join(lines) or "Nothing is known yet. Add a Markdown file: quarterdeck knowledge add PATH"


async def search_knowledge(settings: Settings, folder: Path | None, query: str) -> str:
    """Where words are found, the best first."""
    async with _opened(settings) as store:
        base = KnowledgeBase(store.knowledge, store.imports)
        owners = dict.fromkeys((await _owner(store, folder), await _owner(store, None)))
        hits = await base.search(tuple(owners), query)
    return (
        "\n".join(f"{hit.info.name}: {' '.join(hit.snippet.split())}" for hit in hits) or "Nothing is found."
    )


async def drop_knowledge(settings: Settings, folder: Path | None, name: str) -> str:
    """Forget a document by its name; with one that follows a file, all of its import. Raises NotFound."""
    async with _opened(settings) as store:
        base = KnowledgeBase(store.knowledge, store.imports)
        owner = await _owner(store, folder)
        path = (await base.read((owner,), name)).info.path
        if not path:
            await base.delete(owner, name)
            return f"{name} is forgotten."
        for followed in await store.imports.all():
            if followed.owner == owner and Path(path).is_relative_to(followed.path):
                await base.drop_import(followed)
                return f"{followed.path} is followed no more, and what came from it is forgotten."
        raise NotFound(f"{name} follows {path}, which is no import here", todo="Start a console once.")


@asynccontextmanager
async def opened_ledger(settings: Settings) -> AsyncGenerator[DecisionLedger]:
    """The ledger, to be read. Raises StoreError."""
    async with _opened(settings) as store:
        yield DecisionLedger(store.ledger)


@asynccontextmanager
async def opened_rules(settings: Settings) -> AsyncGenerator[Rulebook]:
    """The rules, to be read and changed. Raises StoreError."""
    async with _opened(settings) as store:
        yield Rulebook(store.rules, store.ledger, settings.access_policy, settings.defaults.profile)
