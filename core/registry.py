"""The conversations there are: on disk, and the open ones."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Sequence
from pathlib import Path

from core.adoption import Adoption
from core.agent.port import Agent, ThreadInfo
from core.catalog import StoreCatalog
from core.conversation.cleanup import clean_up
from core.conversation.conversation import CodexConversation
from core.conversation.feed import ConversationsChanged, Detached, Feed, FeedEvent
from core.conversation.follow import FollowedConversation
from core.conversation.hub import AgentHub
from core.conversation.info import Conversation, ConversationInfo
from core.conversation.live import LiveConversation
from core.conversation.notifications import NotificationCenter
from core.conversation.ports import Knowledge
from core.conversation.titles import title_of
from core.conversation.workspace import Choices
from core.errors import CodexError, Conflict, ConnectionLost
from core.opening import Opener
from core.rows import ConversationRow, Lifecycle
from core.settings import DefaultsSettings
from core.store.leases import Holder
from core.store.store import Store
from core.tools.toolset import Tool
from core.workspaces import Workspaces, checked_folder

log = logging.getLogger(__name__)

MOST_LISTED = 500
LONGEST_TITLE = 200
"""Characters of a name that another client gave a thread."""


class Registry:
    """Opens each conversation once, ours to write where no other console writes it."""

    def __init__(
        self,
        store: Store,
        agent: Agent,
        center: NotificationCenter,
        hub: AgentHub,
        feed: Feed,
        knowledge: Knowledge,
        catalog: StoreCatalog,
        workspaces: Workspaces,
        opener: Opener,
    ) -> None:
        self._store = store
        self._agent = agent
        self._center = center
        self._hub = hub
        self._feed = feed
        self._knowledge = knowledge
        self._catalog = catalog
        self._opener = opener
        self.workspaces = workspaces
        self.adoption = Adoption(store, agent, workspaces, feed)
        self._open: dict[str, Conversation] = {}
        self._opening = asyncio.Lock()
        self._stop_listening = feed.listen(self._hear)

    def offer(self, tools: Sequence[Tool]) -> None:
        """Conversations that are opened from now on have these. Raises InvalidRequest."""
        self._opener.offer(tools)

    def use_defaults(self, defaults: DefaultsSettings) -> None:
        """What holds from now on where a workspace says nothing itself."""
        self._catalog.defaults = defaults

    async def listing(self, limit: int, *, archived: bool = False) -> tuple[ConversationInfo, ...]:
        """Newest first; those that were put away, or those that were not. Sub-agents' are left out.

        Raises StoreError.
        """
        rows = await self._store.conversations.recent(limit=limit)
        await self.workspaces.read_all()
        shown = (row for row in rows if row.lifecycle is Lifecycle.OPEN and row.archived == archived)
        return tuple(self._info(row) for row in shown if row.parent_id is None)

    async def create(self, path: Path, choices: Choices | None = None) -> Conversation:
        """A new conversation on a folder. Raises InvalidRequest where that is none or cannot be read."""
        workspace = await self.workspaces.at(checked_folder(path))
        defaults = (choices or Choices()).model_dump_json(exclude_none=True)
        row = await self._store.conversations.create(
            uuid.uuid4().hex, workspace.id, workspace.revision, defaults=defaults
        )
        self._feed.tell(ConversationsChanged())
        return await self.open(row.id)

    async def open(self, conversation_id: str) -> Conversation:
        """Raises NotFound, Closed, StoreError, InvalidState for a log that contradicts itself."""
        async with self._opening:
            found = self._open.get(conversation_id)
            if found is None or (isinstance(found, FollowedConversation) and self._free(conversation_id)):
                row = await self._store.conversations.get(conversation_id)
                found = await self._opener.open(row, self._info)
                self._open[conversation_id] = found
            return found

    async def open_unfinished(self) -> None:
        """Open what ran or waited when its console went away. Raises StoreError."""
        waiting = {notification.conversation_id for notification in self._center.pending()}
        for info in await self.listing(MOST_LISTED):
            if info.state == "running" or info.id in waiting:
                await self.open(info.id)

    async def latest(self, path: Path) -> ConversationInfo | None:
        """The conversation of this folder that was used last. Raises StoreError."""
        workspace = await self.workspaces.find(path)
        if workspace is None:
            return None
        rows = await self._store.conversations.recent(workspace_id=workspace.id, limit=MOST_LISTED)
        shown = (row for row in rows if row.lifecycle is Lifecycle.OPEN and not row.archived)
        for row in shown:
            if row.parent_id is None and not await self._store.transfer.imported(row.id):
                return self._info(row)
        return None

    async def entitle(self, conversation: Conversation, thread: ThreadInfo) -> None:
        """Give a conversation that has no title yet the one of its thread. Raises StoreError."""
        title = title_of(thread.name or thread.preview)
        if title and not conversation.info.title and isinstance(conversation, LiveConversation):
            await conversation.rename(title)

    async def renamed(self, thread_id: str, name: str) -> None:
        """Another client gave a thread another name: its conversation has it too. Raises StoreError."""
        row = await self._store.conversations.find_by_thread(thread_id)
        title = " ".join(name.split())[:LONGEST_TITLE]
        if row is None or not title or row.title == title:
            return
        live = self._open.get(row.id)
        if isinstance(live, LiveConversation):
            await live.rename(title)
        else:
            await self._catalog.entitle(row.id, title)

    async def others_wrote(self) -> None:
        """Another console committed: catch up with what it writes. Raises StoreError."""
        self._center.hear_others()
        for conversation in tuple(self._open.values()):
            if isinstance(conversation, FollowedConversation):
                row = await self._store.conversations.get(conversation.id)
                await conversation.catch_up(self._info(row))
        self._feed.tell(ConversationsChanged())

    def bound_threads(self) -> tuple[str, ...]:
        """The Codex threads of the open conversations."""
        infos = (one.info for one in self._open.values() if isinstance(one, LiveConversation))
        return tuple(info.thread_id for info in infos if info.thread_id is not None)

    async def handle(self, conversation_id: str) -> CodexConversation:
        """The backend of a conversation, for programs. Raises Conflict where another console writes it."""
        live = await self.open(conversation_id)
        if not isinstance(live, LiveConversation):
            raise Conflict("The conversation cannot be used here", why=f"{live.writer} writes it")
        row = await self._store.conversations.get(conversation_id)
        workspace = await self._store.workspaces.get(row.workspace_id)
        if row.workspace_revision != workspace.revision:
            row = await self._store.conversations.change(row.id, workspace_revision=workspace.revision)
        return CodexConversation(
            live, row, self._agent, self._center, self._catalog, self._knowledge, self._feed
        )

    async def settle_cleanups(self) -> None:
        """Do again what closed conversations have left to clean up, each for itself. Raises ConnectionLost, StoreError."""
        for row in await self._store.conversations.closing():
            try:
                await clean_up(row.id, row.thread_id, self._agent, self._catalog, self._knowledge)
            except ConnectionLost:
                raise
            except CodexError as error:
                log.warning("the cleanup of %s is left for the next start: %s", row.id, error)

    async def close(self, deadline: float) -> None:
        """Let go of every open conversation; what runs at Codex goes on."""
        self._stop_listening()
        await self._opener.close(deadline)
        for conversation in self._open.values():
            await conversation.detach()
        self._open.clear()

    def opened(self, conversation_id: str) -> Conversation | None:
        """The conversation, where it is open here."""
        return self._open.get(conversation_id)

    async def let_go(self, conversation_id: str) -> None:
        """Whoever opens it again gets it anew, as it is on disk then."""
        async with self._opening:
            found = self._open.get(conversation_id)
            if found is not None:
                await found.detach()
                self._forget(conversation_id)

    def _hear(self, event: FeedEvent) -> None:
        if isinstance(event, Detached):
            self._forget(event.conversation_id)

    def _forget(self, conversation_id: str) -> None:
        self._open.pop(conversation_id, None)
        self._hub.remove(conversation_id)
        self._store.leases.release(conversation_id)

    async def say(self, conversation_id: str, key: str, text: str) -> None:
        """Have a message wait for Codex; the same key again changes nothing. Raises QuarterdeckError."""
        await (await self.open(conversation_id)).send(text, key)

    def _info(self, row: ConversationRow) -> ConversationInfo:
        live = self._open.get(row.id)
        return ConversationInfo(
            id=row.id,
            title=row.title,
            path=self.workspaces.path_of(row.workspace_id),
            updated_at_ms=row.updated_at_ms,
            state=live.state.status.value if isinstance(live, LiveConversation) else row.last_state,
            pending=len(self._center.pending(row.id)),
            thread_id=row.thread_id,
            archived=row.archived,
            parent_id=row.parent_id,
            forked_from=row.forked_from,
        )

    def _free(self, conversation_id: str) -> bool:
        lease = self._store.leases.acquire(conversation_id)
        if isinstance(lease, Holder):
            return False
        lease.release()
        return True
