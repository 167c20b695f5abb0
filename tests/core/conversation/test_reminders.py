"""A request that waits too long calls again, louder, once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from core.conversation.feed import Feed, FeedEvent, Notification, NotificationChanged, Reminder
from core.conversation.reminders import Reminders
from core.rows import NotificationState
from tests.tui import examples

MINUTES = 0.001


class Waiting:
    """A feed with what waits on it, and the reminders that were told."""

    def __init__(self) -> None:
        self.feed = Feed()
        self.pending: dict[int, Notification] = {}
        self.told: list[Reminder] = []
        self._heard = asyncio.Event()
        self.feed.listen(self._hear)

    def _hear(self, event: FeedEvent) -> None:
        if isinstance(event, Reminder):
            self.told.append(event)
            self._heard.set()

    def tell(self, notification: Notification) -> None:
        self.pending[notification.id] = notification
        if notification.state is not NotificationState.PENDING:
            del self.pending[notification.id]
        self.feed.tell(NotificationChanged(notification))

    async def until_told(self, count: int) -> None:
        async with asyncio.timeout(5):
            while len(self.told) < count:
                self._heard.clear()
                await self._heard.wait()


@pytest.fixture
async def waiting() -> AsyncIterator[Waiting]:
    made = Waiting()
    reminders = Reminders(made.feed, lambda: tuple(made.pending.values()), MINUTES)
    reminders.start()
    yield made
    reminders.close()


ASKED = examples.notified(examples.COMMAND)


async def test_one_that_nobody_answers_calls_again_once(waiting: Waiting) -> None:
    waiting.tell(ASKED)
    await waiting.until_told(1)
    waiting.tell(replace(ASKED, why_asked="said again"))
    waiting.tell(replace(ASKED, id=2))
    await waiting.until_told(2)
    assert [one.notification.id for one in waiting.told] == [1, 2]
    assert "a command" in waiting.told[0].text


async def test_one_that_is_answered_calls_nobody(waiting: Waiting) -> None:
    waiting.tell(ASKED)
    waiting.tell(replace(ASKED, state=NotificationState.SENT))
    waiting.tell(replace(ASKED, id=2))
    await waiting.until_told(1)
    assert [one.notification.id for one in waiting.told] == [2]


async def test_one_that_is_put_off_calls_again_after_that(waiting: Waiting) -> None:
    waiting.tell(ASKED)
    await waiting.until_told(1)
    waiting.tell(replace(ASKED, snoozed=True))
    await waiting.until_told(2)
    waiting.tell(replace(ASKED, snoozed=True))
    waiting.tell(replace(ASKED, id=2))
    await waiting.until_told(3)
    assert [one.notification.id for one in waiting.told] == [1, 1, 2]


async def test_with_no_minutes_nobody_is_called() -> None:
    made = Waiting()
    silent = Reminders(made.feed, lambda: tuple(made.pending.values()), 0)
    silent.start()
    loud = Reminders(made.feed, lambda: tuple(made.pending.values()), MINUTES)
    loud.start()
    made.tell(ASKED)
    await made.until_told(1)
    assert len(made.told) == 1
    silent.close()
    loud.close()
