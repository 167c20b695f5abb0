"""Pictures of the composer's own states, at the sizes it is made for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from core.rows import SaidRow
from tests.tui.composing.host import ComposerApp
from tests.tui.conftest import FOLDER
from tests.tui.fake_engine import FakeEngine
from tests.tui.host import press, settled, until
from tui.composing.command_run import CommandRun
from tui.composing.history import HistoryScreen

SIZES = ((60, 20), (80, 24), (120, 40))
DAY = 86_400_000


async def empty(app: ComposerApp, pilot: Pilot[Any]) -> None:
    app.composer.say("Message Codex")


async def running(app: ComposerApp, pilot: Pilot[Any]) -> None:
    app.composer.say("Steer: what you send now goes into the running turn", running=True)


async def commands(app: ComposerApp, pilot: Pilot[Any]) -> None:
    await press(pilot, *"/re")
    await until(pilot, lambda: app.query_one("#completions").display)


async def argument(app: ComposerApp, pilot: Pilot[Any]) -> None:
    await press(pilot, *"/rename The")


async def files(app: ComposerApp, pilot: Pilot[Any]) -> None:
    app.sources.catalogs.paths = ("pier/boats.py", "pier/boat \x1b[31mred.png", "docs/boats and bollards.md")
    await press(pilot, *"Look at @boat")
    await until(pilot, lambda: app.query_one("#completions", OptionList).option_count == 3)


async def command(app: ComposerApp, pilot: Pilot[Any]) -> None:
    run = CommandRun("git status --short")
    run.add(" M pier/boats.py\n?? \x1b[31mdocs/\x1b[0m\x1b]8;;http://evil/\x07\n")
    run.code = 1
    app.pane.show(run)
    app.pane.focus()
    await until(pilot, lambda: app.query("PaneKey") and app.query("PaneKey").last().region.width)


async def placeholders(app: ComposerApp, pilot: Pilot[Any]) -> None:
    app.composer.put("\n".join(f"line {number}" for number in range(132)))
    await press(pilot, *" is the log, and the picture is ")
    app.composer.input.put(app.composer.writing.parts.image("/pictures/lamp.png", "lamp.png", 120_400))


async def history(app: ComposerApp, pilot: Pilot[Any]) -> None:
    engine = FakeEngine()
    engine.said.rows = [
        SaidRow(
            "Paint the pier\nbefore the season begins,\nand the boats too.", 9 * DAY, "c", "", str(FOLDER)
        ),
        SaidRow("Count the boats", 8 * DAY, "c", "", str(FOLDER)),
    ]
    app.push_screen(HistoryScreen(cast("Any", engine), FOLDER, "the"))
    await until(pilot, lambda: any(found.option_count == 2 for found in app.screen.query(OptionList)))
    app.screen.query_one(Input).cursor_blink = False


STATES = [empty, running, commands, argument, files, command, placeholders, history]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_a_state_of_the_composer_looks_as_it_did(
    snap_compare: Callable[..., bool],
    monkeypatch: pytest.MonkeyPatch,
    state: Callable[[ComposerApp, Pilot[Any]], Any],
    size: tuple[int, int],
) -> None:
    monkeypatch.setenv("TZ", "UTC")

    async def before(pilot: Pilot[Any]) -> None:
        await state(cast("ComposerApp", pilot.app), pilot)
        await settled(pilot)

    assert snap_compare(ComposerApp(), terminal_size=size, run_before=before)
