"""What is accepted was on the screen, as it is asked now: nothing else counts as seen."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from tests.tui import examples
from tests.tui.host import press, settled, until
from tests.tui.prompts.prompting import go_in, see_everything, shown, verb
from tui.prompts.choice_bar import ChoiceBar
from tui.prompts.seen import Seen

pytestmark = pytest.mark.usefixtures("short_quiet")

SHORT = examples.notified(examples.COMMAND)
LONG = replace(SHORT, request=examples.LONG_COMMAND, shown_hash="other")


class Over(Screen[None]):
    def compose(self) -> ComposeResult:
        yield Static("over")


async def refreshed(node: Widget) -> None:
    """Wait for the next frame, as what was to be done after it is."""
    done = asyncio.Event()
    node.call_after_refresh(done.set)
    await asyncio.wait_for(done.wait(), 5)


async def test_what_is_replaced_under_another_screen_was_not_seen() -> None:
    async with shown(SHORT, size=(80, 24), enter=False) as (app, pilot):
        prompt = app.prompt
        prompt.limit(6)
        await until(pilot, lambda: prompt._sitting.seen_whole)
        app.push_screen(Over())
        await until(pilot, lambda: isinstance(app.screen, Over))
        await refreshed(app.screen)
        prompt.update(LONG)
        await refreshed(prompt)
        app.pop_screen()
        await go_in(app, pilot)
        await press(pilot, "y")
        assert app.answers == []
        await until(pilot, lambda: app.prompt.armed)
        await see_everything(app, pilot)
        await press(pilot, "y")
        assert [verb(answer) for answer in app.answers] == ["accept"]


async def test_nothing_is_seen_while_another_screen_lies_over_it() -> None:
    async with shown(LONG, size=(80, 24), enter=False) as (app, pilot):
        prompt = app.prompt
        app.push_screen(Over())
        await until(pilot, lambda: isinstance(app.screen, Over))
        prompt.update(replace(SHORT, shown_hash="third"))
        await settled(pilot)
        assert not prompt.query_one(ChoiceBar).accepts
        app.pop_screen()
        await go_in(app, pilot)
        await until(pilot, lambda: app.query_one(ChoiceBar).accepts)


def test_rows_that_come_in_the_same_width_were_not_seen() -> None:
    seen = Seen()
    seen.look(0, 10, 5, 80)
    assert seen.whole
    seen.look(0, 10, 62, 80)
    assert not seen.whole
    assert seen.missing == 52
