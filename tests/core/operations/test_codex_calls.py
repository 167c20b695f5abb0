"""What Codex does and tells when asked, on the real Codex: summing up, reviews, goals, plans, sub-agents, lists."""

from __future__ import annotations

import pytest

from core.agent.items import Marker, SubAgentCall, load_item
from core.agent.operations import InWords
from core.conversation.feed import HostPhase, LiveDropped, LiveStarted
from core.conversation.info import Conversation
from core.demo.process import ModelProcess
from core.demo.scratch import Scratch
from core.engine import Engine, open_engine
from core.errors import Conflict, InvalidRequest, NotFound
from core.settings import Settings
from core.thread.boxes import ASSISTANT, ITEM, NOTICE, ItemMeta, ResultMeta, hidden_of
from core.thread.state import Status
from tests.core.operations.conftest import contents
from tests.support.watcher import Watcher


def _markers(watcher: Watcher, conversation: Conversation) -> list[str]:
    metas = [hidden_of(box) for box in watcher.boxes(conversation, ITEM)]
    items = [load_item(meta.item_json) for meta in metas if isinstance(meta, ItemMeta)]
    return [item.name for item in items if isinstance(item, Marker)]


async def test_summing_up_runs_as_a_turn_and_the_conversation_goes_on(
    engine: Engine, watcher: Watcher, talk: Conversation
) -> None:
    await engine.operations.compact(talk.id)
    await watcher.until(lambda: "compaction" in _markers(watcher, talk))
    assert await watcher.settled(talk) is Status.IDLE
    await talk.send("/say on", "k4")
    await watcher.settled(talk)
    assert (await contents(talk, ASSISTANT))[-1] == "on"


async def test_a_conversation_without_a_message_has_nothing_to_sum_up(
    engine: Engine, scratch: Scratch
) -> None:
    empty = await engine.create(scratch.project)
    with pytest.raises(InvalidRequest, match="Send a message first"):
        await engine.operations.compact(empty.id)


async def test_a_review_is_one_turn_with_its_beginning_its_end_and_its_words(
    engine: Engine, watcher: Watcher, talk: Conversation
) -> None:
    await engine.operations.review(talk.id, InWords("/say The pier is sound."))
    await watcher.until(lambda: "review_left" in _markers(watcher, talk))
    assert await watcher.settled(talk) is Status.IDLE
    assert _markers(watcher, talk) == ["review_entered", "review_left"]
    started = {event.item.id for event in watcher.events if isinstance(event, LiveStarted)}
    ended = {event.item_id for event in watcher.events if isinstance(event, LiveDropped)}
    ended |= {meta.item_id for box in watcher.boxes(talk) if isinstance(meta := hidden_of(box), ItemMeta)}
    assert started <= ended, "something streams for ever"
    assert (await contents(talk, ASSISTANT))[-1] == "The pier is sound."
    await talk.send("/say on", "k4")
    await watcher.settled(talk)
    assert (await contents(talk, ASSISTANT))[-1] == "on"


async def test_a_review_can_be_interrupted(
    engine: Engine, watcher: Watcher, talk: Conversation, model: ModelProcess
) -> None:
    await engine.operations.review(talk.id, InWords("/hold gate\n/say never"))
    await watcher.until(lambda: engine._registry.opened(talk.id).runtime.turns.reviewer)  # type: ignore[union-attr]
    await talk.interrupt()
    assert await watcher.settled(talk) is Status.IDLE


async def test_a_goal_is_set_paused_and_cleared(engine: Engine, talk: Conversation) -> None:
    assert await engine.operations.goal(talk.id) is None
    await engine.operations.set_goal(talk.id, "Paint the pier", "paused")
    goal = await engine.operations.goal(talk.id)
    assert goal is not None
    assert (goal.objective, goal.status) == ("Paint the pier", "paused")
    assert await engine.operations.clear_goal(talk.id)
    assert not await engine.operations.clear_goal(talk.id)


async def test_planning_first_is_switched_on_and_off(
    engine: Engine, watcher: Watcher, talk: Conversation
) -> None:
    assert await engine.operations.plan_first(talk.id, "scripted")
    await watcher.until(lambda: talk.selection.planning)
    await talk.send("/say planned", "k4")
    await watcher.settled(talk)
    assert not await engine.operations.plan_first(talk.id, "scripted")
    await watcher.until(lambda: not talk.selection.planning)
    await talk.send("/say done", "k5")
    await watcher.settled(talk)
    assert (await contents(talk, ASSISTANT))[-2:] == ["planned", "done"]


async def test_a_thread_that_plans_first_does_so_in_the_next_console_too_and_it_is_known_there(
    settings: Settings, scratch: Scratch
) -> None:
    first = await open_engine(settings)
    conversation = await first.create(scratch.project)
    await conversation.send("/say one", "k1")
    watcher = Watcher(first)
    await watcher.settled(conversation)
    assert await first.operations.plan_first(conversation.id, "scripted", on=True)
    assert await first.close() == "", "the host ended with the console"
    second = await open_engine(settings)
    try:
        again = await second.open(conversation.id)
        watcher = Watcher(second)
        await watcher.until(lambda: second.host.phase is HostPhase.READY)
        assert not await second.operations.plan_first(again.id, "scripted")
        await watcher.until(lambda: not again.selection.planning)
        assert await second.operations.plan_first(again.id, "scripted")
        await watcher.until(lambda: again.selection.planning)
    finally:
        await second.close()


async def test_servers_are_listed_with_their_tools(engine: Engine, talk: Conversation) -> None:
    (server,) = await engine.operations.mcp_servers(talk.id)
    assert (server.name, server.status, server.error) == ("demo", "connected", "")
    assert "tide" in [name for name, _ in server.tools]


async def test_the_last_answer_is_given_as_it_was_said(
    engine: Engine, watcher: Watcher, talk: Conversation, scratch: Scratch
) -> None:
    assert await engine.operations.last_answer(talk.id) == "three"
    empty = await engine.create(scratch.project)
    with pytest.raises(NotFound):
        await engine.operations.last_answer(empty.id)


async def test_a_sub_agents_conversation_is_read_and_its_parent_writes_it(
    engine: Engine, watcher: Watcher, scratch: Scratch
) -> None:
    parent = await engine.create(scratch.project)
    await parent.send("/agent Look at the lamp.\n/join\n/say both done", "k1")
    await watcher.settled(parent)
    child_thread = await _sub_agent_of(watcher, parent)
    child_id = await engine.operations.conversation_of(child_thread)
    assert await engine.operations.conversation_of(child_thread) == child_id
    child = await engine.open(child_id)
    await watcher.until(lambda: watcher.boxes(child, ASSISTANT))
    assert child.info.parent_id == parent.id
    with pytest.raises(Conflict, match="only read here"):
        await child.send("hello", "k2")
    assert [info.id for info in await engine.conversations()] == [parent.id]


async def test_a_sub_agent_that_runs_is_read_as_it_goes_on(
    engine: Engine, watcher: Watcher, scratch: Scratch, model: ModelProcess
) -> None:
    parent = await engine.create(scratch.project)
    await parent.send("/agent \n\\/hold kid\n\\/say from the child\n/join\n/say both done", "k1")
    child_thread = await watcher.until(lambda: _started_sub_agent(watcher, parent))
    child = await engine.open(await engine.operations.conversation_of(child_thread))
    await watcher.until(lambda: child.state.status is Status.RUNNING and child.state.turn_id)
    await model.release("kid")
    assert (await watcher.box(child, ASSISTANT)).contents == "from the child"
    await watcher.settled(parent)
    assert (await contents(parent, ASSISTANT))[-1] == "both done"


def _started_sub_agent(watcher: Watcher, parent: Conversation) -> str | None:
    metas = [hidden_of(box) for box in watcher.boxes(parent)]
    texts = [meta.metadata_contents for meta in metas if isinstance(meta, ResultMeta)]
    items = [load_item(text) for text in texts if text]
    found = (item.receivers[0] for item in items if isinstance(item, SubAgentCall) and item.receivers)
    return next(found, None)


async def _sub_agent_of(watcher: Watcher, parent: Conversation) -> str:
    return await watcher.until(lambda: _started_sub_agent(watcher, parent))


async def test_a_copy_of_what_was_reviewed_says_of_nothing_that_it_was_interrupted(
    engine: Engine, watcher: Watcher, talk: Conversation
) -> None:
    await engine.operations.review(talk.id, InWords("/say The pier is sound."))
    await watcher.until(lambda: "review_left" in _markers(watcher, talk))
    assert await watcher.settled(talk) is Status.IDLE
    copy = await engine.open(await engine.operations.fork(talk.id))
    await copy.send("/say on", "k5")
    await watcher.settled(copy)
    assert (await contents(copy, ASSISTANT))[-1] == "on"
    assert [text for text in await contents(copy, NOTICE) if "interrupted" in text] == []


async def test_a_reviewers_own_thread_is_no_conversation_of_its_own_after_a_restart(
    engine: Engine, watcher: Watcher, talk: Conversation, settings: Settings
) -> None:
    await engine.operations.review(talk.id, InWords("/say The pier is sound."))
    await watcher.until(lambda: "review_left" in _markers(watcher, talk))
    assert await watcher.settled(talk) is Status.IDLE
    await engine.close()
    again = await open_engine(settings)
    try:
        beside = Watcher(again)
        await beside.until(lambda: again.host.phase is HostPhase.READY)
        await again._registry.adoption.adopt_listed()
        assert [info.id for info in await again.conversations()] == [talk.id]
    finally:
        await again.close()
