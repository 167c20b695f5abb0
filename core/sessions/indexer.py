"""Keeps the index true: one task, which does one small thing at a time, the most urgent first.

Our own conversations come before Codex's list, and that before the contents of threads, the newest first.
What was read stays read: a console that is killed goes on where it was.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

from core.errors import Closed, CodexError, QuarterdeckError, StoreError
from core.sessions.contents import Contents
from core.sessions.listing import Listing
from core.sessions.live import LiveStates
from core.sessions.model import IndexPhase, Progress
from core.sessions.ours import OwnConversations
from core.sessions.telling import Telling
from core.store.locks import FileLock
from core.store.sessions.index import SessionIndex

log = logging.getLogger(__name__)

LOCK_SECONDS = 3.0
"""How often a console looks whether the one that builds the index is gone."""

RETRY_SECONDS = 5.0
"""How long Codex is left alone after it failed."""

REFRESH_SECONDS = 0.5
"""The least time between two looks at Codex's list: a session that streams changes its file all the time."""

SHARE_WHILE_BUSY = 4
"""While a conversation is at work, a step is followed by so many times its own time of rest."""


class Indexer:
    """Made when the index is open; `start` it, `close` it."""

    def __init__(
        self,
        index: SessionIndex,
        ours: OwnConversations,
        listing: Listing,
        contents: Contents,
        live: LiveStates,
        telling: Telling,
        lock: FileLock,
    ) -> None:
        self._index = index
        self._ours = ours
        self._listing = listing
        self._contents = contents
        self._live = live
        self._telling = telling
        self._lock = lock
        self._wake = asyncio.Event()
        self._ours_changed = True
        self._connected = False
        self._not_before = 0.0
        self._list_not_before = 0.0
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        self._own(self._run(), "session index")

    def own(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Run something beside it, and end it with it."""
        self._own(work, name)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._lock.release()

    def note_ours(self) -> None:
        """Something of our own conversations may have changed."""
        self._ours_changed = True
        self._wake.set()

    def note_list(self, *, whole: bool, touched: Sequence[Path] = ()) -> None:
        """Codex's list changed; `whole`: not only at its top. `touched`: files that were written."""
        self._listing.want(whole=whole, touched=touched)
        self._wake.set()

    def note_connected(self, connected: bool) -> None:
        """Codex can be asked, or it cannot."""
        self._connected = connected
        self._not_before = 0.0
        if connected:
            self._listing.want(whole=True)
        self._wake.set()

    def _own(self, work: Coroutine[Any, Any, None], name: str) -> None:
        self._tasks.append(asyncio.create_task(work, name=name))

    async def _run(self) -> None:
        try:
            await self._become_the_one()
            await self._ours.take_over_marks()
            while True:
                try:
                    await self._keep()
                except StoreError as error:
                    # A full disk, or a lock that another program holds: it may be over in a while.
                    log.exception("the index of sessions is behind")
                    self._tell(f"The list of sessions is behind, and tried again. {error}")
                    self._ours_changed = True
                    await asyncio.sleep(RETRY_SECONDS)
        except Closed:
            log.info("the index was closed under its task")
        except Exception as error:
            log.exception("a fault in the index of sessions")
            why = (
                str(error)
                if isinstance(error, QuarterdeckError)
                else f"A fault of Quarterdeck's own: {error!r}"
            )
            self._tell(f"The list of sessions is no longer brought up to date. {why}")

    async def _keep(self) -> None:
        """Do what there is to do, and wait for more."""
        while True:
            self._wake.clear()
            began = time.perf_counter()
            if await self._step():
                await self._rest(time.perf_counter() - began)
            else:
                await self._report()
                await self._wait()

    def _tell(self, note: str) -> None:
        self._telling.progressed(Progress(IndexPhase.WAITING, note=note))

    async def _become_the_one(self) -> None:
        while not self._lock.try_exclusive():
            note = "Another console builds the index."
            self._telling.progressed(Progress(IndexPhase.WAITING, note=note))
            await asyncio.sleep(LOCK_SECONDS)

    async def _step(self) -> bool:
        """Do the most urgent thing; False where there is none now."""
        if self._ours_changed:
            self._ours_changed = False
            if await self._ours.catch_up():
                self._telling.changed()
            return True
        if self._listing.wanted and self._can_ask() and time.monotonic() >= self._list_not_before:
            await self._report()
            return await self._guarded(self._list)
        unread = await self._index.next_unread()
        if unread is not None and (self._can_ask() or not unread.listed):
            await self._report()
            return await self._guarded(lambda: self._contents.read_on(unread))
        return False

    async def _list(self) -> None:
        if await self._listing.step():
            self._telling.changed()
        self._list_not_before = 0.0 if self._listing.wanted else time.monotonic() + REFRESH_SECONDS

    async def _guarded(self, work: Callable[[], Coroutine[Any, Any, None]]) -> bool:
        """One step at Codex; if that fails it is left alone for a while."""
        try:
            await work()
        except CodexError as error:
            log.info("Codex is left alone: %s", error)
            self._not_before = time.monotonic() + RETRY_SECONDS
            return False
        return True

    def _can_ask(self) -> bool:
        return self._connected and time.monotonic() >= self._not_before

    async def _rest(self, seconds: float) -> None:
        """Let everything else run; while a conversation is at work, for longer."""
        await asyncio.sleep(seconds * SHARE_WHILE_BUSY if self._live.busy else 0)

    async def _wait(self) -> None:
        """Until something changes, or what was put off is due."""
        due = max(self._not_before, self._list_not_before if self._listing.wanted else 0.0)
        left = due - time.monotonic()
        try:
            async with asyncio.timeout(left if self._connected and left > 0 else None):
                await self._wake.wait()
        except TimeoutError:
            return

    async def _report(self) -> None:
        counts = await self._index.counts()
        if self._listing.wanted and self._listing.whole:
            phase = IndexPhase.LISTING if self._connected else IndexPhase.WAITING
        elif counts.unread:
            phase = IndexPhase.READING if self._connected else IndexPhase.WAITING
        else:
            phase = IndexPhase.READY
        note = "" if self._connected or phase is IndexPhase.READY else "Waits for Codex."
        self._telling.progressed(Progress(phase, counts.sessions - counts.unread, counts.sessions, note))
