"""Searching never waits, and only what was asked last is shown."""

from __future__ import annotations

import asyncio

import pytest

from core.conversation.feed import Feed
from core.errors import StoreError
from core.sessions.model import SessionQuery, SessionsPage
from tests.tui.sessions.fake_sessions import FakeSessions, session
from tui.sessions.finding import PAGE, Finder


class Seen:
    """A finder, and when it last had something else to show."""

    def __init__(self, count: int = 3) -> None:
        self.sessions = FakeSessions(Feed(), [session(n) for n in range(count)])
        self._news = asyncio.Event()
        self.finder = Finder(self.sessions, self._news.set)

    async def news(self) -> None:
        await asyncio.wait_for(self._news.wait(), 5)
        self._news.clear()


@pytest.fixture
def seen() -> Seen:
    return Seen()


async def test_only_the_last_of_what_is_typed_quickly_is_answered(seen: Seen) -> None:
    seen.sessions.go.clear()
    for end in range(1, 8):
        seen.finder.search(SessionQuery("session"[:end]))
    seen.sessions.go.set()
    await seen.news()
    assert [query.text for query in seen.sessions.answered] == ["session"]
    assert seen.finder.shown.text == "session"
    await seen.finder.close()


async def test_a_slow_answer_never_replaces_a_later_one(seen: Seen) -> None:
    seen.sessions.go.clear()
    seen.finder.search(SessionQuery("slow"))
    await seen.sessions.asked.wait()
    seen.finder.search(SessionQuery("session 2"))
    seen.sessions.go.set()
    await seen.news()
    assert [match.entry.title for match in seen.finder.matches] == ["Session 2"]
    await seen.finder.close()


async def test_what_is_shown_stays_until_there_is_an_answer(seen: Seen) -> None:
    seen.finder.search(SessionQuery())
    await seen.news()
    seen.sessions.go.clear()
    seen.finder.search(SessionQuery("2"))
    assert seen.finder.searching
    assert len(seen.finder.matches) == 3
    await seen.finder.close()


async def test_pages_come_one_after_the_other_without_a_session_twice() -> None:
    seen = Seen(PAGE * 2 + 5)
    seen.finder.search(SessionQuery())
    await seen.news()
    assert (len(seen.finder.matches), seen.finder.total, seen.finder.complete) == (PAGE, PAGE * 2 + 5, False)
    seen.sessions.entries.insert(0, session(-1))
    while not seen.finder.complete:
        seen.finder.more()
        seen.finder.more()
        await seen.news()
    keys = [match.entry.key for match in seen.finder.matches]
    assert len(keys) == len(set(keys)) == PAGE * 2 + 5
    await seen.finder.close()


async def test_a_refresh_reads_as_far_as_was_seen() -> None:
    seen = Seen(PAGE * 3)
    seen.finder.search(SessionQuery())
    await seen.news()
    seen.finder.more()
    await seen.news()
    seen.finder.refresh()
    await seen.news()
    assert len(seen.finder.matches) == PAGE * 2
    await seen.finder.close()


async def test_what_changes_while_a_search_is_under_way_is_looked_for_again(seen: Seen) -> None:
    seen.finder.search(SessionQuery())
    await seen.news()
    answer = seen.sessions.search

    async def late(query: SessionQuery, cursor: str | None = None, limit: int = 50) -> SessionsPage:
        page = await answer(query, cursor, limit)
        if len(seen.sessions.entries) == 3:
            del seen.sessions.entries[0]
            seen.finder.refresh()
        return page

    seen.sessions.search = late  # type: ignore[method-assign]
    seen.finder.refresh()
    await seen.news()
    assert len(seen.finder.matches) == 3, "the answer was on its way"
    await seen.news()
    assert len(seen.finder.matches) == 2
    assert not seen.finder.searching
    await seen.finder.close()


async def test_a_failure_is_kept_beside_what_was_found_before(seen: Seen) -> None:
    seen.finder.search(SessionQuery())
    await seen.news()
    seen.sessions.fails = StoreError("the disk is gone")
    seen.finder.search(SessionQuery("2"))
    await seen.news()
    assert seen.finder.error is seen.sessions.fails
    assert len(seen.finder.matches) == 3
    await seen.finder.close()


async def test_what_changes_during_a_search_is_looked_for_after_it(seen: Seen) -> None:
    seen.sessions.go.clear()
    seen.finder.search(SessionQuery())
    await asyncio.wait_for(seen.sessions.asked.wait(), 5)
    seen.finder.refresh()
    seen.sessions.go.set()
    await seen.news()
    async with asyncio.timeout(20):
        while len(seen.sessions.answered) < 2:
            await seen.news()
    await seen.finder.close()
