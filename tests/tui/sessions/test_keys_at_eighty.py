"""At 80 columns the bar of the sessions browser says what matters most, and that there is more."""

from __future__ import annotations

from tests.tui.host import press, until
from tests.tui.sessions.conftest import OpenBrowser
from tests.tui.sessions.fake_sessions import BrowserEngine, session
from tui.screens.help import HelpScreen
from tui.widgets.key_bar import KeyBar


async def test_in_the_list_the_bar_leads_to_all_keys(browser: OpenBrowser, engine: BrowserEngine) -> None:
    engine.sessions.entries = [session(1, "Open the gate")]
    async with browser(size=(80, 24)) as (screen, pilot):
        await until(pilot, lambda: screen.entry is not None)
        await press(pilot, "tab")
        bar = screen.query_one(KeyBar)
        await until(pilot, lambda: "All keys" in str(bar.render()))
        shown = str(bar.render())
        assert bar.render().cell_length <= 80
        for words in ("Resume", "View", "Fork", "Rename", "Archive", "Delete"):
            assert words in shown
        await press(pilot, "question_mark")
        await until(pilot, lambda: isinstance(pilot.app.screen, HelpScreen))
