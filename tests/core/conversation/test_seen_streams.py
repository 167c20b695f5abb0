"""Text that was on the screen stays, whatever goes away while it streams: the console, its host, or both."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from core.agent.events import (
    Channel,
    Delta,
    HostLost,
    ItemCompleted,
    ItemStarted,
    TurnEnded,
    TurnStarted,
    TurnStatus,
)
from core.agent.items import AgentMessage, CommandRun, Item, Plan, Reasoning, Status, UserMessage, load_item
from core.conversation import boxing
from core.conversation.feed import Feed, FeedEvent, LiveDelta
from core.conversation.info import Conversation
from core.conversation.runtime import ConversationRuntime
from core.conversation.streams import UNSEEN, StreamRecorder
from core.demo.process import ModelProcess
from core.demo.scratch import Scratch
from core.engine import Engine, open_engine
from core.settings import Settings
from core.thread.boxes import ASSISTANT, PLAN, REASONING, TOOL_RETURN, ChatBox, ItemMeta, hidden_of
from core.thread.durable import DurableThread
from core.thread.state import ConversationState
from core.thread.state import Status as ThreadStatus
from core.tools.actions import ThreadActions
from tests.core.conversation.memory import Memory
from tests.support.watcher import Watcher

SAID = "/say first words{{hold one}} second words{{hold two}} third words"
WHOLE = "first words second words third words"
GAP = f"\n\n{UNSEEN}\n\n"


@asynccontextmanager
async def console(settings: Settings) -> AsyncIterator[Engine]:
    engine = await open_engine(settings)
    try:
        yield engine
    finally:
        await engine.close()


async def _begin_to_stream(settings: Settings, scratch: Scratch) -> tuple[str, int]:
    """A console that shows the first words, and is gone: the conversation's id and the host's process."""
    async with console(settings) as engine:
        watcher = Watcher(engine)
        conversation = await engine.create(scratch.project)
        await conversation.send(SAID, "k1")
        await watcher.until(lambda: watcher.streamed(conversation) == "first words")
        process = engine._agent._link.standing.process
        assert process is not None
        return conversation.id, process.pid


async def _attached(engine: Engine, conversation_id: str) -> tuple[Watcher, Conversation]:
    """The conversation in another console, as a screen opens it, once its thread is heard."""
    watcher = Watcher(engine)
    conversation = await engine.open(conversation_id)
    await conversation.live()
    await watcher.until(lambda: conversation.state.since)
    return watcher, conversation


def _cut(box: ChatBox) -> bool:
    meta = hidden_of(box)
    item = load_item(meta.item_json) if isinstance(meta, ItemMeta) else None
    return isinstance(item, AgentMessage) and item.cut


async def test_what_was_shown_stands_in_the_next_console_and_what_was_missed_is_a_gap_until_codex_tells_it(
    settings: Settings, scratch: Scratch, model: ModelProcess
) -> None:
    conversation_id, _ = await _begin_to_stream(settings, scratch)
    async with console(settings) as engine:
        watcher, conversation = await _attached(engine, conversation_id)
        assert watcher.streamed(conversation) == "first words"
        await model.release("one")
        await watcher.until(lambda: "second" in watcher.streamed(conversation))
        await model.release("two")
        box = await watcher.box(conversation, ASSISTANT)
        assert watcher.streamed(conversation) == f"first words{GAP} second words third words"
        assert (box.contents, _cut(box)) == (WHOLE, False)


async def test_what_was_shown_stays_when_the_turn_is_interrupted_in_the_next_console(
    settings: Settings, scratch: Scratch, model: ModelProcess
) -> None:
    conversation_id, _ = await _begin_to_stream(settings, scratch)
    async with console(settings) as engine:
        watcher, conversation = await _attached(engine, conversation_id)
        await model.release("one")
        await watcher.until(lambda: "second words" in watcher.streamed(conversation))
        await conversation.interrupt()
        box = await watcher.box(conversation, ASSISTANT)
        assert (box.contents, _cut(box)) == (f"first words{GAP} second words", True)


async def test_what_was_shown_stays_when_the_host_dies_while_no_console_is_there(
    settings: Settings, scratch: Scratch
) -> None:
    conversation_id, host = await _begin_to_stream(settings, scratch)
    os.kill(host, signal.SIGKILL)
    async with console(settings) as engine:
        watcher = Watcher(engine)
        conversation = await engine.open(conversation_id)
        box = await watcher.box(conversation, ASSISTANT)
        assert (box.contents, _cut(box)) == ("first words", True)
        await watcher.until(lambda: conversation.state.status is ThreadStatus.STALLED)


async def test_a_turn_that_goes_on_without_a_console_has_run_since_it_began(
    settings: Settings, scratch: Scratch
) -> None:
    async with console(settings) as engine:
        watcher = Watcher(engine)
        conversation = await engine.create(scratch.project)
        await conversation.send(SAID, "k1")
        began = await watcher.until(lambda: conversation.state.since)
    async with console(settings) as engine:
        _, again = await _attached(engine, conversation.id)
        assert again.state.since == pytest.approx(began, abs=1.5)


@pytest.fixture
def told() -> list[FeedEvent]:
    return []


@pytest.fixture
async def runtime(told: list[FeedEvent]) -> AsyncIterator[ConversationRuntime]:
    """A pump without a Codex, in a turn."""
    feed = Feed()
    feed.listen(told.append)
    thread = DurableThread(ConversationState(), 0, Memory(), ThreadActions())
    made = ConversationRuntime("c", thread, StreamRecorder("c", Memory()), feed)
    made.start()
    made.hear(TurnStarted("t", "turn"))
    yield made
    await made.close()


def _shown(told: list[FeedEvent]) -> str:
    return "".join(event.text for event in told if isinstance(event, LiveDelta))


@pytest.mark.parametrize(
    ("item", "channel", "gap"),
    [
        (AgentMessage(id="i", text=""), Channel.MESSAGE, GAP),
        (Plan(id="i", text=""), Channel.PLAN, GAP),
        (Reasoning(id="i"), Channel.SUMMARY, GAP),
        (Reasoning(id="i"), Channel.REASONING, GAP),
        (CommandRun(id="i", command="make", cwd="/", status=Status.RUNNING), Channel.OUTPUT, f"\n{UNSEEN}\n"),
    ],
)
async def test_text_that_goes_on_after_the_connection_broke_has_a_gap_once(
    runtime: ConversationRuntime, told: list[FeedEvent], item: Item, channel: Channel, gap: str
) -> None:
    runtime.hear(ItemStarted("t", "turn", item))
    runtime.hear(Delta("t", "turn", "i", channel, "one "))
    runtime.hear(HostLost("g", "it broke"))
    for word in ("three ", "four"):
        runtime.hear(Delta("t", "turn", "i", channel, word))
    runtime.hear(TurnEnded("t", "turn", TurnStatus.INTERRUPTED))
    await runtime.drained()
    shown = f"one {gap}three four"
    assert _shown(told) == shown
    kept = [
        box.contents
        for box in runtime.thread.boxes
        if box.box_type in (ASSISTANT, PLAN, REASONING, TOOL_RETURN)
    ]
    assert kept == [shown]


async def test_an_item_whose_beginning_nobody_heard_begins_with_a_gap(
    runtime: ConversationRuntime, told: list[FeedEvent]
) -> None:
    runtime.hear(Delta("t", "turn", "i", Channel.SUMMARY, "of course"))
    runtime.hear(TurnEnded("t", "turn", TurnStatus.INTERRUPTED))
    await runtime.drained()
    assert _shown(told) == f"{GAP}of course"
    assert [box.contents for box in runtime.thread.boxes if box.box_type == REASONING] == [f"{GAP}of course"]


async def test_a_message_that_is_told_again_cuts_no_text_that_streams_behind_it(
    runtime: ConversationRuntime, told: list[FeedEvent]
) -> None:
    runtime.thread.state.accept(boxing.message_draft("k1", "hello"))
    for item_id in ("u", "the same after a restart of Codex"):
        runtime.hear(ItemCompleted("t", "turn", UserMessage(id=item_id, text="hello", client_id="k1")))
        runtime.hear(Delta("t", "turn", "m", Channel.MESSAGE, "one "))
    await runtime.drained()
    assert runtime.streams.live["m"].text(Channel.MESSAGE) == f"{GAP}one one "
