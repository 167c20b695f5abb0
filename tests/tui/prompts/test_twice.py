"""What looks dangerous, or hides what it is, is accepted only by a person who says so twice."""

from __future__ import annotations

from typing import Any

import pytest
from textual.pilot import Pilot

from tests.tui import examples
from tests.tui.host import press, until
from tests.tui.prompts.prompting import Deciding, see_everything, shown, verb
from tui.prompts import gate

pytestmark = pytest.mark.usefixtures("short_quiet")

DESTRUCTIVE = examples.notified(examples.COMMAND, cautions=("git push --force",))
HIDDEN = examples.notified(
    examples.COMMAND.model_copy(
        update={"command": "rm notes\u202e txt.sh\u200b", "choices": examples.CHOICES}
    )
)


async def quiet_again(app: Deciding, pilot: Pilot[Any]) -> None:
    await until(pilot, lambda: app.prompt.armed)


@pytest.mark.parametrize("asked", [DESTRUCTIVE, HIDDEN], ids=["destructive", "hidden"])
async def test_it_is_asked_twice(asked: Any) -> None:
    async with shown(asked) as (app, pilot):
        await see_everything(app, pilot)
        await press(pilot, "y")
        assert app.answers == []
        assert "once more" in app.hint
        await quiet_again(app, pilot)
        await press(pilot, "y")
        assert [verb(answer) for answer in app.answers] == ["accept"]


async def test_a_key_that_is_held_down_is_one_answer_of_the_two(monkeypatch: pytest.MonkeyPatch) -> None:
    async with shown(DESTRUCTIVE) as (app, pilot):
        await see_everything(app, pilot)
        await press(pilot, "y")
        monkeypatch.setattr(gate, "QUIET", 3600.0)
        await press(pilot, *"yyyyyyy")
        assert app.answers == []


async def test_another_way_to_accept_begins_anew() -> None:
    async with shown(DESTRUCTIVE) as (app, pilot):
        await see_everything(app, pilot)
        await press(pilot, "y")
        await quiet_again(app, pilot)
        await press(pilot, "r")
        assert app.answers == []
        await quiet_again(app, pilot)
        await press(pilot, "r")
        assert [verb(answer) for answer in app.answers] == ["accept_rule"]


async def test_going_out_forgets_the_first_answer() -> None:
    async with shown(DESTRUCTIVE) as (app, pilot):
        await see_everything(app, pilot)
        await press(pilot, "y")
        app.query_one("#typing").focus()
        await until(pilot, lambda: not app.prompt.entered)
        app.prompt.enter()
        await quiet_again(app, pilot)
        await press(pilot, "y")
        assert app.answers == []


async def test_declining_is_asked_once() -> None:
    async with shown(DESTRUCTIVE) as (app, pilot):
        await press(pilot, "n")
        assert [verb(answer) for answer in app.answers] == ["decline"]


async def test_what_it_looks_like_is_said_above_the_command() -> None:
    async with shown(DESTRUCTIVE) as (app, _):
        assert "git push --force" in app.prompt.judge().lines[0].text
