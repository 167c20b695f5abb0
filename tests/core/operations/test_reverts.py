"""Going back, on the real Codex."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.agent.operations import InWords
from core.conversation.feed import BoxesReverted, HostPhase
from core.conversation.info import Conversation
from core.conversation.live import LiveConversation
from core.demo.process import ModelProcess
from core.demo.scratch import Scratch
from core.engine import Engine, open_engine
from core.errors import Conflict, InvalidRequest
from core.settings import Settings
from core.thread.boxes import ASSISTANT, ITEM, NOTICE, USER
from core.thread.state import Status
from tests.core.operations.conftest import contents
from tests.support.watcher import Watcher


async def test_what_was_taken_back_is_shown_no_more_and_codex_knows_nothing_of_it(
    engine: Engine, watcher: Watcher, talk: Conversation, model: ModelProcess
) -> None:
    plan = await engine.operations.plan_revert(talk.id, before_box=4)
    assert (plan.first, plan.last, plan.text, plan.messages) == (3, 6, "/say two", 2)
    await engine.operations.revert(talk.id, plan)
    assert BoxesReverted(talk.id, 3, 6) in watcher.events
    assert [box.contents for box in await engine.operations.reverted(talk.id)] == [
        "/say two",
        "two",
        "/say three",
        "three",
    ]
    assert "went back to before “/say two”" in (await contents(talk, NOTICE))[0]

    await talk.send("/say another", "k4")
    assert await watcher.settled(talk) is Status.IDLE
    assert await contents(talk, USER) == ["/say one", "/say another"]
    assert (await model.requests())[-1].said == ("/say one", "/say another")


async def test_the_last_turn_goes_where_no_box_is_named_and_the_first_may_go_too(
    engine: Engine, watcher: Watcher, talk: Conversation
) -> None:
    plan = await engine.operations.plan_revert(talk.id)
    assert plan.text == "/say three"
    await engine.operations.revert(talk.id, plan)
    await engine.operations.revert(talk.id, await engine.operations.plan_revert(talk.id, before_box=1))
    assert await contents(talk, USER) == []
    with pytest.raises(InvalidRequest):
        await engine.operations.plan_revert(talk.id)
    await talk.send("/say from the beginning", "k4")
    await watcher.settled(talk)
    assert await contents(talk, ASSISTANT) == ["from the beginning"]


async def test_files_stay_as_they_are(
    engine: Engine, watcher: Watcher, talk: Conversation, scratch: Scratch
) -> None:
    await talk.send("/patch *** Add File: made.txt\n+kept", "k4")
    await watcher.choose(await watcher.asked("file_change", talk), "accept")
    await watcher.settled(talk)
    await engine.operations.revert(talk.id, await engine.operations.plan_revert(talk.id))
    assert (scratch.project / "made.txt").read_text() == "kept\n"


async def test_a_running_turn_is_interrupted_first_and_a_conversation_that_went_on_is_looked_at_again(
    engine: Engine, watcher: Watcher, talk: Conversation, model: ModelProcess
) -> None:
    plan = await engine.operations.plan_revert(talk.id)
    await talk.send("/hold gate\n/say four", "k4")
    await watcher.until(lambda: talk.state.turn_id)
    with pytest.raises(Conflict, match="Interrupt"):
        await engine.operations.revert(talk.id, plan)
    await model.release("gate")
    await watcher.settled(talk)
    with pytest.raises(InvalidRequest, match="went on meanwhile"):
        await engine.operations.revert(talk.id, plan)


async def test_a_failed_turn_is_taken_back_with_its_message(
    engine: Engine, watcher: Watcher, talk: Conversation
) -> None:
    await talk.send("/fail 500", "k4")
    assert await watcher.settled(talk) is Status.STALLED
    plan = await engine.operations.plan_revert(talk.id)
    assert plan.text == "/fail 500"
    await engine.operations.revert(talk.id, plan)
    assert talk.state.status is Status.IDLE
    await talk.send("/say better", "k5")
    await watcher.settled(talk)
    assert (await contents(talk, ASSISTANT))[-1] == "better"


async def test_the_next_console_shows_it_the_same(
    settings: Settings, engine: Engine, watcher: Watcher, talk: Conversation
) -> None:
    await engine.operations.revert(talk.id, await engine.operations.plan_revert(talk.id, before_box=3))
    shown = await contents(talk)
    await engine.close()
    second = await open_engine(settings)
    try:
        again = await second.open(talk.id)
        assert await contents(again) == shown
        watcher = Watcher(second)
        await again.send("/say on", "k9")
        await watcher.settled(again)
        assert await contents(again, USER) == ["/say one", "/say on"]
    finally:
        await second.close()


async def test_another_console_that_reads_along_shows_it_no_more_either(
    settings: Settings, engine: Engine, talk: Conversation
) -> None:
    other = await open_engine(settings)
    try:
        beside = Watcher(other)
        followed = await other.open(talk.id)
        assert await contents(followed, USER) == ["/say one", "/say two", "/say three"]
        await engine.operations.revert(talk.id, await engine.operations.plan_revert(talk.id, before_box=3))
        await beside.until(lambda: BoxesReverted(talk.id, 3, 6) in beside.events)
        assert await contents(followed, USER) == ["/say one"]
    finally:
        await other.close()
    third = await open_engine(settings)
    try:
        assert await contents(await third.open(talk.id), USER) == ["/say one"]
    finally:
        await third.close()


@pytest.fixture
async def elsewhere(settings: Settings, tmp_path: Path) -> AsyncIterator[Engine]:
    """Another client of the same Codex, which knows nothing of our conversations."""
    other = await open_engine(settings.model_copy(update={"data_dir": tmp_path / "elsewhere"}))
    await Watcher(other).until(lambda: other.host.phase is HostPhase.READY)
    yield other
    await other.close()


async def go_back_elsewhere(elsewhere: Engine, conversation: LiveConversation, turn_id: str) -> None:
    thread_id = conversation.thread_id
    assert thread_id is not None
    await elsewhere._agent.resume_thread(thread_id)
    await elsewhere._agent.operations.revert(thread_id, turn_id)


async def test_what_another_client_takes_back_is_shown_no_more_and_the_conversation_says_so(
    engine: Engine, watcher: Watcher, talk: LiveConversation, elsewhere: Engine
) -> None:
    turns = talk.runtime.thread.state.turns()
    await go_back_elsewhere(elsewhere, talk, turns[1].turn_id)
    await watcher.until(lambda: BoxesReverted(talk.id, 3, 6) in watcher.events)
    assert await contents(talk, USER) == ["/say one"]
    assert "Another program went back to before “/say two”" in (await contents(talk, NOTICE))[0]
    assert [box.id for box in await engine.operations.reverted(talk.id)] == [3, 4, 5, 6]
    await talk.send("/say on", "k4")
    await watcher.settled(talk)
    assert await contents(talk, ASSISTANT) == ["one", "on"]
    await engine.operations.revert(talk.id, await engine.operations.plan_revert(talk.id))
    assert await contents(talk, ASSISTANT) == ["one"]


async def test_all_of_it_may_be_taken_back_elsewhere(
    watcher: Watcher, talk: LiveConversation, elsewhere: Engine
) -> None:
    await go_back_elsewhere(elsewhere, talk, talk.runtime.thread.state.turns()[0].turn_id)
    await watcher.until(lambda: BoxesReverted(talk.id, 1, 6) in watcher.events)
    assert await contents(talk, USER) == []


async def test_what_was_taken_back_while_no_console_ran_is_noticed_by_the_next_with_what_came_after(
    settings: Settings, engine: Engine, talk: LiveConversation, elsewhere: Engine
) -> None:
    turn = talk.runtime.thread.state.turns()[2]
    await engine.close()
    await go_back_elsewhere(elsewhere, talk, turn.turn_id)
    there = Watcher(elsewhere)
    assert talk.thread_id is not None
    adopted = await elsewhere.operations.conversation_of(talk.thread_id)
    beside = await elsewhere.open(adopted)
    await beside.send("/say instead", "k5")
    await there.box(beside, ASSISTANT, "instead")
    second = await open_engine(settings)
    try:
        again = await second.open(talk.id)
        await Watcher(second).box(again, ASSISTANT, "instead")
        assert await contents(again, ASSISTANT) == ["one", "two", "instead"]
        assert "Another program went back" in (await contents(again, NOTICE))[0]
    finally:
        await second.close()


async def test_turns_of_every_kind_are_still_there_when_a_console_attaches_again(
    settings: Settings, engine: Engine, watcher: Watcher, talk: LiveConversation, model: ModelProcess
) -> None:
    await engine.operations.compact(talk.id)
    await watcher.box(talk, ITEM, "compaction")
    await watcher.settled(talk)
    await engine.operations.review(talk.id, InWords("/say sound"))
    await watcher.box(talk, ITEM, "sound")
    await watcher.settled(talk)
    await talk.send("/say begun\n/hold gate", "k5")
    await watcher.until(lambda: talk.state.turn_id)
    await talk.interrupt()
    await watcher.settled(talk)
    copy = await engine.operations.fork(talk.id, None)
    shown = await contents(talk)
    copied = await contents(await engine.open(copy))
    await engine.close()
    second = await open_engine(settings)
    try:
        for conversation_id, before in ((talk.id, shown), (copy, copied)):
            again = await second.open(conversation_id)
            assert isinstance(again, LiveConversation)
            await Watcher(second).until(lambda again=again: again._attachment._attached)
            assert await contents(again) == before
    finally:
        await second.close()
