"""A session is deleted when its time has come, and not before."""

from __future__ import annotations

import asyncio

from core.conversation.feed import Feed, FeedEvent, SessionsChanged, Told
from core.deleting import Deletions
from core.errors import Conflict


class Heard:
    """Deletions whose deeds are written down."""

    def __init__(self, fails: Conflict | None = None) -> None:
        self.deleted: list[str] = []
        self.told: list[Told] = []
        self.changed = asyncio.Event()
        self._fails = fails
        feed = Feed()
        feed.listen(self._hear)
        self.deletions = Deletions(self._delete, feed)

    async def _delete(self, key: str) -> None:
        if self._fails is not None:
            raise self._fails
        self.deleted.append(key)

    def _hear(self, event: FeedEvent) -> None:
        if isinstance(event, Told):
            self.told.append(event)
        if isinstance(event, SessionsChanged):
            self.changed.set()

    async def until_told(self) -> None:
        async with asyncio.timeout(5):
            while not self.told:
                await self.changed.wait()
                self.changed.clear()


async def test_it_is_deleted_when_its_time_has_come() -> None:
    heard = Heard()
    heard.deletions.later("a", "A", seconds=0)
    assert [one.key for one in heard.deletions.going] == ["a"] and heard.deleted == []
    await heard.until_told()
    assert heard.deleted == ["a"] and heard.deletions.going == ()
    assert heard.told[0].text == "Deleted: A"


async def test_one_that_was_taken_back_stays() -> None:
    heard = Heard()
    heard.deletions.later("a", "A")
    heard.deletions.later("b", "B", seconds=0)
    assert heard.deletions.undo("a")
    await heard.until_told()
    assert heard.deleted == ["b"]
    assert not heard.deletions.undo("b")


async def test_quitting_deletes_nothing_and_says_so() -> None:
    heard = Heard()
    heard.deletions.later("a", "A")
    heard.deletions.later("b", "B")
    assert 28 <= heard.deletions.going[0].seconds <= 30
    assert await heard.deletions.close() == "Not deleted, as you quit before its time: A, B."
    assert heard.deleted == [] and await heard.deletions.close() == ""


async def test_a_refusal_is_told_with_its_reason() -> None:
    heard = Heard(Conflict("Codex keeps it", why="another session was forked from it"))
    heard.deletions.later("a", "A", seconds=0)
    await heard.until_told()
    assert heard.told[0].level == "error" and "forked from it" in heard.told[0].text
