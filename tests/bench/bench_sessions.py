"""Sessions: the first page of many against that of few, a search against the bare index, a rollout read."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import cast

from core.agent.port import Agent
from core.knowledge.query import every_word
from core.sessions.contents import Contents
from core.sessions.disk import look_at
from core.sessions.listing import facts_of_file
from core.sessions.model import SessionQuery
from core.sessions.rows import Standing
from core.store.sessions.index import SessionIndex
from core.store.sessions.search import SessionSearch
from tests.bench.figures import Figure, bench, median, percentile
from tests.bench.sessions import Shape, Words, made
from tests.core.sessions import rollouts

MANY = Shape(sessions=10_000, boxes=50)
FEW = Shape(sessions=100, boxes=50)
ROUNDS = 60
SEARCHES = 60
ROLLOUT_MB = 40
ROLLOUT_MB_A_SECOND = 20


@bench("sessions.list")
async def listing() -> Sequence[Figure]:
    many = await SessionIndex.open(await made(MANY) / "sessions.sqlite3")
    few = await SessionIndex.open(await made(FEW) / "sessions.sqlite3")
    try:
        ours, floor = await _side_by_side(many, few)
    finally:
        await many.close()
        await few.close()
    name = f"first page of {MANY.sessions:,} sessions ÷ of {FEW.sessions}"
    return [Figure(name, ours * 1000, 1.5, floor * 1000)]


async def _side_by_side(many: SessionIndex, few: SessionIndex) -> tuple[float, float]:
    of_many, of_few = SessionSearch(many.database), SessionSearch(few.database)
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        for search, kept in zip((of_many, of_few), times, strict=True):
            kept.append(
                await _seconds(lambda search=search: search.page(SessionQuery(), None, 50, Standing(), 0))
            )
    return median(times[0]), median(times[1])


@bench("sessions.search")
async def searching() -> Sequence[Figure]:
    path = await made(MANY) / "sessions.sqlite3"
    index = await SessionIndex.open(path)
    queries = _queries()
    try:
        search = SessionSearch(index.database)
        ours: list[float] = []
        floor: list[float] = []
        with sqlite3.connect(path) as bare:
            for query in queries:
                floor.append(_bare(bare, query))
                ours.append(
                    await _seconds(
                        lambda query=query: search.page(SessionQuery(text=query), None, 50, Standing(), 0)
                    )
                )
    finally:
        await index.close()
    name = f"search of {MANY.sessions * MANY.boxes:,} boxes to first hits p95 ÷ bare FTS5"
    return [
        Figure(name, percentile(ours, 95) * 1000, 3.0, percentile(floor, 95) * 1000),
        Figure("the same, median", median(ours) * 1000, 3.0, median(floor) * 1000),
    ]


def _queries() -> list[str]:
    """As people type: one word and its beginnings, two words, a phrase; common words and rare ones."""
    words = Words(11)
    found: list[str] = []
    while len(found) < SEARCHES:
        first, second = words.one(), words.one()
        found += [first, first[:3], f"{first} {second}", f'"{first} {second}"']
    return found[:SEARCHES]


def _bare(connection: sqlite3.Connection, query: str) -> float:
    """The best 50 rows of the same index for the same expression, and nothing else."""
    began = time.perf_counter()
    connection.execute(
        "SELECT rowid FROM texts_index WHERE texts_index MATCH ? ORDER BY rank LIMIT 50", (every_word(query),)
    ).fetchall()
    return time.perf_counter() - began


@bench("sessions.rollouts")
async def reading_rollouts() -> Sequence[Figure]:
    with tempfile.TemporaryDirectory(prefix="qd-bench-") as folder:
        path = rollouts.path_of(Path(folder), 1)
        rollouts.write_large(path, 1, ROLLOUT_MB)
        file = look_at(path, archived=False)
        assert file is not None
        index = await SessionIndex.open(Path(folder, "sessions.sqlite3"))
        try:
            await index.note_threads([facts_of_file(file)])
            contents = Contents(cast("Agent", None), index)
            began = time.process_time()
            while (unread := await index.next_unread()) is not None:
                await contents.read_on(unread)
            seconds = time.process_time() - began
        finally:
            await index.close()
    name = f"CPU to index {ROLLOUT_MB} MB of a rollout"
    return [
        Figure(
            name,
            seconds * 1000,
            ROLLOUT_MB / ROLLOUT_MB_A_SECOND * 1000,
            note=f"{ROLLOUT_MB / seconds:.0f} MB/s on one core",
        )
    ]


async def _seconds(work: Callable[[], Awaitable[object]]) -> float:
    await asyncio.sleep(0)
    began = time.perf_counter()
    await work()
    return time.perf_counter() - began
