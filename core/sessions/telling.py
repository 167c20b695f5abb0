"""Tells the feed of the index, a few times a second at most."""

from __future__ import annotations

import asyncio

from core.conversation.feed import Feed, IndexProgress, SessionsChanged
from core.sessions.model import Progress

EVERY_SECONDS = 0.2


class Telling:
    """What changes within `EVERY_SECONDS` is told once, at its end at the latest."""

    def __init__(self, feed: Feed) -> None:
        self.progress = Progress()
        self._feed = feed
        self._changed = False
        self._told = Progress()
        self._timer: asyncio.TimerHandle | None = None

    def changed(self) -> None:
        """Something in the list of sessions did."""
        self._changed = True
        self._soon()

    def progressed(self, progress: Progress) -> None:
        self.progress = progress
        if progress != self._told:
            self._soon()

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _soon(self) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(EVERY_SECONDS, self._tell)

    def _tell(self) -> None:
        self._timer = None
        if self._changed:
            self._changed = False
            self._feed.tell(SessionsChanged())
        if self.progress != self._told:
            self._told = self.progress
            self._feed.tell(IndexProgress(self.progress))
