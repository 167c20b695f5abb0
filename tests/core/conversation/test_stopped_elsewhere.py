"""A turn that another client interrupts: what waits here does not begin by itself, and says so."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from core.agent.requests import Decide
from core.codex.client import CodexAgent
from core.conversation.info import Conversation
from core.conversation.turns import PAUSED
from core.demo.process import ModelProcess
from core.demo.scratch import Scratch
from core.engine import Engine, open_engine
from core.hosting import host_options
from core.settings import Settings
from core.thread.boxes import ASSISTANT, NOTICE, USER
from core.thread.state import Status
from tests.support.watcher import Watcher


@pytest.fixture
async def beside(engine: Engine, watcher: Watcher, settings: Settings) -> AsyncIterator[CodexAgent]:
    """Another program on the engine's host."""
    await watcher.until(lambda: engine.host.phase.value == "ready" or None)
    agent = CodexAgent(host_options(settings))
    await agent.open()
    yield agent
    await agent.close()


async def _stopped(conversation: Conversation, watcher: Watcher, beside: CodexAgent) -> None:
    """A turn with a message queued behind it, interrupted by the other program."""
    await conversation.send("/say first\n/hold here", "k1")
    await watcher.until(lambda: "first" in watcher.streamed(conversation))
    await conversation.send("/say second", "k2", queue=True)
    assert conversation.info.thread_id is not None and conversation.state.turn_id is not None
    await beside.interrupt(conversation.info.thread_id, conversation.state.turn_id)
    await watcher.settled(conversation)


async def _said(conversation: Conversation) -> list[str]:
    return [box.contents for box in await conversation.page() if box.box_type == USER]


async def test_a_queued_message_waits_for_a_word_also_in_the_next_console(
    engine: Engine, watcher: Watcher, scratch: Scratch, beside: CodexAgent, settings: Settings
) -> None:
    conversation = await engine.create(scratch.project)
    await _stopped(conversation, watcher, beside)
    assert (conversation.state.status, conversation.state.paused) == (Status.STALLED, True)
    assert [entry.key for entry in conversation.outbox] == ["k2"]
    assert [box.contents for box in watcher.boxes(conversation, NOTICE)] == [PAUSED]
    await engine.close()
    again = await open_engine(settings)
    try:
        seen = Watcher(again)
        found = await again.open(conversation.id)
        assert found.state.paused and [entry.key for entry in found.outbox] == ["k2"]
        await found.ask_again()
        await seen.box(found, ASSISTANT, "second")
        await seen.settled(found)
        assert await _said(found) == ["/say first\n/hold here", "/say second"]
    finally:
        await again.close()


async def test_a_message_that_is_sent_goes_out_and_what_waited_follows_it(
    engine: Engine, watcher: Watcher, scratch: Scratch, beside: CodexAgent
) -> None:
    conversation = await engine.create(scratch.project)
    await _stopped(conversation, watcher, beside)
    await conversation.send("/say third", "k3")
    await watcher.box(conversation, ASSISTANT, "second")
    await watcher.settled(conversation)
    assert await _said(conversation) == ["/say first\n/hold here", "/say third", "/say second"]


async def test_where_all_that_waited_is_taken_back_nothing_waits_for_a_word(
    engine: Engine, watcher: Watcher, scratch: Scratch, beside: CodexAgent
) -> None:
    conversation = await engine.create(scratch.project)
    await _stopped(conversation, watcher, beside)
    await conversation.withdraw("k2")
    assert conversation.state.status is Status.IDLE and not conversation.state.problem


async def test_a_turn_with_nothing_behind_it_is_simply_over(
    engine: Engine, watcher: Watcher, scratch: Scratch, beside: CodexAgent, model: ModelProcess
) -> None:
    conversation = await engine.create(scratch.project)
    await conversation.send("/say first\n/hold here", "k1")
    await watcher.until(lambda: "first" in watcher.streamed(conversation))
    assert conversation.info.thread_id is not None and conversation.state.turn_id is not None
    await beside.interrupt(conversation.info.thread_id, conversation.state.turn_id)
    assert await watcher.settled(conversation) is Status.IDLE


async def test_what_is_said_with_an_answer_that_ends_the_turn_goes_out_after_it(
    engine: Engine, watcher: Watcher, scratch: Scratch
) -> None:
    conversation = await engine.create(scratch.project)
    await conversation.send("/run! echo never", "k1")
    asked = await watcher.asked("command", conversation)
    stop = next(choice for choice in asked.request.choices if choice.verb == "cancel")  # type: ignore[union-attr]
    await engine.decide(asked.id, Decide(choice=stop, message="/say instead"), asked.shown_hash)
    await watcher.box(conversation, ASSISTANT, "instead")
    await watcher.settled(conversation)
    assert (await _said(conversation))[1:] == ["/say instead"]
