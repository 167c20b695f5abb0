"""Admission under random interleavings: no work after close, no lost wake-up, no deadlock."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.conversation.hierarchy import Level, Phase
from core.errors import Closed


def deadline(seconds: float) -> float:
    return asyncio.get_running_loop().time() + seconds


async def test_a_closing_level_waits_for_what_it_let_in() -> None:
    agent = Level("The agent")
    workspace = agent.below("The workspace")
    release = asyncio.Event()

    async def work() -> str:
        async with workspace.admit() as admission:
            await release.wait()
            return admission.publish("done")

    task = asyncio.create_task(work())
    await asyncio.sleep(0)
    closing = asyncio.create_task(agent.close(deadline(10)))
    await asyncio.sleep(0)
    assert agent.phase is Phase.CLOSING
    with pytest.raises(Closed, match="agent is closing"):
        workspace.ensure_open()
    release.set()
    assert await task == "done"
    await closing
    assert agent.phase is Phase.CLOSED


async def test_work_that_outlasts_the_deadline_is_aborted_and_told_why() -> None:
    conversation = Level("The conversation")

    async def work() -> None:
        async with conversation.admit():
            await asyncio.Event().wait()

    task = asyncio.create_task(work())
    await asyncio.sleep(0)
    await conversation.close(deadline(0))
    with pytest.raises(Closed, match="closed while this ran"):
        await task


async def test_a_level_whose_closing_fails_is_open_again_and_can_be_closed() -> None:
    level = Level("The conversation")
    with pytest.raises(ValueError, match="not yet"):
        async with level.closing(deadline(1)):
            assert level.phase is Phase.CLOSING
            raise ValueError("not yet")
    async with level.admit() as admission:
        admission.publish(None)
    async with level.closing(deadline(1)):
        with pytest.raises(Closed, match="is closing"):
            level.ensure_open()
    assert level.phase is Phase.CLOSED
    with pytest.raises(Closed, match="is closed"):
        async with level.closing(deadline(1)):
            pass


async def test_who_waits_for_a_closing_that_fails_closes_it_himself() -> None:
    level = Level("The conversation")
    with pytest.raises(ValueError, match="not yet"):
        async with level.closing(deadline(1)):
            other = asyncio.create_task(level.close(deadline(1)))
            await asyncio.sleep(0)
            raise ValueError("not yet")
    await other
    assert level.phase is Phase.CLOSED


async def test_a_cancelled_caller_is_cancelled_and_not_told_that_it_closed() -> None:
    level = Level("The conversation")

    async def work() -> None:
        async with level.admit():
            await asyncio.Event().wait()

    task = asyncio.create_task(work())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await level.close(deadline(1))


async def test_a_result_is_not_published_once_the_level_is_closed() -> None:
    level = Level("The conversation")
    async with level.admit() as admission:
        await level.close(deadline(10))
        with pytest.raises(Closed):
            admission.publish("late")


STEPS = st.lists(
    st.tuples(st.sampled_from(["admit", "finish", "close", "tick"]), st.integers(0, 4)), max_size=40
)


@settings(max_examples=300, deadline=None)
@given(STEPS)
def test_no_work_runs_after_close_and_every_close_returns(steps: list[tuple[str, int]]) -> None:
    asyncio.run(_interleave(steps))


async def _interleave(steps: list[tuple[str, int]]) -> None:
    agent = Level("agent")
    levels = [agent]
    levels += [agent.below(f"workspace {n}") for n in range(2)]
    levels += [levels[n + 1].below(f"conversation {n}") for n in range(2)]
    gates: list[asyncio.Event] = []
    tasks: list[asyncio.Task[None]] = []
    closes: list[asyncio.Task[None]] = []
    ran_closed: list[str] = []

    async def work(level: Level, gate: asyncio.Event) -> None:
        async with level.admit() as admission:
            await gate.wait()
            if not level.stands():
                ran_closed.append(level.name)
            admission.publish(None)

    for step, number in steps:
        level = levels[number]
        if step == "admit":
            gates.append(asyncio.Event())
            tasks.append(asyncio.create_task(work(level, gates[-1])))
        elif step == "finish" and gates:
            gates[number % len(gates)].set()
        elif step == "close":
            closes.append(asyncio.create_task(level.close(deadline(0 if number % 2 else 0.001))))
        await asyncio.sleep(0)
    for gate in gates:
        gate.set()
    async with asyncio.timeout(5):
        await asyncio.gather(*closes)
        results = await asyncio.gather(*tasks, return_exceptions=True)
    assert not ran_closed
    assert all(result is None or isinstance(result, Closed) for result in results)
    for level in levels:
        if level.phase is Phase.CLOSED:
            with pytest.raises(Closed):
                level.ensure_open()
