"""Work that nobody waits for: owned, and its failures are told."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from core.conversation.feed import Feed, Told
from core.errors import QuarterdeckError

log = logging.getLogger(__name__)


class Background:
    """Owns its tasks; `close` ends them."""

    def __init__(self, feed: Feed) -> None:
        self._feed = feed
        self._tasks: set[asyncio.Task[None]] = set()

    def run(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Begin it. What may fail is `guarded`; a fault of ours is told all the same."""
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("%s ended", task.get_name(), exc_info=error)
            self._feed.tell(Told("error", f"A fault of Quarterdeck's own, in {task.get_name()}: {error!r}"))

    async def guarded(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do work whose failure the person is told and the engine survives."""
        try:
            await work()
        except QuarterdeckError as error:
            log.exception("background work failed")
            self._feed.tell(Told("error", str(error)))

    async def close(self) -> None:
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
