from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from core.errors import InvalidState, NotFound, SequenceConflict
from core.rows import ChunkDraft
from core.store.store import Store
from core.thread.records import BoxRecord
from tests.core.store.helpers import add_conversations, box, boxes, event, open_store


async def test_records_come_back_as_they_were(store: Store) -> None:
    records = [
        box(1),
        event(1),
        event(1, 2),
        box(2, "\x00 \x1b[31m 漢字 \U0001f980 \r\n"),
        event(2, kind="steer_sent"),
    ]
    assert await store.records.append("c", 0, records) == 5
    assert await store.records.read("c") == records
    assert await store.records.read("c", after_seq=3) == records[3:]
    assert await store.records.last_seq("c") == 5


async def test_an_empty_log_has_seq_zero(store: Store) -> None:
    assert await store.records.last_seq("c") == 0
    assert await store.records.read("c") == []
    assert await store.records.tail_boxes("c") == []


async def test_logs_do_not_mix(store: Store) -> None:
    await asyncio.gather(
        store.records.append("c", 0, boxes([1, 2])), store.records.append("d", 0, boxes([1]))
    )
    assert await store.records.read("c") == boxes([1, 2])
    assert await store.records.read("d") == boxes([1])


@pytest.mark.parametrize("expected", [0, 1, 3, 100])
async def test_a_wrong_expected_seq_changes_nothing(store: Store, expected: int) -> None:
    await store.records.append("c", 0, boxes([1, 2]))
    with pytest.raises(SequenceConflict, match="last record is 2"):
        await store.records.append("c", expected, boxes([3]))
    assert await store.records.read("c") == boxes([1, 2])


async def test_of_two_that_append_at_the_same_place_one_succeeds(store: Store) -> None:
    results = await asyncio.gather(
        store.records.append("c", 0, [box(1, "mine")]),
        store.records.append("c", 0, [box(1, "yours")]),
        store.records.append("d", 0, boxes([1])),
        return_exceptions=True,
    )
    assert [type(result) for result in results] == [int, SequenceConflict, int]
    assert await store.records.read("c") == [box(1, "mine")]


async def test_of_two_consoles_that_append_at_the_same_place_one_succeeds(store: Store, path: Path) -> None:
    async with open_store(path) as other:
        results = await asyncio.gather(
            store.records.append("c", 0, boxes([1])),
            other.records.append("c", 0, boxes([1])),
            return_exceptions=True,
        )
        assert sorted(type(result).__name__ for result in results) == ["SequenceConflict", "int"]
        assert await store.records.read("c") == await other.records.read("c") == boxes([1])


@pytest.mark.parametrize(
    "records", [[box(1), box(3)], [box(1), box(1)], [box(2)], [event(1)], [box(1), event(1, 2)]], ids=str
)
async def test_an_append_with_a_gap_in_its_numbers_changes_nothing(
    store: Store, records: list[BoxRecord]
) -> None:
    with pytest.raises(InvalidState):
        await store.records.append("c", 0, records)
    assert await store.records.last_seq("c") == 0


async def test_an_unknown_conversation_has_no_log(store: Store) -> None:
    with pytest.raises(NotFound):
        await store.records.append("nobody", 0, boxes([1]))


async def test_half_a_character_fails_its_own_append_only(store: Store) -> None:
    results = await asyncio.gather(
        store.records.append("c", 0, [box(1, "\ud800")]),
        store.records.append("d", 0, boxes([1])),
        return_exceptions=True,
    )
    assert isinstance(results[0], InvalidState)
    assert results[1] == 1


async def test_appending_nothing_still_checks_the_place(store: Store) -> None:
    await store.records.append("c", 0, boxes([1]))
    assert await store.records.append("c", 1, []) == 1
    with pytest.raises(SequenceConflict):
        await store.records.append("c", 0, [])


async def test_the_tail_is_read_without_the_rest(store: Store) -> None:
    await store.records.append("c", 0, [box(1), event(1), *boxes(range(2, 11)), event(10)])
    tail = await store.records.tail_boxes("c", limit=3)
    assert tail == [box(number).box for number in (8, 9, 10)]
    assert await store.records.tail_boxes("c", before_box_id=tail[0].id, limit=4) == [
        box(number).box for number in (4, 5, 6, 7)
    ]
    assert await store.records.tail_boxes("c", before_box_id=3) == [box(1).box, box(2).box]
    assert await store.records.tail_boxes("c", before_box_id=1) == []


async def test_reading_a_tail_uses_the_index_of_boxes(store: Store) -> None:
    from core.store import records

    plan = await store.database.read(
        lambda c: c.execute(f"EXPLAIN QUERY PLAN {records._TAIL}", ("c", 5, 10)).fetchall()
    )
    assert [row[3] for row in plan] == [
        "SEARCH records USING INDEX records_boxes (conversation_id=? AND box_id<?)"
    ]


async def test_an_append_takes_its_streamed_text_and_its_draft_with_it(store: Store) -> None:
    await store.drafts.save("c", "typed")
    await store.streams.append_chunks(
        [ChunkDraft("c", item, "message", 0, f"text of {item}") for item in ("i1", "i2", "i3")]
    )
    await store.records.append("c", 0, boxes([1]), settled=["i1", "i3"], drafts={"c": ""})
    assert [chunk.item_id for chunk in await store.streams.read_chunks("c")] == ["i2"]
    assert await store.drafts.load("c") == ""


async def test_a_refused_append_leaves_the_streamed_text_and_the_draft(store: Store) -> None:
    await store.drafts.save("c", "typed")
    await store.streams.append_chunks([ChunkDraft("c", "i1", "message", 0, "text")])
    for refused in (boxes([1]), []):
        with pytest.raises(SequenceConflict):
            await store.records.append("c", 7, refused, settled=["i1"], drafts={"c": ""})
    assert len(await store.streams.read_chunks("c")) == 1
    assert await store.drafts.load("c") == "typed"


async def test_the_order_survives_a_clock_that_goes_backwards(path: Path) -> None:
    times = iter(range(1_000_000, 0, -1_000))
    async with open_store(path, clock=lambda: next(times)) as store:
        await add_conversations(store, "c", "d")
        for number in range(1, 6):
            await store.records.append("c", number - 1, boxes([number]))
        assert await store.records.read("c") == boxes(range(1, 6))
        assert [row.id for row in await store.conversations.recent()] == ["c", "d"]
