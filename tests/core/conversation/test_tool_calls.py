"""Calls of our own tools, where something goes wrong around them: Codex is answered whatever it is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence

import pytest

from core.access.policy import OPERATOR, AccessContext, AccessPolicy
from core.agent.events import ItemStarted, TurnStarted
from core.agent.items import Status, ToolCall
from core.agent.requests import RequestKey, ToolRequest, ToolResult
from core.conversation.feed import Feed, FeedEvent, Told
from core.conversation.runtime import ConversationRuntime
from core.conversation.streams import StreamRecorder
from core.conversation.tool_calls import ToolCalls
from core.errors import StoreError
from core.thread.durable import DurableThread
from core.thread.records import Record
from core.thread.state import ConversationState
from core.tools.actions import ThreadActions
from core.tools.toolset import Arguments, Tool, ToolContext
from tests.core.conversation.test_runtime import Memory

CALL = ToolRequest(
    key=RequestKey(generation="g", id=1),
    thread_id="t",
    turn_id="turn",
    item_id="call",
    tool="sound",
    arguments="{}",
)


class FullDisk(Memory):
    """Takes nothing while it is full."""

    def __init__(self) -> None:
        self.full = False

    async def persist(self, after: int, records: Sequence[Record], drafts: Mapping[str, str]) -> None:
        if self.full:
            raise StoreError("The disk is full")


class Caller:
    """A Codex that takes results, or fails at it in a way that is none of Codex's."""

    def __init__(self) -> None:
        self.results: asyncio.Queue[ToolResult] = asyncio.Queue()
        self.broken = False

    async def answer(self, key: RequestKey, answer: ToolResult) -> bool:
        if self.broken:
            raise ValueError("no such thing")
        self.results.put_nowait(answer)
        return True

    async def result(self) -> ToolResult:
        async with asyncio.timeout(5):
            return await self.results.get()


class Deck:
    """A conversation in which Codex calls `sound`."""

    def __init__(self) -> None:
        self.log, self.caller, feed = FullDisk(), Caller(), Feed()
        self.runs = 0
        self.told: asyncio.Queue[Told] = asyncio.Queue()
        feed.listen(self._hear)
        actions = ThreadActions([Tool("sound", "Sound the depth.", {"type": "object"}, self._sound)])
        actions.bind_authorization(AccessContext("/pier"), OPERATOR.id, AccessPolicy.shipped())
        thread = DurableThread(ConversationState(), 0, self.log, actions)
        self.runtime = ConversationRuntime("c", thread, StreamRecorder("c", self.log), feed)
        self.calls = ToolCalls(self.runtime, self.caller, feed)  # type: ignore[arg-type]

    def _hear(self, event: FeedEvent) -> None:
        if isinstance(event, Told):
            self.told.put_nowait(event)

    async def _sound(self, context: ToolContext, arguments: Arguments) -> str:
        self.runs += 1
        return "three fathoms"

    async def was_told(self) -> str:
        async with asyncio.timeout(5):
            return (await self.told.get()).text


@pytest.fixture
async def deck() -> AsyncIterator[Deck]:
    made = Deck()
    made.runtime.start()
    made.runtime.hear(TurnStarted("t", "turn"))
    item = ToolCall(id="call", tool="sound", arguments="{}", status=Status.RUNNING)
    made.runtime.hear(ItemStarted("t", "turn", item))
    await made.runtime.drained()
    yield made
    await made.calls.close()
    await made.runtime.close()


async def test_a_call_is_answered_with_its_result(deck: Deck) -> None:
    deck.calls.hear(CALL)
    assert await deck.caller.result() == ToolResult(success=True, text="three fathoms")


async def test_a_call_that_cannot_be_recorded_is_not_run_and_answered_as_failed(deck: Deck) -> None:
    deck.log.full = True
    deck.calls.hear(CALL)
    result = await deck.caller.result()
    assert (result.success, deck.runs) == (False, 0)
    assert "The disk is full" in result.text
    assert "The disk is full" in await deck.was_told()


async def test_a_result_that_cannot_be_sent_is_told(deck: Deck) -> None:
    deck.caller.broken = True
    deck.calls.hear(CALL)
    assert "no such thing" in await deck.was_told()
