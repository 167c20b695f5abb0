"""Putting a conversation away, bringing it back, deleting it, and giving it another title."""

from __future__ import annotations

import logging
from contextlib import suppress

from pydantic import BaseModel, ConfigDict

from core.agent.port import Agent
from core.conversation.feed import ConversationsChanged, Feed, Told
from core.conversation.live import LiveConversation
from core.errors import CallRefused, Conflict, InvalidRequest, NoRollout
from core.operations.journal import Journal, Kind, Step
from core.operations.standing import idle
from core.registry import MOST_LISTED, Registry
from core.rows import Lifecycle
from core.store.store import Store

log = logging.getLogger(__name__)

TITLE_LENGTH = 200
PAGES = 10
"""How many pages of archived threads are looked at."""


class NewTitle(BaseModel):
    model_config = ConfigDict(frozen=True)

    title: str
    before: str | None = None
    """What it was called when this was begun; None: it was called `title` already."""


class Shelf:
    def __init__(self, store: Store, registry: Registry, agent: Agent, feed: Feed, journal: Journal) -> None:
        self._store = store
        self._registry = registry
        self._agent = agent
        self._feed = feed
        self._journal = journal

    async def archive(self, conversation_id: str) -> None:
        """Raises Conflict while it runs or another console has it, CodexError, StoreError."""
        await idle(self._registry, conversation_id, "The conversation was not archived")
        async with self._journal.step(conversation_id, Kind.ARCHIVE):
            await self.do_archive(conversation_id)

    async def do_archive(self, conversation_id: str) -> None:
        """Again does no harm."""
        row = await self._store.conversations.get(conversation_id)
        if row.thread_id is not None:
            with suppress(NoRollout):
                await self._agent.archive(row.thread_id)
        await self._store.conversations.change(conversation_id, archived=True)
        await self._registry.let_go(conversation_id)
        self._feed.tell(ConversationsChanged())

    async def unarchive(self, conversation_id: str) -> None:
        """Raises CodexError, StoreError."""
        async with self._journal.step(conversation_id, Kind.UNARCHIVE):
            await self.do_unarchive(conversation_id)

    async def do_unarchive(self, conversation_id: str) -> None:
        """Again does no harm."""
        row = await self._store.conversations.get(conversation_id)
        if row.thread_id is not None:
            with suppress(NoRollout):
                await self._agent.operations.unarchive(row.thread_id)
        await self._store.conversations.change(conversation_id, archived=False)
        await self._registry.let_go(conversation_id)
        self._feed.tell(ConversationsChanged())

    async def delete(self, conversation_id: str) -> None:
        """Delete it at Codex and show it no more. Of ours the copies of its images go; its records are never deleted.

        Raises Conflict while it runs, another console has it, or a thread was forked from it: nothing has changed
        then. Raises CodexError, StoreError.
        """
        await idle(self._registry, conversation_id, "The conversation was not deleted")
        async with self._journal.step(conversation_id, Kind.DELETE):
            await self.do_delete(conversation_id)

    async def do_delete(self, conversation_id: str) -> None:
        """Again does no harm."""
        row = await self._store.conversations.get(conversation_id)
        if row.thread_id is not None:
            try:
                await self._agent.operations.delete(row.thread_id)
            except NoRollout:
                log.info("Codex has nothing left of conversation %s", conversation_id)
            except CallRefused as error:
                await self._stays(conversation_id)
                raise _kept(error) from error
        await self._store.conversations.change(conversation_id, lifecycle=Lifecycle.CLOSED)
        await self._registry.let_go(conversation_id)
        self._feed.tell(ConversationsChanged())
        await self._forget_images(conversation_id)

    async def _forget_images(self, conversation_id: str) -> None:
        """Unless a fork of it lives, whose messages name the same copies. Raises StoreError."""
        if not await self._store.conversations.has_forks(conversation_id):
            await self._store.images.forget(conversation_id)

    async def _stays(self, conversation_id: str) -> None:
        """Codex unloads even a thread that it does not delete: hear it again."""
        live = self._registry.opened(conversation_id)
        if isinstance(live, LiveConversation):
            live.attach_again()

    async def note_shelved(self, thread_id: str, *, archived: bool) -> None:
        """Another client of Codex put a thread away, or brought it back. Raises StoreError."""
        row = await self._store.conversations.find_by_thread(thread_id)
        if row is None or row.archived == archived or self._journal.under_way(row.id):
            return
        await self._store.conversations.change(row.id, archived=archived)
        await self._registry.let_go(row.id)
        self._feed.tell(ConversationsChanged())

    async def note_deleted(self, thread_id: str) -> None:
        """Another client of Codex deleted a thread. Raises StoreError."""
        row = await self._store.conversations.find_by_thread(thread_id)
        if row is None or row.lifecycle is not Lifecycle.OPEN or self._journal.under_way(row.id):
            return
        await self._store.conversations.change(row.id, lifecycle=Lifecycle.CLOSED)
        await self._registry.let_go(row.id)
        self._feed.tell(Told("info", f"Another client of Codex deleted “{row.title}”."))
        self._feed.tell(ConversationsChanged())
        await self._forget_images(row.id)

    async def look(self) -> None:
        """See what other clients put away, or brought back, meanwhile. Raises CodexError, StoreError."""
        away: set[str] = set()
        cursor: str | None = None
        for _ in range(PAGES):
            page = await self._agent.threads(cursor=cursor, archived=True)
            away.update(thread.id for thread in page.entries)
            cursor = page.cursor
            if cursor is None:
                break
        for thread_id in away:
            await self.note_shelved(thread_id, archived=True)
        if cursor is None:
            for info in await self._registry.listing(MOST_LISTED, archived=True):
                if info.thread_id is not None and info.thread_id not in away:
                    await self.note_shelved(info.thread_id, archived=False)

    async def rename(self, conversation_id: str, title: str) -> None:
        """Here, and at Codex as soon as it has the thread. Raises InvalidRequest, Conflict, CodexError, StoreError."""
        title = " ".join(title.split())
        if not title:
            raise InvalidRequest("A title is needed", todo="Write it behind the command: /rename New title.")
        if len(title) > TITLE_LENGTH:
            raise InvalidRequest(
                "This title is too long", why=f"it has {len(title)} of {TITLE_LENGTH} characters"
            )
        row = await self._store.conversations.get(conversation_id)
        new = NewTitle(title=title, before=row.title)
        async with self._journal.step(conversation_id, Kind.RENAME, new.model_dump_json()) as step:
            await self._give_up_renames(conversation_id, step)
            await self.do_rename(conversation_id, new, step)

    async def _give_up_renames(self, conversation_id: str, step: Step) -> None:
        """Those that still wait for the thread have nothing left to do once it gets yet another title."""
        for row in await self._store.operations.pending():
            earlier = row.conversation_id == conversation_id and row.id != step.number
            if earlier and row.kind == Kind.RENAME:
                await self._store.operations.end(row.id)

    async def do_rename(self, conversation_id: str, new: NewTitle, step: Step) -> None:
        """Again does no harm. A thread that is yet to begin gets its title then: the step stays begun."""
        row = await self._store.conversations.get(conversation_id)
        if row.lifecycle is not Lifecycle.OPEN or row.title not in (new.title, new.before):
            return
        title = new.title
        if row.title != title:
            await (await self._registry.open(conversation_id)).rename(title)
        if row.thread_id is not None:
            await self._agent.rename(row.thread_id, title)
            self._feed.tell(ConversationsChanged())
        else:
            step.ended = True


def _kept(error: CallRefused) -> Conflict:
    if "forked" in error.message:
        return Conflict(
            "Codex does not delete this conversation",
            why="another one was forked from it and still needs its history",
            todo="Delete that one first, or archive this one (/archive).",
        )
    return Conflict(
        "Codex does not delete this conversation", why=error.message, todo="Archive it (/archive)."
    )
