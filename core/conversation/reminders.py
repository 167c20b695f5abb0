"""A request that nobody answers calls the person again, once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from core.conversation.feed import Feed, FeedEvent, Notification, NotificationChanged, Reminder, Told
from core.rows import NotificationState

_WHAT = {
    "command": "a command",
    "file_change": "a patch",
    "permissions": "rights that Codex asks for",
    "question": "a question",
    "mcp_form": "a form",
    "mcp_link": "a page",
    "tool": "a tool",
}


class Reminders:
    """Owns a timer for each request that waits. One that is put off calls as long after that."""

    def __init__(self, feed: Feed, pending: Callable[[], Sequence[Notification]], minutes: float) -> None:
        """`minutes` 0: never."""
        self._feed = feed
        self._pending = pending
        self._minutes = minutes
        self._timers: dict[int, asyncio.TimerHandle] = {}
        self._snoozed: set[int] = set()
        self._stop: Callable[[], None] | None = None

    def start(self) -> None:
        """What waits already is on the screen now: its time begins anew."""
        if self._minutes:
            self._stop = self._feed.listen(self._hear)
            for notification in self._pending():
                self._wait(notification.id)

    def close(self) -> None:
        if self._stop is not None:
            self._stop()
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()

    def _hear(self, event: FeedEvent) -> None:
        if not isinstance(event, NotificationChanged):
            return
        notification = event.notification
        if notification.state is not NotificationState.PENDING:
            self._snoozed.discard(notification.id)
            timer = self._timers.pop(notification.id, None)
            if timer is not None:
                timer.cancel()
        elif notification.snoozed and notification.id not in self._snoozed:
            self._snoozed.add(notification.id)
            self._wait(notification.id)
        elif notification.id not in self._timers:
            self._wait(notification.id)
        if not notification.snoozed:
            self._snoozed.discard(notification.id)

    def _wait(self, notification_id: int) -> None:
        before = self._timers.get(notification_id)
        if before is not None:
            before.cancel()
        loop = asyncio.get_running_loop()
        self._timers[notification_id] = loop.call_later(self._minutes * 60, self._call, notification_id)

    def _call(self, notification_id: int) -> None:
        """The timer that is over stays known, so that one request calls once."""
        notification = next((one for one in self._pending() if one.id == notification_id), None)
        if notification is None:
            return
        what = _WHAT.get(notification.request.kind, "something that Codex asks")
        text = f"It has waited {self._minutes:g} min for you: {what}."
        self._feed.tell(Reminder(notification, self._minutes, text))
        self._feed.tell(Told("warning", text, notification.conversation_id))
