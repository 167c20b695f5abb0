"""Work that is heard without waiting and done one at a time, in the order in which it was heard."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from contextlib import suppress

from core.conversation.feed import Feed, Told
from core.errors import QuarterdeckError

log = logging.getLogger(__name__)

CLOSE_SECONDS = 2.0

Work = Callable[[], Coroutine[None, None, None]]


class InOrder:
    """Owns the task that does it; what fails is told, and the rest goes on. `what`: a noun for the log."""

    def __init__(self, feed: Feed, what: str) -> None:
        self._feed = feed
        self._what = what
        self._work: asyncio.Queue[Work] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    def put(self, work: Work) -> None:
        """Never waits."""
        self._work.put_nowait(work)

    def start(self, name: str) -> None:
        """Begin; `name` is the task's."""
        self._task = asyncio.create_task(self._run(), name=name)

    async def close(self) -> None:
        """What was heard is still recorded; only what takes longer than that may is left undone."""
        if self._task is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(CLOSE_SECONDS):
                    await self._work.join()
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def drained(self) -> None:
        """Return when everything put so far is done."""
        await self._work.join()

    async def _run(self) -> None:
        while True:
            work = await self._work.get()
            try:
                await work()
            except QuarterdeckError as error:
                log.exception("%s could not be recorded", self._what)
                self._feed.tell(Told("error", str(error)))
            except Exception as error:
                # A fault of ours in one must not keep the others from the person.
                log.exception("%s could not be handled", self._what)
                self._feed.tell(Told("error", f"A fault of Quarterdeck's own: {error!r}"))
            finally:
                self._work.task_done()
