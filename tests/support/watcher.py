"""Waiting for what an engine tells, without sleeping."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from core.agent.requests import Decide
from core.conversation.feed import (
    BoxesAdded,
    FeedEvent,
    LiveDelta,
    Notification,
    NotificationChanged,
    StateChanged,
)
from core.conversation.info import Conversation, ConversationInfo
from core.engine import Engine
from core.thread.boxes import ChatBox
from core.thread.state import Status

T = TypeVar("T")
PATIENCE = 20.0


class Watcher:
    """Hears everything an engine tells; `until` returns as soon as something holds."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.events: list[FeedEvent] = []
        self._news = asyncio.Event()
        engine.feed.listen(self._hear)

    def _hear(self, event: FeedEvent) -> None:
        self.events.append(event)
        self._news.set()

    async def until(self, found: Callable[[], T | None], seconds: float = PATIENCE) -> T:
        """The first result that is not None or False, looked for again at each event."""
        async with asyncio.timeout(seconds):
            while True:
                result = found()
                if result is not None and result is not False:
                    return result
                self._news.clear()
                await self._news.wait()

    async def news(self) -> None:
        """Wait for the next event."""
        self._news.clear()
        async with asyncio.timeout(PATIENCE):
            await self._news.wait()

    async def listed(self, count: int) -> tuple[ConversationInfo, ...]:
        """The conversations, once there are this many."""
        while len(infos := await self.engine.conversations()) < count:
            await self.news()
        return infos

    def boxes(self, conversation: Conversation, box_type: str | None = None) -> list[ChatBox]:
        """The boxes told so far, of one type or of all."""
        return [
            box
            for event in self.events
            if isinstance(event, BoxesAdded) and event.conversation_id == conversation.id
            for box in event.boxes
            if box_type in (None, box.box_type)
        ]

    def streamed(self, conversation: Conversation) -> str:
        return "".join(
            event.text
            for event in self.events
            if isinstance(event, LiveDelta) and event.conversation_id == conversation.id
        )

    async def box(self, conversation: Conversation, box_type: str, holding: str = "") -> ChatBox:
        """The first box of a type that holds a text."""
        return await self.until(
            lambda: next((b for b in self.boxes(conversation, box_type) if holding in b.contents), None)
        )

    async def settled(self, conversation: Conversation) -> Status:
        """Wait until nothing runs or waits; idle or stalled."""

        def found() -> Status | None:
            told = [e for e in self.events if isinstance(e, StateChanged)]
            mine = [e.state.status for e in told if e.conversation_id == conversation.id]
            now = conversation.state.status
            return now if mine and now is not Status.RUNNING else None

        return await self.until(found)

    async def asked(self, kind: str, conversation: Conversation | None = None) -> Notification:
        """The newest pending notification of a kind."""

        def found() -> Notification | None:
            pending = self.engine.pending()
            mine = (n for n in pending if conversation is None or n.conversation_id == conversation.id)
            return next((n for n in mine if n.request.kind == kind), None)

        return await self.until(found)

    async def outcome(self, notification: Notification) -> Notification:
        """The notification once it is settled."""

        def found() -> Notification | None:
            told = [e.notification for e in self.events if isinstance(e, NotificationChanged)]
            ended = (n for n in told[::-1] if n.id == notification.id and n.state.value in _ENDS)
            return next(ended, None)

        return await self.until(found)

    async def choose(self, notification: Notification, verb: str) -> None:
        """Decide as a person by one of the choices that are offered."""
        choices = getattr(notification.request, "choices", ())
        choice = next(choice for choice in choices if choice.verb == verb)
        await self.engine.decide(notification.id, Decide(choice=choice), notification.shown_hash)


_ENDS = ("delivered", "withdrawn", "died")
