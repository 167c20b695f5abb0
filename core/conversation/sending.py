"""Decisions on their way back to who asked: marked as sent, then sent, and what was said with them first."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from core.agent.port import Agent
from core.agent.requests import RequestKey, ToolResult
from core.conversation.asked import message_key, notification_of
from core.conversation.asking import OwnQuestions
from core.conversation.feed import Feed, Notification, Told
from core.conversation.ports import NotificationQueue
from core.conversation.traces import trace_of
from core.conversation.unsettled import Unsettled
from core.errors import CodexError, QuarterdeckError
from core.rows import NotificationState

log = logging.getLogger(__name__)

TOO_LATE = "too late: the request was gone"

Speak = Callable[[str, str, str], Awaitable[None]]
"""Say something to Codex in a conversation: its id, the message's key and the text.

On disk when it returns; the same key again changes nothing. Raises QuarterdeckError.
"""

Keep = Callable[[str, str], None]
"""Keep in a conversation, by its id, what was decided. Never waits."""

ANSWERED = (NotificationState.DECIDED, NotificationState.SENT, NotificationState.DELIVERED)
"""A request that is raised in one of these did not get its answer, whatever we believed."""


class DecisionSender:
    """Sends one at a time. Set `speak` before a decision with a message can be sent."""

    def __init__(
        self,
        queue: NotificationQueue,
        unsettled: Unsettled,
        questions: OwnQuestions,
        agent: Agent,
        feed: Feed,
    ) -> None:
        self._queue = queue
        self._unsettled = unsettled
        self._questions = questions
        self._agent = agent
        self._feed = feed
        self.speak: Speak | None = None
        self.keep: Keep = lambda conversation_id, trace: None
        self._kept: set[int] = set()
        self.raised: set[RequestKey] = set()
        """What the host raised on the connection that stands now: only that can be answered on it."""
        self._sending = asyncio.Lock()
        """Held from looking how far a decision is to having sent it."""

    async def say(self, notification: Notification) -> None:
        """Have what a person said with a decision wait for Codex, under a key of its own: it is said once."""
        answer, conversation_id = notification.answer, notification.conversation_id
        message = "" if answer is None or isinstance(answer, ToolResult) else answer.message
        if not message or conversation_id is None or self.speak is None:
            return
        try:
            await self.speak(conversation_id, message_key(notification.request.key), message)
        except QuarterdeckError as error:
            log.warning("what was said with decision %d is not sent: %s", notification.id, error)
            self._feed.tell(Told("error", f"Codex was not told “{message}”. {error}", conversation_id))

    async def send(self, notification: Notification) -> None:
        """What is said with it is on disk first. It is marked as sent before it is: never sent twice to a host
        that took it.

        A decision on something that was not raised again yet waits for that.
        """
        async with self._sending:
            await self._send_now(notification_of(await self._queue.get(notification.id)))

    async def _send_now(self, notification: Notification) -> None:
        key = notification.request.key
        ours = self._questions.waits(key)
        if notification.state not in ANSWERED or notification.answer is None:
            return
        if not (ours or key in self.raised):
            return
        if notification.state is NotificationState.DECIDED:
            await self.say(notification)
            if not await self._unsettled.move(notification.id, NotificationState.SENT):
                return
        if ours:
            self._questions.give(key, notification.answer)
            return
        try:
            taken = await self._agent.answer(notification.request.key, notification.answer)
        except CodexError as error:
            raise CodexError(
                "The decision is recorded and did not reach Codex",
                why=error.what,
                todo="It is sent when Codex asks again.",
            ) from error
        if taken:
            self._keep_trace(notification)
        # One that was sent before may have been taken then; it is settled when the host says so.
        if not taken and notification.state is NotificationState.DECIDED:
            await self._unsettled.move(notification.id, NotificationState.WITHDRAWN, TOO_LATE)

    def _keep_trace(self, notification: Notification) -> None:
        """Once, however often it was sent."""
        trace, conversation_id = trace_of(notification), notification.conversation_id
        if trace and conversation_id is not None and notification.id not in self._kept:
            self._kept.add(notification.id)
            self.keep(conversation_id, trace)
