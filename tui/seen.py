"""Keeps on disk how far each conversation was seen, a moment later: what is lost of it shows as new once more."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping

from core.errors import QuarterdeckError

log = logging.getLogger(__name__)

DELAY = 1.0
"""Seconds from the first thing seen that is not kept to its keeping."""


class SeenKeeper:
    """Owns one task while something is not kept yet; `close` keeps the rest and ends it."""

    def __init__(self, mark: Callable[[Mapping[str, int]], Awaitable[None]], *, delay: float = DELAY) -> None:
        self._mark = mark
        self._delay = delay
        self._unkept: dict[str, int] = {}
        self._task: asyncio.Task[None] | None = None

    def saw(self, conversation_id: str, box_id: int) -> None:
        """It was seen up to this box. Never waits."""
        self._unkept[conversation_id] = max(box_id, self._unkept.get(conversation_id, 0))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._keep_soon(), name="seen")

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._keep()

    async def _keep_soon(self) -> None:
        while self._unkept:
            await asyncio.sleep(self._delay)
            await self._keep()

    async def _keep(self) -> None:
        boxes, self._unkept = self._unkept, {}
        if not boxes:
            return
        try:
            await self._mark(boxes)
        except QuarterdeckError as error:
            log.warning("what was seen is not kept: %s", error)
