"""A thread whose rollout is made and not written yet, on the real Codex."""

from __future__ import annotations

import asyncio
import uuid
from pathlib import Path

import pytest

from core.agent.port import TurnInput, TurnOptions
from core.codex import first_moments
from core.conversation import boxing
from core.conversation.feed import Feed
from core.conversation.resuming import resume
from core.conversation.runtime import ConversationRuntime
from core.conversation.streams import StreamRecorder
from core.demo.process import ModelProcess
from core.demo.scratch import Scratch
from core.errors import CallRefused, NoRollout
from core.thread.durable import DurableThread
from core.thread.state import ConversationState
from core.tools.actions import ThreadActions
from tests.core.codex.conftest import Console, OpenConsole
from tests.core.conversation.memory import Memory


async def _written(console: Console, scratch: Scratch) -> tuple[Path, str]:
    """The rollout of a thread that has a turn, and the thread's id."""
    thread = await console.thread()
    await console.heard.turn_end(await console.say(thread, "/say hi"))
    (path,) = scratch.home.rglob(f"sessions/**/*{thread}.jsonl")
    return path, thread


def _empty_one(written: Path, thread: str) -> tuple[Path, str]:
    """The empty rollout of another thread, as Codex makes it, and that thread's id."""
    other = str(uuid.uuid4())
    made = written.with_name(written.name.replace(thread, other))
    made.touch()
    return made, other


async def test_a_thread_that_is_read_before_its_rollout_is_written_is_read_when_it_is(
    console: Console, scratch: Scratch
) -> None:
    written, thread = await _written(console, scratch)
    made, other = _empty_one(written, thread)
    reading = asyncio.create_task(console.agent.operations.read(other))
    done, _ = await asyncio.wait({reading}, timeout=first_moments.PAUSES[0])
    assert not done
    made.write_text(written.read_text().replace(thread, other))
    assert (await reading).id == other


async def test_one_that_stays_empty_is_refused_with_codexs_words(
    console: Console, scratch: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(first_moments, "PAUSES", (0.01, 0.01))
    written, thread = await _written(console, scratch)
    made, other = _empty_one(written, thread)
    with pytest.raises(CallRefused, match=r"rollout at .* is empty"):
        await console.agent.operations.read(other)
    with pytest.raises(CallRefused, match=r"rollout at .* is empty"):
        await console.agent.resume_thread(other)
    made.unlink()


async def test_a_thread_is_resumed_right_after_a_turn_began_in_it_and_says_that_it_runs(
    console: Console, open_console: OpenConsole, model: ModelProcess
) -> None:
    """For a moment Codex says that it has no rollout, is idle, or has no such turn."""
    other = await open_console()
    memory = Memory()
    thread = DurableThread(ConversationState(), 0, memory, ThreadActions())
    runtime = ConversationRuntime("c", thread, StreamRecorder("c", memory), Feed())
    codex_thread = await console.thread()
    for number in range(6):
        thread.state.accept(boxing.message_draft(f"k{number}", f"/hold gate{number}\n/say done"))
        begun = thread.begin_input()
        assert begun is not None
        start, text = begun
        said = TurnInput((text,), start.key)
        turn = await console.agent.start_turn(codex_thread, said, TurnOptions())
        assert (await resume(runtime, other.agent, codex_thread)).active
        assert turn in [listed.id for listed in (await other.agent.turns(codex_thread)).entries]
        await model.release(f"gate{number}")
        await other.heard.turn_end(turn)
        thread.state.bind_turn(start.job, turn)
        thread.state.see(start.key, f"item{number}")
        thread.state.complete(start.job)


async def test_one_that_has_no_turn_is_told_apart_from_one_that_cannot_be_resumed(
    console: Console, open_console: OpenConsole
) -> None:
    thread = await console.thread()
    with pytest.raises(NoRollout):
        await (await open_console()).agent.resume_thread(thread)
