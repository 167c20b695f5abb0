"""The ledger's screen over the console."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, cast

import pytest
from textual.pilot import Pilot

from tests.tui.conftest import OpenConsole
from tests.tui.fake_engine import FakeEngine
from tests.tui.host import until
from tui.screens.ledger import LedgerScreen

OpenLedger = Callable[..., AbstractAsyncContextManager[tuple[LedgerScreen, Pilot[str]]]]


@pytest.fixture
def ledger_screen(engine: FakeEngine, console: OpenConsole) -> OpenLedger:
    """`async with ledger_screen(ledger) as (screen, pilot)`: opened with F4, its first page there."""

    @asynccontextmanager
    async def opened(
        ledger: Any, *, size: tuple[int, int] = (80, 24)
    ) -> AsyncIterator[tuple[LedgerScreen, Pilot[str]]]:
        cast(Any, engine).ledger = ledger
        async with console(size=size) as (_, pilot):
            await pilot.press("f4")
            await until(pilot, lambda: isinstance(pilot.app.screen, LedgerScreen))
            screen = cast(LedgerScreen, pilot.app.screen)
            await until(pilot, lambda: screen.where is not None)
            yield screen, pilot

    return opened
