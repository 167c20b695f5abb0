"""A host that lives and does not answer in time: what it was asked for is looked for before it is asked again."""

from __future__ import annotations

import asyncio
import os
import signal
from dataclasses import replace
from typing import Any

import pytest

from core.agent.events import TurnStarted
from core.codex.protocol import calls
from core.conversation.live import LiveConversation
from core.conversation.workspace import Choices
from core.demo.scratch import Scratch
from core.engine import Engine
from core.errors import CallTimedOut
from core.thread.boxes import ASSISTANT, NOTICE, USER
from tests.support.watcher import PATIENCE, Watcher


async def _begun(engine: Engine, watcher: Watcher, scratch: Scratch, **chosen: Any) -> LiveConversation:
    """With a turn behind it."""
    conversation = await engine.create(scratch.project, Choices(**chosen))
    assert isinstance(conversation, LiveConversation)
    await conversation.send("/say first", "k1")
    await watcher.settled(conversation)
    return conversation


async def test_a_message_that_a_stalled_host_takes_late_is_there_once(
    engine: Engine, watcher: Watcher, scratch: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    conversation = await _begun(engine, watcher, scratch)
    unsure = asyncio.Event()
    look = conversation._delivery._unsure

    def doubted() -> None:
        unsure.set()
        look()

    monkeypatch.setattr(conversation._delivery, "_unsure", doubted)
    monkeypatch.setattr(calls, "TURN_START", replace(calls.TURN_START, seconds=0.2))
    process = engine._agent._link.standing.process
    assert process is not None
    os.kill(process.pid, signal.SIGSTOP)
    try:
        await conversation.send("/say second", "k2")
        async with asyncio.timeout(PATIENCE):
            await unsure.wait()
    finally:
        os.kill(process.pid, signal.SIGCONT)
    monkeypatch.undo()
    await watcher.box(conversation, ASSISTANT, "second")
    await watcher.settled(conversation)
    await conversation.send("/say third", "k3")
    await watcher.box(conversation, ASSISTANT, "third")
    await watcher.settled(conversation)
    assert await _texts(conversation) == [
        "/say first",
        "first",
        "/say second",
        "second",
        "/say third",
        "third",
    ]


@pytest.mark.parametrize("started", [False, True])
async def test_a_turn_whose_answer_was_lost_runs_once_and_stays_authorized(
    engine: Engine, watcher: Watcher, scratch: Scratch, monkeypatch: pytest.MonkeyPatch, started: bool
) -> None:
    conversation = await _begun(engine, watcher, scratch, profile="autopilot")
    start, handle = engine._agent.start_turn, conversation.runtime._handle
    heard = asyncio.Event()

    async def unanswered(*asked: Any) -> str:
        monkeypatch.undo()
        heard.clear()
        await start(*asked)
        if started:
            await heard.wait()
        raise CallTimedOut("Codex did not answer turn/start")

    async def hearing(event: Any) -> None:
        await handle(event)
        if isinstance(event, TurnStarted):
            heard.set()

    conversation.runtime._handle = hearing  # type: ignore[method-assign]
    monkeypatch.setattr(engine._agent, "start_turn", unanswered)
    await conversation.send("/run! echo once >> count\n/say done", "k2")
    await watcher.box(conversation, ASSISTANT, "done")
    await watcher.settled(conversation)
    assert (scratch.project / "count").read_text() == "once\n"
    assert [box.contents for box in await conversation.page() if box.box_type == USER][1:] == [
        "/run! echo once >> count\n/say done"
    ]
    assert not engine.pending()


async def _texts(conversation: LiveConversation) -> list[str]:
    return [box.contents for box in await conversation.page() if box.box_type != NOTICE]
