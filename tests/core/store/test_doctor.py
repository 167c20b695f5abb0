"""A damaged database is examined, salvaged and put in its place; the damaged file stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InvalidRequest, StoreLocked
from core.store.doctor import examine, repair
from core.store.store import Store
from core.thread.boxes import BoxId, ChatBox
from core.thread.records import BoxRecord

PAGE = 4096


@pytest.fixture
async def damaged(tmp_path: Path) -> Path:
    """A database with a conversation of 800 boxes, most of its pages, and a torn page in the middle."""
    path = tmp_path / "q.sqlite3"
    store = await Store.open(path)
    await store.workspaces.create("w", "/work")
    await store.conversations.create("c", "w", 1)
    boxes = [BoxRecord(ChatBox(BoxId(n), "user", f"box {n} " * 50)) for n in range(1, 801)]
    await store.records.append("c", 0, boxes)
    await store.close()
    data = bytearray(path.read_bytes())
    middle = len(data) // 2 // PAGE * PAGE
    data[middle : middle + PAGE] = b"\xff" * PAGE
    path.write_bytes(data)
    return path


def test_a_file_that_is_not_there_yet_is_no_problem(tmp_path: Path) -> None:
    seen = examine(tmp_path / "q.sqlite3")
    assert (seen.exists, seen.sound) == (False, True)


async def test_damage_is_found_and_nothing_is_touched(damaged: Path) -> None:
    before = damaged.read_bytes()
    assert not examine(damaged).sound
    assert damaged.read_bytes() == before


async def test_what_can_be_read_is_put_in_its_place_and_the_old_file_stays(damaged: Path) -> None:
    before = damaged.read_bytes()
    done = repair(damaged, damaged, at_ms=0)
    assert done.aside is not None
    assert done.aside.read_bytes() == before
    assert examine(damaged).sound
    store = await Store.open(damaged)
    try:
        boxes = await store.records.tail_boxes("c", limit=1000)
        assert [box.id for box in boxes] == list(range(1, len(boxes) + 1))
        assert boxes
    finally:
        await store.close()
    assert examine(damaged).aside == (done.aside,)


async def test_a_database_in_use_is_not_repaired(damaged: Path, tmp_path: Path) -> None:
    sound = tmp_path / "in-use.sqlite3"
    store = await Store.open(sound)
    try:
        with pytest.raises(StoreLocked):
            repair(sound, damaged, at_ms=0)
    finally:
        await store.close()


def test_a_source_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidRequest):
        repair(tmp_path / "q.sqlite3", tmp_path / "nothing", at_ms=0)
