"""What was said before is found, looked at, and put into the composer."""

from __future__ import annotations

import pytest

from core.rows import SaidRow
from tests.tui.conftest import FOLDER, OpenConsole
from tests.tui.fake_engine import FakeEngine
from tests.tui.host import press, settled, until
from tui.composing.history import HistoryScreen

ELSEWHERE = str(FOLDER.parent / "lighthouse")


def rows() -> list[SaidRow]:
    return [
        SaidRow("paint the \x1b[31mpier\nand then\nthe boats", 3_000, "c1", "Paint", str(FOLDER)),
        SaidRow("count the boats", 2_000, "c1", "Count", str(FOLDER)),
        SaidRow("why does the lamp flicker", 1_000, "c2", "Lamp", ELSEWHERE),
    ]


def listed(screen: HistoryScreen) -> list[str]:
    return [str(option.prompt) for option in screen._list.options]


async def test_what_is_written_is_looked_for_and_what_is_chosen_takes_its_place(
    console: OpenConsole, engine: FakeEngine
) -> None:
    engine.said.rows = rows()
    async with console() as (screen, pilot):
        await press(pilot, *"boats", "ctrl+r")
        history = pilot.app.screen
        assert isinstance(history, HistoryScreen)
        await until(pilot, lambda: len(listed(history)) == 2)
        assert "\x1b" not in "".join(listed(history)) and "\x1b" not in str(history._preview.render())
        assert "the boats" in str(history._preview.render())
        await press(pilot, "down", "enter")
        await until(pilot, lambda: pilot.app.screen is screen)
        assert screen.composer.input.text == "count the boats"
        await press(pilot, "ctrl+z")
        assert screen.composer.input.text == "boats"


async def test_tab_looks_in_all_folders_and_back(console: OpenConsole, engine: FakeEngine) -> None:
    engine.said.rows = rows()
    async with console() as (screen, pilot):
        await press(pilot, *"lamp")
        await screen.run_action("history")
        await settled(pilot)
        history = pilot.app.screen
        assert isinstance(history, HistoryScreen)
        await until(pilot, lambda: listed(history))
        assert "press Tab for all folders" in listed(history)[0]
        await press(pilot, "tab")
        await until(pilot, lambda: "lighthouse  why does the lamp flicker" in listed(history)[0])
        await press(pilot, "tab")
        await until(pilot, lambda: "press Tab for all folders" in listed(history)[0])
        await press(pilot, "enter", "escape")
        await until(pilot, lambda: pilot.app.screen is screen)
        assert screen.composer.input.text == "lamp"


async def test_with_nothing_written_sessions_are_found(
    console: OpenConsole, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    async with console() as (screen, pilot):
        monkeypatch.setattr(screen, "action_over", opened.append)
        await press(pilot, "ctrl+r")
        assert opened == ["sessions"]
        assert not isinstance(pilot.app.screen, HistoryScreen)
