"""Pictures of the ledger in each of its states."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from tests.tui.conftest import FOLDER
from tests.tui.fake_engine import FakeEngine
from tests.tui.host import press, settled, until
from tests.tui.ledger.fake import FakeLedger, some
from tests.tui.states import app_of, up
from tui.screens.ledger import LedgerScreen
from tui.widgets.lazy_list import LazyList

SIZES = ((80, 24), (120, 40), (60, 20))
STATES: dict[str, tuple[str, tuple[str, ...]]] = {
    "full": ("", ()),
    "details": ("", ("down", "down", "down", "down", "tab")),
    "undecided": ("", ("down",)),
    "found": ("oneline", ()),
    "none_found": ("whale", ()),
    "wrong_filter": ("who:me", ()),
    "export": ("", ("ctrl+s",)),
    "empty": ("", ()),
}


@pytest.fixture(autouse=True)
def _a_clock_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    for module in ("tui.place", "tui.widgets.status_line"):
        monkeypatch.setattr(f"{module}.monotonic", lambda: 0.0)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("state", STATES)
def test_the_ledger_looks_as_it_did(
    snap_compare: Callable[..., bool], state: str, size: tuple[int, int]
) -> None:
    typed, keys = STATES[state]
    engine = FakeEngine()
    engine.add(FOLDER, "Greet every boat")
    cast(Any, engine).ledger = FakeLedger(() if state == "empty" else some())

    async def before(pilot: Pilot[Any]) -> None:
        await up(pilot)
        await press(pilot, "f4")
        await until(pilot, lambda: isinstance(pilot.app.screen, LedgerScreen))
        screen = cast(LedgerScreen, pilot.app.screen)
        await until(pilot, lambda: screen.where is not None)
        field = screen.query_one(Input)
        field.cursor_blink = False
        if typed:
            field.value = typed
            await until(pilot, lambda: _looked_for(screen, typed))
        await settled(pilot)
        await press(pilot, *keys)
        await until(
            pilot,
            lambda: all(
                one.is_finished for one in screen.workers if one.node in (screen, screen.query_one(LazyList))
            ),
        )
        for one in pilot.app.screen.query(Input):
            one.cursor_blink = False
        await settled(pilot)

    assert snap_compare(app_of(engine), terminal_size=size, run_before=before)


def _looked_for(screen: LedgerScreen, typed: str) -> bool:
    """Was it looked for, or refused?"""
    words = screen.where.words if screen.where is not None else ""
    return words.strip() == typed or screen.query_one("#ledger-said").has_class("-problem")
