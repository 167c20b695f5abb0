"""After attaching to a thread: what Codex has of it against what our log has (DESIGN, after kill -9).

Codex keeps every completed item, with the key of each message it got; we keep what streamed and what
was decided. So each turn that our log does not know the end of is read again, oldest first, through the
same doors as live events: an item that is recorded already changes nothing, and a message that comes up
among the items no longer waits. What still waits afterwards never reached Codex: there is no third state
(PROTOCOL, Turns), once `resuming` has waited for what a living host has only just been told.
"""

from __future__ import annotations

from core.agent.events import TurnEnded, TurnStatus
from core.agent.items import UserMessage
from core.agent.pages import each
from core.agent.port import Agent, ItemEntry, TurnInfo
from core.conversation.runtime import ConversationRuntime
from core.thread.thread import Job

TURN_PAGES = 200
"""How far back turns are read for one that our log knows, in pages of Codex's own size."""

GONE = "This turn ended while nobody was watching: its host or its console went away."
HOST_ENDED = "Codex ended in the middle of this turn, and what ran in it ended with it."


async def reconcile(
    runtime: ConversationRuntime,
    agent: Agent,
    thread_id: str,
    *,
    active: bool,
    elsewhere: bool = False,
    gone: str = GONE,
) -> None:
    """Bring the log up to what Codex has. Raises CodexError where Codex cannot be asked.

    `active`: a turn of it may run. `elsewhere`: another process than the host writes it, and the host takes the
    turn that runs there for an interrupted one (seen on 0.163): that one stays open.
    `gone`: what became of a turn that has no end of its own.
    """
    turns = await unknown_turns(runtime, agent, thread_id)
    await _release_unbound_job(runtime, turns)
    for turn in turns:
        entries = await items_of(agent, thread_id, turn.id)
        if not elsewhere and _says_nothing_new(runtime, turn, entries):
            continue
        await runtime.turn_started(turn.id, turn.started_at)
        for entry in entries:
            await runtime.item_completed(entry.item, turn.id)
        runs_there = elsewhere and turn is turns[-1] and turn.status is TurnStatus.INTERRUPTED
        if not runs_there and (turn.status is not None or not active):
            await _end_turn(runtime, thread_id, turn, entries, gone)
    job = runtime.thread.state.job
    if job is not None and job.turn_id not in {turn.id for turn in turns}:
        await _end_lost(runtime, job, frozenset(), gone)


def _says_nothing_new(runtime: ConversationRuntime, turn: TurnInfo, entries: list[ItemEntry]) -> bool:
    """Is it the turn of a reviewer, within the review's? It never ends, and its items are the review's own."""
    job = runtime.thread.state.job
    ours = job is not None and job.turn_id in (None, turn.id)
    known = all(runtime.items.has(entry.item.id) for entry in entries)
    return turn.status is TurnStatus.INTERRUPTED and not ours and bool(entries) and known


async def unknown_turns(runtime: ConversationRuntime, agent: Agent, thread_id: str) -> list[TurnInfo]:
    """Turns whose end our log does not have, oldest first."""
    known = runtime.thread.state.ended_turns()
    found: list[TurnInfo] = []
    async for turn in each(lambda cursor: agent.turns(thread_id, cursor), TURN_PAGES):
        if turn.id in known:
            break
        found.append(turn)
    return found[::-1]


async def items_of(agent: Agent, thread_id: str, turn_id: str) -> list[ItemEntry]:
    """What Codex has of a turn, oldest first."""
    return [entry async for entry in each(lambda cursor: agent.items(thread_id, turn_id, cursor))]


async def _release_unbound_job(runtime: ConversationRuntime, turns: list[TurnInfo]) -> None:
    """A job whose turn id was never learnt lets its input wait: the turn that has it, if any, claims it."""
    job = runtime.thread.state.job
    if job is None or job.turn_id is not None:
        return
    if job.again and not turns:
        await runtime.fail("The console went away before Codex was asked again.", restartable=True)
        return
    await runtime.end_unseen()


async def _end_turn(
    runtime: ConversationRuntime, thread_id: str, turn: TurnInfo, entries: list[ItemEntry], gone: str
) -> None:
    job = runtime.thread.state.job
    if job is None or job.turn_id != turn.id:
        return
    if job.boxes and turn.status in (None, TurnStatus.INTERRUPTED):
        users = (entry.item for entry in entries if isinstance(entry.item, UserMessage))
        await _end_lost(runtime, job, frozenset(user.client_id or "" for user in users), gone)
        return
    status = turn.status or TurnStatus.INTERRUPTED
    await runtime.turn_ended(TurnEnded(thread_id, turn.id, status, turn.failure))


async def _end_lost(runtime: ConversationRuntime, job: Job, kept: frozenset[str], gone: str) -> None:
    """Our job's turn ended out of sight. Where Codex has its input it stalls, else the input waits again.

    A message that was typed meanwhile waits behind it: the conversation goes on with that.
    """
    state = runtime.thread.state
    state.lose(job.number, kept)
    if state.job is not None and state.job.seen:
        await runtime.fail(gone, restartable=True)
        if state.arrivals:
            state.go_on()
            await runtime.publish()
    else:
        await runtime.end_unseen()
