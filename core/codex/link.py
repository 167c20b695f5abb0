"""Keeps one connection to a host alive: connects, introduces us, and when it breaks does it again.

The owner hears of it in this order: `ready`, the messages, `lost`, and again.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from typing import Protocol

from core.codex.binary import parse_version, refuse_too_old
from core.codex.host import Host
from core.codex.rpc import Connection, Incoming
from core.codex.standing import Standing, introduce
from core.errors import CodexError, ConnectionLost

FIRST_PAUSE = 0.1
LONGEST_PAUSE = 15.0
STABLE_SECONDS = 10.0
"""A connection that held so long was a good one: the next pause is a short one again."""

log = logging.getLogger(__name__)


class Owner(Protocol):
    """Whom a link belongs to. Called on the event loop; must not raise."""

    def ready(self, standing: Standing) -> None: ...

    def receive(self, message: Incoming) -> None: ...

    async def lost(self, standing: Standing, reason: ConnectionLost) -> None: ...

    def trouble(self, text: str) -> None:
        """Connecting again does not work so far; told once for each reason."""
        ...


class Link:
    """`open` it once, `close` it once."""

    def __init__(self, host: Host, owner: Owner) -> None:
        self._host = host
        self._owner = owner
        self._standing: Standing | None = None
        self._held: list[Incoming] | None = None
        self._task: asyncio.Task[None] | None = None
        self._reader: asyncio.Task[ConnectionLost] | None = None

    @property
    def standing(self) -> Standing:
        """The connection that stands. Raises ConnectionLost while there is none."""
        if self._standing is None:
            raise ConnectionLost(
                "Codex is not connected", why="its host is gone", todo="Wait until it is there again."
            )
        return self._standing

    async def open(self) -> None:
        """Connect. Raises HostUnavailable, CodexNotFound, CodexTooOld; from then on it looks after itself."""
        await self._establish()
        self._task = asyncio.get_running_loop().create_task(self._supervise())
        self._task.add_done_callback(_log_failure)

    async def close(self) -> None:
        """Let go of the host, without a word to the owner. Twice does no harm."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._standing is not None:
            connection, self._standing = self._standing.connection, None
            await self._drop(connection)

    async def _supervise(self) -> None:
        pauses = _Pauses()
        while True:
            standing, since = self.standing, time.monotonic()
            assert self._reader is not None
            reason = await asyncio.shield(self._reader)
            self._standing = None
            await self._owner.lost(standing, reason)
            await self._drop(standing.connection)
            if time.monotonic() - since >= STABLE_SECONDS:
                pauses = _Pauses()
            await self._reestablish(pauses)

    async def _reestablish(self, pauses: _Pauses) -> None:
        told = ""
        while True:
            await asyncio.sleep(pauses.next())
            try:
                await self._establish()
                return
            except CodexError as error:
                if str(error) != told:
                    told = str(error)
                    self._owner.trouble(told)

    async def _establish(self) -> None:
        attached = await self._host.connect()
        self._held = []
        connection = Connection(attached.transport, self._receive)
        self._reader = asyncio.get_running_loop().create_task(connection.run())
        try:
            standing = await introduce(self._host, connection, attached)
            refuse_too_old(
                parse_version(standing.version),
                "it is the host that runs",
                "Update Codex, then end the old host with `quarterdeck host stop`.",
            )
        except BaseException:
            await self._drop(connection)
            raise
        self._standing = standing
        self._owner.ready(standing)
        held, self._held = self._held, None
        for message in held:
            self._owner.receive(message)

    def _receive(self, message: Incoming) -> None:
        """What comes before we know which host it is from waits until then."""
        if self._held is not None:
            self._held.append(message)
        else:
            self._owner.receive(message)

    async def _drop(self, connection: Connection) -> None:
        await connection.close()
        if self._reader is not None:
            self._reader.cancel()
            await asyncio.gather(self._reader, return_exceptions=True)
            self._reader = None
        self._host.collect()


def _log_failure(task: asyncio.Task[None]) -> None:
    """Nobody awaits it while all is well."""
    if not task.cancelled() and task.exception() is not None:
        log.error("The connection to Codex is no longer looked after", exc_info=task.exception())


class _Pauses:
    """Longer and longer, and never in step with another console's."""

    def __init__(self) -> None:
        self._next = FIRST_PAUSE

    def next(self) -> float:
        pause, self._next = self._next, min(self._next * 2, LONGEST_PAUSE)
        return pause * random.uniform(0.5, 1.0)
