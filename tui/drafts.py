"""Keeps on disk what stands in composers, at most half a second old."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from core.errors import QuarterdeckError

DELAY = 0.5
"""Seconds from the first change that is not saved to its save."""


class DraftKeeper:
    """Owns one task while something is unsaved. `failed` is told each error; the next change tries again."""

    def __init__(
        self,
        save: Callable[[str, str], Awaitable[None]],
        failed: Callable[[QuarterdeckError], None],
        *,
        delay: float = DELAY,
    ) -> None:
        self._save = save
        self._failed = failed
        self._delay = delay
        self._unsaved: dict[str, Callable[[], str]] = {}
        self._saving = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    def note(self, key: str, draft: Callable[[], str]) -> None:
        """The draft is another; it is asked for when it is saved."""
        self._unsaved[key] = draft
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._save_soon(), name="drafts")

    @asynccontextmanager
    async def held(self) -> AsyncIterator[None]:
        """While this lasts nothing is saved here: a message and the draft that it leaves are being written."""
        async with self._saving:
            yield

    async def flush(self) -> None:
        """Save what is unsaved, now."""
        async with self._saving:
            for key, draft in tuple(self._unsaved.items()):
                try:
                    await self._save(key, draft())
                except QuarterdeckError as error:
                    self._failed(error)
                # Only now: a save that is cut off is done again. What changed meanwhile is still to be saved.
                if self._unsaved.get(key) is draft:
                    del self._unsaved[key]

    async def close(self) -> None:
        """Save, and end the task."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        while self._unsaved:
            await self.flush()

    async def _save_soon(self) -> None:
        while self._unsaved:
            await asyncio.sleep(self._delay)
            await self.flush()
