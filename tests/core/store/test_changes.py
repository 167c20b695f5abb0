from __future__ import annotations

import asyncio
from contextlib import aclosing
from pathlib import Path

import pytest

from core.store.store import Store
from tests.core.store.helpers import PATIENCE_S, boxes, child, open_store


async def test_two_processes_see_each_others_records(store: Store, path: Path) -> None:
    async with aclosing(store.changes.watch()) as changes, child("follow", path, "c", "3") as other:
        await asyncio.wait_for(anext(changes), PATIENCE_S)
        await other.expect("sees 0")
        for number in (1, 2, 3):
            await store.records.append("c", number - 1, boxes([number]))
            await other.expect(f"sees {number}")
        while await store.records.last_seq("c") < 4:
            await asyncio.wait_for(anext(changes), PATIENCE_S)
        assert await store.records.read("c", after_seq=3) == boxes([4])
        await other.expect("appended")


async def test_our_own_commits_are_no_changes(
    store: Store, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = asyncio.Event()
    real_data_version = store.database.data_version

    async def data_version() -> int:
        asked.set()
        return await real_data_version()

    monkeypatch.setattr(store.database, "data_version", data_version)
    async with aclosing(store.changes.watch()) as changes, open_store(path) as other:
        await anext(changes)
        told = asyncio.ensure_future(anext(changes))
        for number in range(1, 4):
            # A watch that had told of the commit before would not ask again.
            asked.clear()
            await store.records.append("c", number - 1, boxes([number]))
            await asyncio.wait_for(asked.wait(), PATIENCE_S)
        assert not told.done()
        await other.records.append("d", 0, boxes([1]))
        await asyncio.wait_for(told, PATIENCE_S)


async def test_a_change_between_two_looks_is_not_missed(store: Store, path: Path) -> None:
    async with aclosing(store.changes.watch()) as changes, open_store(path) as other:
        await anext(changes)
        await other.records.append("c", 0, boxes([1]))
        await asyncio.wait_for(anext(changes), PATIENCE_S)
        assert await store.records.last_seq("c") == 1


async def test_every_watch_ends_when_the_store_closes(path: Path) -> None:
    store = await Store.open(path)
    watches = [store.changes.watch() for _ in range(2)]
    for watch in watches:
        await anext(watch)
    waiting = [asyncio.ensure_future(anext(watch, "ended")) for watch in watches]
    await asyncio.sleep(0)
    await store.close()
    assert await asyncio.wait_for(asyncio.gather(*waiting), PATIENCE_S) == ["ended", "ended"]
    assert await anext(store.changes.watch(), "ended") == "ended"


async def test_a_watch_can_be_cancelled(store: Store) -> None:
    async def watch() -> None:
        async for _ in store.changes.watch():
            started.set()

    started = asyncio.Event()
    task = asyncio.create_task(watch())
    await asyncio.wait_for(started.wait(), PATIENCE_S)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(task, PATIENCE_S)
