"""The browser on the real Codex: what its own programs began is found, opened, and goes on; two consoles agree."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from core.conversation.feed import HostPhase
from core.demo.scratch import Scratch
from core.engine import open_engine
from core.settings import HostSettings, Settings
from tests.core.sessions.conftest import OfficialCodex
from tests.tui.conftest import ConsoleApp
from tests.tui.host import until
from tui.launch import Launch
from tui.screens.console import ConsoleScreen
from tui.sessions.screen import SessionsScreen
from tui.startup import Session

SECONDS = 20.0


@pytest.fixture
def settings(scratch: Scratch, codex_binary: Path, tmp_path: Path) -> Settings:
    return Settings(
        data_dir=tmp_path / "data", host=HostSettings(codex=codex_binary, codex_home=scratch.home)
    )


@pytest.fixture
def official(codex_binary: Path, scratch: Scratch) -> OfficialCodex:
    return OfficialCodex(codex_binary, scratch)


@asynccontextmanager
async def console(settings: Settings, scratch: Scratch) -> AsyncIterator[Pilot[str]]:
    """A console of its own on this database and this Codex, as a second terminal has it."""

    async def opener(launch: Launch) -> Session:
        return Session(await open_engine(settings), settings, launch.folder, AsyncExitStack())

    def connected() -> bool:
        """In a fresh CODEX_HOME two Codexes that begin at once get in each other's way."""
        session = app.console_screen.session
        return session is not None and session.engine.host.phase is HostPhase.READY

    app = ConsoleApp(Launch(scratch.project), opener)
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, connected, SECONDS)
        await until(pilot, lambda: app.console_screen.desk is not None, SECONDS)
        yield pilot
        await app.console_screen.close()


async def browse(pilot: Pilot[str], words: str, count: int = 1) -> SessionsScreen:
    """The browser, once it has found so many."""
    await pilot.press("f3")
    await until(pilot, lambda: isinstance(pilot.app.screen, SessionsScreen), SECONDS)
    screen = pilot.app.screen
    assert isinstance(screen, SessionsScreen)
    screen.field.value = words
    await until(
        pilot, lambda: screen.finder.shown.text == words and len(screen.finder.matches) == count, SECONDS
    )
    return screen


def transcript(pilot: Pilot[str]) -> str:
    screen = pilot.app.screen
    assert isinstance(screen, ConsoleScreen) and screen.desk is not None
    boxes = (getattr(entry, "box", None) for entry in screen.desk.current.document.entries())
    return "\n".join(box.contents for box in boxes if box is not None)


async def test_a_session_of_codex_exec_is_found_opened_and_goes_on(
    settings: Settings, scratch: Scratch, official: OfficialCodex
) -> None:
    await official.exec("/say Portree has painted houses.")
    async with console(settings, scratch) as pilot:
        await browse(pilot, "portree")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConsoleScreen), SECONDS)
        await until(pilot, lambda: "painted houses" in transcript(pilot), SECONDS)
        screen = pilot.app.screen
        assert isinstance(screen, ConsoleScreen)
        screen.composer.put(" /say It goes on in Stornoway.")
        screen.composer.submit()
        await until(pilot, lambda: transcript(pilot).count("Stornoway") >= 2, SECONDS)
        found = await browse(pilot, "stornoway")
        assert found.entry is not None and found.entry.source == "exec"


async def test_what_one_console_does_the_browser_of_another_shows(
    settings: Settings, scratch: Scratch, official: OfficialCodex
) -> None:
    async with console(settings, scratch) as first, console(settings, scratch) as second:
        await official.exec("/say Lerwick is far out.")
        one = await browse(first, "lerwick")
        other = await browse(second, "lerwick")
        assert one.entry is not None and other.entry is not None and one.entry.key == other.entry.key
        await one.actions.pin(one.entry)
        await one.actions.rename(one.entry, "Far out")
        await until(
            second,
            lambda: other.entry is not None and other.entry.pinned and other.entry.title == "Far out",
            SECONDS,
        )


async def test_a_deletion_that_was_not_taken_back_is_done_at_codex(
    settings: Settings, scratch: Scratch, official: OfficialCodex
) -> None:
    await official.exec("/say Kirkwall has a cathedral.")
    async with console(settings, scratch) as pilot:
        screen = await browse(pilot, "kirkwall")
        assert screen.entry is not None
        rollout = Path(screen.entry.rollout)
        assert rollout.exists()
        screen.engine.deletions.later(screen.entry.key, "it", seconds=0)
        await until(pilot, lambda: screen.finder.matches == () or screen.notices.showing, SECONDS)
        assert "Not deleted" not in str(screen.notices.render())
        assert not rollout.exists()
