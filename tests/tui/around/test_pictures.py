"""Pictures of the switches at the sizes they are made for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.tui.conftest import ConsoleApp
from tests.tui.host import settled, until
from tests.tui.states import Run, app_of, harbour, up
from tui.screens.pick import PickScreen

SIZES = ((60, 20), (80, 24), (120, 40))

pytestmark = pytest.mark.usefixtures("still")


def switch(what: str) -> tuple[ConsoleApp, Run]:
    engine, _ = harbour()

    async def run(pilot: Pilot[Any]) -> None:
        await up(pilot)
        app = pilot.app
        assert isinstance(app, ConsoleApp)
        app.console_screen.action_switch(what)
        await until(pilot, lambda: isinstance(app.screen, PickScreen))
        await settled(pilot)

    return app_of(engine), run


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
@pytest.mark.parametrize("what", ["model", "sandbox"])
def test_a_switch_looks_as_it_did(
    snap_compare: Callable[..., bool], what: str, size: tuple[int, int]
) -> None:
    app, run = switch(what)
    assert snap_compare(app, terminal_size=size, run_before=run)
