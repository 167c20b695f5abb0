"""The knowledge base: what the engine, the tools and the screens use."""

from __future__ import annotations

import asyncio
import logging
import stat
from collections.abc import Callable, Sequence
from pathlib import Path

from core.errors import Closed, InvalidRequest, NotFound, StoreError
from core.knowledge.documents import (
    Document,
    DocumentDraft,
    DocumentInfo,
    Hit,
    Import,
    KnowledgeMode,
    KnowledgePolicy,
    Origin,
    Owner,
    Visible,
    clean_line,
    is_name,
)
from core.knowledge.folders import SUFFIXES
from core.knowledge.following import Follower, ImportReport
from core.knowledge.port import DocumentStore, ImportStore
from core.knowledge.query import any_word, every_word
from core.knowledge.render import RenderedPrompt, render_prompt

log = logging.getLogger(__name__)

MATCHING_AT_MOST = 8
PINNED_AT_MOST = 64
"""Documents that are looked at for one prompt."""


def _nobody_listens() -> None:
    """Where no screen shows the knowledge."""


class KnowledgeBase:
    """Made by the engine; `start` when the store is open, `close` before it is closed.

    Every method that reads or writes raises StoreError where the database cannot do it, and Closed.
    """

    def __init__(
        self, documents: DocumentStore, imports: ImportStore, changed: Callable[[], None] = _nobody_listens
    ) -> None:
        """`changed` is called on the event loop after documents or reports have changed."""
        self._documents = documents
        self._imports = imports
        self._changed = changed
        self._follower = Follower(imports, changed)
        self._settling: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Finish what was to be forgotten, and keep the imports true. Never waits."""
        if self._settling is None:
            self._settling = asyncio.create_task(self._settle(), name="settle forgets")
            self._follower.start()

    async def close(self) -> None:
        """End what runs; a forgetting that is not done goes on at the next start."""
        if self._settling is not None:
            self._settling.cancel()
            await asyncio.wait([self._settling])
        await self._follower.close()

    async def settled(self) -> None:
        """Wait until what an earlier run was to forget is forgotten, as far as it can be."""
        if self._settling is not None:
            await asyncio.wait([self._settling])

    async def search(self, owners: Sequence[Owner], query: str, limit: int = 20) -> list[Hit]:
        """Documents with all the words of the query (`core.knowledge.query.every_word`), the best first."""
        return await self._documents.search(owners, every_word(query), limit)

    async def listing(self, owners: Sequence[Owner]) -> list[DocumentInfo]:
        """By owner in the order given, then by name."""
        return await self._documents.listing(owners)

    async def read(self, owners: Sequence[Owner], name: str) -> Document:
        """The document of that name of the first owner that has one. Raises NotFound."""
        for owner in owners if is_name(name) else ():
            try:
                return await self._documents.get(owner, name)
            except NotFound:
                continue
        raise NotFound(f"There is no document {clean_line(name)!r}", todo="Search for it.")

    async def write(
        self,
        owner: Owner,
        name: str,
        text: str,
        *,
        title: str = "",
        origin: Origin = Origin.PERSON,
        pinned: bool | None = None,
    ) -> DocumentInfo:
        """Write a document, or write it anew; `pinned` None leaves that as it is.

        Raises InvalidRequest for a bad name or size, and Conflict as `DocumentStore.put` does.
        """
        draft = DocumentDraft.checked(owner, name, text, title=title, origin=origin, pinned=pinned)
        info = await self._documents.put(draft)
        self._changed()
        return info

    async def delete(self, owner: Owner, name: str) -> None:
        """Raises NotFound, and Conflict for one that follows a file."""
        await self._documents.delete(owner, name)
        self._changed()

    async def pin(self, owner: Owner, name: str, pinned: bool) -> DocumentInfo:
        """Have it put before every prompt, or no longer. A person's to decide. Raises NotFound."""
        info = await self._documents.pin(owner, name, pinned)
        self._changed()
        return info

    async def render_prompt(self, visible: Visible, policy: KnowledgePolicy, text: str) -> RenderedPrompt:
        """The text for Codex, with what the policy puts before it, and the account of that."""
        if policy.mode is KnowledgeMode.OFF:
            return RenderedPrompt(text)
        pinned = await self._documents.listing(visible.owners, pinned=True)
        matching: list[Hit] = []
        if policy.mode is KnowledgeMode.MATCHING:
            matching = await self._documents.search(visible.owners, any_word(text), MATCHING_AT_MOST)
        return await asyncio.to_thread(
            render_prompt,
            policy.mode,
            await self._documents.read([info.id for info in pinned[:PINNED_AT_MOST]]),
            await self._documents.read([hit.info.id for hit in matching]),
            policy.budget_tokens,
            text,
        )

    async def import_path(self, owner: Owner, path: Path) -> ImportReport:
        """Import a Markdown file, or a folder with all below it, and follow it from now on.

        Raises InvalidRequest for another kind of file, NotFound where nothing is there, and Conflict for
        an owner that is being forgotten.
        """
        real = await asyncio.to_thread(_importable, path)
        followed = await self._imports.add(owner, str(real), clean_line(real.name) or "files")
        report = await self._follower.look(followed)
        self._follower.imports_changed()
        return report

    async def drop_import(self, followed: Import) -> None:
        """Follow it no longer; its documents go, its files stay."""
        await self._imports.drop(followed.id)
        self._follower.imports_changed()
        self._changed()

    def imports(self) -> list[ImportReport]:
        """How each import stands, as of its last look."""
        return list(self._follower.reports.values())

    @property
    def trouble(self) -> str:
        """Why changes of files are not noticed now; "" where they are."""
        return self._follower.trouble

    async def begin_forget(self, owner: Owner) -> None:
        """Nothing of the owner is seen any more, and `settle_forget`, or the next start, deletes it."""
        await self._documents.begin_forget(owner)
        self._changed()

    async def settle_forget(self, owner: Owner) -> None:
        """Delete what is left of it. May be called again, and at once by several."""
        while await self._documents.forget_some(owner):
            pass
        self._follower.imports_changed()
        self._changed()

    async def forget(self, owner: Owner) -> None:
        """Both. Where this is cut short after the first, the next start does the rest."""
        await self.begin_forget(owner)
        await self.settle_forget(owner)

    async def _settle(self) -> None:
        try:
            for owner in await self._documents.forgets():
                await self.settle_forget(owner)
        except (StoreError, Closed) as error:
            log.warning("what was to be forgotten is not deleted yet: %s", error)


def _importable(path: Path) -> Path:
    """The path without links. Raises NotFound, InvalidRequest."""
    try:
        real = path.expanduser().resolve(strict=True)
        mode = real.stat().st_mode
    except FileNotFoundError as error:
        raise NotFound(f"{path} is not there", todo="Check its name.") from error
    except (OSError, RuntimeError) as error:
        raise InvalidRequest(f"{path} cannot be imported", why=str(error), todo="Choose another.") from error
    if stat.S_ISDIR(mode) or (stat.S_ISREG(mode) and real.name.lower().endswith(SUFFIXES)):
        return real
    raise InvalidRequest(
        f"{path} cannot be imported",
        why=f"it is neither a folder nor a Markdown file ({', '.join(SUFFIXES)})",
        todo="Choose another.",
    )
