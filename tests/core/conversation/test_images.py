"""The model sees the image that was there when the message was accepted, whatever became of its file since."""

from __future__ import annotations

import asyncio
import base64
import signal
import struct
import sys
import zlib
from pathlib import Path

import pytest

from core.conversation.feed import Delivery
from core.conversation.info import Conversation
from core.demo.process import ModelProcess
from core.demo.scratch import Scratch
from core.engine import Engine, open_engine
from core.errors import InvalidRequest
from core.settings import Settings
from core.thread.boxes import USER, ChatBox, InputMeta, hidden_of
from tests.core.conversation.image_child import KEY, TEXT
from tests.support.watcher import Watcher


def png(*colour: int) -> bytes:
    """One pixel."""
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(bytes((0, *colour)))),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(part)) + kind + part + struct.pack(">I", zlib.crc32(kind + part))
        for kind, part in chunks
    )


RED, BLUE = png(255, 0, 0), png(0, 0, 255)


@pytest.fixture
def chart(tmp_path: Path) -> Path:
    path = tmp_path / "chart.png"
    path.write_bytes(RED)
    return path


def model_saw(scratch: Scratch, image: bytes) -> bool:
    """Is it in the history that Codex keeps for the model?"""
    (rollout,) = (scratch.home / "sessions").rglob("rollout-*.jsonl")
    return base64.b64encode(image).decode() in rollout.read_text()


def meta_of(box: ChatBox) -> InputMeta:
    meta = hidden_of(box)
    assert isinstance(meta, InputMeta)
    return meta


@pytest.mark.parametrize("change", ["overwritten", "replaced", "deleted"])
async def test_what_waits_shows_the_model_the_image_it_was_sent_with(
    engine: Engine, watcher: Watcher, scratch: Scratch, model: ModelProcess, chart: Path, change: str
) -> None:
    conversation = await engine.create(scratch.project)
    await conversation.send("/hold here\n/say first", "k1")
    await watcher.until(lambda: conversation.state.turn_id)
    await conversation.send("/say I see", "k2", queue=True, attachments=[str(chart)])
    if change == "overwritten":
        chart.write_bytes(BLUE)
    else:
        chart.unlink()
        if change == "replaced":
            chart.write_bytes(BLUE)
    await model.release("here")
    await watcher.box(conversation, "assistant", "I see")
    await watcher.settled(conversation)
    assert model_saw(scratch, RED) and not model_saw(scratch, BLUE)
    said = meta_of(watcher.boxes(conversation, USER)[1])
    assert said.attachments == (str(chart),)
    assert [Path(path).name for path in said.copies] == ["chart.png"]


@pytest.mark.parametrize("when", ["copied", "accepted"])
async def test_after_a_kill_the_message_goes_out_with_the_same_copy(
    settings: Settings, scratch: Scratch, model: ModelProcess, chart: Path, when: str
) -> None:
    conversation_id = await _killed(settings, scratch, chart, when)
    if when == "accepted":
        chart.write_bytes(BLUE)
    engine = await open_engine(settings)
    try:
        watcher = Watcher(engine)
        conversation = await engine.open(conversation_id)
        if when == "copied":
            assert await conversation.page() == ()
        # What was accepted changes nothing when it is sent again, whatever its file is now.
        await conversation.send(TEXT, KEY, attachments=[str(chart)])
        await watcher.settled(conversation)
        (said, _) = await conversation.page()
        (copy,) = (path for path in (settings.data_dir / "images").rglob("*") if path.is_file())
        assert meta_of(said).copies == (str(copy),)
        assert model_saw(scratch, RED) and not model_saw(scratch, BLUE)
    finally:
        await engine.close()


async def _killed(settings: Settings, scratch: Scratch, chart: Path, when: str) -> str:
    """The id of the conversation that was killed in."""
    words = (settings.data_dir, scratch.project, chart, when)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.core.conversation.image_child", *map(str, words)),
        stdout=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(60):
        output, _ = await process.communicate()
    assert process.returncode == -signal.SIGKILL
    return output.decode().strip()


async def test_a_message_that_was_taken_back_is_sent_again_with_its_image(
    engine: Engine, watcher: Watcher, scratch: Scratch, model: ModelProcess, chart: Path
) -> None:
    conversation = await engine.create(scratch.project)
    await conversation.send("/hold here\n/say first", "k1")
    await watcher.until(lambda: conversation.state.turn_id)
    await conversation.send("/say I see", "k2", queue=True, attachments=[str(chart)])
    (waiting,) = conversation.outbox
    chart.unlink()
    await conversation.withdraw("k2")
    await conversation.send("/say I do see", "k3", queue=True, attachments=waiting.attachments)
    assert [entry.delivery for entry in conversation.outbox] == [Delivery.QUEUED]
    await model.release("here")
    await watcher.box(conversation, "assistant", "I do see")
    said = meta_of(watcher.boxes(conversation, USER)[1])
    assert (said.attachments, said.copies) == (("chart.png",), waiting.attachments)
    assert model_saw(scratch, RED)


async def test_a_message_whose_image_cannot_be_had_is_not_accepted(
    engine: Engine, scratch: Scratch, chart: Path
) -> None:
    conversation = await engine.create(scratch.project)
    chart.unlink()
    with pytest.raises(InvalidRequest, match=r"chart\.png cannot be attached\. No such file"):
        await conversation.send("/say I see", "k1", attachments=[str(chart)])
    assert await conversation.page() == () and conversation.outbox == ()


async def _with_an_image(engine: Engine, watcher: Watcher, scratch: Scratch, chart: Path) -> Conversation:
    conversation = await engine.create(scratch.project)
    await conversation.send("/say I see", "k1", attachments=[str(chart)])
    await watcher.settled(conversation)
    return conversation


async def test_the_copies_go_with_their_conversation(
    engine: Engine, watcher: Watcher, scratch: Scratch, settings: Settings, chart: Path
) -> None:
    conversation = await _with_an_image(engine, watcher, scratch, chart)
    assert (settings.data_dir / "images" / conversation.id).is_dir()
    await engine.operations.archive(conversation.id)
    assert (settings.data_dir / "images" / conversation.id).is_dir()
    await engine.operations.delete(conversation.id)
    assert not (settings.data_dir / "images" / conversation.id).exists()
    assert chart.read_bytes() == RED


async def test_a_fork_keeps_the_images_of_what_it_was_made_from(
    engine: Engine, watcher: Watcher, scratch: Scratch, settings: Settings, chart: Path
) -> None:
    conversation = await _with_an_image(engine, watcher, scratch, chart)
    fork = await engine.open(await engine.operations.fork(conversation.id))
    thread_id = conversation.info.thread_id
    assert thread_id is not None
    # Codex deletes no thread that another was forked from; a later one might.
    await engine.operations._shelf.note_deleted(thread_id)
    assert conversation.id not in [info.id for info in await engine.conversations()]
    said = (await fork.page())[0]
    assert Path(*meta_of(said).copies).read_bytes() == RED
