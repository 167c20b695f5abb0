"""Pictures of the console in each of its states, at the sizes it is made for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.tui.states import STATES
from tui.transcript.rowsview import RowsView

SIZES = ((80, 24), (120, 40))
NARROW = (60, 20)
NARROW_STATES = ("empty", "prompt_command", "prompt_question_entered", "sign_in", "error", "help", "listing")

CASES = [
    *((state, size) for state in STATES for size in SIZES),
    *((state, NARROW) for state in NARROW_STATES),
]


@pytest.fixture(autouse=True)
def _nothing_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """No clock goes, and the scroll bar does not depend on what was drawn ahead."""
    monkeypatch.setattr(RowsView, "PREFETCH", False)
    for module in ("tui.place", "tui.widgets.status_line"):
        monkeypatch.setattr(f"{module}.monotonic", lambda: 0.0)


@pytest.mark.parametrize(("state", "size"), CASES, ids=[f"{state}-{w}x{h}" for state, (w, h) in CASES])
def test_the_console_looks_as_it_did(
    snap_compare: Callable[..., bool], state: str, size: tuple[int, int]
) -> None:
    app, run = STATES[state]()

    async def before(pilot: Any) -> None:
        await run(pilot)
        await pilot.pause()

    assert snap_compare(app, terminal_size=size, run_before=before)


def test_without_colours_it_looks_as_it_did(
    snap_compare: Callable[..., bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app, run = STATES["prompt_command_entered"]()
    assert snap_compare(app, terminal_size=(80, 24), run_before=run)


def test_in_light_colours_it_looks_as_it_did(snap_compare: Callable[..., bool]) -> None:
    app, run = STATES["prompt_files"]()

    async def before(pilot: Any) -> None:
        await run(pilot)
        app.theme = "quarterdeck-light"
        await pilot.pause()

    assert snap_compare(app, terminal_size=(100, 30), run_before=before)
