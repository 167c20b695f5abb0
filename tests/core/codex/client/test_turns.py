"""`CodexAgent` on the real Codex with the scripted model: threads, turns, listings."""

from __future__ import annotations

import asyncio
import json

import pytest

from core.agent.events import (
    Channel,
    Delta,
    DiffUpdated,
    HostReady,
    ItemCompleted,
    ItemStarted,
    Notice,
    PlanUpdated,
    ThreadAppeared,
    ThreadRenamed,
    ThreadStatusChanged,
    TurnEnded,
    TurnStarted,
    TurnStatus,
    UsageUpdated,
)
from core.agent.items import AgentMessage, CommandRun, Reasoning, Status, UserMessage
from core.agent.port import Sandbox, ThreadSpec, TurnInput, TurnOptions
from core.demo.scratch import Scratch
from core.errors import CallRefused, InvalidRequest
from tests.core.codex.conftest import Console, OpenConsole


async def test_an_answer_streams_in_order_and_ends_as_one_item(console: Console) -> None:
    thread = await console.thread()
    turn = await console.say(thread, "/stream 12", key="the-key")
    ended = await console.heard.turn_end(turn)

    deltas = [event for event in console.heard.of(Delta) if event.channel is Channel.MESSAGE]
    assert len(deltas) > 1
    (message,) = console.heard.items(AgentMessage)
    assert "".join(delta.text for delta in deltas) == message.text
    assert message.text.split() == [f"word{n}" for n in range(1, 13)]
    (said,) = console.heard.items(UserMessage)
    assert (said.text, said.client_id) == ("/stream 12", "the-key")
    assert (ended.status, ended.failure) == (TurnStatus.COMPLETED, None)


async def test_the_events_of_a_turn_come_in_the_order_of_the_wire(console: Console) -> None:
    thread = await console.thread()
    turn = await console.say(thread, "/say hi")
    await console.heard.turn_end(turn)
    kinds = [
        type(event)
        for event in console.heard.events
        if isinstance(event, TurnStarted | ItemStarted | ItemCompleted | Delta | TurnEnded)
    ]
    assert kinds == [
        TurnStarted,
        ItemStarted,
        ItemCompleted,
        ItemStarted,
        Delta,
        ItemCompleted,
        TurnEnded,
    ]
    assert console.heard.of(UsageUpdated)[-1].window is not None


async def test_reasoning_comes_with_its_parts_numbered(console: Console) -> None:
    thread = await console.thread()
    turn = await console.say(thread, "/think first part\n\nsecond part\n/say done")
    await console.heard.turn_end(turn)
    (reasoning,) = console.heard.items(Reasoning)
    parts = [
        "".join(
            event.text
            for event in console.heard.of(Delta)
            if event.channel is Channel.SUMMARY and event.part == n
        )
        for n in (0, 1)
    ]
    assert tuple(parts) == reasoning.summary == ("first part", "second part")


async def test_a_command_in_the_sandbox_shows_its_output_and_exit_code(console: Console) -> None:
    thread = await console.thread()
    turn = await console.say(thread, "/run cat README.md; exit 3")
    await console.heard.turn_end(turn)
    (run,) = console.heard.items(CommandRun)
    assert (run.status, run.exit_code) == (Status.FAILED, 3)
    assert "# Harbour" in (run.output or "")
    assert run.cwd == str(console.project)


async def test_a_plan_is_told_with_its_steps(console: Console) -> None:
    thread = await console.thread()
    turn = await console.say(thread, "/plan x look | > write | check")
    await console.heard.turn_end(turn)
    (plan,) = console.heard.of(PlanUpdated)
    assert [(step.step, step.status) for step in plan.steps] == [
        ("look", "completed"),
        ("write", "inProgress"),
        ("check", "pending"),
    ]


async def test_a_steer_is_delivered_into_the_running_turn(console: Console, scratch: Scratch) -> None:
    thread = await console.thread()
    turn = await console.say(thread, "/stream 3\n/hold gate\n/say after", key="first")
    await console.heard.next(Delta)
    await console.agent.steer(thread, turn, TurnInput(("/say steered",), "second"))
    await scratch.model.release("gate")
    await console.heard.turn_end(turn)
    assert [said.client_id for said in console.heard.items(UserMessage)] == ["first", "second"]


async def test_a_steer_for_another_turn_is_refused_in_codexs_words(
    console: Console, scratch: Scratch
) -> None:
    thread = await console.thread()
    turn = await console.say(thread, "/hold gate")
    with pytest.raises(CallRefused, match="expected active turn id"):
        await console.agent.steer(thread, "01a22bcc-0000-7000-8000-000000000000", TurnInput(("x",), "k"))
    await scratch.model.release("gate")
    await console.heard.turn_end(turn)


async def test_an_interrupt_in_mid_stream_ends_the_turn_and_leaves_the_message_open(console: Console) -> None:
    thread = await console.thread()
    turn = await console.say(thread, "/stream 1000 at 50")
    await console.heard.next(Delta)
    await console.agent.interrupt(thread, turn)
    ended = await console.heard.turn_end(turn)
    assert ended.status is TurnStatus.INTERRUPTED
    assert console.heard.items(AgentMessage) == []


@pytest.mark.parametrize(
    ("how", "code"),
    [
        ("429", "usageLimitExceeded"),
        ("500", "internalServerError"),
        ("context", "contextWindowExceeded"),
        ("cut", "other"),
    ],
)
async def test_a_failed_turn_says_why(console: Console, how: str, code: str) -> None:
    thread = await console.thread()
    turn = await console.say(thread, f"/fail {how}")
    ended = await console.heard.turn_end(turn)
    assert ended.status is TurnStatus.FAILED
    assert ended.failure is not None
    assert ended.failure.code == code
    assert ended.failure.message
    assert any(notice.level == "error" and notice.thread_id == thread for notice in console.heard.of(Notice))


async def test_options_of_a_turn_reach_codex(console: Console, scratch: Scratch) -> None:
    thread = await console.thread()
    schema = {"type": "object", "properties": {"x": {"type": ["string", "null"], "default": None}}}
    options = TurnOptions(
        effort="high", cwd=str(scratch.home), sandbox=Sandbox.FULL_ACCESS, schema_json=json.dumps(schema)
    )
    turn = await console.agent.start_turn(thread, TurnInput(("/run pwd; touch here",), "k"), options)
    await console.heard.turn_end(turn)
    (run,) = console.heard.items(CommandRun)
    assert (run.status, run.cwd) == (Status.DONE, str(scratch.home))
    assert (scratch.home / "here").exists()


async def test_json_that_is_none_is_refused_before_codex_hears_of_it(console: Console) -> None:
    with pytest.raises(InvalidRequest, match="not JSON"):
        await console.agent.start_thread(ThreadSpec(cwd=str(console.project), config_json="{"))
    with pytest.raises(InvalidRequest, match="no JSON object"):
        await console.agent.start_thread(ThreadSpec(cwd=str(console.project), config_json="[]"))


async def test_threads_turns_and_items_can_be_listed(console: Console) -> None:
    older = await console.thread()
    for text in ("/say one", "/say two"):
        await console.heard.turn_end(await console.say(older, text))
    newer = await console.thread()
    await console.heard.turn_end(await console.say(newer, "/say three"))
    await console.agent.rename(newer, "The newer one")
    await console.heard.next(ThreadRenamed)

    listed = await console.agent.threads(cwd=str(console.project))
    assert [(info.id, info.name) for info in listed.entries] == [(newer, "The newer one"), (older, None)]
    assert listed.entries[1].preview == "/say one"
    assert (await console.agent.threads(cwd=str(console.project / "elsewhere"))).entries == ()
    assert [info.id for info in (await console.agent.threads()).entries][:2] == [newer, older]

    turns = (await console.agent.turns(older)).entries
    assert [turn.status for turn in turns] == [TurnStatus.COMPLETED, TurnStatus.COMPLETED]
    first = await console.agent.items(older, turns[-1].id)
    assert [type(entry.item) for entry in first.entries] == [UserMessage, AgentMessage]
    everything = (await console.agent.items(older)).entries
    assert [entry.item.text for entry in everything if isinstance(entry.item, AgentMessage)] == ["one", "two"]


async def test_a_thread_without_a_turn_has_no_rollout_yet(console: Console) -> None:
    thread = await console.thread()
    with pytest.raises(CallRefused, match="not materialized"):
        await console.agent.turns(thread)


async def test_threads_can_be_forked_reverted_archived_and_deleted(console: Console) -> None:
    thread = await console.thread()
    for text in ("/say one", "/say two"):
        await console.heard.turn_end(await console.say(thread, text))
    fork = await console.agent.operations.fork(thread)
    assert fork.forked_from_id == thread
    with pytest.raises(CallRefused):
        await console.agent.operations.delete(thread)

    newest = (await console.agent.turns(fork.id)).entries[0]
    await console.agent.operations.revert(fork.id, newest.id)
    assert len((await console.agent.turns(fork.id)).entries) == 1
    await console.agent.archive(fork.id)
    listed = await console.agent.threads(cwd=str(console.project))
    assert [info.id for info in listed.entries] == [thread]
    await console.agent.operations.delete(fork.id)


async def test_compacting_runs_as_a_turn(console: Console) -> None:
    thread = await console.thread()
    await console.heard.turn_end(await console.say(thread, "/say one"))
    await console.agent.operations.compact(thread)
    ended = await console.heard.next(TurnEnded)
    assert ended.status is TurnStatus.COMPLETED


async def test_a_file_is_read_where_the_host_runs(console: Console) -> None:
    read = await console.agent.read_file(str(console.project / "README.md"))
    assert read == (console.project / "README.md").read_bytes()
    with pytest.raises(CallRefused):
        await console.agent.read_file(str(console.project / "nothing-here"))


async def test_models_and_account_are_told(console: Console) -> None:
    models = await console.agent.models()
    assert [model.id for model in models if model.is_default] == ["scripted"]
    assert models[0].efforts == ("low", "medium", "high")
    account = await console.agent.account()
    assert (account.signed_in, account.needed) == (False, False)


async def test_a_thousand_calls_at_once_are_all_answered(console: Console) -> None:
    """Unbounded, Codex answers some with -32001 and others never (PROTOCOL, Framing)."""
    accounts = await asyncio.gather(*(console.agent.account() for _ in range(1000)))
    assert len(accounts) == 1000


async def test_a_client_that_subscribed_to_nothing_hears_of_every_thread(
    console: Console, open_console: OpenConsole
) -> None:
    other = await open_console()
    thread = await console.thread()
    appeared = await other.heard.next(ThreadAppeared)
    assert (appeared.thread_id, appeared.cwd) == (thread, str(console.project))
    turn = await console.say(thread, "/say hi")
    await console.heard.turn_end(turn)
    assert (await other.heard.next(ThreadStatusChanged)).active
    assert not (await other.heard.next(ThreadStatusChanged)).active
    assert other.heard.of(TurnStarted) == []


async def test_a_listener_that_fails_harms_no_other_and_one_that_stopped_hears_nothing(
    console: Console,
) -> None:
    def failing(_: object) -> None:
        raise RuntimeError("a listener's own fault")

    late: list[object] = []
    stop = console.agent.listen(late.append)
    console.agent.listen(failing)
    thread = await console.thread()
    await console.heard.next(ThreadAppeared)
    stop()
    stop()
    before = len(late)
    await console.heard.turn_end(await console.say(thread, "/say hi"))
    assert before > 0
    assert len(late) == before


async def test_a_patch_in_the_sandbox_updates_the_diff(console: Console) -> None:
    spec = ThreadSpec(cwd=str(console.project), sandbox=Sandbox.WORKSPACE_WRITE)
    thread = (await console.agent.start_thread(spec)).id
    turn = await console.say(thread, "/patch *** Add File: new.txt\n+hello")
    await console.heard.turn_end(turn)
    assert "+hello" in console.heard.of(DiffUpdated)[-1].diff
    assert (console.project / "new.txt").read_text() == "hello\n"


async def test_the_first_event_is_that_the_host_is_ready(console: Console) -> None:
    ready = console.heard.events[0]
    assert isinstance(ready, HostReady)
    assert ready.generation
    assert ready.version.count(".") == 2
