"""The console on an engine in memory."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
from textual.app import App
from textual.pilot import Pilot

from tests.tui.fake_engine import FakeEngine
from tests.tui.host import Echo, until
from tui.app import QuarterdeckApp
from tui.launch import Launch
from tui.screens.console import ConsoleScreen

FOLDER = Path("/home/dev/harbour")


class ConsoleApp(QuarterdeckApp):
    def on_echo(self, event: Echo) -> None:
        event.back.set()

    @property
    def console_screen(self) -> ConsoleScreen:
        screen = self.screen_stack[0]
        assert isinstance(screen, ConsoleScreen)
        return screen


Console = tuple[ConsoleScreen, Pilot[str]]
OpenConsole = Callable[..., AbstractAsyncContextManager[Console]]


@pytest.fixture(autouse=True)
def workers_end_before_the_screens(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in an app that ends by itself: the pilot takes the screens away from under workers that still draw on them."""
    shutdown = App[object]._shutdown

    async def ended(app: App[object]) -> None:
        app.workers.cancel_all()
        await shutdown(app)

    monkeypatch.setattr(App, "_shutdown", ended)


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine()


@pytest.fixture
def console(engine: FakeEngine) -> OpenConsole:
    """`async with console() as (screen, pilot)`: the console, up, with `engine` behind it."""

    @asynccontextmanager
    async def opened(
        launch: Launch | None = None, *, size: tuple[int, int] = (80, 24)
    ) -> AsyncIterator[Console]:
        app = ConsoleApp(launch or Launch(FOLDER), engine.opener)
        async with app.run_test(size=size) as pilot:
            screen = app.console_screen
            await until(pilot, lambda: screen.sign_in is not None and screen.sign_in.is_mounted)
            await until(pilot, lambda: screen.desk is not None and not screen.desk.current.loading)
            yield screen, pilot

    return opened
