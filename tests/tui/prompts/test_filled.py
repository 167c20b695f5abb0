"""What is written in a prompt stays, or comes into the message: it is never lost."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.widgets import Input

from core.conversation.feed import NotificationState
from tests.tui import examples
from tests.tui.conftest import FOLDER, OpenConsole
from tests.tui.fake_engine import FakeConversation, FakeEngine
from tests.tui.host import press, until
from tests.tui.prompts.filling import asked, field, go, shown, write
from tui.prompts.picker import Picker

pytestmark = pytest.mark.usefixtures("short_quiet")


async def test_what_is_written_in_a_question_is_there_after_another_prompt(
    console: OpenConsole, engine: FakeEngine, boats: FakeConversation
) -> None:
    async with console() as (screen, pilot):
        await go(screen, pilot, boats)
        engine.ask(asked(examples.QUESTION, 1, boats))
        engine.ask(asked(examples.COMMAND, 2, boats))
        await until(pilot, lambda: shown(screen) is not None)
        await write(screen, pilot, "an answer")
        shown(screen).query(Picker).first().pick(1)
        await press(pilot, "f6")
        await until(pilot, lambda: shown(screen).notification.id == 2)
        await press(pilot, "f6")
        await until(pilot, lambda: shown(screen).notification.id == 1 and field(screen))
        assert field(screen) == "an answer"
        assert shown(screen).query(Picker).first().picked == (1,)
        assert screen.composer.input.text == ""


async def test_it_is_there_after_another_conversation(
    console: OpenConsole, engine: FakeEngine, boats: FakeConversation
) -> None:
    other = engine.add(FOLDER, "other")
    async with console() as (screen, pilot):
        await go(screen, pilot, boats)
        engine.ask(asked(examples.QUESTION, 1, boats))
        await until(pilot, lambda: shown(screen) is not None)
        await write(screen, pilot, "an answer")
        await go(screen, pilot, other)
        assert shown(screen) is None
        assert screen.composer.input.text == ""
        await go(screen, pilot, boats)
        await until(pilot, lambda: field(screen) == "an answer")


@pytest.mark.parametrize("change", ["decided", "changed"])
async def test_it_comes_into_the_message_where_it_can_be_sent_no_more(
    console: OpenConsole, engine: FakeEngine, boats: FakeConversation, change: str
) -> None:
    question = asked(examples.QUESTION, 1, boats)
    async with console() as (screen, pilot):
        await go(screen, pilot, boats)
        await press(pilot, *"and")
        engine.ask(question)
        await until(pilot, lambda: shown(screen) is not None)
        await write(screen, pilot, "an answer")
        if change == "changed":
            engine.ask(replace(question, shown_hash="another"))
        else:
            engine.ask(replace(question, state=NotificationState.SENT, decided_by="another"))
            await until(pilot, lambda: shown(screen).settled)
            await press(pilot, "escape")
        await until(pilot, lambda: "an answer" in screen.composer.input.text)
        assert screen.composer.input.text == "an answer\n\nand"


async def test_an_answer_that_was_sent_does_not_come_into_the_message(
    console: OpenConsole, engine: FakeEngine, boats: FakeConversation
) -> None:
    async with console() as (screen, pilot):
        await go(screen, pilot, boats)
        engine.ask(asked(examples.COMMAND, 1, boats))
        await until(pilot, lambda: shown(screen) is not None)
        await press(pilot, "f6")
        await until(pilot, lambda: shown(screen).armed)
        await press(pilot, "m", *"not now", "enter")
        await until(pilot, lambda: engine.decisions)
        await until(pilot, lambda: shown(screen) is None)
        assert screen.composer.input.text == ""


async def test_a_message_that_was_begun_is_there_again_after_escape(
    console: OpenConsole, engine: FakeEngine, boats: FakeConversation
) -> None:
    async with console() as (screen, pilot):
        await go(screen, pilot, boats)
        engine.ask(asked(examples.COMMAND, 1, boats))
        await until(pilot, lambda: shown(screen) is not None)
        await press(pilot, "f6")
        await until(pilot, lambda: shown(screen).armed)
        await press(pilot, "m", *"not now", "escape", "m")
        await until(pilot, lambda: shown(screen).query(Input))
        assert shown(screen).query(Input).first().value == "not now"


async def test_what_is_written_in_prompts_is_in_the_drafts_after_quitting(
    console: OpenConsole, engine: FakeEngine, boats: FakeConversation
) -> None:
    other = engine.add(FOLDER, "other")
    async with console() as (screen, pilot):
        await go(screen, pilot, boats)
        engine.ask(asked(examples.QUESTION, 1, boats))
        await until(pilot, lambda: shown(screen) is not None)
        await write(screen, pilot, "an answer")
        await go(screen, pilot, other)
        await press(pilot, *"half")
        screen.action_quit()
        await until(pilot, lambda: engine.closed)
    assert engine.drafts[boats.id] == "an answer"
    assert engine.drafts[other.id] == "half"
