"""Work heard without waiting: in order, and to its end when it is closed."""

from __future__ import annotations

import asyncio

import pytest

from core.conversation import in_order
from core.conversation.feed import Feed, FeedEvent, Told
from core.conversation.in_order import InOrder
from core.errors import StoreError


async def test_what_was_heard_before_closing_is_done_in_order() -> None:
    done: list[int] = []

    async def work(number: int) -> None:
        await asyncio.sleep(0)
        done.append(number)

    order = InOrder(Feed(), "a number")
    for number in range(5):
        order.put(lambda number=number: work(number))
    order.start("numbers")
    await order.close()
    assert done == [0, 1, 2, 3, 4]


async def test_closing_does_not_wait_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_order, "CLOSE_SECONDS", 0.05)
    begun, ended = asyncio.Event(), asyncio.Event()

    async def stuck() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    order = InOrder(Feed(), "a wait")
    order.put(stuck)
    order.start("waits")
    await begun.wait()
    await asyncio.wait_for(order.close(), 5)
    assert ended.is_set()


async def test_one_that_fails_is_told_and_the_next_is_done() -> None:
    feed, told, done = Feed(), list[FeedEvent](), asyncio.Event()
    feed.listen(told.append)

    async def fails() -> None:
        raise StoreError("The disk is full", why="no room", todo="Make room.")

    async def works() -> None:
        done.set()

    order = InOrder(feed, "a thing")
    order.put(fails)
    order.put(works)
    order.start("things")
    await order.close()
    assert done.is_set()
    assert [event.level for event in told if isinstance(event, Told)] == ["error"]
