"""The sessions browser: opened on many sessions and on few, and typed into."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from textual.app import App
from textual.pilot import Pilot

from core.conversation.feed import Feed
from core.deleting import Deletions
from core.sessions.model import (
    Facets,
    IndexPhase,
    Progress,
    SessionItem,
    SessionQuery,
    SessionsPage,
)
from core.sessions.rows import Standing
from core.store.sessions.index import SessionIndex
from core.store.sessions.search import SessionSearch
from tests.bench.figures import Figure, bench, median
from tests.bench.sessions import Shape, Words, made
from tui.sessions.screen import SessionsScreen
from tui.theme import STYLES, load_themes

MANY = Shape(sessions=10_000, boxes=50)
FEW = Shape(sessions=100, boxes=50)
ROUNDS = 8
MIN_LETTERS = 4
SIZE = (120, 40)
SOME_FRAMES = 0.05
"""Seconds that any answer takes at least: one that is there within a frame of its key spares that key a paint."""


class _Sessions:
    """`engine.sessions` on an index that nobody adds to."""

    progress = Progress(IndexPhase.READY)

    def __init__(self, index: SessionIndex, pause: float) -> None:
        self._search = SessionSearch(index.database)
        self._pause = pause

    async def search(self, query: SessionQuery, cursor: str | None = None, limit: int = 50) -> SessionsPage:
        await asyncio.sleep(self._pause)
        return await self._search.page(query, cursor, limit, Standing(), time.time_ns() // 1_000_000)

    async def items(self, key: str, around: int | None = None, limit: int = 100) -> tuple[SessionItem, ...]:
        return await self._search.items(key, around, limit)

    async def facets(self) -> Facets:
        return await self._search.facets()


class _Engine:
    """As much of an engine as the browser uses to show what there is."""

    def __init__(self, index: SessionIndex, pause: float) -> None:
        self.feed = Feed()
        self.sessions = _Sessions(index, pause)
        self.deletions = Deletions(self._never, self.feed)

    def pending(self) -> tuple[()]:
        return ()

    async def _never(self, key: str) -> None:
        raise NotImplementedError(key)


class _BrowserApp(App[None]):
    CSS_PATH = [STYLES / f"{name}.tcss" for name in ("app", "console", "browser", "pick")]  # noqa: RUF012
    ENABLE_COMMAND_PALETTE = False

    def on_mount(self) -> None:
        for theme in load_themes():
            self.register_theme(theme)
        self.theme = "quarterdeck-dark"


class _Watched(SessionsScreen):
    """`rows` is set once it shows what was found."""

    def __init__(self, index: SessionIndex, pause: float = 0.0) -> None:
        self.rows = asyncio.Event()
        super().__init__(_Engine(index, pause))  # type: ignore[arg-type]

    def _found(self) -> None:
        super()._found()
        self.rows.set()


@bench("sessions.browser")
async def opening() -> Sequence[Figure]:
    opened: dict[int, list[float]] = {MANY.sessions: [], FEW.sessions: []}
    typed: dict[int, list[float]] = {MANY.sessions: [], FEW.sessions: []}
    indexes = {shape.sessions: await _index(shape) for shape in (MANY, FEW)}
    words = [word for word in Words(11).words[:2000] if len(word) >= MIN_LETTERS]
    try:
        async with _app() as pilot:
            for number in range(ROUNDS):
                for count, index in indexes.items():
                    opened[count].append(await _opened(pilot, index))
                    typed[count].append(await _typed(pilot, index, words[number * 3 : number * 3 + 3]))
    finally:
        for index in indexes.values():
            await index.close()
    return [
        _compared(f"open the sessions browser, {MANY.sessions:,} sessions ÷ {FEW.sessions}", opened),
        _compared(f"loop time of a key typed into it, {MANY.sessions:,} ÷ {FEW.sessions}", typed),
    ]


def _compared(name: str, times: dict[int, list[float]]) -> Figure:
    """The first round warms everything up."""
    ours, floor = (median(times[count][1:]) * 1000 for count in (MANY.sessions, FEW.sessions))
    return Figure(name, ours, 1.5, floor)


async def _index(shape: Shape) -> SessionIndex:
    return await SessionIndex.open(await made(shape) / "sessions.sqlite3")


@asynccontextmanager
async def _app() -> AsyncIterator[Pilot[None]]:
    async with _BrowserApp().run_test(size=SIZE) as pilot:
        yield pilot


async def _opened(pilot: Pilot[Any], index: SessionIndex) -> float:
    """Seconds from the key to the first rows; the browser is closed again."""
    began = time.perf_counter()
    screen = _Watched(index)
    await pilot.app.push_screen(screen)
    await screen.rows.wait()
    taken = time.perf_counter() - began
    await screen.dismiss(None)
    return taken


async def _typed(pilot: Pilot[Any], index: SessionIndex, words: Sequence[str]) -> float:
    """Seconds of the event loop's own time that a key costs, its search and the drawing of what that found included."""
    screen = _Watched(index, SOME_FRAMES)
    await pilot.app.push_screen(screen)
    await screen.rows.wait()
    began = time.thread_time()
    for word in words:
        for key in (*word, "ctrl+u"):
            screen.rows.clear()
            await pilot.press(key)
            await screen.rows.wait()
    taken = time.thread_time() - began
    await screen.dismiss(None)
    return taken / sum(len(word) + 1 for word in words)
