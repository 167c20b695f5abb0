"""Searching as one types: what was asked before never holds up, or replaces, what was asked last. No widgets."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from core.errors import QuarterdeckError
from core.sessions.model import SessionMatch, SessionQuery, SessionsPage

PAGE = 100
REST = 0.06
"""Seconds without another key before a search begins; the first one after a pause begins at once."""


class Searched(Protocol):
    """What is needed of `engine.sessions`."""

    async def search(
        self, query: SessionQuery, cursor: str | None = None, limit: int = 50
    ) -> SessionsPage: ...


class Finder:
    """Belongs to one screen. `changed` is called when there is something else to show; `close` it."""

    def __init__(self, sessions: Searched, changed: Callable[[], None]) -> None:
        self.query = SessionQuery()
        """What was asked last."""
        self.shown = SessionQuery()
        """What the matches are of."""
        self.matches: tuple[SessionMatch, ...] = ()
        self.total = 0
        self.error: QuarterdeckError | None = None
        self.found = False
        """Whether a search has ever ended."""
        self._sessions = sessions
        self._changed = changed
        self._cursor: str | None = None
        self._task: asyncio.Task[None] | None = None
        self._more: asyncio.Task[None] | None = None
        self._stale = False
        """Something changed while a search was under way, which may have looked before."""

    @property
    def searching(self) -> bool:
        return self._task is not None and not self._task.done()

    @property
    def complete(self) -> bool:
        return self._cursor is None

    def search(self, query: SessionQuery) -> None:
        """Look for this from now on. Never waits."""
        again = self.searching
        self.query = query
        self._begin(REST if again else 0.0, PAGE)

    def refresh(self, rest: float = 0.0) -> None:
        """Something may have changed: look again for the same, as far as was seen. Never waits.

        What is being searched for now may have been looked for before: it is looked for once more then.
        """
        if self.searching:
            self._stale = True
        else:
            self._begin(rest, max(PAGE, len(self.matches)))

    def more(self) -> None:
        """Read the next page, unless it is being read. Never waits."""
        if self._cursor is None or self.searching or (self._more is not None and not self._more.done()):
            return
        self._more = asyncio.create_task(self._read_more(self._cursor), name="more sessions")

    async def close(self) -> None:
        """End what is under way."""
        tasks = [task for task in (self._task, self._more) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _begin(self, rest: float, limit: int) -> None:
        for task in (self._task, self._more):
            if task is not None:
                task.cancel()
        self._stale = False
        self._task = asyncio.create_task(self._search(self.query, rest, limit), name="search sessions")

    async def _search(self, query: SessionQuery, rest: float, limit: int) -> None:
        await asyncio.sleep(rest)
        try:
            page = await self._sessions.search(query, None, limit)
        except QuarterdeckError as error:
            self.error = error
        else:
            self.error = None
            self.shown = query
            self.matches, self.total, self._cursor = page.matches, page.total, page.cursor
            self.found = True
        self._task = None
        self._changed()
        if self._stale:
            self.refresh(REST)

    async def _read_more(self, cursor: str) -> None:
        try:
            page = await self._sessions.search(self.shown, cursor, PAGE)
        except QuarterdeckError as error:
            self.error = error
        else:
            known = {match.entry.key for match in self.matches}
            self.matches += tuple(match for match in page.matches if match.entry.key not in known)
            self.total, self._cursor = page.total, page.cursor
        self._changed()
