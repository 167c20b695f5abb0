"""Stopping the turn that runs, and waiting for its end."""

from __future__ import annotations

import asyncio
import logging

from core.agent.port import Agent
from core.conversation.attachment import Attachment
from core.conversation.feed import Feed, FeedEvent, StateChanged
from core.conversation.guard import Guard
from core.conversation.runtime import ConversationRuntime
from core.errors import CallRefused
from core.thread.state import Status

log = logging.getLogger(__name__)

TURN_START_SECONDS = 5.0


class Interrupter:
    def __init__(
        self,
        runtime: ConversationRuntime,
        attachment: Attachment,
        agent: Agent,
        feed: Feed,
        guard: Guard,
    ) -> None:
        self._guard = guard
        self._runtime = runtime
        self._attachment = attachment
        self._agent = agent
        self._feed = feed

    async def interrupt(self) -> None:
        """Stop the turn that runs, or begins; nothing to do where none does. Raises Conflict, CodexError."""
        self._guard.require_writer()
        turn_id = await self._turn()
        thread_id = self._attachment.binding.thread_id
        if turn_id is None or thread_id is None:
            return
        self._runtime.turns.stopped.add(turn_id)
        try:
            await self._agent.interrupt(thread_id, self._runtime.turns.reviewer or turn_id)
        except CallRefused:
            await self._interrupt_when_it_runs(thread_id, turn_id)

    async def _turn(self) -> str | None:
        """The turn of the active job, or of the one that is about to begin: Codex may not have named it yet."""
        state = self._runtime.thread.state
        asked = state.job.number if state.job is not None else None
        try:
            async with asyncio.timeout(TURN_START_SECONDS):
                while state.status is Status.RUNNING:
                    if state.job is not None and state.job.turn_id is not None:
                        return state.job.turn_id if asked in (None, state.job.number) else None
                    await self._state_changes()
        except TimeoutError:
            log.info("nothing was interrupted: no turn began in time")
        return None

    async def _interrupt_when_it_runs(self, thread_id: str, turn_id: str) -> None:
        """Codex gives a turn's id before it can be interrupted (seen on 0.163: "no active turn")."""
        try:
            async with asyncio.timeout(TURN_START_SECONDS):
                await self._runtime.until_heard(turn_id)
            await self._agent.interrupt(thread_id, turn_id)
        except (CallRefused, TimeoutError) as error:
            log.info("nothing was interrupted: %s", error)

    async def abort(self) -> None:
        """Interrupt the turn that runs, and return when its job is over. The caller bounds the time."""
        job = self._runtime.thread.state.job
        interrupted: str | None = None
        while job is not None:
            active = self._runtime.thread.state.job
            if active is None or active.number != job.number:
                return
            if active.turn_id is not None and active.turn_id != interrupted:
                interrupted = active.turn_id
                await self.interrupt()
                continue
            await self._state_changes()

    async def _state_changes(self) -> None:
        """Return at the next change of the thread's state."""
        changed = asyncio.Event()

        def hear(event: FeedEvent) -> None:
            if isinstance(event, StateChanged) and event.conversation_id == self._runtime.conversation_id:
                changed.set()

        stop = self._feed.listen(hear)
        try:
            await changed.wait()
        finally:
            stop()
