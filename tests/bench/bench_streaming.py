"""Streaming: what a thousand deltas cost in a long conversation, late in a message, in a fence, against Textual's way.

Deltas come at 400 a second and are joined to 30 updates a second, as the bridge does.
"""

from __future__ import annotations

import asyncio
import gc
import random
from collections.abc import Sequence
from time import perf_counter

from textual.app import App, ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Markdown

from core.agent.events import Channel
from core.agent.items import AgentMessage
from tests.bench.conversations import boxes, fence_deltas, line_deltas, paragraphs, prose_deltas
from tests.bench.figures import Figure, bench, median, percentile
from tests.bench.screen import SIZE, Clock, TranscriptApp, document_of, transcript_app
from tui.transcript.document import Document

UPDATES = 30
BATCH = 400 // UPDATES
THOUSAND = 1_000
LONG = 10_000
PARAGRAPHS = 400
DELTA = 14
"""Characters of a delta."""


def live_document(entries: int, item_id: str = "live") -> Document:
    """A conversation of so many entries with a message that begins to stream."""
    document = document_of(boxes(entries)) if entries else Document()
    document.item_started(AgentMessage(id=item_id, text=""))
    return document


async def stream(app: TranscriptApp, document: Document, deltas: Sequence[str], batch: int = BATCH) -> float:
    """Stream the deltas in time; the CPU milliseconds that took."""
    clock = Clock()
    begin = perf_counter()
    for number, start in enumerate(range(0, len(deltas), batch), 1):
        document.delta("live", Channel.MESSAGE, "".join(deltas[start : start + batch]))
        app.view.document_changed()
        await asyncio.sleep(max(0.0, begin + number / UPDATES - perf_counter()))
    return clock.read()


async def _cost(entries: int, deltas: Sequence[str], *, warm_up: int = 200) -> float:
    async with transcript_app() as app:
        document = live_document(entries)
        app.view.show(document)
        await app.still()
        await stream(app, document, deltas[:warm_up])
        gc.collect()
        return await stream(app, document, deltas[warm_up:])


@bench("streaming.length")
async def in_a_long_conversation() -> list[Figure]:
    deltas = prose_deltas(THOUSAND + 200)
    times: dict[int, list[float]] = {0: [], LONG: []}
    for _ in range(3):
        for entries, found in times.items():
            found.append(await _cost(entries, deltas))
    return [
        Figure("CPU of 1,000 deltas in 10,000 entries ÷ in none", median(times[LONG]), 1.2, median(times[0]))
    ]


@bench("streaming.late")
async def late_in_a_message() -> list[Figure]:
    first, last = await _first_and_last(prose_deltas(40_000), batch=400)
    return [Figure("CPU of the last 1,000 of 40,000 deltas ÷ the first", median(last), 1.2, median(first))]


@bench("streaming.line")
async def in_one_long_line() -> list[Figure]:
    first, last = await _first_and_last(line_deltas(THOUSAND * 4 + 100), batch=100)
    name = "CPU of the last 1,000 of 4,000 deltas of one line ÷ the first"
    return [Figure(name, median(last), 1.5, median(first))]


@bench("streaming.fence")
async def in_an_open_fence() -> list[Figure]:
    prose, fence = prose_deltas(THOUSAND * 3), fence_deltas(THOUSAND * 3)
    times: dict[str, list[float]] = {"prose": [], "fence": []}
    for _ in range(2):
        times["prose"].append(await _cost(0, prose))
        times["fence"].append(await _cost(0, fence))
    return [
        Figure(
            "CPU of 3,000 deltas of an open fence ÷ of prose",
            median(times["fence"]),
            1.2,
            median(times["prose"]),
        )
    ]


class _TextualApp(App[None]):
    """Textual's own way: a Markdown widget that grows, in a container that follows the end."""

    ENABLE_COMMAND_PALETTE = False

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Markdown()


async def _textual_cost(deltas: Sequence[str]) -> float:
    app = _TextualApp()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        app.query_one(VerticalScroll).anchor()
        gc.collect()
        gc.freeze()
        markdown = Markdown.get_stream(app.query_one(Markdown))
        clock = Clock()
        begin = perf_counter()
        for number, start in enumerate(range(0, len(deltas), BATCH), 1):
            await markdown.write("".join(deltas[start : start + BATCH]))
            await asyncio.sleep(max(0.0, begin + number / UPDATES - perf_counter()))
        await markdown.stop()
        return clock.read()


@bench("streaming.textual")
async def against_textual() -> list[Figure]:
    deltas = prose_deltas(THOUSAND * 2)
    ours = [await _cost(0, deltas) for _ in range(2)]
    theirs = [await _textual_cost(deltas) for _ in range(2)]
    return [Figure("CPU of 2,000 deltas ÷ with MarkdownStream", median(ours), 0.25, median(theirs))]


async def _widgets_cost(deltas: Sequence[str]) -> float:
    """The published way of other consoles: each delta is written to the stream as it comes."""
    app = _TextualApp()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        app.query_one(VerticalScroll).anchor()
        gc.collect()
        gc.freeze()
        markdown = Markdown.get_stream(app.query_one(Markdown))
        clock = Clock()
        begin = perf_counter()
        for number, delta in enumerate(deltas, 1):
            await markdown.write(delta)
            await asyncio.sleep(max(0.0, begin + number / (BATCH * UPDATES) - perf_counter()))
        await markdown.stop()
        return clock.read()


@bench("streaming.widgets")
async def against_widgets() -> list[Figure]:
    """One message; `Markdown` makes a widget of each of its paragraphs, and draws at every delta."""
    text = paragraphs(random.Random(11), PARAGRAPHS)
    deltas = [text[start : start + DELTA] for start in range(0, len(text), DELTA)]
    ours, theirs = await _cost(0, deltas, warm_up=0), await _widgets_cost(deltas)
    return [Figure(f"CPU of {PARAGRAPHS} paragraphs ÷ a widget a block, `MarkdownStream`", ours, 0.1, theirs)]


@bench("streaming.stalls")
async def stalls() -> list[Figure]:
    """How late a timer is while a long answer streams into a long conversation."""
    late: list[float] = []

    async def watch() -> None:
        while True:
            due = perf_counter() + 0.005
            await asyncio.sleep(0.005)
            late.append((perf_counter() - due) * 1000)

    async with transcript_app() as app:
        document = live_document(LONG)
        app.view.show(document)
        await app.still()
        await stream(app, document, prose_deltas(200))
        watcher = asyncio.create_task(watch())
        await stream(app, document, prose_deltas(6_000)[200:])
        watcher.cancel()
    return [
        Figure("loop stall while streaming, p99", percentile(late, 99), 10),
        Figure("loop stall while streaming, worst", max(late), 70),
    ]


async def _first_and_last(deltas: list[str], batch: int) -> tuple[list[float], list[float]]:
    """CPU of the first thousand after a hundred, and of the last thousand; between them `batch` at once."""
    first: list[float] = []
    last: list[float] = []
    async with transcript_app() as app:
        for _ in range(2):
            document = live_document(0)
            app.view.show(document)
            await stream(app, document, deltas[:100])
            first.append(await stream(app, document, deltas[100:1_100]))
            await stream(app, document, deltas[1_100:-THOUSAND], batch=batch)
            gc.collect()
            last.append(await stream(app, document, deltas[-THOUSAND:]))
    return first, last
