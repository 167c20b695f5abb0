"""A thread whose rollout is made and not written yet, on the real Codex."""

from __future__ import annotations

import asyncio
import uuid
from pathlib import Path

import pytest

from core.codex import first_moments
from core.demo.scratch import Scratch
from core.errors import CallRefused
from tests.core.codex.conftest import Console


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
