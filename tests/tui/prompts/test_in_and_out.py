"""Being in a prompt: the terminal may lose the focus and get it back, and no key leads out unawares."""

from __future__ import annotations

import pytest
from textual import events
from textual.widgets import Input, TextArea

from core.agent.requests import Reply
from tests.tui import examples
from tests.tui.host import press, settled, until
from tests.tui.prompts.prompting import see_everything, shown
from tui.prompts import gate
from tui.prompts.choice_bar import ChoiceBar

pytestmark = pytest.mark.usefixtures("short_quiet")


async def test_a_terminal_that_was_left_and_is_back_is_still_in_the_field() -> None:
    async with shown(examples.QUESTION) as (app, pilot):
        await see_everything(app, pilot)
        words, secret = app.query(".field Input").results(Input)
        words.focus()
        await press(pilot, *"North")
        app.post_message(events.AppBlur())
        await until(pilot, lambda: app.focused is None)
        app.post_message(events.AppFocus())
        await until(pilot, lambda: app.focused is words and app.prompt.armed)
        await press(pilot, "enter", *"4711", "enter")
        assert app.query_one("#typing", TextArea).text == ""
        assert secret.value == "4711"
        assert app.focused is app.query_one(ChoiceBar)
        await press(pilot, "y")
        assert app.answers == [Reply(answers={"berth": ("North",), "code": ("4711",)})]


async def test_who_comes_back_to_the_terminal_looks_first(monkeypatch: pytest.MonkeyPatch) -> None:
    async with shown(examples.COMMAND) as (app, pilot):
        app.post_message(events.AppBlur())
        await until(pilot, lambda: app.focused is None)
        monkeypatch.setattr(gate, "QUIET", 3600.0)
        app.post_message(events.AppFocus())
        await until(pilot, lambda: app.focused is not None)
        await settled(pilot)
        await press(pilot, "y", "n")
        assert app.answers == []
        assert app.prompt.entered


async def test_who_goes_elsewhere_while_the_terminal_is_left_is_out_of_it() -> None:
    async with shown(examples.COMMAND) as (app, pilot):
        app.post_message(events.AppBlur())
        await until(pilot, lambda: app.focused is None)
        app.query_one("#typing").focus()
        await settled(pilot)
        app.post_message(events.AppFocus())
        await until(pilot, lambda: not app.prompt.entered)


async def test_enter_in_the_last_field_leads_to_the_choices_and_no_further() -> None:
    async with shown(examples.QUESTION) as (app, pilot):
        app.query(".field Input").last(Input).focus()
        await press(pilot, "enter", "down", "enter", "enter")
        assert app.focused is app.query_one(ChoiceBar)
