"""Switches on the real Codex: from the next turn on, kept, and what Codex says it uses."""

from __future__ import annotations

import asyncio

import pytest

from core.agent.port import Approvals, Sandbox
from core.conversation.feed import SelectionChanged
from core.conversation.live import LiveConversation
from core.conversation.workspace import Choices
from core.demo.scratch import Scratch
from core.engine import Engine, open_engine
from core.errors import InvalidRequest, InvalidState, Unauthorized
from core.settings import Settings
from tests.support.watcher import Watcher


async def ready(engine: Engine, watcher: Watcher) -> None:
    await watcher.until(lambda: engine.host.phase.value == "ready")


async def test_what_a_new_conversation_begins_with_is_known_before_it_is_there(
    engine: Engine, watcher: Watcher, scratch: Scratch
) -> None:
    await ready(engine, watcher)
    shown = await engine.switches.beginning(scratch.project, Choices())
    assert (shown.model, shown.sandbox, shown.approvals) == ("scripted", "read-only", "on-request")
    chosen = await engine.switches.choose(scratch.project, Choices(), Choices(effort="high"))
    conversation = await engine.create(scratch.project, chosen)
    assert (conversation.selection.model, conversation.selection.effort) == ("scripted", "high")


async def test_a_switch_holds_from_the_next_turn_on_and_codex_says_so(
    engine: Engine, watcher: Watcher, scratch: Scratch
) -> None:
    conversation = await engine.create(scratch.project)
    await conversation.send("/say one", "first")
    await watcher.settled(conversation)
    assert conversation.selection.model == "scripted"

    await conversation.select(Choices(effort="high", sandbox=Sandbox.WORKSPACE_WRITE))
    assert (conversation.selection.effort, conversation.selection.sandbox) == ("high", "workspace-write")
    assert conversation.selection.coming == {"effort", "sandbox"}
    await conversation.send("/say two", "second")
    await watcher.until(lambda: not conversation.selection.coming)
    assert (conversation.selection.effort, conversation.selection.sandbox) == ("high", "workspace-write")
    told = [event for event in watcher.events if isinstance(event, SelectionChanged)]
    assert told[-1].selected == conversation.selection


async def test_a_switch_is_there_after_a_restart_and_the_sandbox_is_said_again(
    settings: Settings, scratch: Scratch
) -> None:
    first = await open_engine(settings)
    watcher = Watcher(first)
    conversation = await first.create(scratch.project)
    await conversation.send("/say one", "first")
    await watcher.settled(conversation)
    await conversation.select(
        Choices(sandbox=Sandbox.WORKSPACE_WRITE, approvals=Approvals.NEVER, profile="autopilot")
    )
    await first.close()

    second = await open_engine(settings)
    watcher = Watcher(second)
    again = await second.open(conversation.id)
    assert (again.selection.profile, again.selection.sandbox) == ("autopilot", "workspace-write")
    await watcher.until(lambda: again.selection.coming)
    await again.send("/run touch made-by-it", "second")
    await watcher.until(lambda: not again.selection.coming)
    await watcher.settled(again)
    await second.close()
    assert (scratch.project / "made-by-it").exists()


async def test_a_switch_never_goes_beyond_the_profile(
    engine: Engine, watcher: Watcher, scratch: Scratch
) -> None:
    await ready(engine, watcher)
    conversation = await engine.create(scratch.project, Choices(profile="observer"))
    with pytest.raises(Unauthorized, match="no wider than read-only"):
        await conversation.select(Choices(sandbox=Sandbox.FULL_ACCESS))
    with pytest.raises(InvalidRequest, match="scripted"):
        await conversation.select(Choices(model="no-such-model"))
    assert (conversation.selection.profile, conversation.selection.sandbox) == ("observer", "read-only")


async def test_a_run_keeps_the_access_it_began_with(
    engine: Engine, watcher: Watcher, scratch: Scratch
) -> None:
    conversation = await engine.create(scratch.project)
    assert isinstance(conversation, LiveConversation)
    await conversation.send("/ask What colour? | red | blue", "first")
    await watcher.asked("question", conversation)
    await conversation.select(Choices(profile="autopilot"))
    await conversation.send("and be quick", "steer")
    bound = conversation.runtime.thread.actions.authorization
    assert bound is not None
    assert bound.profile.id == "operator"


async def test_two_switches_at_once_both_hold(engine: Engine, watcher: Watcher, scratch: Scratch) -> None:
    await ready(engine, watcher)
    conversation = await engine.create(scratch.project)
    await asyncio.gather(
        conversation.select(Choices(effort="high")), conversation.select(Choices(profile="autopilot"))
    )
    assert (conversation.selection.effort, conversation.selection.profile) == ("high", "autopilot")
    row = await engine._store.conversations.get(conversation.id)
    assert Choices.parse(row.defaults) == Choices(effort="high", profile="autopilot")


def test_choices_that_cannot_be_read_are_said() -> None:
    with pytest.raises(InvalidState, match="cannot be read"):
        Choices.parse('{"sandbox": "moon"}')
