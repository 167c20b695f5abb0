"""A write that fails for a moment: nothing is half done, nothing goes out before it is on disk, and it goes on by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

import pytest

from core.agent.events import TurnEnded, TurnStarted, TurnStatus
from core.conversation import boxing, delivery, runtime
from core.errors import StoreError
from core.thread.boxes import NOTICE, USER
from core.thread.records import Record
from core.thread.state import Status
from tests.core.conversation.memory import Memory
from tests.core.conversation.wiring import THREAD, Codex, turns_of_the_loop, wired

PATIENCE = 10.0
FULL = "The disk is full."


class Disk(Memory):
    """`full`: how many writes fail from now on."""

    def __init__(self) -> None:
        self.full = 0
        self.written = 0
        self.wrote = asyncio.Event()

    async def persist(self, after: int, records: Sequence[Record], drafts: Mapping[str, str]) -> None:
        if self.full:
            self.full -= 1
            raise StoreError("The disk is full")
        self.written = after + len(records)
        self.wrote.set()


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery, "RETRY_SECONDS", 0.01)
    monkeypatch.setattr(runtime, "WRITE_AGAIN_SECONDS", 0.01)


async def test_a_turn_whose_beginning_was_not_written_begins_once_there_is_room() -> None:
    disk, codex = Disk(), Codex()
    async with wired(codex, disk) as talk:
        await talk.say("k1")
        disk.full = 3
        talk.attachment.host_ready("g")
        async with asyncio.timeout(PATIENCE):
            await codex.asked.wait()
        assert disk.full == 0
        assert disk.written == talk.thread.durable
        await talk.run("k1")
        await turns_of_the_loop()
        assert [said.client_id for said in codex.begun] == ["k1"]
        assert talk.thread.status is Status.IDLE
        assert talk.errors() == [FULL]


async def test_a_turn_whose_end_was_not_written_is_over_and_written_once_there_is_room() -> None:
    disk, codex = Disk(), Codex()
    async with wired(codex, disk) as talk:
        talk.attachment.host_ready("g")
        await talk.say("k1")
        async with asyncio.timeout(PATIENCE):
            await codex.asked.wait()
        talk.runtime.hear(TurnStarted(THREAD, "turn-1"))
        await talk.runtime.drained()
        talk.thread.state.see("k1", "u")
        disk.full = 2
        disk.wrote.clear()
        talk.runtime.hear(TurnEnded(THREAD, "turn-1", TurnStatus.INTERRUPTED))
        await talk.runtime.drained()
        assert talk.thread.status is Status.IDLE
        async with asyncio.timeout(PATIENCE):
            await disk.wrote.wait()
        await talk.runtime.drained()
        assert [box.box_type for box in talk.thread.durable_boxes] == [USER, NOTICE]
        assert talk.errors() == [FULL]


async def test_a_steer_that_was_not_written_goes_into_the_same_turn_once_there_is_room() -> None:
    disk, codex = Disk(), Codex()
    async with wired(codex, disk) as talk:
        talk.attachment.host_ready("g")
        await talk.say("k1")
        async with asyncio.timeout(PATIENCE):
            await codex.asked.wait()
        await turns_of_the_loop()
        talk.thread.state.accept(boxing.message_draft("k2", "and this"))
        await talk.runtime.publish()
        disk.full = 1
        talk.delivery.wake()
        async with asyncio.timeout(PATIENCE):
            await codex.told.wait()
        assert [said.client_id for said in codex.steered] == ["k2"]
