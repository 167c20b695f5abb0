"""A listener that remembers, and can be waited on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from core.agent.events import AgentEvent, ItemCompleted, RequestRaised, TurnEnded
from core.agent.requests import Request

E = TypeVar("E")

SECONDS = 20.0


class Heard:
    """Everything that an agent told, in order. Each wait goes on from where the last one ended."""

    def __init__(self) -> None:
        self.events: list[AgentEvent] = []
        self._next = 0
        self._news = asyncio.Event()

    def __call__(self, event: AgentEvent) -> None:
        self.events.append(event)
        self._news.set()

    async def next(
        self, kind: type[E], matches: Callable[[E], bool] = lambda _: True, seconds: float = SECONDS
    ) -> E:
        """The next event of a kind. Fails the test with what came instead."""
        start = self._next
        try:
            async with asyncio.timeout(seconds):
                while True:
                    while self._next < len(self.events):
                        event = self.events[self._next]
                        self._next += 1
                        if isinstance(event, kind) and matches(event):
                            return event
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            came = "\n".join(str(event)[:300] for event in self.events[start:])
            raise AssertionError(f"no {kind.__name__} within {seconds} s; this came:\n{came}") from None

    async def request(self) -> Request:
        return (await self.next(RequestRaised)).request

    async def turn_end(self, turn_id: str) -> TurnEnded:
        return await self.next(TurnEnded, lambda event: event.turn_id == turn_id)

    def of(self, kind: type[E]) -> list[E]:
        """All so far of a kind."""
        return [event for event in self.events if isinstance(event, kind)]

    def items(self, kind: type[E]) -> list[E]:
        """All completed items of a kind."""
        return [event.item for event in self.of(ItemCompleted) if isinstance(event.item, kind)]
