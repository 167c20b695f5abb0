"""Where the browser begins: the welcome's recent sessions, its keys, and the command line."""

from __future__ import annotations

from pathlib import Path

from textual.pilot import Pilot

from tests.tui.conftest import FOLDER, ConsoleApp, OpenConsole
from tests.tui.fake_engine import FakeEngine
from tests.tui.host import until
from tests.tui.sessions.fake_sessions import BrowserEngine, session
from tui.launch import Launch
from tui.screens.console import ConsoleScreen
from tui.sessions.screen import SessionsScreen
from tui.widgets.welcome import Welcome


def welcome(screen: ConsoleScreen) -> str:
    return str(screen.query_one(Welcome).render())


async def test_an_empty_conversation_shows_the_sessions_that_were_used_last(
    engine: FakeEngine, console: OpenConsole
) -> None:
    for number in range(7):
        engine.add(Path("/home/dev/lights"), f"Session {number}")
    async with console(size=(80, 30)) as (screen, pilot):
        await until(pilot, lambda: "Session 6" in welcome(screen))
        assert "F3 shows all sessions" in welcome(screen)
        assert "Session 2" in welcome(screen) and "Session 1" not in welcome(screen)
        assert "lights" in welcome(screen)


async def test_without_a_session_nothing_is_said_of_them(console: OpenConsole) -> None:
    async with console(size=(80, 30)) as (screen, _):
        assert "Recent" not in welcome(screen)


async def test_a_click_on_a_recent_session_opens_it(engine: FakeEngine, console: OpenConsole) -> None:
    conversation = engine.add(FOLDER, "The one")
    async with console(size=(80, 30)) as (screen, pilot):
        await until(pilot, lambda: "The one" in welcome(screen))
        await pilot.pause()
        rows = range(screen.query_one(Welcome).region.bottom)
        row = next(y for y in rows if "recent" in screen.get_style_at(8, y).meta)
        await pilot.click(offset=(8, row))
        await until(pilot, lambda: screen.desk is not None and screen.desk.current.id == conversation.id)


async def opened(pilot: Pilot[str]) -> None:
    await until(pilot, lambda: isinstance(pilot.app.screen, SessionsScreen))


async def test_ctrl_r_opens_the_browser_where_nothing_is_written() -> None:
    engine = BrowserEngine()
    app = ConsoleApp(Launch(FOLDER), engine.opener)
    async with app.run_test() as pilot:
        await until(pilot, lambda: app.console_screen.desk is not None)
        await pilot.press("ctrl+r")
        await opened(pilot)


async def test_the_command_opens_the_console_with_the_browser_over_it() -> None:
    engine = BrowserEngine()
    engine.sessions.entries = [session(1)]
    app = ConsoleApp(Launch(FOLDER, over="sessions"), engine.opener)
    async with app.run_test() as pilot:
        await opened(pilot)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConsoleScreen))
