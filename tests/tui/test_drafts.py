"""Drafts reach the disk within a second, and at the latest when the console goes."""

from __future__ import annotations

import asyncio

from core.errors import QuarterdeckError, StoreError
from tui.drafts import DELAY, DraftKeeper


class Disk:
    def __init__(self) -> None:
        self.saved: list[tuple[str, str]] = []
        self.full = False
        self.wrote = asyncio.Event()

    async def save(self, key: str, text: str) -> None:
        if self.full:
            raise StoreError("The draft is not saved", why="the disk is full")
        self.saved.append((key, text))
        self.wrote.set()


def test_a_draft_is_saved_within_a_second() -> None:
    assert DELAY < 1


async def test_typing_saves_the_newest_text_and_not_each_key() -> None:
    disk = Disk()
    keeper = DraftKeeper(disk.save, lambda error: None, delay=0.01)
    for end in range(1, 6):
        keeper.note("c", lambda end=end: "hello"[:end])
    await asyncio.wait_for(disk.wrote.wait(), 1)
    assert disk.saved == [("c", "hello")]


async def test_typing_without_pause_does_not_put_the_save_off() -> None:
    disk = Disk()
    keeper = DraftKeeper(disk.save, lambda error: None, delay=0.01)
    while not disk.saved:
        keeper.note("c", lambda: "still typing")
        await asyncio.sleep(0)
    assert disk.saved == [("c", "still typing")]
    await keeper.close()


async def test_closing_saves_every_conversation() -> None:
    disk = Disk()
    keeper = DraftKeeper(disk.save, lambda error: None, delay=60)
    keeper.note("a", lambda: "one")
    keeper.note("b", lambda: "two")
    await keeper.close()
    assert sorted(disk.saved) == [("a", "one"), ("b", "two")]


async def test_a_save_that_fails_is_told_and_the_next_change_tries_again() -> None:
    disk, errors = Disk(), list[QuarterdeckError]()
    disk.full = True
    keeper = DraftKeeper(disk.save, errors.append, delay=0)
    keeper.note("c", lambda: "one")
    await keeper.flush()
    assert [error.what for error in errors] == ["The draft is not saved"]
    disk.full = False
    keeper.note("c", lambda: "two")
    await keeper.close()
    assert disk.saved == [("c", "two")]


async def test_a_save_that_is_under_way_as_the_console_closes_is_done() -> None:
    begun, saved = asyncio.Event(), list[tuple[str, str]]()

    async def save(key: str, text: str) -> None:
        begun.set()
        await asyncio.sleep(0)
        saved.append((key, text))

    keeper = DraftKeeper(save, lambda error: None, delay=0)
    keeper.note("c", lambda: "one")
    await begun.wait()
    await keeper.close()
    assert saved == [("c", "one")]


async def test_what_is_typed_during_a_save_is_saved_after_it() -> None:
    disk = Disk()
    keeper = DraftKeeper(disk.save, lambda error: None, delay=0)

    def first() -> str:
        keeper.note("c", lambda: "one two")
        return "one"

    keeper.note("c", first)
    await keeper.close()
    assert disk.saved[-1] == ("c", "one two")
