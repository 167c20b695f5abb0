"""Conversations on the real Codex: what is said, done, decided and recorded."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.agent.items import AgentMessage, CommandRun, FileChange, Status, load_item
from core.agent.requests import Decide
from core.conversation.feed import Delivery, OutboxChanged
from core.conversation.info import Conversation
from core.conversation.live import LiveConversation
from core.demo.process import ModelProcess
from core.demo.scratch import Scratch
from core.engine import Engine, open_engine
from core.errors import Conflict, InvalidRequest, NotRestartable, NotStalled
from core.settings import Settings
from core.thread.boxes import (
    ASSISTANT,
    NOTICE,
    REASONING,
    TOOL_CALL,
    TOOL_RETURN,
    USER,
    ItemMeta,
    ResultMeta,
    hidden_of,
)
from core.thread.state import Status as ThreadStatus
from tests.support.watcher import Watcher


@pytest.fixture
async def conversation(engine: Engine, watcher: Watcher, scratch: Scratch) -> Conversation:
    return await engine.create(scratch.project)


async def test_a_message_is_answered_and_both_are_recorded(
    conversation: Conversation, watcher: Watcher
) -> None:
    await conversation.send("/say Hello from the model.", "k1")
    assert await watcher.settled(conversation) is ThreadStatus.IDLE
    assert [box.box_type for box in watcher.boxes(conversation)] == [USER, ASSISTANT]
    assert watcher.boxes(conversation)[1].contents == "Hello from the model."
    assert watcher.streamed(conversation) == "Hello from the model."
    assert conversation.info.title == "/say Hello from the model."


async def test_a_conversation_that_came_without_a_title_is_called_by_its_first_message(
    conversation: Conversation, watcher: Watcher
) -> None:
    await conversation.send("/say one", "k1")
    await watcher.settled(conversation)
    await conversation.rename("")
    await conversation.send("/say two", "k2")
    assert conversation.info.title == "/say one"


async def test_the_same_key_is_delivered_once(
    conversation: Conversation, watcher: Watcher, model: ModelProcess
) -> None:
    await conversation.send("/say once", "k1")
    await conversation.send("/say once", "k1")
    await watcher.settled(conversation)
    await conversation.send("/say twice", "k2")
    await watcher.settled(conversation)
    assert [box.contents for box in watcher.boxes(conversation, USER)] == ["/say once", "/say twice"]


async def test_reasoning_is_recorded_beside_the_answer(conversation: Conversation, watcher: Watcher) -> None:
    await conversation.send("/think I look around first.\n/say Done.", "k1")
    await watcher.settled(conversation)
    assert [box.box_type for box in watcher.boxes(conversation)] == [USER, REASONING, ASSISTANT]
    assert watcher.boxes(conversation, REASONING)[0].contents == "I look around first."


async def test_a_command_is_a_call_and_its_return(conversation: Conversation, watcher: Watcher) -> None:
    await conversation.send("/run echo one; echo two; exit 3", "k1")
    await watcher.settled(conversation)
    call = (await watcher.box(conversation, TOOL_CALL)).id
    returned = await watcher.box(conversation, TOOL_RETURN)
    meta = hidden_of(returned)
    assert isinstance(meta, ResultMeta)
    assert (meta.tool_call_id, meta.success, meta.metadata_type) == (call, False, "item")
    item = load_item(meta.metadata_contents)
    assert isinstance(item, CommandRun)
    assert item.exit_code == 3
    assert returned.contents == "one\ntwo\n"


async def test_an_approved_command_runs(conversation: Conversation, watcher: Watcher) -> None:
    await conversation.send("/run! echo approved", "k1")
    asked = await watcher.asked("command", conversation)
    assert "echo approved" in getattr(asked.request, "command", "")
    await watcher.choose(asked, "accept")
    await watcher.settled(conversation)
    assert (await watcher.box(conversation, TOOL_RETURN)).contents == "approved\n"
    assert (await watcher.outcome(asked)).state.value == "delivered"


async def test_a_declined_command_does_not_run_and_the_turn_goes_on(
    conversation: Conversation, watcher: Watcher, scratch: Scratch
) -> None:
    await conversation.send("/run! touch ran\n/say It was declined.", "k1")
    await watcher.choose(await watcher.asked("command", conversation), "decline")
    await watcher.settled(conversation)
    item = await _returned_item(conversation, watcher)
    assert isinstance(item, CommandRun)
    assert item.status is Status.DECLINED
    assert not (scratch.project / "ran").exists()
    assert (await watcher.box(conversation, ASSISTANT)).contents == "It was declined."


async def test_declining_for_the_whole_turn_ends_it(
    conversation: Conversation, watcher: Watcher, scratch: Scratch
) -> None:
    await conversation.send("/run! touch ran\n/say never", "k1")
    await watcher.choose(await watcher.asked("command", conversation), "cancel")
    assert await watcher.settled(conversation) is ThreadStatus.IDLE
    assert not (scratch.project / "ran").exists()
    assert watcher.boxes(conversation, ASSISTANT) == []
    assert hidden_of(watcher.boxes(conversation, NOTICE)[-1]).code == "interrupted"  # type: ignore[union-attr]


async def test_an_approved_patch_changes_the_file(
    conversation: Conversation, watcher: Watcher, scratch: Scratch
) -> None:
    await conversation.send(
        "/patch\n*** Begin Patch\n*** Add File: made.txt\n+made here\n*** End Patch", "k1"
    )
    asked = await watcher.asked("file_change", conversation)
    assert [change.path.endswith("made.txt") for change in getattr(asked.request, "changes", ())] == [True]
    await watcher.choose(asked, "accept")
    await watcher.settled(conversation)
    item = await _returned_item(conversation, watcher)
    assert isinstance(item, FileChange)
    assert item.status is Status.DONE
    assert (scratch.project / "made.txt").read_text() == "made here\n"


async def test_a_message_typed_while_a_turn_runs_steers_it(
    conversation: Conversation, watcher: Watcher, model: ModelProcess
) -> None:
    await conversation.send("/hold here\n/say first", "k1")
    await watcher.until(lambda: conversation.state.turn_id)
    await conversation.send("look left too", "k2")
    await watcher.until(lambda: any(_outbox_sent(event, "k2") for event in watcher.events))
    await model.release("here")
    await watcher.settled(conversation)
    users = [box.contents for box in watcher.boxes(conversation, USER)]
    assert users == ["/hold here\n/say first", "look left too"]
    assert conversation.outbox == ()


async def test_an_interrupted_answer_shows_as_cut(
    conversation: Conversation, watcher: Watcher, model: ModelProcess
) -> None:
    await conversation.send("/say one two {{hold middle}} three", "k1")
    await watcher.until(lambda: "two" in watcher.streamed(conversation))
    await conversation.interrupt()
    assert await watcher.settled(conversation) is ThreadStatus.IDLE
    cut = [box for box in watcher.boxes(conversation, ASSISTANT) if _is_cut(box)]
    assert len(cut) == 1
    assert cut[0].contents == watcher.streamed(conversation)


async def test_a_failed_turn_stalls_and_the_same_input_runs_again(
    conversation: Conversation, watcher: Watcher, model: ModelProcess
) -> None:
    await conversation.send("/fail 429", "k1")
    assert await watcher.settled(conversation) is ThreadStatus.STALLED
    assert conversation.state.restartable
    assert "usage limit" in conversation.state.problem
    assert isinstance(conversation, LiveConversation)
    await conversation.runtime.drained()
    (said,) = watcher.boxes(conversation, NOTICE)
    assert "usage limit" in said.contents
    await conversation.restart()
    await watcher.settled(conversation)
    assert [box.contents for box in watcher.boxes(conversation, USER)] == ["/fail 429"]


async def test_a_turn_that_acted_and_failed_is_not_run_again(
    conversation: Conversation, watcher: Watcher
) -> None:
    with pytest.raises(NotStalled):
        await conversation.restart()
    await conversation.send("/run echo hi\n/fail 500", "k1")
    assert await watcher.settled(conversation) is ThreadStatus.STALLED
    with pytest.raises(NotRestartable):
        await conversation.restart()
    await conversation.send("/say on we go", "k2")
    assert await watcher.settled(conversation) is ThreadStatus.IDLE


async def test_a_decision_counts_once_and_only_for_what_was_shown(
    conversation: Conversation, watcher: Watcher, engine: Engine
) -> None:
    await conversation.send("/run! echo once", "k1")
    asked = await watcher.asked("command", conversation)
    choice = getattr(asked.request, "choices", ())[0]
    with pytest.raises(Conflict):
        await engine.decide(asked.id, Decide(choice=choice), "another hash")
    await watcher.choose(asked, "accept")
    with pytest.raises(Conflict):
        await engine.decide(asked.id, Decide(choice=choice), asked.shown_hash)
    await watcher.settled(conversation)


async def test_a_restarted_console_shows_everything_and_goes_on(settings: Settings, scratch: Scratch) -> None:
    first = await open_engine(settings)
    watcher = Watcher(first)
    conversation = await first.create(scratch.project)
    await conversation.send("/say before", "k1")
    await watcher.settled(conversation)
    before = await conversation.page()
    await first.close()

    second = await open_engine(settings)
    try:
        watcher = Watcher(second)
        infos = await second.conversations()
        assert [(info.title, info.state) for info in infos] == [("/say before", "idle")]
        again = await second.open(infos[0].id)
        assert await again.page() == before
        await again.send("/say after", "k2")
        await watcher.settled(again)
        assert [box.contents for box in await again.page()] == [
            "/say before",
            "before",
            "/say after",
            "after",
        ]
    finally:
        await second.close()


async def test_two_conversations_run_side_by_side(
    engine: Engine, watcher: Watcher, scratch: Scratch, model: ModelProcess
) -> None:
    left, right = await engine.create(scratch.project), await engine.create(scratch.project)
    await left.send("/hold left\n/say left is done", "k1")
    await right.send("/say right is done", "k2")
    await watcher.settled(right)
    assert left.state.status is ThreadStatus.RUNNING
    await model.release("left")
    await watcher.settled(left)
    assert [box.contents for box in watcher.boxes(right, ASSISTANT)] == ["right is done"]
    assert [box.contents for box in watcher.boxes(left, ASSISTANT)] == ["left is done"]


async def test_fifty_conversations_at_once_do_not_hear_each_other(
    engine: Engine, watcher: Watcher, scratch: Scratch
) -> None:
    several = [await engine.create(scratch.project) for _ in range(50)]
    for number, conversation in enumerate(several):
        await conversation.send(f"/stream 20\n/say answer {number}", f"key-{number}")
    for conversation in several:
        await watcher.settled(conversation)
    answers = [[box.contents for box in watcher.boxes(one, ASSISTANT)][-1] for one in several]
    assert answers == [f"answer {number}" for number in range(50)]


async def test_a_folder_that_is_not_there_is_refused(engine: Engine, tmp_path: Path) -> None:
    with pytest.raises(InvalidRequest):
        await engine.create(tmp_path / "nowhere")
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidRequest):
        await engine.create(tmp_path / "file")


async def _returned_item(conversation: Conversation, watcher: Watcher) -> object:
    meta = hidden_of(await watcher.box(conversation, TOOL_RETURN))
    assert isinstance(meta, ResultMeta)
    return load_item(meta.metadata_contents)


def _outbox_sent(event: object, key: str) -> bool:
    return isinstance(event, OutboxChanged) and any(
        entry.key == key and entry.delivery is Delivery.SENT for entry in event.entries
    )


def _is_cut(box: object) -> bool:
    meta = hidden_of(box)  # type: ignore[arg-type]
    item = load_item(meta.item_json) if isinstance(meta, ItemMeta) else None
    return isinstance(item, AgentMessage) and item.cut
