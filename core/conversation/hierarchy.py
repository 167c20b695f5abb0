"""Admission: agent > workspace > conversation, each open, closing or closed (seed 002, `HierarchyRuntime`).

    open ── close ──> closing ── everything admitted has ended, or was aborted ──> closed
      └──<── what has to be done before it is closed fails ──<──┘

Work is admitted while every level above it is open. Closing a level stops admission below it, waits for
what was admitted until its deadline, aborts the rest, and is then closed for good.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from enum import StrEnum
from typing import Any, TypeVar

from core.errors import Closed

log = logging.getLogger(__name__)

ABORT_SECONDS = 5.0
"""How long aborted work has to end; a level closes without it after that."""

T = TypeVar("T")


class Phase(StrEnum):
    OPEN = "open"
    CLOSING = "closing"
    CLOSED = "closed"


class Level:
    """One level: the agent, a workspace or a conversation. `name` is for the person."""

    def __init__(self, name: str, parent: Level | None = None) -> None:
        self.name = name
        self.phase = Phase.OPEN
        self._parent = parent
        self._admitted: set[Admission] = set()
        self._quiet = asyncio.Event()
        self._quiet.set()
        self._settled = asyncio.Event()
        """Set once a level that was closing is closed, or open again."""

    def below(self, name: str) -> Level:
        """A level under this one. Raises Closed where this one takes nothing more."""
        self.ensure_open()
        return Level(name, self)

    def ensure_open(self) -> None:
        """Raises Closed unless this level and all above it are open."""
        for level in self._upwards():
            if level.phase is not Phase.OPEN:
                state = "is closing" if level.phase is Phase.CLOSING else "is closed"
                raise Closed(f"{level.name} {state}", todo="Open it again.")

    def stands(self) -> bool:
        """Whether this level and all above it are not closed yet."""
        return all(level.phase is not Phase.CLOSED for level in self._upwards())

    @asynccontextmanager
    async def admit(self) -> AsyncGenerator[Admission]:
        """Let a piece of work in, for as long as the block runs, in the task that runs it.

        Raises Closed where a level is closing or closed, and in place of the cancellation where closing
        aborted the work.
        """
        self.ensure_open()
        task = asyncio.current_task()
        assert task is not None
        admission = Admission(self, task)
        for level in self._upwards():
            level._enter(admission)
        try:
            yield admission
        except asyncio.CancelledError:
            if not admission.aborted:
                raise
            task.uncancel()
            raise Closed(f"{self.name} was closed while this ran", todo="Open it again.") from None
        finally:
            for level in self._upwards():
                level._leave(admission)

    async def close(self, deadline: float) -> None:
        """Close, whoever asks first; the rest wait for it. `deadline` is in the event loop's time.

        Work that is admitted in the task that closes is not waited for. A second close hastens nothing.
        """
        while self.phase is Phase.CLOSING:
            await self._settled.wait()
        if self.phase is Phase.CLOSED:
            return
        self._admit_no_more()
        try:
            await self._drain(deadline)
        finally:
            self._settle(Phase.CLOSED)

    @asynccontextmanager
    async def closing(self, deadline: float) -> AsyncGenerator[None]:
        """As `close`, with what has to be done before it is closed; where that fails it is open again.

        Raises Closed unless this level and all above it are open.
        """
        self.ensure_open()
        self._admit_no_more()
        try:
            await self._drain(deadline)
            yield
        except BaseException:
            self._settle(Phase.OPEN)
            raise
        self._settle(Phase.CLOSED)

    def _admit_no_more(self) -> None:
        self.phase = Phase.CLOSING
        self._settled.clear()
        own = asyncio.current_task()
        for admission in tuple(self._admitted):
            if admission.task is own:
                self._leave(admission)

    def _settle(self, phase: Phase) -> None:
        self.phase = phase
        self._settled.set()

    async def _drain(self, deadline: float) -> None:
        try:
            async with asyncio.timeout_at(deadline):
                await self._quiet.wait()
        except TimeoutError:
            await self._abort_rest()

    async def _abort_rest(self) -> None:
        for admission in tuple(self._admitted):
            admission.abort()
        try:
            async with asyncio.timeout(ABORT_SECONDS):
                await self._quiet.wait()
        except TimeoutError:
            log.warning("%s closes although work in it does not end", self.name)

    def _upwards(self) -> list[Level]:
        levels: list[Level] = []
        level: Level | None = self
        while level is not None:
            levels.append(level)
            level = level._parent
        return levels

    def _enter(self, admission: Admission) -> None:
        self._admitted.add(admission)
        self._quiet.clear()

    def _leave(self, admission: Admission) -> None:
        self._admitted.discard(admission)
        if not self._admitted:
            self._quiet.set()


class Admission:
    """A piece of work that was let in."""

    def __init__(self, level: Level, task: asyncio.Task[Any]) -> None:
        self.task = task
        self.aborted = False
        self._level = level

    def publish(self, result: T) -> T:
        """The result, if the claim still stands. Raises Closed where it was closed meanwhile."""
        if not self._level.stands():
            raise Closed(f"{self._level.name} was closed while this ran", todo="Open it again.")
        return result

    def abort(self) -> None:
        if not self.aborted:
            self.aborted = True
            self.task.cancel()
