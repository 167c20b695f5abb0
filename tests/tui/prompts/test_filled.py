"""What is written in a prompt stays, or comes into the message: it is never lost."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from core.conversation.feed import Notification, NotificationState
from tests.tui import examples
from tests.tui.conftest import FOLDER, OpenConsole
from tests.tui.fake_engine import FakeConversation, FakeEngine
from tests.tui.host import press, settled, until
from tui.prompts.picker import Picker
from tui.screens.console import ConsoleScreen

pytestmark = pytest.mark.usefixtures("short_quiet")


@pytest.fixture
def boats(engine: FakeEngine) -> FakeConversation:
    return engine.add(FOLDER, "boats")


def asked(request: Any, number: int, conversation: FakeConversation) -> Notification:
    return replace(examples.notified(request, number), conversation_id=conversation.id)


async def go(screen: ConsoleScreen, pilot: Pilot[Any], conversation: FakeConversation) -> None:
    screen.go_to(conversation.id)
    await until(pilot, lambda: screen.desk is not None and screen.desk.current.id == conversation.id)
    await settled(pilot)


async def write(screen: ConsoleScreen, pilot: Pilot[Any], text: str) -> None:
    """In the field of the question that is shown."""
    await press(pilot, "f6")
    await until(pilot, lambda: shown(screen).armed)
    shown(screen).query(Input).first().focus()
    await press(pilot, *text)


def shown(screen: ConsoleScreen) -> Any:
    assert screen.prompts is not None
    return screen.prompts.prompt


def field(screen: ConsoleScreen) -> str:
    fields = shown(screen).query(Input) if shown(screen) is not None else ()
    return fields.first().value if fields else ""


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
