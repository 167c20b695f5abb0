"""Opening, memory, scrolling and resizing: a long conversation against a short one."""

from __future__ import annotations

import gc
import tempfile
import tracemalloc
from collections.abc import Callable, Sequence
from pathlib import Path

from core.store.store import Store
from core.thread.boxes import ChatBox
from core.thread.records import BoxRecord
from tests.bench.conversations import boxes
from tests.bench.figures import Figure, bench, median, percentile
from tests.bench.screen import Clock, TranscriptApp, document_of, transcript_app

SHORT, LONG = 200, 10_000
ROUNDS = 25
PAGES = 60


async def _open(app: TranscriptApp, of: Sequence[ChatBox]) -> float:
    """CPU milliseconds from boxes in memory to the first frame."""
    app.view.show(None)
    await app.still(0.05)
    gc.collect()
    clock = Clock()
    app.view.show(document_of(list(of)))
    await app.painted()
    return clock.read()


@bench("transcript.open")
async def open_long() -> list[Figure]:
    short, long = boxes(SHORT), boxes(LONG)
    async with transcript_app() as app:
        await _open(app, short)
        times: dict[int, list[float]] = {SHORT: [], LONG: []}
        for _ in range(ROUNDS):
            times[SHORT].append(await _open(app, short))
            times[LONG].append(await _open(app, long))
    return [Figure("open 10,000 entries ÷ 200", median(times[LONG]), 2.0, median(times[SHORT]))]


@bench("transcript.store")
async def open_from_the_store() -> list[Figure]:
    """The newest page of a long conversation, against a page that is in memory: what it costs to be kept."""
    long = boxes(LONG)
    page = list(long[-SHORT:])
    ours: list[float] = []
    floor: list[float] = []
    with tempfile.TemporaryDirectory(prefix="qd-bench-") as folder:
        store = await Store.open(Path(folder, "bench.sqlite3"))
        await store.workspaces.create("w", folder)
        await store.conversations.create("c", "w", 1)
        await store.records.append("c", 0, [BoxRecord(box) for box in long])
        async with transcript_app() as app:
            await _open(app, page)
            for _ in range(ROUNDS):
                floor.append(await _open(app, page))
                app.view.show(None)
                await app.still(0.05)
                gc.collect()
                clock = Clock()
                app.view.show(document_of(await store.records.tail_boxes("c", None, SHORT)))
                await app.painted()
                ours.append(clock.read())
        await store.close()
    return [
        Figure(
            "open 10,000 boxes from the store, tail first ÷ 200 in memory", median(ours), 3.0, median(floor)
        )
    ]


@bench("transcript.memory")
async def memory() -> list[Figure]:
    long = boxes(LONG)
    async with transcript_app() as app:
        await _open(app, boxes(SHORT))
        app.view.show(None)
        await app.still()
        gc.collect()
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        app.view.show(document_of(long))
        await app.painted()
        gc.collect()
        opened = tracemalloc.get_traced_memory()[0]
        for _ in range(200):
            app.view.action_page_up()
            await app.painted()
        await app.still()
        gc.collect()
        paged = tracemalloc.get_traced_memory()[0]
    megabyte = 1024 * 1024
    return [
        Figure("memory of an open conversation of 10,000", (opened - before) / megabyte, 3.0, unit="MB"),
        Figure("memory after 200 pages more", (paged - before) / megabyte, 15.0, unit="MB"),
    ]


async def _moves(
    app: TranscriptApp, of: Sequence[ChatBox], move: Callable[[], None], count: int
) -> list[float]:
    app.view.show(document_of(list(of)))
    await app.still()
    gc.collect()
    times: list[float] = []
    for _ in range(count):
        clock = Clock()
        move()
        await app.painted()
        times.append(clock.read())
    return times


@bench("transcript.scroll")
async def scroll() -> list[Figure]:
    short, long = boxes(SHORT), boxes(LONG)
    pages: dict[int, list[float]] = {SHORT: [], LONG: []}
    async with transcript_app() as app:
        for _ in range(6):
            pages[SHORT] += await _moves(app, short, app.view.action_page_up, 20)
            pages[LONG] += await _moves(app, long, app.view.action_page_up, 20)
        wheel = await _moves(app, long, lambda: app.view.scroll_rows(-2), 120)
        frames = await _frames_of_a_page(app, long)
    return [
        Figure(
            "PageUp p95 in 10,000 ÷ in 200", percentile(pages[LONG], 95), 1.2, percentile(pages[SHORT], 95)
        ),
        Figure("wheel step p95 ÷ PageUp p95", percentile(wheel, 95), 1.0, percentile(pages[LONG], 95)),
        frames,
    ]


async def _frames_of_a_page(app: TranscriptApp, of: Sequence[ChatBox]) -> Figure:
    """Frames until nothing is painted any more; the first must be the final one."""
    app.view.show(document_of(list(of)))
    await app.still()
    changed = 0
    before = app.frames
    for _ in range(20):
        app.view.action_page_up()
        await app.painted()
        first = _shown(app)
        await app.still(0.1)
        changed += first != _shown(app)
    return Figure(
        "frames a page",
        (app.frames - before) / 20 + changed,
        1.0,
        unit="",
        note=f"{changed} changed afterwards",
    )


def _shown(app: TranscriptApp) -> list[str]:
    view = app.view
    return [strip.text for strip in view.render_lines(view.size.region)]


@bench("transcript.resize")
async def resize() -> list[Figure]:
    times: dict[int, list[float]] = {SHORT: [], LONG: []}
    conversations = {SHORT: boxes(SHORT), LONG: boxes(LONG)}
    for _ in range(2):
        for count, of in conversations.items():
            async with transcript_app() as app:
                app.view.show(document_of(of))
                await app.still()
                for _ in range(12):
                    for width in (80, 120):
                        clock = Clock()
                        app.view.styles.width = width
                        await app.painted()
                        times[count].append(clock.read())
    return [Figure("resize 120 ↔ 80, 10,000 entries ÷ 200", median(times[LONG]), 1.3, median(times[SHORT]))]
