"""Messages that are to wait for the end of the turn, and images that go along, on the real Codex."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from core.conversation.feed import Delivery, OutboxEntry
from core.demo.process import ModelProcess
from core.demo.scratch import Scratch
from core.engine import Engine, open_engine
from core.errors import TransitionError
from core.settings import Settings
from core.thread.boxes import ASSISTANT, USER, InputMeta, ItemMeta, hidden_of
from core.thread.state import Status
from tests.support.watcher import Watcher

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c4944415408d763f8cfc0000003"
    "0101 0018dd8db0 0000000049454e44ae426082".replace(" ", "")
)


async def test_a_queued_message_goes_out_once_and_only_when_the_turn_is_over(
    engine: Engine, watcher: Watcher, scratch: Scratch, model: ModelProcess
) -> None:
    conversation = await engine.create(scratch.project)
    await conversation.send("/hold here\n/say first", "k1")
    turn = await watcher.until(lambda: conversation.state.turn_id)
    await conversation.send("/say second", "k2", queue=True)
    await conversation.send("/say second", "k2", queue=True)
    assert conversation.outbox == (OutboxEntry("k2", "/say second", Delivery.QUEUED),)
    await model.release("here")
    await watcher.box(conversation, ASSISTANT, "second")
    await watcher.settled(conversation)
    contents = [box.contents for box in watcher.boxes(conversation)]
    assert contents == ["/hold here\n/say first", "first", "/say second", "second"]
    assert conversation.state.turn_id != turn
    assert conversation.outbox == ()


async def test_a_queued_message_is_taken_back_with_the_draft_it_stands_in(
    engine: Engine, watcher: Watcher, scratch: Scratch, model: ModelProcess
) -> None:
    conversation = await engine.create(scratch.project)
    await conversation.send("/hold here\n/say first", "k1")
    await watcher.until(lambda: conversation.state.turn_id)
    await conversation.send("/say never", "k2", queue=True, drafts={conversation.id: "half"})
    assert await engine.draft(conversation.id) == "half"
    drafts = {conversation.id: "half\n/say never"}
    assert await conversation.withdraw("k2", drafts=drafts) == ["/say never"]
    assert await engine.draft(conversation.id) == "half\n/say never"
    await model.release("here")
    await watcher.settled(conversation)
    assert [box.contents for box in watcher.boxes(conversation, ASSISTANT)] == ["first"]
    with pytest.raises(TransitionError):
        await conversation.withdraw("k2")


async def test_a_queued_message_is_still_queued_in_the_next_console(
    settings: Settings, scratch: Scratch, model: ModelProcess
) -> None:
    first = await open_engine(settings)
    conversation = await first.create(scratch.project)
    await conversation.send("/hold here\n/say first", "k1")
    await Watcher(first).until(lambda: conversation.state.turn_id)
    await conversation.send("/say second", "k2", queue=True)
    await first.close()
    second = await open_engine(settings)
    try:
        watcher = Watcher(second)
        again = await second.open(conversation.id)
        assert [(entry.key, entry.delivery) for entry in again.outbox] == [("k2", Delivery.QUEUED)]
        await model.release("here")
        await watcher.box(again, ASSISTANT, "second")
        await watcher.until(lambda: again.state.status is Status.IDLE)
        users = [box.contents for box in await again.page() if box.box_type == USER]
        assert users == ["/hold here\n/say first", "/say second"]
    finally:
        await second.close()


@pytest.mark.parametrize("steered", [False, True])
async def test_an_image_reaches_the_model_with_its_message(
    engine: Engine,
    watcher: Watcher,
    scratch: Scratch,
    model: ModelProcess,
    tmp_path: Path,
    steered: bool,
) -> None:
    image = tmp_path / "dot.png"
    image.write_bytes(PNG)
    conversation = await engine.create(scratch.project)
    if steered:
        await conversation.send("/hold here\n/say first", "k1")
        await watcher.until(lambda: conversation.state.turn_id)
    await conversation.send("/say I see [Image #1 dot.png 1 KB]", "k2", attachments=[str(image)])
    if steered:
        await watcher.until(lambda: any(entry.delivery is Delivery.SENT for entry in conversation.outbox))
        await model.release("here")
    await watcher.settled(conversation)
    said = next(box for box in watcher.boxes(conversation, USER) if "Image" in box.contents)
    meta = hidden_of(said)
    assert isinstance(meta, InputMeta) and meta.attachments == (str(image),)
    (rollout,) = (scratch.home / "sessions").rglob("rollout-*.jsonl")
    history = rollout.read_text()
    assert '"input_image"' in history and base64.b64encode(PNG).decode() in history


async def test_what_waits_is_taken_back_whole_before_the_turn_is_interrupted_and_nothing_begins(
    engine: Engine, watcher: Watcher, scratch: Scratch, model: ModelProcess
) -> None:
    conversation = await engine.create(scratch.project)
    await conversation.send("/say first\n/hold here", "k1")
    await watcher.until(lambda: "first" in watcher.streamed(conversation))
    await conversation.send("/say second", "k2", queue=True)
    await conversation.send("/say third", "k3", queue=True)
    with pytest.raises(TransitionError):
        await conversation.withdraw("k2", "k1", drafts={conversation.id: "never"})
    assert [entry.key for entry in conversation.outbox] == ["k2", "k3"]
    drafts = {conversation.id: "/say second\n\n/say third"}
    assert await conversation.withdraw("k2", "k3", drafts=drafts) == ["/say second", "/say third"]
    await conversation.interrupt()
    assert await watcher.settled(conversation) is Status.IDLE
    assert await engine.draft(conversation.id) == "/say second\n\n/say third"
    assert [box.contents for box in watcher.boxes(conversation, USER)] == ["/say first\n/hold here"]
    await conversation.send("/say fourth", "k4")
    await watcher.box(conversation, ASSISTANT, "fourth")
    await watcher.settled(conversation)
    assert [box.contents for box in watcher.boxes(conversation, USER)][1:] == ["/say fourth"]


async def test_a_turn_that_only_begins_is_interrupted_too(
    engine: Engine, watcher: Watcher, scratch: Scratch, model: ModelProcess
) -> None:
    conversation = await engine.create(scratch.project)
    await conversation.send("/hold here\n/say never", "k1")
    await watcher.until(lambda: conversation.state.status is Status.RUNNING)
    assert conversation.state.turn_id is None
    await conversation.interrupt()
    await watcher.settled(conversation)
    assert watcher.boxes(conversation, ASSISTANT) == []


async def test_each_queued_message_gets_a_turn_of_its_own_in_their_order(
    engine: Engine, watcher: Watcher, scratch: Scratch, model: ModelProcess
) -> None:
    conversation = await engine.create(scratch.project)
    await conversation.send("/hold here\n/say first", "k1")
    await watcher.until(lambda: conversation.state.turn_id)
    for key, text in (("k2", "/say second"), ("k3", "/hold there\n/say third"), ("k4", "/say fourth")):
        await conversation.send(text, key, queue=True)
    await model.release("here")
    await watcher.until(lambda: [entry.key for entry in conversation.outbox] == ["k4"])
    await model.release("there")
    await watcher.box(conversation, ASSISTANT, "fourth")
    assert await watcher.settled(conversation) is Status.IDLE
    contents = [box.contents for box in watcher.boxes(conversation)]
    assert contents[2:] == [
        "/say second",
        "second",
        "/hold there\n/say third",
        "third",
        "/say fourth",
        "fourth",
    ]
    metas = [hidden_of(box) for box in watcher.boxes(conversation, ASSISTANT)]
    assert len({meta.turn_id for meta in metas if isinstance(meta, ItemMeta)}) == 4
