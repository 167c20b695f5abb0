"""Threads that other clients of Codex began, or that a lost database knew, become conversations."""

from __future__ import annotations

import asyncio
import logging
import uuid
from pathlib import Path

from core.agent.pages import each
from core.agent.port import Agent, ThreadInfo
from core.conversation.feed import ConversationsChanged, Feed
from core.conversation.titles import title_of
from core.errors import Conflict
from core.store.store import Store
from core.workspaces import Workspaces

log = logging.getLogger(__name__)

THREAD_PAGES = 10
"""How many pages of Codex's own thread list are looked at for threads that are not conversations yet."""


class Adoption:
    def __init__(self, store: Store, agent: Agent, workspaces: Workspaces, feed: Feed) -> None:
        self._conversations = store.conversations
        self._agent = agent
        self._workspaces = workspaces
        self._feed = feed
        self.lock = asyncio.Lock()
        """Held while threads become conversations: a thread that is being made for one is not adopted as another."""

    async def adopt_listed(self) -> None:
        """All that Codex lists, but for sub-agents' threads. Raises CodexError, StoreError."""
        listed = each(lambda cursor: self._agent.threads(cursor=cursor), THREAD_PAGES)
        found = [thread async for thread in listed]
        for thread in reversed(found):
            if thread.parent_id is None and not thread.sub_agent:
                await self.adopt(thread)
        if found:
            self._feed.tell(ConversationsChanged())

    async def adopt(self, thread: ThreadInfo) -> str:
        """The conversation of a thread, made now where there is none; a sub-agent's too. Raises StoreError.

        A sub-agent's belongs to the conversation whose thread began it, where that is one of ours.
        """
        async with self.lock:
            known = await self._conversations.find_by_thread(thread.id)
            return known.id if known is not None else await self._adopt(thread)

    async def _adopt(self, thread: ThreadInfo) -> str:
        find = self._conversations.find_by_thread
        parent = await find(thread.parent_id) if thread.parent_id is not None else None
        workspace = await self._workspaces.at(Path(thread.cwd))
        try:
            row = await self._conversations.create(
                uuid.uuid4().hex,
                workspace.id,
                workspace.revision,
                title=title_of(thread.name or thread.preview),
                thread_id=thread.id,
                parent_id=parent.id if parent is not None else None,
            )
        except Conflict:
            theirs = await find(thread.id)
            if theirs is None:
                raise
            log.info("thread %s was adopted by another console first", thread.id)
            return theirs.id
        return row.id
