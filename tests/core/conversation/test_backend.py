"""Seed 002 on the real Codex: each method of the backend, and each way it refuses."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import BaseModel

from core.agent.port import Sandbox
from core.agent.requests import CommandApproval, Decide
from core.conversation.conversation import CodexConversation
from core.conversation.prompting import PromptRequest
from core.conversation.workspace import Defaults, ExecutionPolicy
from core.demo.scratch import Scratch
from core.engine import Engine, open_engine
from core.errors import (
    CallRefused,
    Closed,
    CodexError,
    Conflict,
    DeadlineElapsed,
    InvalidRequest,
    InvalidState,
    NotFound,
    Unsupported,
)
from core.rows import Lifecycle
from core.settings import Settings
from core.thread.boxes import ASSISTANT
from core.thread.state import Status
from tests.support.watcher import Watcher


@pytest.fixture
async def handle(engine: Engine, watcher: Watcher, scratch: Scratch) -> CodexConversation:
    conversation = await engine.create(scratch.project)
    await watcher.until(lambda: engine.host.phase.value == "ready")
    return await engine.handle(conversation.id)


class Count(BaseModel):
    n: int


async def test_a_prompt_gives_its_answer(handle: CodexConversation) -> None:
    response = await handle.prompt(PromptRequest("/say forty-two", seconds=20))
    assert (response.text, response.value) == ("forty-two", None)


async def test_a_prompt_stream_may_be_dropped_and_the_turn_goes_on(
    handle: CodexConversation, watcher: Watcher
) -> None:
    async for _ in handle.prompt_stream(PromptRequest("/say one\n/say two", seconds=20)):
        break
    await watcher.settled(handle.live)
    assert (await handle.prompt(PromptRequest("/say still here", seconds=20))).text == "still here"


async def test_an_empty_or_oversized_prompt_is_refused(handle: CodexConversation) -> None:
    for text in ("  ", "x" * 1_000_001):
        with pytest.raises(InvalidRequest):
            await handle.prompt(PromptRequest(text))


async def test_an_unknown_model_is_refused_with_what_there_is(handle: CodexConversation) -> None:
    with pytest.raises(InvalidRequest, match="scripted"):
        await handle.prompt(PromptRequest("/say x", model="no-such-model"))


async def test_the_selection_is_remembered(handle: CodexConversation, engine: Engine) -> None:
    await handle.prompt(PromptRequest("/say x", model="scripted", effort="high", seconds=20))
    row = await engine._store.conversations.get(handle.id)
    assert row.selection is not None
    assert '"effort":"high"' in row.selection


async def test_an_answer_of_a_shape_is_parsed(handle: CodexConversation) -> None:
    response = await handle.prompt(PromptRequest('/say {"n": 3}', shape=Count, seconds=20))
    assert isinstance(response.value, Count)


async def test_a_bad_schema_sends_nothing(handle: CodexConversation) -> None:
    with pytest.raises(InvalidRequest):
        await handle.prompt(PromptRequest("/say x", shape="{"))
    assert handle.live.runtime.thread.boxes == []


async def test_a_late_prompt_is_a_timeout_and_leaves_the_conversation_usable(
    handle: CodexConversation,
) -> None:
    with pytest.raises(DeadlineElapsed):
        await handle.prompt(PromptRequest("/hold forever\n/say never", seconds=1.5))
    assert handle.live.state.turn_id is None
    assert (await handle.prompt(PromptRequest("/say usable", seconds=20))).text == "usable"


async def test_a_failed_turn_is_an_error_with_codexs_reason(handle: CodexConversation) -> None:
    with pytest.raises(CodexError, match="usage limit"):
        await handle.prompt(PromptRequest("/fail 429", seconds=20))


async def test_an_abort_ends_the_turn(handle: CodexConversation, watcher: Watcher) -> None:
    asking = asyncio.create_task(
        handle.prompt(PromptRequest("/say begun\n/hold forever\n/say never", seconds=20))
    )
    await watcher.until(lambda: "begun" in watcher.streamed(handle.live))
    await handle.abort()
    assert (await asking).text == "begun"
    assert handle.live.state.status is Status.IDLE


async def test_files_are_read_only_with_full_access_and_inside(
    handle: CodexConversation, engine: Engine, scratch: Scratch
) -> None:
    with pytest.raises(Unsupported, match="full access"):
        await handle.read_file(Path("README.md"))
    workspace = await engine.workspace(scratch.project)
    await engine.change_workspace(replace(workspace, policy=ExecutionPolicy(sandbox=Sandbox.FULL_ACCESS)))
    with pytest.raises(Conflict, match="stale"):
        await handle.info()
    fresh = await engine.handle(handle.id)
    (scratch.project / "binary").write_bytes(b"\xff\x00")
    assert (await fresh.read_file(Path("README.md"))).text == (scratch.project / "README.md").read_text()
    assert (await fresh.read_file(Path("binary"))).text is None
    with pytest.raises(InvalidRequest):
        await fresh.read_file(Path("../home/config.toml"))
    with pytest.raises(NotFound):
        await fresh.read_file(Path("nothing"))


async def test_a_workspace_changed_by_somebody_else_is_a_conflict(engine: Engine, scratch: Scratch) -> None:
    workspace = await engine.workspace(scratch.project)
    await engine.change_workspace(replace(workspace, defaults=Defaults(effort="low")))
    with pytest.raises(Conflict):
        await engine.change_workspace(replace(workspace, defaults=Defaults(effort="high")))


async def test_records_that_contradict_each_other_are_an_invalid_state(
    handle: CodexConversation, engine: Engine
) -> None:
    await handle.prompt(PromptRequest("/say x", seconds=20))
    await engine._store.conversations.change(handle.id, thread_id="somebody-elses")
    with pytest.raises(InvalidState):
        await handle.info()


async def test_notifications_come_to_every_receiver_and_are_resolved_once(
    handle: CodexConversation, watcher: Watcher
) -> None:
    await handle.live.send("/run! echo hi", "k1")
    asked = await watcher.asked("command")
    late = handle.notification_stream()
    assert (await anext(late)).id == asked.id
    assert isinstance(asked.request, CommandApproval)
    accept = Decide(choice=next(c for c in asked.request.choices if c.verb == "accept"))
    await handle.resolve_notification(asked.id, accept, asked.shown_hash)
    with pytest.raises((Conflict, NotFound)):
        await handle.resolve_notification(asked.id, accept, asked.shown_hash)
    await watcher.settled(handle.live)
    await late.aclose()  # type: ignore[attr-defined]


async def test_closing_that_runs_out_of_time_leaves_it_usable_and_can_be_tried_again(
    handle: CodexConversation, engine: Engine, watcher: Watcher
) -> None:
    await handle.live.send("/say begun\n/hold gate\n/say never", "first")
    await watcher.until(lambda: "begun" in watcher.streamed(handle.live))
    row = await engine._store.conversations.get(handle.id)
    hasty = CodexConversation(
        handle.live,
        row,
        handle._agent,
        handle._center,
        handle._catalog,
        handle._knowledge,
        handle._feed,
        lifecycle_seconds=0,
    )
    for _ in range(2):
        with pytest.raises(DeadlineElapsed, match="not closed in time"):
            await hasty.close()
    assert (await engine._store.conversations.get(handle.id)).lifecycle is Lifecycle.OPEN
    await handle.abort()
    await handle.live.send("/say still here", "second")
    await watcher.box(handle.live, ASSISTANT, "still here")
    await handle.close()
    assert (await engine._store.conversations.get(handle.id)).lifecycle is not Lifecycle.OPEN


async def test_closing_drains_closes_in_the_store_and_archives_at_codex(
    handle: CodexConversation, engine: Engine, watcher: Watcher
) -> None:
    await handle.prompt(PromptRequest("/say x", seconds=20))
    await handle.live.send("/hold on\n/say never", "k2")
    await watcher.until(lambda: handle.live.state.turn_id)
    await handle.close()
    row = await engine._store.conversations.get(handle.id)
    assert row.lifecycle is Lifecycle.CLOSED
    assert await engine.conversations() == ()
    with pytest.raises(Closed):
        await handle.prompt(PromptRequest("/say x"))
    with pytest.raises(Closed):
        await handle.live.send("x", "k3")


async def test_a_thread_that_codex_will_not_put_away_keeps_no_other_cleanup_back(
    engine: Engine, watcher: Watcher, scratch: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    closing = [await engine.create(scratch.project) for _ in range(3)]
    for number, conversation in enumerate(closing):
        await conversation.send("/say x", f"k{number}")
        await watcher.settled(conversation)
        await engine._store.conversations.change(conversation.id, lifecycle=Lifecycle.CLOSING)
    refused, gone, other = (conversation.info.thread_id for conversation in closing)
    assert gone is not None
    archive = engine._agent.archive
    await archive(gone)

    async def unwilling(thread_id: str) -> None:
        if thread_id == refused:
            raise CallRefused("thread/archive", -32603, "the rollout cannot be moved")
        await archive(thread_id)

    monkeypatch.setattr(engine._agent, "archive", unwilling)
    await engine._registry.settle_cleanups()
    rows = [await engine._store.conversations.get(conversation.id) for conversation in closing]
    assert [row.lifecycle for row in rows] == [Lifecycle.CLOSING, Lifecycle.CLOSED, Lifecycle.CLOSED]
    monkeypatch.undo()
    await engine._registry.settle_cleanups()
    row = await engine._store.conversations.get(closing[0].id)
    assert row.lifecycle is Lifecycle.CLOSED and other is not None


async def test_a_cleanup_that_was_cut_off_is_done_at_the_next_start(
    settings: Settings, scratch: Scratch
) -> None:
    first = await open_engine(settings)
    watcher = Watcher(first)
    conversation = await first.create(scratch.project)
    await conversation.send("/say x", "k1")
    await watcher.settled(conversation)
    await first._store.conversations.change(conversation.id, lifecycle=Lifecycle.CLOSING)
    await first.close()
    second = await open_engine(settings)
    try:
        watcher = Watcher(second)

        async def lifecycle() -> Lifecycle:
            return (await second._store.conversations.get(conversation.id)).lifecycle

        while await lifecycle() is not Lifecycle.CLOSED:
            await watcher.news()
    finally:
        await second.close()
