"""A prompt on its way: sent, heard until its turn is over, interrupted when its time is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable

from core.conversation.backlog import Backlog
from core.conversation.feed import Detached, Feed, FeedEvent
from core.conversation.live import LiveConversation
from core.conversation.ports import Catalog
from core.conversation.prompting import Prepared, PromptRequest
from core.errors import Closed, CodexError, DeadlineElapsed
from core.thread.queries import Place


class PromptRun:
    """Runs prompts of one conversation. `abort` interrupts the turn that runs and waits for its end."""

    def __init__(
        self, live: LiveConversation, catalog: Catalog, feed: Feed, abort: Callable[[], Awaitable[None]]
    ) -> None:
        self._live = live
        self._catalog = catalog
        self._feed = feed
        self._abort = abort

    async def events(
        self, request: PromptRequest, prepared: Prepared, deadline: float | None
    ) -> AsyncGenerator[FeedEvent]:
        """Send it, and give the conversation's events until its turn is over.

        The time runs only while this waits, never while a reader has an event in hand.
        """
        events = Backlog()

        def hear(event: FeedEvent) -> None:
            if getattr(event, "conversation_id", None) == self._live.id:
                events.put(event)

        stop = self._feed.listen(hear)
        try:
            await self._send(request, prepared)
            while not self._over(request.key):
                event = await self._next(events, deadline)
                if isinstance(event, Detached):
                    raise Closed("The conversation was closed while this ran")
                yield event
        finally:
            stop()
        while events:
            yield events.take()
        problem = self._live.state.problem
        if problem:
            raise CodexError("Codex did not answer", why=problem, todo="Run it again, or say how to go on.")

    async def _send(self, request: PromptRequest, prepared: Prepared) -> None:
        await self._live.send(request.text, request.key, prepared.options, rendered=prepared.rendered)
        await self._catalog.select(self._live.id, prepared.selection.model_dump_json())

    async def _next(self, events: Backlog, deadline: float | None) -> FeedEvent:
        """The next event. Raises DeadlineElapsed, with the late turn interrupted."""
        try:
            async with asyncio.timeout_at(deadline):
                return await events.get()
        except TimeoutError as error:
            await self._abort()
            raise DeadlineElapsed(
                "The answer did not come in time", todo="Its turn was interrupted; go on from there."
            ) from error

    def _over(self, key: str) -> bool:
        return self._live.runtime.thread.state.place_of(key) is Place.OVER
