"""Filling in a form where it does not fit: each key does what is said, and nothing is typed unseen."""

from __future__ import annotations

import pytest
from textual.widgets import Input

from core.agent.requests import Elicited
from tests.tui import examples
from tests.tui.host import press, settled, until
from tests.tui.prompts.prompting import see_everything, shown
from tui.prompts.body import Body
from tui.prompts.choice_bar import ChoiceBar
from tui.prompts.picker import Picker

pytestmark = pytest.mark.usefixtures("short_quiet")

ASKED = examples.notified(examples.FORM, profile="operator", why_asked="No rule can allow it. " * 8)


async def test_a_form_is_filled_in_and_sent_with_the_arrows_alone() -> None:
    async with shown(ASKED, size=(80, 24)) as (app, pilot):
        app.prompt.limit(12)
        await settled(pilot)
        name, length = app.query(".field Input").results(Input)
        for _ in range(20):
            if app.focused is name:
                break
            await press(pilot, "down")
        await press(pilot, *"Ida", "down")
        assert app.focused is length
        await press(pilot, "down", "space")
        for _ in range(20):
            if isinstance(app.focused, ChoiceBar):
                break
            await press(pilot, "down")
        await until(pilot, lambda: app.query_one(ChoiceBar).accepts)
        await press(pilot, "y")
        (answer,) = app.answers
        assert isinstance(answer, Elicited) and answer.action == "accept"
        assert answer.content_json == '{"name": "Ida", "kind": "sail", "insured": true}'


async def test_what_is_said_about_a_request_is_no_part_of_what_has_to_be_seen() -> None:
    asked = examples.notified(examples.COMMAND, why_asked="No rule matches it. " * 60)
    async with shown(asked, size=(80, 24)) as (app, pilot):
        app.prompt.limit(9)
        await until(pilot, lambda: app.query_one(Body).max_scroll_y > 0)
        await until(pilot, lambda: app.query_one(ChoiceBar).accepts)


async def test_the_text_scrolls_from_the_choices_too() -> None:
    async with shown(examples.LONG_COMMAND, size=(80, 24)) as (app, pilot):
        app.prompt.limit(9)
        app.query_one(ChoiceBar).focus()
        await settled(pilot)
        await see_everything(app, pilot)
        assert isinstance(app.focused, ChoiceBar)
        top = app.query_one(Body).scroll_y
        await press(pilot, "pageup")
        assert app.query_one(Body).scroll_y < top


async def test_a_field_that_is_scrolled_away_is_left_so_that_nothing_is_typed_unseen() -> None:
    async with shown(ASKED, size=(80, 24)) as (app, pilot):
        app.prompt.limit(9)
        name = app.query(Input).first()
        name.focus()
        await settled(pilot)
        await press(pilot, "pagedown", "pagedown")
        await until(pilot, lambda: app.focused is app.query_one(Body))
        await press(pilot, "z")
        assert name.value == ""


async def test_what_was_missing_is_said_no_longer_once_something_is_filled_in() -> None:
    async with shown(examples.QUESTION) as (app, pilot):
        await see_everything(app, pilot)
        await press(pilot, "y")
        assert "Not answered yet" in app.hint
        await press(pilot, "1")
        assert "Not answered yet" not in app.hint
        await until(pilot, lambda: app.prompt.armed)
        await press(pilot, "down", "down")
        assert "Type" in app.hint


async def test_the_numbers_of_alternatives_are_shown() -> None:
    async with shown(examples.QUESTION) as (app, _):
        options = [str(option.prompt) for option in app.query_one(Picker).options]
        assert options[0].startswith("( ) 1 North")
        assert options[1].startswith("( ) 2 South")
