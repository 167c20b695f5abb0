"""`engine.sessions`: find, look into and open every session on the machine."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path

from core.agent import events as said
from core.agent.port import Agent, ThreadInfo
from core.codex.writers import writers_below
from core.conversation.feed import (
    BoxesAdded,
    ConversationsChanged,
    Feed,
    FeedEvent,
    Notification,
    NotificationChanged,
)
from core.errors import (
    CallRefused,
    Closed,
    CodexError,
    Conflict,
    InvalidRequest,
    QuarterdeckError,
    StoreError,
)
from core.sessions.building import indexer_of
from core.sessions.differences import compare
from core.sessions.disk import find_rollouts
from core.sessions.indexer import Indexer
from core.sessions.live import LiveStates
from core.sessions.model import (
    Difference,
    Facets,
    Progress,
    SessionEntry,
    SessionItem,
    SessionQuery,
    SessionsPage,
    SessionState,
)
from core.sessions.rows import Marks
from core.sessions.telling import Telling
from core.sessions.watching import watch_rollouts
from core.store.changes import Changes
from core.store.sessions.index import SessionIndex
from core.store.sessions.search import SessionSearch
from core.store.store import Store

log = logging.getLogger(__name__)

INDEX = "sessions.sqlite3"
"""The index's file, beside the database. It holds nothing that could not be made again."""

LONGEST_TAG = 40


class Sessions:
    """One for an engine. `start` opens the index in the background: every question waits for it."""

    def __init__(
        self,
        store: Store,
        agent: Agent,
        feed: Feed,
        home: Path | None,
        pending: Callable[[], Sequence[Notification]],
        adopt: Callable[[ThreadInfo], Awaitable[str]],
    ) -> None:
        """`home`: the CODEX_HOME, where its files are on this machine. `adopt` makes a conversation of a thread."""
        self._store = store
        self._agent = agent
        self._home = home
        self._adopt = adopt
        self._live = LiveStates(pending)
        self._telling = Telling(feed)
        self._indexer: Indexer | None = None
        self._connected = False
        self._path = store.database.path.with_name(INDEX)
        self._stop = [feed.listen(self._hear_feed), agent.listen(self._hear)]
        self._opening: asyncio.Task[tuple[SessionIndex, SessionSearch]] | None = None

    def start(self) -> None:
        """Open the index and begin to bring it up to date."""
        self._opening = asyncio.create_task(self._open(), name="open the session index")

    async def close(self) -> None:
        """End what it runs. Harmless if it was not started."""
        for stop in self._stop:
            stop()
        self._telling.close()
        if self._opening is None:
            return
        try:
            index, _ = await self._opening
        except QuarterdeckError:
            return
        if self._indexer is not None:
            await self._indexer.close()
        await index.close()

    @property
    def progress(self) -> Progress:
        """How far the index is; the feed tells of changes."""
        return self._telling.progress

    async def search(self, query: SessionQuery, cursor: str | None = None, limit: int = 50) -> SessionsPage:
        """A page of what matches. With text, the order stays as it was for the cursors of a search.

        Raises StoreError, InvalidRequest for a cursor that is none.
        """
        index = await self._reading()
        return await index.page(query, cursor, limit, self._live.standing(), time.time_ns() // 1_000_000)

    async def entry(self, key: str) -> SessionEntry:
        """By its key, its thread's id or its conversation's. Raises NotFound, StoreError.

        `why` names the process that writes it now, if that is another one than the host.
        """
        entry = await (await self._reading()).entry(key, self._live.standing())
        if entry.why or entry.thread_id is None:
            return entry
        try:
            writer = await self._agent.writer_of(entry.thread_id)
        except CodexError:
            return entry
        return replace(
            entry, why=f"{writer} writes it: until that ends it is only read here." if writer else ""
        )

    async def items(self, key: str, around: int | None = None, limit: int = 100) -> tuple[SessionItem, ...]:
        """The texts of a session in their order: the last ones, or those around a place.

        Raises NotFound, StoreError.
        """
        return await (await self._reading()).items(key, around, limit)

    async def facets(self) -> Facets:
        """What there is to filter by. Raises StoreError."""
        return await (await self._reading()).facets()

    async def pin(self, key: str) -> None:
        """Raises NotFound, StoreError."""
        await self._mark(key, lambda mine: self._store.marks.pin(mine, True))

    async def unpin(self, key: str) -> None:
        """Raises NotFound, StoreError."""
        await self._mark(key, lambda mine: self._store.marks.pin(mine, False))

    async def tag(self, key: str, tag: str) -> None:
        """Raises NotFound, InvalidRequest for an empty tag or one of more than 40 characters, StoreError."""
        clean = " ".join(tag.split())
        if not clean or len(clean) > LONGEST_TAG or not clean.isprintable():
            raise InvalidRequest(
                "That is no tag", why="a tag has 1 to 40 printable characters", todo="Choose a shorter word."
            )
        await self._mark(key, lambda mine: self._store.marks.tag(mine, clean, True))

    async def untag(self, key: str, tag: str) -> None:
        """Raises NotFound, StoreError."""
        await self._mark(key, lambda mine: self._store.marks.tag(mine, tag, False))

    async def open(self, key: str) -> str:
        """The id of its conversation, made now where the thread is none yet: `engine.open` shows it.

        Raises NotFound, Conflict for one that Codex cannot go on with (`SessionEntry.why`), CodexError, StoreError.
        """
        entry = await (await self._reading()).entry(key, self._live.standing())
        if entry.conversation_id is not None:
            return entry.conversation_id
        if not entry.readable or entry.thread_id is None:
            raise Conflict("This session cannot be opened", why=entry.why, todo="Look at its file.")
        if entry.why:
            await self._require_known(entry.thread_id, entry.why)
        return await self._adopt(_thread(entry, entry.thread_id))

    async def _require_known(self, thread_id: str, why: str) -> None:
        """Codex can go on with a thread that it does not list if it finds the file by its id."""
        try:
            await self._agent.turns(thread_id)
        except CallRefused as error:
            raise Conflict(
                "Codex cannot go on with this session",
                why=f"{why} Codex says: {error.message}",
                todo="What could be read of it is in the preview.",
            ) from error

    async def differences(self) -> tuple[Difference, ...]:
        """Where Codex's list, the disk and our database are not the same, and why. Raises StoreError."""
        index = (await self._opened())[0]
        listed = await index.listed()
        known = await self._store.session_source.threads()
        files = {} if self._home is None else await asyncio.to_thread(find_rollouts, self._home)
        writers = {} if self._home is None else await asyncio.to_thread(writers_below, self._home)
        names = {path: str(writer) for path, writer in writers.items()}
        return await asyncio.to_thread(compare, listed, files, known, names)

    async def _opened(self) -> tuple[SessionIndex, SessionSearch]:
        if self._opening is None:
            raise Closed("The index of sessions is not open", todo="Start the console again.")
        return await asyncio.shield(self._opening)

    async def _reading(self) -> SessionSearch:
        return (await self._opened())[1]

    async def _mark(self, key: str, change: Callable[[str], Awaitable[Marks]]) -> None:
        entry = await self.entry(key)
        if entry.thread_id is not None and entry.conversation_id is not None:
            await self._store.marks.move(entry.conversation_id, entry.thread_id)
        marks = await change(entry.key)
        await (await self._opened())[0].note_marks(marks)
        self._telling.changed()

    async def _open(self) -> tuple[SessionIndex, SessionSearch]:
        index = await SessionIndex.open(self._path)
        indexer = indexer_of(self._store, self._agent, index, self._home, self._live, self._telling)
        self._indexer = indexer
        indexer.note_connected(self._connected)
        indexer.start()
        indexer.own(self._follow(index), "follow the session index")
        if self._home is not None:
            indexer.own(self._watch(indexer, self._home), "watch rollouts")
        return index, SessionSearch(index.database)

    async def _watch(self, indexer: Indexer, home: Path) -> None:
        await watch_rollouts(
            home,
            lambda files: indexer.note_list(whole=False, touched=files),
            lambda: indexer.note_list(whole=True),
        )

    async def _follow(self, index: SessionIndex) -> None:
        """Tell of what another console puts into the index."""
        changes = Changes(index.database)
        try:
            async for _ in changes.watch():
                self._telling.changed()
        except StoreError:
            log.exception("the index is no longer watched")
        finally:
            changes.close()

    def _hear(self, event: said.AgentEvent) -> None:
        if self._live.hear(event):
            self._telling.changed()
        indexer = self._indexer
        match event:
            case said.HostReady() | said.HostLost():
                self._connected = isinstance(event, said.HostReady)
                if indexer is not None:
                    indexer.note_connected(self._connected)
            case said.ThreadAppeared() | said.ThreadRenamed() | said.TurnEnded():
                if indexer is not None:
                    indexer.note_list(whole=False)
            case said.ThreadShelved() | said.ThreadDeleted():
                # The files tell it too, but only on this machine, and only once they are watched.
                if indexer is not None:
                    indexer.note_list(whole=True)
            case _:
                pass

    def _hear_feed(self, event: FeedEvent) -> None:
        if self._live.hear_feed(event) or isinstance(event, NotificationChanged):
            self._telling.changed()
        if isinstance(event, BoxesAdded | ConversationsChanged) and self._indexer is not None:
            self._indexer.note_ours()


def _thread(entry: SessionEntry, thread_id: str) -> ThreadInfo:
    return ThreadInfo(
        id=thread_id,
        cwd=entry.folder,
        preview=entry.preview,
        name=entry.title or None,
        created_at=entry.created_at_ms // 1000,
        updated_at=entry.updated_at_ms // 1000,
        active=entry.state in (SessionState.RUNNING, SessionState.NEEDS_YOU),
        model=entry.model,
        model_provider=entry.provider,
        source=entry.source,
        path=entry.rollout or None,
        branch=entry.branch or None,
        parent_id=entry.parent_id,
        forked_from_id=entry.forked_from_id,
    )
