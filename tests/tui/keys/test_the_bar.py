"""In every state of the screen: what the bar of keys shows works there."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from tests.tui.conftest import ConsoleApp
from tests.tui.fake_engine import FakeEngine
from tests.tui.host import settled
from tests.tui.keys.states import STATES
from tui.prompts import gate
from tui.widgets.key_bar import KeyBar
from tui.widgets.key_chips import Chip

EVERYWHERE = frozenset({"Inbox", "Sessions", "New", "List", "Ledger", "Commands", "Rules", "Help", "Quit"})
"""What works in all of the console: it is pressed once, in the empty composer."""

ENDS = frozenset({"Esc", "Enter"})
DEAD_AFTER = 2.0
"""Seconds in which a key has to do something."""


@pytest.fixture(autouse=True)
def nothing_moves_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("tui.place", "tui.widgets.status_line"):
        monkeypatch.setattr(f"{module}.monotonic", lambda: 0.0)
    monkeypatch.setattr(gate, "QUIET", 0.01)
    monkeypatch.setattr(Input, "cursor_blink", False)


def bar(pilot: Pilot[str]) -> KeyBar:
    """The one that is to be seen: that of the uppermost screen."""
    return pilot.app.screen.query(KeyBar).last()


def seen(pilot: Pilot[str]) -> object:
    """All that is on the screen, with its looks, where the focus is, and what the engine was asked for."""
    app = cast("ConsoleApp", pilot.app)
    engine = cast("FakeEngine", cast(Any, app)._opener.__self__)
    asked_for = [(one.interrupted, len(one.sent)) for one in engine.open_conversations.values()]
    strips = [list(strip) for strip in app.screen._compositor.render_strips()]
    return app.screen, app.focused, strips, asked_for, app.clipboard


async def does_something(pilot: Pilot[str], chip: Chip) -> bool:
    before = seen(pilot)
    await pilot.press(chip.key)
    try:
        async with asyncio.timeout(DEAD_AFTER):
            while seen(pilot) == before and pilot.app.is_running:
                await pilot.pause(0.01)
    except TimeoutError:
        return False
    return True


async def dead_keys(name: str, left: list[str] | None = None) -> list[str]:
    """The keys of a state that do nothing. Each is pressed where the state is still as it was, if need be anew."""
    dead: list[str] = []
    done: set[str] = set()
    while True:
        app, run = STATES[name]()
        async with app.run_test(size=(80, 24)) as pilot:
            await run(pilot)
            app.console_screen.composer.input.cursor_blink = False
            await settled(pilot)
            chips = shown = bar(pilot).chips()
            while [chip.words for chip in shown] == [chip.words for chip in chips]:
                untried = [chip for chip in chips if chip.words not in done and asked(name, chip)]
                if not untried:
                    return dead
                chip = min(untried, key=lambda one: one.shown in ENDS)
                done.add(chip.words)
                if not await does_something(pilot, chip):
                    dead.append(f"{chip.shown} {chip.words}")
                if not app.is_running:
                    break
                await settled(pilot)
                shown = bar(pilot).chips() if app.screen.query(KeyBar) else []


def asked(name: str, chip: Chip) -> bool:
    return name == "composer, empty" or chip.words not in EVERYWHERE


@pytest.mark.parametrize("name", STATES)
async def test_every_key_that_is_shown_does_something_there(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tui.screens.confirm.QUIET", 0.0)
    assert await dead_keys(name) == []
