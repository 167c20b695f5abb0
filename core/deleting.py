"""Deleting a session a while after it was asked for, so that it can be taken back.

What waits is only in memory: until its time has come nothing was done, here or at Codex, and a console that
quits or is killed before deletes nothing.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from core.conversation.feed import Feed, SessionsChanged, Told
from core.errors import QuarterdeckError

log = logging.getLogger(__name__)

UNDO_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Going:
    """A session that is about to be deleted; `at` is a `time.monotonic` time."""

    key: str
    title: str
    at: float

    @property
    def seconds(self) -> int:
        """Whole seconds that are left, never below 0."""
        return max(0, round(self.at - time.monotonic()))


class Deletions:
    """One for an engine. `delete` deletes a session by its key and raises QuarterdeckError."""

    def __init__(self, delete: Callable[[str], Awaitable[None]], feed: Feed) -> None:
        self._delete = delete
        self._feed = feed
        self._going: dict[str, Going] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    @property
    def going(self) -> tuple[Going, ...]:
        """What is about to be deleted, the oldest first."""
        return tuple(self._going.values())

    def later(self, key: str, title: str, seconds: float = UNDO_SECONDS) -> None:
        """Delete it in so many seconds. Twice changes nothing."""
        if key in self._going:
            return
        self._going[key] = Going(key, title, time.monotonic() + seconds)
        self._tasks[key] = asyncio.create_task(self._wait(key, title, seconds), name=f"delete {key}")
        self._feed.tell(SessionsChanged())

    def undo(self, key: str) -> bool:
        """Leave it as it is. False where it is too late."""
        if self._going.pop(key, None) is None:
            return False
        self._tasks.pop(key).cancel()
        self._feed.tell(SessionsChanged())
        return True

    async def close(self) -> str:
        """Delete nothing more. What was still to be deleted is said in what is returned."""
        left = [going.title for going in self._going.values()]
        waiting = [self._tasks[key] for key in self._going]
        self._going.clear()
        for task in waiting:
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        if not left:
            return ""
        return f"Not deleted, as you quit before its time: {', '.join(left)}."

    async def _wait(self, key: str, title: str, seconds: float) -> None:
        await asyncio.sleep(seconds)
        # From here on it is being done: it can be taken back no more, and a quit waits for it.
        del self._going[key]
        try:
            await self._delete(key)
            self._feed.tell(Told("info", f"Deleted: {title}"))
        except QuarterdeckError as error:
            log.info("not deleted: %s", error)
            self._feed.tell(Told("error", f"Not deleted: {title}. {error}"))
        finally:
            self._tasks.pop(key, None)
            self._feed.tell(SessionsChanged())
