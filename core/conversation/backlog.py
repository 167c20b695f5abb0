"""What a reader of a conversation's events has still to read: no more of it than what was said, however slow she is.

Pieces of one text that follow each other are one event by the time they are read, and of what only says how
things stand (usage, plan, diff, outbox) the last word is enough. Everything else is told one by one, in its order.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from io import StringIO

from core.conversation.feed import (
    DiffChanged,
    FeedEvent,
    LiveDelta,
    OutboxChanged,
    PlanChanged,
    UsageChanged,
)

_STANDINGS = (DiffChanged, OutboxChanged, PlanChanged, UsageChanged)


@dataclass(frozen=True, slots=True)
class _Text:
    """Pieces of one text, the first of them whole."""

    first: LiveDelta
    text: StringIO


class Backlog:
    """For one reader. `put` never waits."""

    def __init__(self) -> None:
        self._waiting: dict[object, FeedEvent | _Text] = {}
        self._stretch = 0
        """Texts are joined within one: it ends with each event that has a place among them."""
        self._came = asyncio.Event()

    def __len__(self) -> int:
        """How many events there are to read."""
        return len(self._waiting)

    def put(self, event: FeedEvent) -> None:
        if isinstance(event, LiveDelta):
            self._join(event)
        elif isinstance(event, _STANDINGS):
            self._waiting.pop(type(event), None)
            self._waiting[type(event)] = event
        else:
            self._stretch += 1
            self._waiting[self._stretch] = event
        self._came.set()

    def _join(self, piece: LiveDelta) -> None:
        stream = (self._stretch, piece.item_id, piece.channel, piece.part)
        before = self._waiting.get(stream)
        if not isinstance(before, _Text):
            before = self._waiting[stream] = _Text(piece, StringIO())
        before.text.write(piece.text)

    async def get(self) -> FeedEvent:
        """The next event; waits for one."""
        while not self._waiting:
            self._came.clear()
            await self._came.wait()
        return self.take()

    def take(self) -> FeedEvent:
        """The next event; there has to be one."""
        said = self._waiting.pop(next(iter(self._waiting)))
        return replace(said.first, text=said.text.getvalue()) if isinstance(said, _Text) else said
