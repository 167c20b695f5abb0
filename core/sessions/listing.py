"""What there is: Codex's list of threads, page by page, and the files on disk that are not in it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from core.agent.port import Agent, ThreadInfo
from core.sessions.disk import RolloutFile, find_rollouts, look_at, size_of, thread_of
from core.sessions.rollout import Head, read_head
from core.sessions.rows import ThreadFacts
from core.store.sessions.index import SessionIndex

GONE = "Codex has it no more; what is here is our own record of it."
UNLISTED = "Codex does not list it; it is read from its file."
COMPRESSED = "Its file is compressed, and Codex does not list it."
NO_HEADER = "Its file has no header, so Codex does not list it."
HEADS_AT_ONCE = 50

SETTLED_SECONDS = 3.0
"""How long a new file may be without Codex listing it: it writes the one before it knows of the other."""


class Listing:
    """One step is one page. `home` is the CODEX_HOME where the files are on this machine, else None."""

    def __init__(self, agent: Agent, index: SessionIndex, home: Path | None) -> None:
        self._agent = agent
        self._index = index
        self._home = home
        self._whole = False
        self._top = False
        self._going = False
        self._archived = False
        self._cursor: str | None = None
        self._seen: set[str] = set()
        self._touched: dict[Path, float] = {}

    @property
    def wanted(self) -> bool:
        return self._whole or self._top or self._going

    @property
    def whole(self) -> bool:
        """Whether everything is being listed, or is about to be."""
        return self._whole or self._going

    def want(self, *, whole: bool, touched: Sequence[Path] = ()) -> None:
        """List everything, or only what changed last; `touched` are files that changed on disk."""
        if whole:
            self._whole = True
        else:
            self._top = True
        for path in touched:
            self._touched.setdefault(path, time.monotonic())

    async def step(self) -> bool:
        """Ask for one page, and take it over; whether anything in it was new. Raises CodexError, StoreError."""
        if not self._going and self._whole:
            self._begin()
        return await self._next_page() if self._going else await self._first_page()

    def _begin(self) -> None:
        self._going = True
        self._whole = self._top = self._archived = False
        self._cursor = None
        self._seen.clear()

    async def _next_page(self) -> bool:
        page = await self._agent.threads(cursor=self._cursor, archived=self._archived)
        self._seen.update(thread.id for thread in page.entries)
        changed = await self._note(page.entries, archived=self._archived)
        self._cursor = page.cursor
        if page.cursor is not None:
            return changed > 0
        if not self._archived:
            self._archived = True
            return changed > 0
        changed += await self._compare()
        self._going = False
        return changed > 0

    async def _first_page(self) -> bool:
        """The newest, and more of them as long as all of a page were new."""
        self._top = False
        touched, self._touched = self._touched, {}
        changed = 0
        cursor: str | None = None
        while True:
            page = await self._agent.threads(cursor=cursor)
            noted = await self._note(page.entries, archived=False)
            changed += noted
            cursor = page.cursor
            if noted < len(page.entries) or cursor is None:
                break
        files = await self._strange(touched)
        return await self._note_files(files) + changed > 0

    async def _strange(self, touched: Mapping[Path, float]) -> list[RolloutFile]:
        """Files that Codex still does not list. One that is new may be listed in a moment: it is looked at again."""
        known = await self._index.stamps()
        strange = {path: since for path, since in touched.items() if not _is_listed(known, path)}
        settled = time.monotonic() - SETTLED_SECONDS
        self._touched |= {path: since for path, since in strange.items() if since > settled}
        self._top = self._top or bool(self._touched)
        old = (path for path, since in strange.items() if since <= settled)
        return [file for path in old if (file := look_at(path, archived=False)) is not None]

    async def _note(self, threads: Sequence[ThreadInfo], *, archived: bool) -> int:
        sizes = await asyncio.to_thread(lambda: [size_of(thread.path or "") for thread in threads])
        facts = [_facts(thread, size, archived) for thread, size in zip(threads, sizes, strict=True)]
        return await self._index.note_threads(facts)

    async def _compare(self) -> int:
        """After a whole listing: what is known and listed no more, and what is on disk and not listed."""
        known = await self._index.stamps()
        files = {} if self._home is None else await asyncio.to_thread(find_rollouts, self._home)
        gone = [
            thread_id
            for thread_id, (_, _, listed) in known.items()
            if thread_id not in self._seen and (listed or thread_id not in files)
        ]
        if gone:
            await self._index.note_missing(gone, GONE)
        strange = [file for thread_id, file in files.items() if thread_id not in self._seen]
        settled = time.time() * 1000 - SETTLED_SECONDS * 1000
        self.want(whole=False, touched=[file.path for file in strange if file.changed_at_ms > settled])
        return len(gone) + await self._note_files([file for file in strange if file.changed_at_ms <= settled])

    async def _note_files(self, files: Sequence[RolloutFile]) -> int:
        changed = 0
        for first in range(0, len(files), HEADS_AT_ONCE):
            some = files[first : first + HEADS_AT_ONCE]
            facts = await asyncio.to_thread(_facts_of_files, some)
            changed += await self._index.note_threads(
                [one for one in facts if one.thread_id not in self._seen]
            )
        return changed


def _facts_of_files(files: Sequence[RolloutFile]) -> list[ThreadFacts]:
    return [facts_of_file(file) for file in files]


def facts_of_file(file: RolloutFile) -> ThreadFacts:
    """What a rollout that Codex does not list says of itself, and why it is not listed. Blocks.

    A fork that has not begun says nothing of it: Codex will list it.
    """
    try:
        head = Head(thread_of(file.path), problem=COMPRESSED) if file.compressed else read_head(file.path)
    except OSError as error:
        head = Head(thread_of(file.path), problem=f"Its file cannot be read: {error.strerror or error}.")
    why = head.problem or (UNLISTED if head.folder else NO_HEADER)
    if head.forked_from_id and not head.begun and not head.problem:
        why = ""
    return ThreadFacts(
        thread_id=head.thread_id,
        name="",
        preview=head.preview,
        folder=head.folder,
        branch=head.branch,
        source=head.source or "unknown",
        model=head.model,
        provider=head.provider,
        created_at_ms=head.created_at_ms or file.changed_at_ms,
        updated_at_ms=file.changed_at_ms,
        archived=file.archived,
        parent_id=head.parent_id,
        forked_from_id=head.forked_from_id,
        rollout=str(file.path),
        rollout_bytes=file.bytes,
        listed=False,
        readable=not head.problem,
        why=why,
    )


def _is_listed(known: Mapping[str, tuple[int, int, bool]], path: Path) -> bool:
    _, _, listed = known.get(thread_of(path), (0, 0, False))
    return listed


def _facts(thread: ThreadInfo, size: int, archived: bool) -> ThreadFacts:
    return ThreadFacts(
        thread_id=thread.id,
        name=thread.name or "",
        preview=thread.preview,
        folder=thread.cwd,
        branch=thread.branch or "",
        source=thread.source,
        model=thread.model,
        provider=thread.model_provider,
        created_at_ms=thread.created_at * 1000,
        updated_at_ms=thread.updated_at * 1000,
        archived=archived,
        parent_id=thread.parent_id,
        forked_from_id=thread.forked_from_id,
        rollout=thread.path or "",
        rollout_bytes=size,
    )
