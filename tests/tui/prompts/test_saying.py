"""Declining with a message to Codex."""

from __future__ import annotations

import pytest
from textual.events import Key, Paste

from core.agent.requests import Decide, Elicited, Grant, Reply, Request
from tests.tui import examples
from tests.tui.host import press, settled
from tests.tui.prompts.prompting import shown, verb
from tui.prompts.prompt import Prompt
from tui.prompts.saying import SayLine

pytestmark = pytest.mark.usefixtures("short_quiet")


async def test_a_refusal_takes_words_to_codex_along() -> None:
    async with shown(examples.COMMAND) as (app, pilot):
        await press(pilot, "m", *"push later", "enter")
        (answer,) = app.answers
        assert isinstance(answer, Decide)
        assert (verb(answer), answer.message) == ("decline", "push later")


@pytest.mark.parametrize(
    ("asked", "declined"),
    [
        (examples.PERMISSIONS, Grant(message="no")),
        (examples.QUESTION, Reply(answers={}, message="no")),
        (examples.FORM, Elicited(action="decline", message="no")),
        (examples.LINK, Elicited(action="decline", message="no")),
    ],
    ids=["permissions", "question", "form", "link"],
)
async def test_every_kind_of_request_can_be_refused_so(asked: Request, declined: object) -> None:
    async with shown(asked) as (app, pilot):
        await press(pilot, "m", *"no", "enter")
        assert app.answers == [declined]


async def test_letters_in_the_message_choose_nothing() -> None:
    async with shown(examples.COMMAND) as (app, pilot):
        await press(pilot, "m", *"yarnxs")
        assert app.heard == []
        assert app.query_one(SayLine).input.value == "yarnxs"


async def test_letters_that_come_faster_than_the_line_choose_nothing_and_are_kept() -> None:
    async with shown(examples.COMMAND) as (app, pilot):
        for key in "mynx":
            app.post_message(Key(key, key))
        await settled(pilot)
        await press(pilot, *"arn")
        assert app.heard == []
        assert app.query_one(SayLine).input.value == "ynxarn"


async def test_a_message_of_nothing_is_not_sent() -> None:
    async with shown(examples.COMMAND) as (app, pilot):
        await press(pilot, "m", "enter", "space", "enter")
        assert app.answers == []


async def test_escape_leaves_the_message_and_then_the_prompt() -> None:
    async with shown(examples.COMMAND) as (app, pilot):
        await press(pilot, "m", *"no", "escape")
        assert app.heard == []
        assert not app.query(SayLine)
        await press(pilot, "escape")
        assert [type(event) for event in app.heard] == [Prompt.Left]


async def test_a_paste_with_a_newline_writes_and_sends_nothing() -> None:
    async with shown(examples.COMMAND) as (app, pilot):
        await press(pilot, "m")
        app.post_message(Paste("use the other branch\ny\n"))
        await settled(pilot)
        assert app.answers == []


async def test_a_thread_that_is_nobodys_conversation_cannot_be_told_anything() -> None:
    async with shown(examples.notified(examples.COMMAND, conversation_id=None)) as (app, pilot):
        await press(pilot, "m", *"hello", "enter")
        assert app.answers == []
