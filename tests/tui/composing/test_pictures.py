"""Pictures of the composer's own states, at the sizes it is made for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList

from core.agent.lookups import CommandOutput
from core.conversation.feed import Delivery, OutboxEntry
from core.rows import SaidRow
from core.thread.state import Status
from tests.tui.conftest import FOLDER, ConsoleApp
from tests.tui.fake_engine import FakeEngine
from tests.tui.host import press, settled, until
from tests.tui.states import app_of, harbour, said, up
from tui.transcript.rowsview import RowsView

SIZES = ((60, 20), (80, 24), (120, 40))
DAY = 86_400_000


async def commands(pilot: Pilot[Any], engine: FakeEngine) -> None:
    await press(pilot, *"/re")
    await until(pilot, lambda: pilot.app.screen.query_one("#completions").display)


async def files(pilot: Pilot[Any], engine: FakeEngine) -> None:
    engine.catalogs.paths = ("pier/boats.py", "pier/boat \x1b[31mred.png", "docs/boats and bollards.md")
    await press(pilot, *"Look at @boat")
    await until(pilot, lambda: pilot.app.screen.query_one("#completions", OptionList).option_count == 3)


async def command(pilot: Pilot[Any], engine: FakeEngine) -> None:
    await press(pilot, *"!git status --short", "enter")
    await until(pilot, lambda: engine.shell.commands)
    engine.shell.say(CommandOutput(" M pier/boats.py\n?? \x1b[31mdocs/\x1b[0m\n"))
    assert engine.shell.end is not None
    engine.shell.end.set_result(0)
    await until(pilot, lambda: pilot.app.screen.query("PaneKey").last().region.width)


async def placeholders(pilot: Pilot[Any], engine: FakeEngine) -> None:
    app = pilot.app
    assert isinstance(app, ConsoleApp)
    composer = app.console_screen.composer
    composer.put("\n".join(f"line {number}" for number in range(132)))
    await press(pilot, *" is the log, and the picture is ")
    composer.input.put(composer.writing.parts.image("/pictures/lamp.png", "lamp.png", 120_400))


async def queued(pilot: Pilot[Any], engine: FakeEngine) -> None:
    await press(pilot, *"And then")


async def history(pilot: Pilot[Any], engine: FakeEngine) -> None:
    engine.said.rows = [
        SaidRow(
            "Paint the pier\nbefore the season begins,\nand the boats too.", 9 * DAY, "c", "", str(FOLDER)
        ),
        SaidRow("Count the boats", 8 * DAY, "c", "", str(FOLDER)),
        SaidRow("Why does the lamp flicker?", 2 * DAY, "c", "", "/home/dev/lighthouse"),
    ]
    await press(pilot, *"the", "ctrl+r")
    await until(pilot, lambda: pilot.app.screen.query_one(OptionList).option_count == 2)
    pilot.app.screen.query_one("Input").cursor_blink = False  # type: ignore[attr-defined]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
@pytest.mark.parametrize(
    "state", [commands, files, command, placeholders, queued, history], ids=lambda state: state.__name__
)
def test_a_state_of_the_composer_looks_as_it_did(
    snap_compare: Callable[..., bool],
    monkeypatch: pytest.MonkeyPatch,
    state: Callable[[Pilot[Any], FakeEngine], Any],
    size: tuple[int, int],
) -> None:
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setattr(RowsView, "PREFETCH", False)
    monkeypatch.setattr("tui.inspector.git.branch_of", lambda _: "main")
    for module in ("tui.place", "tui.widgets.status_line"):
        monkeypatch.setattr(f"{module}.monotonic", lambda: 0.0)
    engine, conversation = harbour()
    conversation.add(said("How many boats are there?"))
    if state is queued:
        conversation.state = replace(conversation.state, status=Status.RUNNING, turn_id="turn")
        conversation.outbox = (OutboxEntry("k1", "Then paint the south pier.", Delivery.QUEUED),)

    async def before(pilot: Pilot[Any]) -> None:
        await up(pilot)
        await state(pilot, engine)
        await settled(pilot)

    assert snap_compare(app_of(engine), terminal_size=size, run_before=before)
