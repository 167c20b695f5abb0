"""The notifications that are not settled, as this console knows them: each change of one is told."""

from __future__ import annotations

import logging
from dataclasses import replace

from core.conversation.asked import declined_item, notification_of, stopped_turn
from core.conversation.feed import Feed, Notification, NotificationChanged
from core.conversation.ports import NotificationQueue
from core.errors import Conflict
from core.rows import NotificationRow, NotificationState

log = logging.getLogger(__name__)

PERSON = "you"
PERSON_ELSEWHERE = "you, in another console"


class Unsettled:
    """What is on disk may be further: another console on the same database decides and settles too."""

    def __init__(self, queue: NotificationQueue, feed: Feed) -> None:
        self._queue = queue
        self._feed = feed
        self._open: dict[int, Notification] = {}
        self.decided_here: set[int] = set()
        """The ids of those that a person decided in this console, or a rule."""
        self.declined: set[str] = set()
        """The ids of the items that were declined, as far as this console heard of it or recalls it."""
        self.stopped: set[str] = set()
        """The ids of the turns that an answer ends."""

    def all(self) -> tuple[Notification, ...]:
        return tuple(self._open.values())

    def get(self, notification_id: int) -> Notification | None:
        return self._open.get(notification_id)

    def pending(self, conversation_id: str | None = None) -> tuple[Notification, ...]:
        """What waits for a decision, oldest first; of one conversation, or of all."""
        return tuple(
            notification
            for _, notification in sorted(self._open.items())
            if notification.state is NotificationState.PENDING
            and conversation_id in (None, notification.conversation_id)
        )

    def snooze(self, notification_id: int, *, snoozed: bool = True) -> None:
        """Not now, or now again: it stays pending, and every screen of this console hears of it."""
        notification = self._open.get(notification_id)
        if notification is not None and notification.snoozed is not snoozed:
            self._open[notification_id] = replace(notification, snoozed=snoozed)
            self._feed.tell(NotificationChanged(self._open[notification_id]))

    def tell(self, row: NotificationRow) -> None:
        """One is as this row says now: keep it, or let go of it once it is settled."""
        before = self._open.get(row.id)
        notification = replace(notification_of(row), snoozed=before is not None and before.snoozed)
        if notification.decided_by == PERSON and notification.id not in self.decided_here:
            notification = replace(notification, decided_by=PERSON_ELSEWHERE)
        self.keep(notification)
        self._feed.tell(NotificationChanged(notification))

    def keep(self, notification: Notification) -> None:
        """As `tell`, and tells nobody."""
        self.recall(notification)
        if (turn_id := stopped_turn(notification)) is not None:
            self.stopped.add(turn_id)
        if notification.state in (
            NotificationState.PENDING,
            NotificationState.DECIDED,
            NotificationState.SENT,
        ):
            self._open[notification.id] = notification
        else:
            self._open.pop(notification.id, None)

    def recall(self, notification: Notification) -> None:
        """Know what was decided, also of one that is settled."""
        if (item_id := declined_item(notification)) is not None:
            self.declined.add(item_id)

    async def move(self, notification_id: int, state: NotificationState, outcome: str = "") -> bool:
        """Record how far it is. Raises StoreError.

        False where it went another way meanwhile; what it is now is told in any case.
        """
        try:
            self.tell(await self._queue.move(notification_id, state, outcome))
        except Conflict as error:
            log.info("request %d went another way: %s", notification_id, error)
            self.tell(await self._queue.get(notification_id))
            return False
        return True
