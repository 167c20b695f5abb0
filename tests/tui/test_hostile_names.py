"""Names that look like markup, or that name nobody, are text like any other."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.content import Content
from textual.widget import Widget

from core.errors import CodexError, InvalidRequest
from core.paths import expanded
from tests.tui.composing.test_completions import offered
from tests.tui.conftest import OpenConsole
from tests.tui.fake_engine import FakeEngine
from tests.tui.host import press, until
from tui.composing.history import HistoryScreen
from tui.launch import Launch
from tui.screens.confirm import ConfirmScreen, Question
from tui.screens.line import LineScreen
from tui.screens.page import PageScreen
from tui.screens.pick import Pick, PickScreen
from tui.sessions.tell import TellScreen

ODD = "a[/b]c"


def shown(box: Widget) -> str:
    """Its title, as it is read."""
    return Content.from_markup(box.border_title or "").plain


async def test_a_folder_may_be_named_like_markup(console: OpenConsole, engine: FakeEngine) -> None:
    async with console(Launch(Path("/home/dev") / ODD)) as (_, pilot):
        await press(pilot, "x", "ctrl+r")
        await until(pilot, lambda: isinstance(pilot.app.screen, HistoryScreen))
        assert ODD in shown(pilot.app.screen.query_one("#said"))


async def test_what_fails_in_a_list_is_said_as_it_is(console: OpenConsole, engine: FakeEngine) -> None:
    engine.catalogs.fails = CodexError(f"failed {ODD}")
    engine.said.fails = CodexError(f"failed {ODD}")
    async with console() as (screen, pilot):
        await press(pilot, *"@a")
        await until(pilot, lambda: offered(screen))
        assert ODD in offered(screen)[0]
        await press(pilot, "escape", "ctrl+r")
        await until(pilot, lambda: isinstance(pilot.app.screen, HistoryScreen))
        await until(pilot, lambda: pilot.app.screen.query_one("OptionList").options)  # type: ignore[attr-defined]


async def test_titles_are_no_markup(console: OpenConsole) -> None:
    question = Question(ODD, (), no="No", yes="Yes")
    screens = (
        PickScreen(ODD, ()),
        LineScreen(ODD),
        PageScreen(ODD, ()),
        TellScreen(ODD, ""),
        ConfirmScreen(question),
    )
    async with console() as (_, pilot):
        for screen in screens:
            await pilot.app.push_screen(screen)
            boxes = [shown(one) for one in screen.query("*") if one.border_title]
            assert boxes == [ODD]
            screen.dismiss()


async def test_two_of_a_list_may_stand_for_the_same(console: OpenConsole) -> None:
    async with console() as (_, pilot):
        got: list[str | None] = []
        screen = PickScreen("Models", (Pick("same", "One"), Pick("same", "Two")))
        await pilot.app.push_screen(screen, got.append)
        await press(pilot, "down", "enter")
        await until(pilot, lambda: got)
        assert got == ["same"]


@pytest.mark.parametrize("command", ["/export ~nosuchuser/x.html", "/feedback-file ~nosuchuser/x"])
async def test_a_home_that_nobody_has_is_said(console: OpenConsole, engine: FakeEngine, command: str) -> None:
    conversation = engine.add(Path("/home/dev/harbour"), "boats")
    async with console(Launch(Path("/home/dev/harbour"), latest=True)) as (screen, pilot):
        await until(pilot, lambda: screen.desk is not None and screen.desk.current.id == conversation.id)
        screen.composer.put(command)
        screen.composer.submit()
        await until(pilot, lambda: "no such user" in str(screen.notices.render()))


def test_a_path_of_nobody_is_refused() -> None:
    with pytest.raises(InvalidRequest):
        expanded(Path("~nosuchuser/x"))
