"""From a request on the wire to its prompt on the screen, while twenty other conversations stream."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from time import perf_counter
from typing import Any

from codex_cli_bin import bundled_codex_path
from textual.screen import Screen

from core.codex.rpc import Asked, Incoming
from core.demo.scratch import Scratch, temporary_scratch
from core.engine import Engine, open_engine
from core.settings import HostSettings, Settings
from tests.bench.figures import Figure, bench, percentile
from tests.support.watcher import Watcher
from tui.app import QuarterdeckApp
from tui.launch import Launch
from tui.screens.console import ConsoleScreen
from tui.startup import Session

STREAMING = 20
A_SECOND = 15
"""Words, in each."""
ASKED = 40
SIZE = (120, 40)


class PromptApp(QuarterdeckApp):
    """Notes when the prompt of each request is in a frame that is sent to the terminal."""

    def __init__(self, engine: Engine, settings: Settings, folder: Path) -> None:
        async def opener(launch: Launch) -> Session:
            return Session(engine, settings, launch.folder, AsyncExitStack())

        super().__init__(Launch(folder), opener)
        self.painted: dict[int, float] = {}
        self._news = asyncio.Event()

    def _display(self, screen: Screen[Any], renderable: Any) -> None:
        super()._display(screen, renderable)
        area = screen.prompts if isinstance(screen, ConsoleScreen) else None
        prompt = area.prompt if area is not None else None
        if renderable is not None and prompt is not None and prompt.region.height > 2:
            self.painted.setdefault(prompt.notification.id, perf_counter())
            self._news.set()

    async def until_painted(self, notification_id: int) -> float:
        async with asyncio.timeout(30):
            while notification_id not in self.painted:
                self._news.clear()
                await self._news.wait()
        return self.painted[notification_id]


@bench("prompts.latency")
async def latency() -> Sequence[Figure]:
    async with _engine() as (engine, settings, scratch):
        watcher = Watcher(engine)
        await watcher.until(lambda: engine.host.phase.value == "ready" or None)
        arrived = _note_arrivals(engine)
        app = PromptApp(engine, settings, scratch.project)
        async with app.run_test(size=SIZE):
            for number in range(STREAMING):
                conversation = await engine.create(scratch.project)
                words = A_SECOND * 300
                await conversation.send(f"/stream {words} at {A_SECOND}", f"stream-{number}")
            waits = await _ask(app, engine, watcher, scratch, arrived)
    name = f"request on the wire → prompt on the screen, p95, {STREAMING} conversations streaming"
    return [Figure(name, percentile(waits, 95) * 1000, 100.0)]


async def _ask(
    app: PromptApp, engine: Engine, watcher: Watcher, scratch: Scratch, arrived: list[float]
) -> list[float]:
    """A conversation that is on the screen asks again and again; the seconds each took."""
    asking = await engine.create(scratch.project)
    screen = app.screen_stack[0]
    assert isinstance(screen, ConsoleScreen)
    async with asyncio.timeout(30):
        while screen.desk is None or screen.desk.current.id != asking.id:
            screen.go_to(asking.id)
            await asyncio.sleep(0.1)
    waits: list[float] = []
    for number in range(ASKED):
        arrived.clear()
        await asking.send(f"/run! echo {number}", f"ask-{number}")
        asked = await watcher.asked("command", asking)
        waits.append(await app.until_painted(asked.id) - arrived[0])
        await watcher.choose(asked, "decline")
        await watcher.outcome(asked)
        await watcher.settled(asking)
    return waits


def _note_arrivals(engine: Engine) -> list[float]:
    """When each request came off the wire, before anything was read of it."""
    arrived: list[float] = []
    intake = engine._agent._hub.intake
    take = intake.take

    def noting(message: Incoming) -> None:
        if isinstance(message, Asked):
            arrived.append(perf_counter())
        take(message)

    intake.take = noting  # type: ignore[method-assign]
    return arrived


@asynccontextmanager
async def _engine() -> AsyncIterator[tuple[Engine, Settings, Scratch]]:
    async with temporary_scratch(record=False) as scratch:
        with tempfile.TemporaryDirectory(prefix="qd-bench-") as data:
            settings = Settings(
                data_dir=Path(data),
                host=HostSettings(codex=Path(bundled_codex_path()), codex_home=scratch.home),
            )
            engine = await open_engine(settings)
            try:
                yield engine, settings, scratch
            finally:
                await engine.close()
