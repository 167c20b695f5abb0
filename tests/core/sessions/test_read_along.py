"""A thread that another process writes: shown as it grows, named, and ours when it is free."""

from __future__ import annotations

import asyncio

import pytest

from core.codex.writers import writers_below
from core.demo.scratch import Scratch
from core.engine import Engine
from core.errors import Conflict
from core.thread.state import Status
from tests.core.sessions.conftest import Finder, OfficialCodex
from tests.support.watcher import Watcher


async def test_what_another_process_writes_is_read_along_and_then_ours(
    engine: Engine, finder: Finder, official: OfficialCodex, scratch: Scratch
) -> None:
    await finder.connected()
    running = asyncio.create_task(
        official.exec("/say Before the gate.\n/run true\n/hold gate\n/say Behind the gate.")
    )
    match = await finder.one("before gate")
    key = match.entry.key
    entry = await engine.sessions.entry(key)
    writers = writers_below(scratch.home)
    pid = next(writer.pid for path, writer in writers.items() if key in path)
    assert entry.why.startswith(f"codex (process {pid})")

    watcher = Watcher(engine)
    conversation = await engine.open(await engine.sessions.open(key))
    await watcher.box(conversation, "assistant", "Before the gate.")
    assert conversation.writer == f"codex (process {pid})"
    with pytest.raises(Conflict, match=str(pid)):
        await conversation.send("/say Let me in.", "k1")

    await scratch.model.release("gate")
    await running
    await watcher.box(conversation, "assistant", "Behind the gate.")
    await watcher.until(lambda: conversation.writer == "")
    await conversation.send("/say I am in.", "k2")
    await watcher.box(conversation, "assistant", "I am in.")
    assert await watcher.settled(conversation) is Status.IDLE
    said = [box.contents for box in watcher.boxes(conversation, "assistant")]
    assert said == ["Before the gate.", "Behind the gate.", "I am in."]
    assert (await engine.sessions.entry(key)).why == ""
