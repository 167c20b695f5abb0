"""A conversation's hold on its Codex thread: started when first needed, resumed after each reconnect."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass

from core.agent.port import Agent, Orphan, ThreadSpec, run_settings
from core.agent.requests import RequestKey
from core.conversation.feed import Feed, Told
from core.conversation.notifications import NotificationCenter
from core.conversation.ports import Catalog
from core.conversation.reconcile import GONE, HOST_ENDED, reconcile
from core.conversation.resuming import resume
from core.conversation.reverting import notice_revert, settle_revert
from core.conversation.runtime import ConversationRuntime
from core.conversation.switching import Switching
from core.errors import CallRefused, NoRollout, QuarterdeckError, WrittenElsewhere

log = logging.getLogger(__name__)

REPLAY_SECONDS = 3.0
"""A request that the host still waits for comes after the reply to the resume, now and then long after it."""

READ_ALONG_SECONDS = 2.0
"""How often a thread that another process writes is looked at."""

RETRY_SECONDS = 1.0
LONGEST_RETRY_SECONDS = 30.0
"""When it is tried again to attach: twice as long after each time that it failed."""

SOMEBODY = "another program"


@dataclass(frozen=True, slots=True)
class Binding:
    """The Codex thread of a conversation; `materialised` once Codex has a rollout of it."""

    thread_id: str | None
    materialised: bool


class Attachment:
    """Owns the task that attaches in the background, and what is due later. `attached` is called after it did."""

    def __init__(
        self,
        binding: Binding,
        spec: ThreadSpec,
        switching: Switching,
        runtime: ConversationRuntime,
        agent: Agent,
        center: NotificationCenter,
        catalog: Catalog,
        feed: Feed,
        attached: Callable[[], None],
        elsewhere: Callable[[str], None],
    ) -> None:
        """`elsewhere` is told which other process writes the thread, "" once none does."""
        self.binding = binding
        self.orphans: tuple[Orphan, ...] = ()
        self._spec = spec
        self._switching = switching
        self._runtime = runtime
        self._agent = agent
        self._center = center
        self._catalog = catalog
        self._feed = feed
        self._told = attached
        self._elsewhere = elsewhere
        self._looking: asyncio.TimerHandle | None = None
        self._generation: str | None = None
        self._attached: str | None = None
        self._met: str | None = None
        """The host that it was attached to last: what ends with that one, this console has seen end."""
        self._away = False
        """Another process writes the thread: it is looked at again by itself."""
        self._failed = 0
        self._raised: set[RequestKey] = set()
        self._sweeping: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    def host_ready(self, generation: str) -> None:
        """Connected: attach where Codex may have something of ours. Never waits."""
        self._generation = generation
        if self.binding.thread_id is not None:
            self.attach_soon()

    def host_lost(self) -> None:
        self._generation = None
        self._attached = None
        self._away = False
        self._failed = 0
        _cancel(self._looking)

    def note_raised(self, key: RequestKey) -> None:
        """A request of this thread was raised, or raised again."""
        self._raised.add(key)

    def attach_soon(self) -> None:
        """Look again at what Codex has. Never waits; after `close` it does nothing."""
        self._attached = None
        if self._closed:
            return
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(
                self._attach_in_background(), name=f"attach-{self._runtime.conversation_id}"
            )

    async def ready(self) -> str | None:
        """The thread to talk to, attached; None while the host is away, or another process writes the thread.

        Raises CodexError, StoreError.
        """
        if self._generation is None:
            return None
        try:
            await self._attach(needed=True)
        except QuarterdeckError:
            self._look_later(self._pause())
            raise
        return self.binding.thread_id if self._attached is not None else None

    async def materialise(self) -> None:
        """Codex has a rollout now. Raises StoreError."""
        if not self.binding.materialised:
            self.binding = Binding(self.binding.thread_id, materialised=True)
            await self._catalog.materialise(self._runtime.conversation_id)

    async def close(self) -> None:
        self._closed = True
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        _cancel(self._sweeping)
        _cancel(self._looking)

    async def end_orphans(self) -> None:
        """End the commands that outlived their host. Raises Unsupported, StoreError."""
        orphans, self.orphans = self.orphans, ()
        for orphan in orphans:
            gone = await self._agent.end_orphan(orphan)
            text = f"Ended process {orphan.pid}." if gone else f"Process {orphan.pid} does not end."
            async with self._runtime.turnstile:
                await self._runtime.put_notice("info", text, code="orphan")

    async def _look_for_orphans(self, thread_id: str) -> None:
        known = self.orphans
        self.orphans = await self._agent.orphans(thread_id)
        for orphan in self.orphans:
            if orphan not in known:
                text = f"A command outlived its host and still runs: {orphan.command} (process {orphan.pid})."
                await self._runtime.put_notice("warning", text, code="orphan", detail=orphan.item_id)

    async def _attach_in_background(self) -> None:
        try:
            await self._attach(needed=False)
        except QuarterdeckError as error:
            self._try_later(error)
            return
        self._told()

    def _try_later(self, error: QuarterdeckError) -> None:
        """Until it is attached nothing of the thread is heard, so it is tried again; the reason is told once."""
        log.warning("could not attach to the thread of %s: %s", self._runtime.conversation_id, error)
        if not self._failed:
            self._feed.tell(Told("error", str(error), self._runtime.conversation_id))
        self._look_later(self._pause())

    def _pause(self) -> float:
        """It failed once more: how long to wait, in seconds."""
        seconds = RETRY_SECONDS * 2**self._failed
        if seconds < LONGEST_RETRY_SECONDS:
            self._failed += 1
        return min(seconds, LONGEST_RETRY_SECONDS)

    async def _attach(self, needed: bool) -> None:
        async with self._runtime.handover:
            generation = self._generation
            if generation is None or self._attached == generation or self._away:
                return
            _cancel(self._looking)
            thread_id = self.binding.thread_id
            if thread_id is not None:
                try:
                    resumed = await self._resume(thread_id, generation)
                except WrittenElsewhere:
                    await self._read_along(thread_id)
                    return
                self._elsewhere("")
                if resumed:
                    self._attached = generation
                    self._failed = 0
                    return
            if self._runtime.thread.state.job is not None:
                async with self._runtime.turnstile:
                    await self._runtime.end_unseen()
            if thread_id is not None:
                self.binding = Binding(None, materialised=False)
                await self._catalog.unbind(self._runtime.conversation_id)
            if needed:
                await self._begin_thread()
                self._attached = self._met = generation
                self._failed = 0

    async def _read_along(self, thread_id: str) -> None:
        """Show what another process writes, as far as Codex has it; look again soon whether it still does."""
        self._elsewhere(await self._agent.writer_of(thread_id) or SOMEBODY)
        try:
            async with self._runtime.turnstile:
                await reconcile(self._runtime, self._agent, thread_id, active=True, elsewhere=True)
        except CallRefused as error:
            # In the first moments of a thread Codex refuses to list it (seen on 0.163).
            log.info("thread %s is not read along yet: %s", thread_id, error)
        self._away = True
        self._look_later(READ_ALONG_SECONDS)

    def _look_later(self, seconds: float) -> None:
        _cancel(self._looking)
        if not self._closed:
            self._looking = asyncio.get_running_loop().call_later(seconds, self._look_again)

    def _look_again(self) -> None:
        self._away = False
        if self._generation is not None:
            self.attach_soon()

    async def _begin_thread(self) -> None:
        info = await self._agent.start_thread(self._switching.spec(self._spec))
        self._switching.hear(run_settings(info))
        self.binding = Binding(info.id, materialised=False)
        await self._catalog.bind(self._runtime.conversation_id, info.id)

    async def _resume(self, thread_id: str, generation: str) -> bool:
        """Subscribe and bring the log up to date. False: Codex never had a rollout of the thread."""
        self._raised.clear()
        async with self._runtime.turnstile:
            try:
                info = await resume(self._runtime, self._agent, thread_id)
            except NoRollout:
                if self.binding.materialised:
                    raise
                return False
            self._switching.hear(run_settings(info))
            await settle_revert(self._runtime, self._agent, thread_id)
            await notice_revert(self._runtime, self._agent, thread_id)
            gone = GONE if self._met in (None, generation) else HOST_ENDED
            await reconcile(self._runtime, self._agent, thread_id, active=info.active, gone=gone)
            if not info.active:
                await self._look_for_orphans(thread_id)
        self._met = generation
        _cancel(self._sweeping)
        loop = asyncio.get_running_loop()
        self._sweeping = loop.call_later(REPLAY_SECONDS, self._sweep, thread_id, generation)
        return True

    def _sweep(self, thread_id: str, generation: str) -> None:
        """By now the host has raised again all that it still waits for."""
        if self._attached == generation:
            self._center.hear_replayed(thread_id, generation, self._raised)


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()
