"""The index without an engine: for the doctor, who builds it anew."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from core.agent.port import Agent
from core.conversation.feed import Feed, FeedEvent, IndexProgress
from core.errors import StoreLocked
from core.sessions.contents import Contents
from core.sessions.indexer import Indexer
from core.sessions.listing import Listing
from core.sessions.live import LiveStates
from core.sessions.model import IndexPhase, Progress
from core.sessions.ours import OwnConversations
from core.sessions.rows import Counts
from core.sessions.telling import Telling
from core.store.locks import FileLock
from core.store.opening import lock_folder
from core.store.sessions.index import SessionIndex
from core.store.store import Store


def indexer_of(
    store: Store, agent: Agent, index: SessionIndex, home: Path | None, live: LiveStates, telling: Telling
) -> Indexer:
    """Everything that keeps an index, put together. One console at a time does it: the lock says which."""
    path = index.database.path
    return Indexer(
        index,
        OwnConversations(store.session_source, store.marks, index),
        Listing(agent, index, home),
        Contents(agent, index),
        live,
        telling,
        FileLock(lock_folder(path) / f"{path.name}-indexer.lock"),
    )


async def build(
    store: Store, agent: Agent, path: Path, home: Path | None, say: Callable[[Progress], None]
) -> Counts:
    """Bring the index at `path` up to date with a connected agent; `say` hears how far it is.

    Raises StoreLocked where a console builds it, StoreError.
    """
    feed = Feed()
    telling = Telling(feed)
    index = await SessionIndex.open(path)
    indexer = indexer_of(store, agent, index, home, LiveStates(lambda: ()), telling)
    ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def hear(event: FeedEvent) -> None:
        if not isinstance(event, IndexProgress) or ended.done():
            return
        say(event.progress)
        if event.progress.phase is IndexPhase.READY:
            ended.set_result(None)
        elif event.progress.phase is IndexPhase.WAITING:
            error = StoreLocked("The index is not built", why=event.progress.note, todo="Try again later.")
            ended.set_exception(error)

    feed.listen(hear)
    try:
        indexer.note_connected(True)
        indexer.start()
        await ended
        return await index.counts()
    finally:
        telling.close()
        await indexer.close()
        await index.close()
