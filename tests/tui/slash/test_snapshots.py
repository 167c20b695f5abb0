"""Pictures of the screens that slash commands lead to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from textual.screen import Screen
from textual.widgets import Static

from core.agent.operations import McpServer
from core.operations.model import RevertPlan
from tests.tui.host import HostApp, press, settled
from tests.tui.transcript.gallery import gallery
from tui.console.operating import words_of_revert
from tui.inspector.diff import FileDiff
from tui.screens.confirm import ConfirmScreen
from tui.screens.diff import DiffScreen
from tui.screens.line import LineScreen
from tui.screens.page import PageScreen
from tui.screens.taken_back import TakenBackScreen
from tui.slash.keeping import words_of_delete
from tui.slash.knowing import parts_of_servers
from tui.transcript.rowsview import RowsView

SIZES = [(80, 24), (120, 40), (60, 20)]
HUNKS = "@@ -1,3 +1,3 @@\n def greet(boat):\n-    print('Hello', boat)\n+    print(f'Welcome, {boat}!')\n     wave()\n"
FILES = [
    FileDiff("greet.py", "update", HUNKS, 1, 1),
    FileDiff("boats/red.txt", "add", "The red one\nlies at the pier\n", 2, 0),
]
SERVERS = (
    McpServer(
        "harbour",
        "connected",
        "oAuth",
        (("tide", "Tells the tide at a harbour, " * 4), ("berth", "Books one")),
    ),
    McpServer("weather", "failed", "", (), "it did not start: no such command"),
)
PLAN = RevertPlan("turn", 3, 9, "Make the boats feel welcome, [all] of them.\nBut quietly.", 2)

SCREENS: dict[str, Callable[[], Screen[Any]]] = {
    "revert": lambda: ConfirmScreen(words_of_revert(PLAN, "Ctrl+P")),
    "delete": lambda: ConfirmScreen(words_of_delete("Greet [every] boat")),
    "rename": lambda: LineScreen("The title of this conversation", "Greet every boat"),
    "mcp": lambda: PageScreen("MCP servers", parts_of_servers(SERVERS)),
    "no_mcp": lambda: PageScreen("MCP servers", parts_of_servers(())),
    "diff": lambda: DiffScreen("Changed since the last commit", FILES),
    "taken_back": lambda: TakenBackScreen(gallery()[:3]),
}


@pytest.fixture(autouse=True)
def _nothing_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RowsView, "PREFETCH", False)


@pytest.mark.parametrize("size", SIZES, ids=[f"{width}x{height}" for width, height in SIZES])
@pytest.mark.parametrize("name", SCREENS)
def test_it_looks_as_it_did(snap_compare: Callable[..., bool], name: str, size: tuple[int, int]) -> None:
    app = HostApp(lambda: Static("The console"), styles=("app", "transcript", "inspector", "operations"))

    async def before(pilot: Any) -> None:
        await app.push_screen(SCREENS[name]())
        await settled(pilot)
        if name == "delete":
            await press(pilot, "down")
        for cursor in app.screen.query("Input"):
            cursor.cursor_blink = False  # type: ignore[attr-defined]
        await pilot.pause()

    assert snap_compare(app, terminal_size=size, run_before=before)
