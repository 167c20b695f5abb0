"""Input on its way to Codex against finding out what Codex has: at no instant both, and each message once."""

from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest

from core.conversation import attachment, resuming
from core.errors import CallTimedOut, WrittenElsewhere
from core.thread.state import Status
from tests.core.conversation.wiring import NO_ROLLOUT, THREAD, Codex, turns_of_the_loop, wired

PATIENCE = 10.0


@pytest.mark.parametrize("materialised", [True, False])
async def test_a_look_at_what_codex_has_waits_for_the_turn_that_is_on_its_way(materialised: bool) -> None:
    codex = Codex()
    codex.materialised = materialised
    codex.go_on.clear()
    async with wired(codex) as talk:
        talk.attachment.host_ready("g")
        await talk.say("k1")
        async with asyncio.timeout(PATIENCE):
            await codex.asked.wait()
        talk.attached.clear()
        talk.attachment.attach_soon()
        await turns_of_the_loop()
        codex.go_on.set()
        async with asyncio.timeout(PATIENCE):
            await talk.attached.wait()
        await talk.run("k1")
        await turns_of_the_loop()
        assert [said.client_id for said in codex.begun] == ["k1"]


@pytest.mark.parametrize(("loaded", "sent"), [((THREAD,), ["k1"]), ((), ["k1", "k1"])])
async def test_a_first_turn_that_may_be_on_its_way_is_waited_for_where_the_host_has_its_thread(
    monkeypatch: pytest.MonkeyPatch, loaded: tuple[str, ...], sent: list[str]
) -> None:
    monkeypatch.setattr(resuming, "PAUSES", (0.01, 0.01, 0.01))
    codex = Codex()
    codex.materialised, codex.broken = False, True
    async with wired(codex) as talk:
        talk.attachment.host_ready("g")
        await talk.say("k1")
        async with asyncio.timeout(PATIENCE):
            await codex.asked.wait()
        await turns_of_the_loop()
        talk.attachment.host_lost()
        codex.loaded_threads, codex.failures = loaded, [NO_ROLLOUT, NO_ROLLOUT]
        talk.attached.clear()
        talk.attachment.host_ready("g")
        async with asyncio.timeout(PATIENCE):
            await talk.attached.wait()
        await talk.run("k1")
        await turns_of_the_loop()
        assert [said.client_id for said in codex.begun] == sent


async def test_a_first_message_for_a_host_that_is_gone_is_not_tried_again_at_once() -> None:
    codex = Codex()
    codex.materialised, codex.gone = False, True
    async with wired(codex) as talk:
        talk.attachment.host_ready("g")
        await talk.attached.wait()
        await talk.say("k1")
        await turns_of_the_loop(500)
        assert codex.threads <= 2
        codex.gone = False
        talk.delivery.wake()
        async with asyncio.timeout(PATIENCE):
            await codex.asked.wait()
        await talk.run("k1")
        assert [said.client_id for said in codex.begun] == ["k1"]


async def test_however_often_it_failed_it_is_tried_again() -> None:
    async with wired(Codex()) as talk:
        pauses = [talk.attachment._pause() for _ in range(2_000)]
        assert pauses[:2] == [attachment.RETRY_SECONDS, 2 * attachment.RETRY_SECONDS]
        assert pauses[-1] == attachment.LONGEST_RETRY_SECONDS


async def test_a_thread_that_another_process_writes_is_looked_at_once_a_period(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    period = 0.05
    monkeypatch.setattr(attachment, "READ_ALONG_SECONDS", period)
    codex = Codex()
    codex.failures = [WrittenElsewhere("another process has it") for _ in range(6)]
    async with wired(codex) as talk:
        await talk.say("k1")
        talk.attachment.host_ready("g")
        async with asyncio.timeout(PATIENCE):
            await codex.asked.wait()
        assert all(later - earlier >= period * 0.9 for earlier, later in pairwise(codex.resumed))
        await talk.run("k1")
        await turns_of_the_loop()
        assert [said.client_id for said in codex.begun] == ["k1"]


async def test_nothing_is_looked_at_after_the_close() -> None:
    codex = Codex()
    codex.failures = [WrittenElsewhere("another process has it")]
    async with wired(codex) as talk:
        talk.attachment.host_ready("g")
        async with asyncio.timeout(PATIENCE):
            await talk.attached.wait()
        await talk.close()
        talk.attachment.attach_soon()
        await turns_of_the_loop()
        assert len(codex.resumed) == 1


async def test_a_thread_that_could_not_be_attached_to_is_tried_again_and_the_reason_is_told_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(attachment, "RETRY_SECONDS", 0.01)
    codex = Codex()
    codex.failures = [CallTimedOut("Codex did not answer thread/resume") for _ in range(3)]
    async with wired(codex) as talk:
        talk.attachment.host_ready("g")
        async with asyncio.timeout(PATIENCE):
            await talk.attached.wait()
        assert len(codex.resumed) == 4
        assert talk.errors() == ["Codex did not answer thread/resume."]
        pauses = [later - earlier for earlier, later in pairwise(codex.resumed)]
        assert pauses[0] >= 0.009 and pauses[1] >= 0.018 and pauses[2] >= 0.036


async def test_it_is_not_tried_again_for_a_host_that_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attachment, "RETRY_SECONDS", 0.01)
    codex = Codex()
    codex.failures = [CallTimedOut("Codex did not answer thread/resume") for _ in range(3)]
    async with wired(codex) as talk:
        talk.attachment.host_ready("g")
        await turns_of_the_loop()
        talk.attachment.host_lost()
        codex.failures = []
        talk.attachment.host_ready("h")
        async with asyncio.timeout(PATIENCE):
            await talk.attached.wait()
        assert len(codex.resumed) == 2


async def test_a_turn_that_ends_without_having_taken_the_message_is_not_begun_again_by_itself() -> None:
    codex = Codex()
    async with wired(codex) as talk:
        talk.attachment.host_ready("g")
        await talk.say("k1")
        async with asyncio.timeout(PATIENCE):
            await codex.asked.wait()
        await talk.run("k1", seen=False)
        await turns_of_the_loop()
        state = talk.runtime.state()
        assert (state.status, state.restartable) == (Status.STALLED, True)
        assert "without having taken the message" in state.problem
        assert len(codex.begun) == 1
        talk.thread.state.restart()
        talk.delivery.wake()
        await turns_of_the_loop()
        await talk.run("k1")
        assert [said.client_id for said in codex.begun] == ["k1", "k1"]
        assert talk.thread.status is Status.IDLE
