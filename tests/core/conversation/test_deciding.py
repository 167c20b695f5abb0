"""Decisions on the real Codex: words that go with a refusal, tools that are asked about, and by whom."""

from __future__ import annotations

import asyncio

import pytest

from core.agent.requests import Decide, ToolRequest
from core.conversation.feed import NotificationState
from core.conversation.info import Conversation
from core.demo.scratch import Scratch
from core.engine import Engine, open_engine
from core.settings import DefaultsSettings, ProfileSettings, Settings
from core.thread.boxes import ASSISTANT, TOOL_RETURN, USER
from tests.core.conversation.test_requests import DEPTH
from tests.support.watcher import Watcher

ASK = "/run! echo ahoy\n/say The command: {{output}}"


@pytest.fixture
async def conversation(engine: Engine, scratch: Scratch) -> Conversation:
    return await engine.create(scratch.project)


async def test_what_is_said_with_a_refusal_reaches_codex_in_the_same_conversation_once(
    conversation: Conversation, watcher: Watcher, engine: Engine
) -> None:
    await conversation.send(ASK, "k1")
    asked = await watcher.asked("command", conversation)
    declined = next(choice for choice in asked.request.choices if choice.verb == "decline")  # type: ignore[union-attr]
    answer = Decide(choice=declined, message="/say I will ask the harbour master instead")
    await engine.decide(asked.id, answer, asked.shown_hash)
    await watcher.outcome(asked)
    await watcher.until(lambda: len(watcher.boxes(conversation, USER)) == 2 or None)
    await watcher.settled(conversation)
    said = [box.contents for box in watcher.boxes(conversation, USER)]
    assert said == [ASK, answer.message]
    assert not conversation.outbox


async def test_a_tool_that_the_profile_asks_about_runs_when_a_person_lets_it(
    settings: Settings, scratch: Scratch
) -> None:
    careful = settings.model_copy(
        update={
            "profiles": {"careful": ProfileSettings.model_validate({"tool": "ask"})},
            "defaults": DefaultsSettings(profile="careful"),
        }
    )
    engine = await open_engine(careful, [DEPTH])
    try:
        watcher = Watcher(engine)
        conversation = await engine.create(scratch.project)
        for key, verb, result in (("k1", "accept", "3 fathoms"), ("k2", "decline", "declined")):
            await conversation.send('/tool depth {"at": "bow"}\n/say Done', key)
            asked = await watcher.asked("tool", conversation)
            assert isinstance(asked.request, ToolRequest)
            assert asked.request.arguments == '{"at": "bow"}'
            await watcher.choose(asked, verb)
            await watcher.settled(conversation)
            assert result in watcher.boxes(conversation, TOOL_RETURN)[-1].contents
    finally:
        await engine.close()


async def test_why_a_person_is_asked_is_known_after_a_restart_before_codex_asks_again(
    settings: Settings, scratch: Scratch
) -> None:
    first = await open_engine(settings)
    watcher = Watcher(first)
    conversation = await first.create(scratch.project)
    await conversation.send("/run! git push --force origin main", "k1")
    before = await watcher.asked("command", conversation)
    await first.close()
    second = await open_engine(settings)
    try:
        (after,) = second.pending()
        assert "No rule matches git push" in after.why_asked
        assert (after.why_asked, after.profile, after.cautions) == (
            before.why_asked,
            "operator",
            ("git push --force",),
        )
    finally:
        await second.close()


async def test_another_console_on_the_database_decides_what_this_one_was_asked(
    conversation: Conversation, watcher: Watcher, settings: Settings
) -> None:
    """The other console has not the request on its own connection: this one sends the answer."""
    await conversation.send(ASK, "k1")
    asked = await watcher.asked("command", conversation)
    other = await open_engine(settings)
    try:
        beside = Watcher(other)
        there = await beside.asked("command")
        await beside.choose(there, "accept")
        here = await watcher.outcome(asked)
        assert here.state is NotificationState.DELIVERED
        assert here.decided_by == "you, in another console"
        await watcher.settled(conversation)
        assert "ahoy" in (await watcher.box(conversation, ASSISTANT)).contents
    finally:
        await other.close()


async def test_two_consoles_that_answer_the_same_request_are_told_apart(
    conversation: Conversation, watcher: Watcher, settings: Settings
) -> None:
    await conversation.send(ASK, "k1")
    asked = await watcher.asked("command", conversation)
    other = await open_engine(settings)
    try:
        beside = Watcher(other)
        there = await beside.asked("command")
        results = await asyncio.gather(
            watcher.choose(asked, "accept"), beside.choose(there, "decline"), return_exceptions=True
        )
        (refused,) = [error for error in results if error is not None]
        assert "decided already" in str(refused)
        assert (await watcher.outcome(asked)).state is NotificationState.DELIVERED
        assert (await beside.outcome(there)).state is NotificationState.DELIVERED
        await watcher.settled(conversation)
    finally:
        await other.close()
