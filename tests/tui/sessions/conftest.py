"""The browser over a console on an engine in memory."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.tui.conftest import FOLDER, ConsoleApp
from tests.tui.host import until
from tests.tui.sessions import fake_sessions
from tests.tui.sessions.fake_sessions import BrowserEngine
from tui.launch import Launch
from tui.sessions import results
from tui.sessions.screen import SessionsScreen

Browser = tuple[SessionsScreen, Pilot[str]]
OpenBrowser = Callable[..., AbstractAsyncContextManager[Browser]]


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> BrowserEngine:
    monkeypatch.setattr(results, "time", lambda: fake_sessions.NOW_MS / 1000)
    monkeypatch.setattr(Path, "home", lambda: Path("/home/dev"))
    return BrowserEngine()


@pytest.fixture
def browser(engine: BrowserEngine) -> OpenBrowser:
    """`async with browser() as (screen, pilot)`: the browser, opened with F3, its first search answered."""

    @asynccontextmanager
    async def opened(*, size: tuple[int, int] = (80, 24), found: bool = True) -> AsyncIterator[Browser]:
        app = ConsoleApp(Launch(FOLDER), engine.opener)
        async with app.run_test(size=size) as pilot:
            console = app.console_screen
            await until(pilot, lambda: console.desk is not None and not console.desk.current.loading)
            await pilot.press("f3")
            await until(pilot, lambda: isinstance(app.screen, SessionsScreen) and app.screen.is_mounted)
            screen = app.screen
            assert isinstance(screen, SessionsScreen)
            if found:
                await until(pilot, lambda: screen.finder.found)
            await pilot.pause()
            yield screen, pilot

    return opened
