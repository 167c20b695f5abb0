"""Threads that another client of the same Codex runs: what they wait for comes here, and a person decides."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from time import monotonic
from typing import TypeVar

import pytest

from core.access.patterns import CommandPattern
from core.access.policy import Verdict
from core.access.rules import Reach, RuleDraft, Scope
from core.agent.events import AgentEvent, RequestRaised, RequestSettled, TurnEnded
from core.agent.port import Approvals, Sandbox, ThreadSpec, ToolSpec, TurnInput, TurnOptions
from core.agent.requests import Decide, Reply
from core.codex.client import CodexAgent
from core.conversation.feed import Notification
from core.conversation.workspace import Choices
from core.demo.process import ModelProcess
from core.demo.scratch import Scratch
from core.engine import Engine, open_engine
from core.hosting import host_options
from core.settings import Settings
from core.thread.boxes import ASSISTANT
from core.thread.state import Status
from tests.support.watcher import Watcher

ASK = "/run! echo ahoy\n/say The command: {{output}}"


E = TypeVar("E")


class Other:
    """Another program: its own connection, its own thread, nothing of ours."""

    def __init__(self, agent: CodexAgent, folder: str) -> None:
        self.agent = agent
        self._folder = folder
        self._events: list[AgentEvent] = []
        self._heard = asyncio.Event()
        agent.listen(self._hear)

    def _hear(self, event: AgentEvent) -> None:
        self._events.append(event)
        self._heard.set()

    async def thread(self, tools: tuple[ToolSpec, ...] = (), sandbox: Sandbox = Sandbox.READ_ONLY) -> str:
        spec = ThreadSpec(cwd=self._folder, sandbox=sandbox, approvals=Approvals.ON_REQUEST, tools=tools)
        return (await self.agent.start_thread(spec)).id

    async def say(self, thread_id: str, text: str) -> str:
        return await self.agent.start_turn(thread_id, TurnInput((text,), "theirs"), TurnOptions())

    async def until(self, kind: type[E], count: int = 1) -> E:
        async with asyncio.timeout(30):
            while True:
                found = [event for event in self._events if isinstance(event, kind)]
                if len(found) >= count:
                    return found[count - 1]
                self._heard.clear()
                await self._heard.wait()


@pytest.fixture
async def other(
    engine: Engine, watcher: Watcher, settings: Settings, scratch: Scratch
) -> AsyncIterator[Other]:
    """Beside the engine, on its host."""
    await watcher.until(lambda: engine.host.phase.value == "ready" or None)
    agent = CodexAgent(host_options(settings))
    beside = Other(agent, str(scratch.project))
    await agent.open()
    yield beside
    await agent.close()


async def asked_there(watcher: Watcher) -> Notification:
    return await watcher.asked("command")


async def test_what_another_program_waits_for_is_here_within_seconds_with_its_title(
    other: Other, watcher: Watcher, engine: Engine
) -> None:
    thread = await other.thread()
    await other.say(thread, ASK)
    await other.until(RequestRaised)
    raised = monotonic()
    asked = await asked_there(watcher)
    assert monotonic() - raised < 3.0
    assert asked.request.thread_id == thread
    (info,) = [info for info in await engine.conversations() if info.thread_id == thread]
    assert (asked.conversation_id, info.title) == (info.id, "/run! echo ahoy")
    await watcher.choose(asked, "accept")
    await other.until(TurnEnded)
    assert (await watcher.outcome(asked)).state.value == "delivered"


async def allow_echo(engine: Engine) -> None:
    """A rule, wherever rules decide."""
    await engine._store.rules.add(
        RuleDraft(
            verdict=Verdict.ALLOW,
            pattern=CommandPattern.parse("echo …"),
            scope=Scope(Reach.EVERYWHERE),
        )
    )


async def test_no_rule_decides_in_it(other: Other, watcher: Watcher, engine: Engine) -> None:
    await allow_echo(engine)
    await other.say(await other.thread(), ASK)
    asked = await asked_there(watcher)
    assert "no rule may decide it" in asked.why_asked
    await watcher.choose(asked, "decline")
    await other.until(TurnEnded)


async def test_no_rule_decides_in_it_after_a_restart_either(
    other: Other, watcher: Watcher, engine: Engine, settings: Settings
) -> None:
    """The thread still runs when the next console comes, and is none of its runs."""
    await allow_echo(engine)
    await other.say(await other.thread(), ASK)
    asked = await asked_there(watcher)
    await watcher.until(lambda: _runs(watcher, asked))
    await engine.close()
    again = await open_engine(settings)
    try:
        beside = Watcher(again)
        await beside.until(lambda: again.host.phase.value == "ready" or None)
        (still,) = again.pending()
        answer = next(c for c in still.request.choices if c.verb == "decline")  # type: ignore[union-attr]
        await again.decide(still.id, Decide(choice=answer), still.shown_hash)
        assert (await beside.outcome(still)).decided_by == "you"
    finally:
        await again.close()


async def test_no_rule_decides_in_it_because_a_message_waits_here_for_its_end(
    other: Other, watcher: Watcher, engine: Engine, model: ModelProcess
) -> None:
    await allow_echo(engine)
    await other.say(await other.thread(), "/run! touch one\n/hold gate\n/run! echo two\n/say theirs is done")
    asked = await asked_there(watcher)
    await watcher.choose(asked, "decline")
    await watcher.outcome(asked)
    assert asked.conversation_id is not None
    conversation = await engine.open(asked.conversation_id)
    await conversation.send("/run! echo three\n/say mine is done", "mine", queue=True)
    await model.release("gate")
    second = await watcher.asked("command", conversation)
    assert "no rule may decide it" in second.why_asked
    await watcher.choose(second, "decline")
    await watcher.box(conversation, ASSISTANT, "mine is done")
    mine, theirs, first, _ = (await engine._store.ledger.page()).entries
    assert [entry.decided_by for entry in (mine, theirs, first)] == ["rule 1: allow echo …", "you", "you"]


async def test_rules_decide_in_it_once_a_message_from_here_is_in_it(
    other: Other, watcher: Watcher, engine: Engine, model: ModelProcess
) -> None:
    await allow_echo(engine)
    await other.say(await other.thread(), "/run! touch one\n/hold gate\n/say theirs")
    asked = await asked_there(watcher)
    assert asked.conversation_id is not None
    conversation = await engine.open(asked.conversation_id)
    await conversation.send("/run! echo mine\n/say done", "mine")
    await watcher.choose(asked, "decline")
    await model.release("gate")
    await watcher.box(conversation, ASSISTANT, "done")
    mine, theirs, _ = (await engine._store.ledger.page()).entries
    assert [entry.decided_by for entry in (mine, theirs)] == ["rule 1: allow echo …", "you"]


async def test_a_message_under_a_profile_that_only_looks_does_not_join_a_turn_that_may_do_all(
    other: Other, watcher: Watcher, engine: Engine, scratch: Scratch, model: ModelProcess
) -> None:
    thread = await other.thread(sandbox=Sandbox.FULL_ACCESS)
    await other.say(thread, "/ask Go on? | yes | no\n/hold gate\n/say theirs is done")
    asked = await watcher.asked("question")
    assert asked.conversation_id is not None
    conversation = await engine.open(asked.conversation_id)
    await conversation.select(Choices(profile="observer"))
    await conversation.send("/run touch written\n/say Mine: {{output}}", "mine")
    await engine.decide(asked.id, Reply(answers={}), asked.shown_hash)
    await model.release("gate")
    await watcher.box(conversation, ASSISTANT, "theirs is done")
    said = await watcher.box(conversation, ASSISTANT, "Mine: ")
    assert "Read-only file system" in said.contents
    assert not (scratch.project / "written").exists()


def _runs(watcher: Watcher, asked: Notification) -> bool | None:
    states = [
        event.state.status
        for event in watcher.events
        if getattr(event, "conversation_id", None) == asked.conversation_id and hasattr(event, "state")
    ]
    return True if Status.RUNNING in states else None


async def test_what_is_answered_there_says_so_here(other: Other, watcher: Watcher) -> None:
    await other.say(await other.thread(), ASK)
    asked = await asked_there(watcher)
    raised = await other.until(RequestRaised)
    declined = next(c for c in raised.request.choices if c.verb == "decline")  # type: ignore[union-attr]
    await other.agent.answer(raised.request.key, Decide(choice=declined))
    settled = await watcher.outcome(asked)
    assert (settled.state.value, settled.outcome) == ("withdrawn", "answered in another program")


async def test_a_turn_that_is_interrupted_there_says_so_here(other: Other, watcher: Watcher) -> None:
    thread = await other.thread()
    turn = await other.say(thread, ASK)
    asked = await asked_there(watcher)
    await other.agent.interrupt(thread, turn)
    settled = await watcher.outcome(asked)
    assert (settled.state.value, settled.outcome) == ("withdrawn", "its turn ended")
    await other.until(RequestSettled)


async def test_what_waits_already_when_the_console_comes_is_there(
    settings: Settings, scratch: Scratch
) -> None:
    agent = CodexAgent(host_options(settings))
    there = Other(agent, str(scratch.project))
    await agent.open()
    try:
        await there.say(await there.thread(), ASK)
        await there.until(RequestRaised)
        engine = await open_engine(settings)
        watcher = Watcher(engine)
        asked = await asked_there(watcher)
        await watcher.choose(asked, "decline")
        await there.until(TurnEnded)
        await engine.close()
    finally:
        await agent.release()


async def test_a_tool_of_another_program_is_left_to_it(other: Other, watcher: Watcher) -> None:
    """We hear the call too, as we listen to the thread; to answer it would end it for its owner."""
    thread = await other.thread((ToolSpec("moor", "Moor the boat.", '{"type": "object"}'),))
    await other.say(thread, "/run! echo first\n/tool moor {}\n/say Moored: {{output}}")
    asked = await asked_there(watcher)
    await watcher.choose(asked, "accept")
    called = await other.until(RequestRaised, 2)
    assert called.request.kind == "tool"
    from core.agent.requests import ToolResult

    assert await other.agent.answer(called.request.key, ToolResult(success=True, text="at the north pier"))
    await other.until(TurnEnded)
    await watcher.until(lambda: "at the north pier" in _said(watcher) or None)


def _said(watcher: Watcher) -> str:
    boxes = (box for event in watcher.events for box in getattr(event, "boxes", ()))
    return "\n".join(box.contents for box in boxes)


async def test_a_thread_of_another_program_is_one_conversation_and_no_other(
    other: Other, watcher: Watcher, engine: Engine
) -> None:
    before = {info.thread_id for info in await engine.conversations()}
    thread = await other.thread()
    await other.say(thread, ASK)
    asked = await asked_there(watcher)
    await watcher.choose(asked, "decline")
    await other.until(TurnEnded)
    new = [info.thread_id for info in await engine.conversations() if info.thread_id not in before]
    assert new == [thread]


async def test_what_a_sub_agent_of_another_program_asks_belongs_to_that_conversation(
    other: Other, watcher: Watcher, engine: Engine
) -> None:
    thread = await other.thread()
    await other.say(thread, "/agent /run! echo from below\n/join\n/say done")
    asked = await asked_there(watcher)
    assert asked.request.thread_id != thread
    (info,) = [info for info in await engine.conversations() if info.thread_id == thread]
    assert asked.conversation_id == info.id
    await watcher.choose(asked, "decline")
    assert (await watcher.outcome(asked)).state.value == "delivered"
