"""Threads that other clients of the same host run: conversations as they run, heard as soon as they wait.

A client that is subscribed to nothing is still told when a thread runs and when it waits for a person; what it
waits for comes only with a subscription (PROTOCOL, Transports). So a thread that runs becomes a conversation,
and one that waits is opened, and what it asks is raised here too. A person decides it: no run of ours is
authorized in it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from core.agent import events as said
from core.agent.port import Agent, ThreadInfo
from core.conversation.feed import ConversationsChanged, Feed
from core.conversation.hub import AgentHub
from core.conversation.live import LiveConversation
from core.errors import NotFound, QuarterdeckError
from core.registry import Registry

log = logging.getLogger(__name__)


class OthersThreads:
    """Owns one task that looks after them, in the order in which they are told of."""

    def __init__(self, agent: Agent, registry: Registry, hub: AgentHub, feed: Feed) -> None:
        self._agent = agent
        self._registry = registry
        self._hub = hub
        self._feed = feed
        self._ours_to_leave: set[str] = set()
        """Threads of Codex's own, such as the one that finds a title: no sessions of anybody's."""
        self._known: set[str] = set()
        self._work: asyncio.Queue[said.ThreadStatusChanged | said.HostReady | said.ThreadRenamed] = (
            asyncio.Queue()
        )
        self._task: asyncio.Task[None] | None = None
        self._stop: Callable[[], None] | None = None

    def start(self) -> None:
        """Begin to hear."""
        self._stop = self._agent.listen(self._hear)
        self._task = asyncio.create_task(self._run(), name="others-threads")

    async def close(self) -> None:
        if self._stop is not None:
            self._stop()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def _hear(self, event: said.AgentEvent) -> None:
        match event:
            case said.HostReady() | said.ThreadRenamed():
                self._work.put_nowait(event)
            case said.ThreadStatusChanged() if event.active and not self._hub.hears(event.thread_id):
                if event.waiting or event.thread_id not in self._known:
                    self._work.put_nowait(event)
            case _:
                pass

    async def _run(self) -> None:
        while True:
            event = await self._work.get()
            try:
                match event:
                    case said.HostReady():
                        await self._look_at_all()
                    case said.ThreadRenamed():
                        await self._registry.renamed(event.thread_id, event.name)
                    case said.ThreadStatusChanged():
                        await self._look_at(event.thread_id, waits=bool(event.waiting))
            except QuarterdeckError as error:
                # Whoever runs it is asked too: it is not lost, only not shown here.
                log.warning("a thread of another program is not looked after: %s", error)

    async def _look_at_all(self) -> None:
        """What waits already when we come, as nobody is told of it again."""
        for thread in (await self._agent.threads()).entries:
            if thread.waits and not self._hub.hears(thread.id):
                await self._open(thread)

    async def _look_at(self, thread_id: str, *, waits: bool) -> None:
        if thread_id in self._ours_to_leave or self._hub.hears(thread_id):
            return
        thread = await self._agent.operations.read(thread_id)
        if thread.ephemeral:
            self._ours_to_leave.add(thread_id)
        elif waits:
            await self._open(thread)
        elif thread.parent_id is None and not thread.sub_agent:
            await self._registry.adoption.adopt(thread)
            self._feed.tell(ConversationsChanged())
        self._known.add(thread_id)

    async def _open(self, thread: ThreadInfo) -> None:
        """Subscribe, so that what it waits for is raised. A sub-agent's belongs to what began it."""
        if thread.parent_id is not None:
            await self._open_sub_agent(thread, thread.parent_id)
            return
        conversation = await self._registry.open(await self._registry.adoption.adopt(thread))
        await self._registry.entitle(conversation, thread)
        self._feed.tell(ConversationsChanged())

    async def _open_sub_agent(self, thread: ThreadInfo, parent_id: str) -> None:
        parent = await self._agent.operations.read(parent_id)
        while parent.parent_id is not None:
            parent = await self._agent.operations.read(parent.parent_id)
        try:
            owner = await self._registry.open(await self._registry.adoption.adopt(parent))
        except NotFound as error:
            log.info("the sub-agent %s has lost its conversation: %s", thread.id, error)
            return
        if isinstance(owner, LiveConversation):
            self._hub.note_sub_agent(thread.id, owner)
            await self._agent.resume_thread(thread.id)
