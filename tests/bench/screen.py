"""An app with only a transcript in it, that tells when it has painted."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from textual.app import App, ComposeResult
from textual.screen import Screen

from tui.transcript.document import Document
from tui.transcript.view import TranscriptView

STYLES = Path(__file__).parents[2] / "styles" / "transcript.tcss"
SIZE = (120, 40)
PAINT_SECONDS = 20


class TranscriptApp(App[None]):
    """`frames` counts what was sent to the terminal."""

    CSS_PATH = STYLES
    ENABLE_COMMAND_PALETTE = False

    def __init__(self) -> None:
        super().__init__()
        self.frames = 0
        self._painted = asyncio.Event()

    def compose(self) -> ComposeResult:
        yield TranscriptView()

    @property
    def view(self) -> TranscriptView:
        return self.query_one(TranscriptView)

    def _display(self, screen: Screen[Any], renderable: Any) -> None:
        super()._display(screen, renderable)
        if renderable is not None:
            self.frames += 1
            self._painted.set()

    async def painted(self) -> None:
        """Wait for the next frame. Raises TimeoutError where none comes."""
        self._painted.clear()
        async with asyncio.timeout(PAINT_SECONDS):
            await self._painted.wait()

    async def still(self, seconds: float = 0.15) -> None:
        """Wait until nothing has been painted for a while."""
        frames = -1
        while frames != self.frames:
            frames = self.frames
            await asyncio.sleep(seconds)


@asynccontextmanager
async def transcript_app(size: tuple[int, int] = SIZE) -> AsyncIterator[TranscriptApp]:
    """The app running without a terminal, the collector set as the console sets it."""
    app = TranscriptApp()
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        app.view.focus()
        gc.collect()
        gc.freeze()
        yield app


class Clock:
    """CPU milliseconds of this process, or wall milliseconds, since it was started."""

    def __init__(self, *, wall: bool = False) -> None:
        self._now = perf_counter if wall else process_time
        self._begin = self._now()

    def read(self) -> float:
        return (self._now() - self._begin) * 1000


def document_of(boxes: list[Any]) -> Document:
    document = Document()
    document.add_boxes(boxes)
    return document
