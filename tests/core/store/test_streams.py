from __future__ import annotations

import asyncio

import pytest

from core.errors import NotFound
from core.rows import Chunk, ChunkDraft
from core.store.store import Store
from core.store.streams import WHOLE_OUTPUT_BYTES
from tests.core.store.helpers import boxes


def chunk(
    item: str, text: str, channel: str = "message", part: int = 0, conversation: str = "c"
) -> ChunkDraft:
    return ChunkDraft(conversation, item, channel, part, text)


async def test_pieces_come_back_in_the_order_they_came(store: Store) -> None:
    await store.streams.append_chunks([chunk("i1", "He"), chunk("i2", "ls", "output"), chunk("i1", "llo")])
    await store.streams.append_chunks([chunk("i1", "why", "summary", part=1), chunk("i1", "!")])
    assert await store.streams.read_chunks("c") == [
        Chunk("c", "i1", "message", 0, 1, "He"),
        Chunk("c", "i2", "output", 0, 1, "ls"),
        Chunk("c", "i1", "message", 0, 2, "llo"),
        Chunk("c", "i1", "summary", 1, 1, "why"),
        Chunk("c", "i1", "message", 0, 3, "!"),
    ]
    assert await store.streams.read_chunks("d") == []


async def test_a_dropped_item_leaves_the_others(store: Store) -> None:
    await store.streams.append_chunks(
        [chunk("i1", "a"), chunk("i2", "b"), chunk("i1", "c", conversation="d")]
    )
    await store.streams.drop_chunks("c", "i1")
    assert [piece.text for piece in await store.streams.read_chunks("c")] == ["b"]
    assert [piece.text for piece in await store.streams.read_chunks("d")] == ["c"]
    assert await store.streams.read_output("c", "i1") is None


async def test_an_output_that_codex_has_cut_is_kept_whole(store: Store) -> None:
    piece = "é" * 4_000
    count = WHOLE_OUTPUT_BYTES // len(piece.encode()) + 1
    await store.streams.append_chunks([chunk("i1", f"{number}{piece}", "output") for number in range(count)])
    await store.streams.append_chunks([chunk("i1", "y\n", "stdin")])
    assert await store.streams.read_output("c", "i1") is None
    await store.records.append("c", 0, boxes([1]), settled=["i1"])
    assert await store.streams.read_output("c", "i1") == "".join(
        f"{number}{piece}" for number in range(count)
    )
    assert await store.streams.read_chunks("c") == []


async def test_an_output_that_codex_keeps_is_not_kept_twice(store: Store) -> None:
    await store.streams.append_chunks(
        [chunk("i1", "x" * (WHOLE_OUTPUT_BYTES // 2), "output") for _ in range(2)]
    )
    await store.streams.drop_chunks("c", "i1")
    assert await store.streams.read_output("c", "i1") is None
    assert await store.streams.read_chunks("c") == []


async def test_a_long_answer_is_not_kept_beside_its_box(store: Store) -> None:
    await store.streams.append_chunks([chunk("i1", "x" * (WHOLE_OUTPUT_BYTES + 1))])
    await store.streams.drop_chunks("c", "i1")
    assert await store.streams.read_output("c", "i1") is None
    assert await store.streams.read_chunks("c") == []


async def test_pieces_of_an_unknown_conversation_are_refused_alone(store: Store) -> None:
    results = await asyncio.gather(
        store.streams.append_chunks([chunk("i1", "kept"), chunk("i1", "lost", conversation="nobody")]),
        store.streams.append_chunks([chunk("i2", "other")]),
        return_exceptions=True,
    )
    assert isinstance(results[0], NotFound)
    assert [piece.text for piece in await store.streams.read_chunks("c")] == ["other"]


async def test_recording_no_pieces_is_nothing(store: Store) -> None:
    await store.streams.append_chunks([])
    with pytest.raises(NotFound):
        await store.streams.append_chunks([chunk("i", "", conversation="nobody")])
