"""What goes wrong around requests, on the real Codex."""

from __future__ import annotations

import asyncio

import pytest

from core.access.ledger import parse_filter
from core.agent.requests import CommandApproval, FileApproval
from core.conversation.feed import Notification
from core.conversation.info import Conversation
from core.demo.scratch import Scratch
from core.engine import Engine, open_engine
from core.settings import Settings
from core.thread.boxes import TOOL_RETURN
from tests.support.watcher import Watcher


@pytest.fixture
async def conversation(engine: Engine, scratch: Scratch) -> Conversation:
    return await engine.create(scratch.project)


async def pending(watcher: Watcher, count: int) -> tuple[Notification, ...]:
    def all_of_them() -> tuple[Notification, ...] | None:
        found = watcher.engine.pending()
        return found if len(found) == count else None

    return await watcher.until(all_of_them)


async def test_ten_requests_at_once_from_five_conversations_each_get_their_own_answer(
    engine: Engine, watcher: Watcher, scratch: Scratch
) -> None:
    """Each conversation asks itself, and through a sub-agent at the same time."""
    conversations = [await engine.create(scratch.project) for _ in range(5)]
    for number, one in enumerate(conversations):
        script = f"/agent /run! touch below-{number}\n/run! touch above-{number}\n/join\n/say done"
        await one.send(script, f"k{number}")
    asked = await pending(watcher, 10)
    assert {one.conversation_id for one in asked} == {one.id for one in conversations}
    assert len({one.request.key for one in asked}) == 10

    def verb(one: Notification) -> str:
        assert isinstance(one.request, CommandApproval)
        return "accept" if "below" in one.request.command else "decline"

    await asyncio.gather(*(watcher.choose(one, verb(one)) for one in asked))
    for one in conversations:
        await watcher.settled(one)
    made = {path.name for path in scratch.project.iterdir()}
    assert {f"below-{number}" for number in range(5)} <= made
    assert not {f"above-{number}" for number in range(5)} & made
    assert [(await watcher.outcome(one)).state.value for one in asked] == ["delivered"] * 10


async def test_the_ledger_knows_how_the_command_of_a_sub_agent_ended(
    conversation: Conversation, engine: Engine, watcher: Watcher
) -> None:
    await conversation.send("/agent /run! exit 7\n/join\n/run! echo ahoy", "k1")
    await watcher.choose(await watcher.asked("command", conversation), "accept")
    # Recorded in order: what is asked next is told after it.
    await watcher.choose(await watcher.asked("command", conversation), "decline")
    where = parse_filter("exit 7 outcome:failed", 0)
    (one,) = await engine.ledger.summaries(where, (await engine.ledger.count(where)).newest, 0)
    assert [outcome.outcome for outcome in one.outcomes] == ["sent", "delivered", "exit 7"]
    await watcher.settled(conversation)


async def test_the_first_request_of_a_host_has_the_number_0_and_is_one_like_any_other(
    conversation: Conversation, watcher: Watcher
) -> None:
    await conversation.send("/run! echo ahoy", "k1")
    asked = await watcher.asked("command", conversation)
    assert asked.request.key.id == 0
    await watcher.choose(asked, "accept")
    assert (await watcher.outcome(asked)).state.value == "delivered"
    await watcher.settled(conversation)


async def test_a_turn_that_is_interrupted_takes_its_request_back_and_says_so(
    conversation: Conversation, watcher: Watcher
) -> None:
    await conversation.send("/run! echo ahoy", "k1")
    asked = await watcher.asked("command", conversation)
    await conversation.interrupt()
    settled = await watcher.outcome(asked)
    assert (settled.state.value, settled.outcome, settled.decided_by) == ("withdrawn", "its turn ended", "")
    await watcher.settled(conversation)


async def test_a_command_of_4000_characters_is_asked_about_whole(
    conversation: Conversation, watcher: Watcher
) -> None:
    words = " ".join(f"part-{number:04d}" for number in range(400))
    await conversation.send(f"/run! echo {words} | wc -w", "k1")
    asked = await watcher.asked("command", conversation)
    assert isinstance(asked.request, CommandApproval)
    assert len(asked.request.command) > 4000 and words in asked.request.command
    await watcher.choose(asked, "accept")
    await watcher.settled(conversation)
    assert (await watcher.box(conversation, TOOL_RETURN)).contents.strip() == "400"


async def test_a_patch_of_10000_lines_is_asked_about_whole(
    conversation: Conversation, watcher: Watcher, scratch: Scratch
) -> None:
    lines = "\n".join(f"+line {number}" for number in range(10_000))
    await conversation.send(f"/patch *** Add File: ../long.txt\n{lines}", "k1")
    asked = await watcher.asked("file_change", conversation)
    assert isinstance(asked.request, FileApproval)
    (change,) = asked.request.changes
    assert change.diff.count("\n") == 10_000
    await watcher.choose(asked, "decline")
    await watcher.settled(conversation)
    assert not (scratch.project.parent / "long.txt").exists()


async def test_quitting_with_three_pending_answers_none_of_them(settings: Settings, scratch: Scratch) -> None:
    first = await open_engine(settings)
    watcher = Watcher(first)
    for number in range(3):
        one = await first.create(scratch.project)
        await one.send(f"/run! touch ran-{number}\n/say over", f"k{number}")
    asked = {one.id for one in await pending(watcher, 3)}
    assert "goes on" in await first.close()
    second = await open_engine(settings)
    try:
        again = Watcher(second)
        assert {one.id for one in await pending(again, 3)} == asked
        await again.until(lambda: second.host.phase.value == "ready" or None)
        for one in second.pending():
            await again.choose(one, "decline")
            assert (await again.outcome(one)).state.value == "delivered"
        assert not list(scratch.project.glob("ran-*"))
    finally:
        await second.close()
