"""The pump by itself: what comes late, and what goes wrong in it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from core.agent.events import Channel, Delta, DiffUpdated, ItemCompleted, TurnEnded, TurnStarted, TurnStatus
from core.agent.items import AgentMessage, CommandRun, Status
from core.conversation.feed import BoxesAdded, DiffChanged, Feed, FeedEvent, Told
from core.conversation.runtime import ConversationRuntime
from core.conversation.streams import StreamRecorder
from core.thread.boxes import ASSISTANT, TOOL_CALL, TOOL_RETURN
from core.thread.durable import DurableThread
from core.thread.state import ConversationState
from core.thread.state import Status as ThreadStatus
from core.tools.actions import ThreadActions
from tests.core.conversation.memory import Memory


@pytest.fixture
def told() -> list[FeedEvent]:
    return []


@pytest.fixture
async def runtime(told: list[FeedEvent]) -> AsyncIterator[ConversationRuntime]:
    memory, feed = Memory(), Feed()
    feed.listen(told.append)
    thread = DurableThread(ConversationState(), 0, memory, ThreadActions())
    made = ConversationRuntime("c", thread, StreamRecorder("c", memory), feed)
    made.start()
    yield made
    await made.close()


async def test_what_comes_after_the_end_of_its_turn_is_recorded_and_nothing_runs_on(
    runtime: ConversationRuntime, told: list[FeedEvent]
) -> None:
    runtime.hear(TurnStarted("t", "turn"))
    runtime.hear(TurnEnded("t", "turn", TurnStatus.COMPLETED))
    runtime.hear(ItemCompleted("t", "turn", AgentMessage(id="m", text="late")))
    late = CommandRun(id="i", command="make", cwd="/", status=Status.DONE, output="ok")
    runtime.hear(ItemCompleted("t", "turn", late))
    await runtime.drained()
    boxes = [box.box_type for event in told if isinstance(event, BoxesAdded) for box in event.boxes]
    assert boxes == [ASSISTANT, TOOL_CALL, TOOL_RETURN]
    assert runtime.thread.status is ThreadStatus.IDLE


async def test_an_item_that_comes_twice_is_one_box(
    runtime: ConversationRuntime, told: list[FeedEvent]
) -> None:
    runtime.hear(TurnStarted("t", "turn"))
    for _ in range(2):
        runtime.hear(ItemCompleted("t", "turn", AgentMessage(id="m", text="once")))
    await runtime.drained()
    assert [box.contents for box in runtime.thread.boxes] == ["once"]


async def test_what_the_last_turn_changed_is_not_told_of_the_next(
    runtime: ConversationRuntime, told: list[FeedEvent]
) -> None:
    runtime.hear(TurnStarted("t", "turn"))
    runtime.hear(DiffUpdated("t", "turn", "+ a line"))
    runtime.hear(TurnStarted("t", "turn"))
    runtime.hear(TurnEnded("t", "turn", TurnStatus.COMPLETED))
    await runtime.drained()
    assert runtime.diff is not None
    assert runtime.diff.diff == "+ a line"
    runtime.hear(TurnStarted("t", "another"))
    await runtime.drained()
    assert [event.diff for event in told if isinstance(event, DiffChanged)] == ["+ a line", ""]


async def test_a_fault_in_one_event_is_told_and_does_not_silence_the_conversation(
    runtime: ConversationRuntime, told: list[FeedEvent], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(delta: Delta) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(runtime.items, "delta", broken)
    runtime.hear(TurnStarted("t", "turn"))
    runtime.hear(Delta("t", "turn", "m", Channel.MESSAGE, "x"))
    runtime.hear(ItemCompleted("t", "turn", AgentMessage(id="m", text="whole")))
    await runtime.drained()
    assert any(isinstance(event, Told) and "ZeroDivisionError" in event.text for event in told)
    assert [box.contents for box in runtime.thread.boxes] == ["whole"]
