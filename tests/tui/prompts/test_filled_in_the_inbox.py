"""What is put into a prompt in the inbox stays there, is in the conversation's own prompt, and is never lost."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from textual.pilot import Pilot

from core.agent.requests import Reply
from core.conversation.feed import NotificationState
from tests.tui import examples
from tests.tui.conftest import FOLDER, OpenConsole
from tests.tui.fake_engine import FakeConversation, FakeEngine
from tests.tui.host import press, settled, until
from tests.tui.prompts.filling import asked, field, go, shown, write
from tui.prompts.picker import Picker
from tui.screens.inbox import InboxScreen

pytestmark = pytest.mark.usefixtures("short_quiet")


async def into_inbox(pilot: Pilot[Any], number: int = 1) -> InboxScreen:
    await press(pilot, "f2")
    await until(pilot, lambda: isinstance(pilot.app.screen, InboxScreen) and pilot.app.screen.is_mounted)
    inbox = pilot.app.screen
    assert isinstance(inbox, InboxScreen)
    await until(pilot, lambda: shown(inbox) is not None and shown(inbox).notification.id == number)
    await settled(pilot)
    return inbox


async def leave_inbox(pilot: Pilot[Any]) -> None:
    while isinstance(pilot.app.screen, InboxScreen):
        await press(pilot, "escape")
    await settled(pilot)


async def test_it_is_there_after_another_one_was_looked_at(
    console: OpenConsole, engine: FakeEngine, boats: FakeConversation
) -> None:
    engine.ask(asked(examples.QUESTION, 1, boats))
    engine.ask(asked(examples.COMMAND, 2, boats))
    async with console() as (_, pilot):
        inbox = await into_inbox(pilot)
        await write(inbox, pilot, "an answer")
        shown(inbox).query(Picker).first().pick(1)
        await press(pilot, "f6")
        await until(pilot, lambda: shown(inbox).notification.id == 2 and shown(inbox).entered)
        await press(pilot, "f6")
        await until(pilot, lambda: shown(inbox).notification.id == 1 and field(inbox))
        assert field(inbox) == "an answer"
        assert shown(inbox).query(Picker).first().picked == (1,)


async def test_what_was_begun_in_the_conversation_goes_on_in_the_inbox_and_back(
    console: OpenConsole, engine: FakeEngine, boats: FakeConversation
) -> None:
    async with console() as (screen, pilot):
        await go(screen, pilot, boats)
        engine.ask(asked(examples.QUESTION, 1, boats))
        await until(pilot, lambda: shown(screen) is not None)
        await write(screen, pilot, "an answ")
        inbox = await into_inbox(pilot)
        await until(pilot, lambda: field(inbox) == "an answ")
        await write(inbox, pilot, ["end", *"er"])
        await leave_inbox(pilot)
        await until(pilot, lambda: field(screen) == "an answer")
        assert screen.composer.input.text == ""


async def test_a_look_into_the_inbox_leaves_the_person_where_they_were(
    console: OpenConsole, engine: FakeEngine, boats: FakeConversation
) -> None:
    async with console() as (screen, pilot):
        await go(screen, pilot, boats)
        engine.ask(asked(examples.QUESTION, 1, boats))
        await until(pilot, lambda: shown(screen) is not None)
        await write(screen, pilot, "an ans")
        await into_inbox(pilot)
        await leave_inbox(pilot)
        await press(pilot, *"wer")
        assert field(screen) == "an answer"


async def test_an_answer_that_was_given_in_the_inbox_does_not_come_into_the_message(
    console: OpenConsole, engine: FakeEngine, boats: FakeConversation
) -> None:
    one_part = examples.QUESTION.model_copy(update={"parts": examples.QUESTION.parts[:1]})
    async with console() as (screen, pilot):
        await go(screen, pilot, boats)
        engine.ask(asked(one_part, 1, boats))
        await until(pilot, lambda: shown(screen) is not None)
        await write(screen, pilot, "the south one")
        inbox = await into_inbox(pilot)
        await until(pilot, lambda: field(inbox) == "the south one")
        await press(pilot, "f6")
        await until(pilot, lambda: shown(inbox).armed)
        shown(inbox)._body.focus()
        await settled(pilot)
        await press(pilot, "y")
        await until(pilot, lambda: engine.decisions)
        assert isinstance(engine.decisions[0][1], Reply)
        await leave_inbox(pilot)
        await until(pilot, lambda: shown(screen) is None)
        assert screen.composer.input.text == ""


async def test_where_it_can_be_sent_no_more_it_comes_into_the_message_of_its_own_conversation(
    console: OpenConsole, engine: FakeEngine, boats: FakeConversation
) -> None:
    other = engine.add(FOLDER, "other")
    engine.drafts[boats.id] = "and"
    question = asked(examples.QUESTION, 1, boats)
    async with console() as (screen, pilot):
        await go(screen, pilot, other)
        engine.ask(question)
        inbox = await into_inbox(pilot)
        await write(inbox, pilot, "an answer")
        engine.ask(replace(question, state=NotificationState.SENT, decided_by="another"))
        await until(pilot, lambda: shown(inbox).settled)
        await leave_inbox(pilot)
        await go(screen, pilot, boats)
        await until(pilot, lambda: screen.composer.input.text == "an answer\n\nand")
        await go(screen, pilot, other)
        assert screen.composer.input.text == ""


async def test_a_form_that_changes_does_not_get_what_was_put_into_the_other_one(
    console: OpenConsole, engine: FakeEngine, boats: FakeConversation
) -> None:
    question = asked(examples.QUESTION, 1, boats)
    async with console() as (screen, pilot):
        await go(screen, pilot, boats)
        engine.ask(question)
        inbox = await into_inbox(pilot)
        await write(inbox, pilot, "an answer")
        engine.ask(replace(question, shown_hash="another"))
        await until(pilot, lambda: shown(inbox).notification.shown_hash == "another")
        assert field(inbox) == ""
        await until(pilot, lambda: screen.composer.writing.text == "an answer")


async def test_what_is_written_in_the_inbox_is_in_the_draft_after_quitting(
    console: OpenConsole, engine: FakeEngine, boats: FakeConversation
) -> None:
    async with console() as (screen, pilot):
        engine.ask(asked(examples.QUESTION, 1, boats))
        inbox = await into_inbox(pilot)
        await write(inbox, pilot, "an answer")
        screen.action_quit()
        await until(pilot, lambda: engine.closed)
    assert engine.drafts[boats.id] == "an answer"
