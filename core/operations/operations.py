"""`engine.operations`: fork, go back, put away, delete, and what Codex tells of itself when asked.

Each refuses what the state forbids, and says how to go on. A conversation that another console writes is never touched.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

from core.agent import events as said
from core.agent.operations import Goal, McpServer, ReviewTarget
from core.agent.port import Agent
from core.conversation.feed import Feed, FeedEvent, StateChanged, Told
from core.conversation.info import ConversationInfo
from core.errors import ConnectionLost, InvalidState, NotFound, QuarterdeckError
from core.operations.forks import Forks
from core.operations.journal import Journal, Kind, Step
from core.operations.model import RevertPlan
from core.operations.reverts import Reverts, reverted_boxes
from core.operations.shelf import NewTitle, Shelf
from core.operations.standing import idle, ours
from core.registry import MOST_LISTED, Registry
from core.rows import OperationRow
from core.store.store import Store
from core.thread.boxes import ASSISTANT, ChatBox
from core.thread.state import Status

log = logging.getLogger(__name__)

ANSWER_PAGE = 200


class Operations:
    """Made by the engine. Owns the tasks that finish what was left behind, and ends them in `close`."""

    def __init__(self, store: Store, registry: Registry, agent: Agent, feed: Feed) -> None:
        journal = Journal(store)
        self._store = store
        self._registry = registry
        self._agent = agent
        self._feed = feed
        self._journal = journal
        self._forks = Forks(store, registry, agent, journal)
        self._reverts = Reverts(registry, agent)
        self._shelf = Shelf(store, registry, agent, feed, journal)
        self._settling = asyncio.Lock()
        self._unnamed: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._stop_listening = feed.listen(self._hear)

    async def close(self) -> None:
        self._stop_listening()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # A conversation and its history.

    async def fork(self, conversation_id: str, after_box: int | None = None) -> str:
        """The id of a copy: whole, or up to and with the turn that box `after_box` is in. The origin stays.

        Raises Conflict where the whole is wanted while a turn runs, InvalidRequest where there is nothing to
        copy up to there, NotFound, CodexError, StoreError.
        """
        return await self._forks.fork(conversation_id, after_box)

    async def plan_revert(self, conversation_id: str, before_box: int | None = None) -> RevertPlan:
        """What `revert` would take out: the turn of box `before_box` (None: the last turn) and all after it.

        Changes nothing. Raises Conflict while a turn runs or another console writes it, InvalidRequest where
        nothing would go, NotFound, CodexError, StoreError.
        """
        return await self._reverts.plan(conversation_id, before_box)

    async def revert(self, conversation_id: str, plan: RevertPlan) -> None:
        """Take it out, here and at Codex. Files stay as they are, and the boxes stay in the log.

        Raises as `plan_revert`, InvalidState where Codex refuses. Where Codex goes away meanwhile, it is
        finished when it is back.
        """
        await self._reverts.revert(conversation_id, plan)

    async def reverted(self, conversation_id: str) -> tuple[ChatBox, ...]:
        """The boxes that were taken out, oldest first. Raises NotFound, StoreError."""
        return await reverted_boxes(self._store, conversation_id)

    async def last_answer(self, conversation_id: str) -> str:
        """The last thing that Codex said, as Markdown. Raises NotFound, StoreError."""
        conversation = await self._registry.open(conversation_id)
        before: int | None = None
        while page := await conversation.page(before=before, limit=ANSWER_PAGE):
            for box in reversed(page):
                if box.box_type == ASSISTANT:
                    return box.contents
            before = page[0].id
        raise NotFound("Codex has said nothing here yet")

    # Which conversations there are.

    async def rename(self, conversation_id: str, title: str) -> None:
        """Here, and at Codex as soon as it has the thread.

        Raises InvalidRequest for a title that is none, Conflict, NotFound, CodexError, StoreError.
        """
        self._unnamed.add(conversation_id)
        await self._shelf.rename(conversation_id, title)

    async def archive(self, conversation_id: str) -> None:
        """Put it away. Raises Conflict while it runs or another console writes it, CodexError, StoreError."""
        await self._shelf.archive(conversation_id)

    async def unarchive(self, conversation_id: str) -> None:
        """Bring it back. Raises NotFound, CodexError, StoreError."""
        await self._shelf.unarchive(conversation_id)

    async def archived(self) -> tuple[ConversationInfo, ...]:
        """Those that were put away here, newest first. Raises StoreError."""
        return await self._registry.listing(MOST_LISTED, archived=True)

    async def delete(self, conversation_id: str) -> None:
        """Delete it at Codex and never show it again. Our records of it stay on the disk, the copies of its images
        do not.

        Raises Conflict while it runs, another console writes it, or another was forked from it (Codex keeps it
        then, and nothing has changed), CodexError, StoreError.
        """
        await self._shelf.delete(conversation_id)

    async def conversation_of(self, thread_id: str) -> str:
        """The id of the conversation that shows a thread, made now for a sub-agent's.

        One that another conversation began is only read: what it asks is answered in that one. Raises NotFound
        where Codex has no such thread, CodexError, StoreError.
        """
        known = await self._store.conversations.find_by_thread(thread_id)
        if known is not None:
            return known.id
        return await self._registry.adoption.adopt(await self._agent.operations.read(thread_id))

    # What Codex does with a conversation.

    async def compact(self, conversation_id: str) -> None:
        """Have the history summed up; it runs as a turn. Raises Conflict, InvalidRequest, CodexError, StoreError."""
        thread_id = await self._idle_thread(conversation_id, "Nothing was summed up")
        await self._agent.operations.compact(thread_id)

    async def review(self, conversation_id: str, target: ReviewTarget) -> None:
        """Have changes reviewed; it runs as a turn. Raises Conflict, Unauthorized, CodexError, StoreError."""
        what = "No review was begun"
        thread_id = await self._idle_thread(conversation_id, what, begin=True, enforced=True)
        await self._agent.operations.review(thread_id, target)

    async def plan_first(self, conversation_id: str, model: str, *, on: bool | None = None) -> bool:
        """From the next turn on Codex plans before it changes anything, or no longer does; None: the other way.

        What holds then. Raises Conflict, CodexError.
        """
        thread_id = await self._thread(conversation_id, "The mode was not changed")
        if on is None:
            on = not (await self._registry.open(conversation_id)).selection.planning
        await self._agent.operations.plan_first(thread_id, model, on=on)
        return on

    async def goal(self, conversation_id: str) -> Goal | None:
        """Raises CodexError, StoreError."""
        row = await self._store.conversations.get(conversation_id)
        return await self._agent.operations.goal(row.thread_id) if row.thread_id is not None else None

    async def set_goal(
        self, conversation_id: str, objective: str | None = None, status: str | None = None
    ) -> Goal:
        """Another objective, or another status (active, paused): Codex begins turns by itself to reach it.

        Raises Conflict, Unauthorized, CodexError, StoreError.
        """
        thread_id = await self._thread(
            conversation_id, "The goal was not changed", enforced=status != "paused"
        )
        return await self._agent.operations.set_goal(thread_id, objective, status)

    async def clear_goal(self, conversation_id: str) -> bool:
        """False where there was none. Raises Conflict, CodexError, StoreError."""
        thread_id = await self._thread(conversation_id, "The goal was not changed")
        return await self._agent.operations.clear_goal(thread_id)

    # What Codex tells of itself.

    async def mcp_servers(self, conversation_id: str | None) -> tuple[McpServer, ...]:
        """Those of a conversation's thread, or (None) of Codex's settings. Raises CodexError, StoreError."""
        row = await self._store.conversations.get(conversation_id) if conversation_id is not None else None
        return await self._agent.operations.mcp_servers(row.thread_id if row is not None else None)

    async def logout(self) -> None:
        """Sign out, for every client of this Codex. Raises CodexError."""
        await self._agent.operations.logout()

    # What was left behind.

    async def settle(self) -> None:
        """Finish what was begun and never ended, or say that it failed. Raises StoreError."""
        async with self._settling:
            for row in await self._store.operations.pending():
                try:
                    async with self._journal.resume(row) as step:
                        if step is not None:
                            await self._finish(row, step)
                except ConnectionLost:
                    return
                except QuarterdeckError as error:
                    log.exception("operation %d (%s) was not finished", row.id, row.kind)
                    text = f"What was begun earlier ({row.kind}) was not finished. {error}"
                    self._feed.tell(Told("error", text, row.conversation_id))

    async def look(self) -> None:
        """See what other clients of Codex put away, or brought back, meanwhile. Raises CodexError, StoreError."""
        await self._shelf.look()

    async def hear(self, event: said.ThreadShelved | said.ThreadDeleted) -> None:
        """What somebody did with a thread; of what we did it says nothing new. Raises StoreError."""
        if isinstance(event, said.ThreadShelved):
            await self._shelf.note_shelved(event.thread_id, archived=event.archived)
        else:
            await self._shelf.note_deleted(event.thread_id)

    async def _finish(self, row: OperationRow, step: Step) -> None:
        match row.kind:
            case Kind.FORK:
                await self._forks.finish(row, step)
            case Kind.ARCHIVE:
                await self._shelf.do_archive(row.conversation_id)
            case Kind.UNARCHIVE:
                await self._shelf.do_unarchive(row.conversation_id)
            case Kind.DELETE:
                await self._shelf.do_delete(row.conversation_id)
            case Kind.RENAME:
                self._unnamed.add(row.conversation_id)
                new = NewTitle.model_validate_json(row.data)
                await self._shelf.do_rename(row.conversation_id, new, step)
            case _:
                raise InvalidState(f"This version knows no operation {row.kind}")

    def _hear(self, event: FeedEvent) -> None:
        """A thread that did not exist when it was given a name may have had its first turn.

        Within that turn Codex fails to write the name (seen on 0.163).
        """
        if not isinstance(event, StateChanged) or event.state.status is Status.RUNNING:
            return
        if event.conversation_id in self._unnamed:
            self._unnamed.discard(event.conversation_id)
            self._own(self._settle_quietly())

    async def _settle_quietly(self) -> None:
        try:
            await self.settle()
        except QuarterdeckError:
            log.exception("what was left behind stays so")

    def _own(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work, name="settle-operations")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _thread(self, conversation_id: str, what: str, *, enforced: bool = False) -> str:
        """The thread, loaded; begun where there is none yet."""
        conversation = await ours(self._registry, conversation_id, what)
        return await conversation.attached(begin=True, enforced=enforced)

    async def _idle_thread(
        self, conversation_id: str, what: str, *, begin: bool = False, enforced: bool = False
    ) -> str:
        await idle(self._registry, conversation_id, what)
        conversation = await ours(self._registry, conversation_id, what)
        return await conversation.attached(begin=begin, enforced=enforced)
