"""A screen closes once, however many keys of one burst say so."""

from __future__ import annotations

import asyncio
import importlib
import pkgutil

import pytest
from textual.app import App
from textual.screen import Screen

import tui
from core.thread.boxes import ASSISTANT, USER, InputMeta, draft
from tests.tui.conftest import FOLDER, OpenConsole
from tests.tui.fake_engine import FakeEngine
from tests.tui.host import burst, press, settled, until
from tui.crash import note_crash
from tui.screens.closing import ClosesOnce, OverlayScreen
from tui.screens.engine_screen import EngineScreen
from tui.transcript.block_menu import BlockMenu


def screens() -> set[type[Screen[object]]]:
    """Every screen that Quarterdeck has."""
    for module in pkgutil.walk_packages(tui.__path__, "tui."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    found: set[type[Screen[object]]] = set()
    left = [Screen]
    while left:
        below = [one for one in left.pop().__subclasses__() if one not in found]
        left.extend(below)
        found.update(below)
    return {one for one in found if one.__module__.startswith("tui.")}


def test_every_screen_over_the_console_closes_once() -> None:
    over = {one for one in screens() if not issubclass(one, EngineScreen)}
    assert len(over) > 15
    assert [one for one in over if not issubclass(one, ClosesOnce)] == []
    kept = (ClosesOnce.dismiss, ClosesOnce.on_screen_resume)
    others = [one for one in over if (one.dismiss, getattr(one, "on_screen_resume", None)) != kept]
    assert others == []


async def test_a_second_dismiss_takes_nothing_away() -> None:
    app = App[None]()
    async with app.run_test() as pilot:
        got: list[str | None] = []
        below, above = OverlayScreen[str](), OverlayScreen[str]()
        await app.push_screen(below, got.append)
        await app.push_screen(above, got.append)
        above.dismiss("first")
        above.dismiss("second")
        assert app.screen is below
        await until(pilot, lambda: got)
        assert got == ["first"]


async def test_a_screen_that_another_lies_over_closes_after_it_and_with_its_own_result() -> None:
    app = App[None]()
    async with app.run_test() as pilot:
        got: list[str | None] = []
        below, above = OverlayScreen[str](), OverlayScreen[str]()
        await app.push_screen(below, got.append)
        await app.push_screen(above, got.append)
        below.dismiss("done")
        assert app.screen is above
        above.dismiss("read")
        await until(pilot, lambda: len(app.screen_stack) == 1)
        await until(pilot, lambda: len(got) == 2)
        assert got == ["read", "done"]


async def test_what_a_screen_still_does_ends_before_its_widgets_go() -> None:
    app = App[None]()
    async with app.run_test() as pilot:
        screen, begun, answered = OverlayScreen[str](), asyncio.Event(), asyncio.Event()
        drew: list[str] = []

        async def draw() -> None:
            begun.set()
            await answered.wait()
            drew.append("on what is gone")

        await app.push_screen(screen)
        working = screen.run_worker(draw)
        await until(pilot, begun.is_set)
        screen.dismiss("done")
        answered.set()
        await until(pilot, lambda: working.is_finished)
        assert drew == []


async def test_a_letter_twice_in_a_block_menu(console: OpenConsole, engine: FakeEngine) -> None:
    boxes = draft(USER, "hello", InputMeta(key="k")), draft(ASSISTANT, "good day")
    conversation = engine.add(FOLDER, "boats", *boxes)
    async with console() as (screen, pilot):
        screen.go_to(conversation.id)
        await until(pilot, lambda: screen.desk is not None and screen.desk.current.id == conversation.id)
        await press(pilot, "shift+tab", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, BlockMenu))
        burst(pilot, "cc")
        await until(pilot, lambda: pilot.app.screen is screen)
        await settled(pilot)
        assert pilot.app.screen is screen and pilot.app.is_running


@pytest.mark.parametrize("typed", ["/theme", "/model", "/keys"])
async def test_enter_twice_in_what_a_slash_command_opens(
    console: OpenConsole, engine: FakeEngine, typed: str
) -> None:
    async with console() as (screen, pilot):
        screen.composer.put(typed)
        screen.composer.submit()
        await until(pilot, lambda: pilot.app.screen is not screen)
        await settled(pilot)
        burst(pilot, "\r\r")
        await press(pilot, "escape")
        await until(pilot, lambda: pilot.app.screen is screen)


async def test_enter_twice_in_the_palette_does_it_once(console: OpenConsole, engine: FakeEngine) -> None:
    async with console() as (screen, pilot):
        done: list[str] = []
        screen.action_new = lambda: done.append("new")  # type: ignore[method-assign]
        await press(pilot, "ctrl+p", *"/new")
        await until(pilot, lambda: pilot.app.screen.query_one("CommandList").highlighted is not None)  # type: ignore[attr-defined]
        burst(pilot, "\r\r\r")
        await until(pilot, lambda: pilot.app.screen is screen)
        await settled(pilot)
        await settled(pilot)
        assert done == ["new"]


def test_where_the_trace_of_a_failure_is_stands_on_a_line_of_its_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    monkeypatch.setattr("tui.crash.user_log_dir", lambda *_, **__: str(tmp_path))
    lines = note_crash(ValueError("odd")).splitlines()
    assert lines[-1] == f"{tmp_path}/crash.log"
