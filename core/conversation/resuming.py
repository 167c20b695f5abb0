"""Resuming a thread in which a turn may have begun an instant ago.

For some 0.1 s after `turn/start` a host tells of the thread what was true before that: no rollout, idle, no such
turn, nothing in it (seen on 0.163). Whoever believed that would send the message a second time, or give the turn up
for lost. So of a thread that the host had in its memory before we came, it is asked again until what it says fits
the run that our log knows. A run that it has nothing of even then never reached it.
"""

from __future__ import annotations

import asyncio

from core.agent.items import UserMessage
from core.agent.port import Agent, ThreadInfo
from core.conversation.reconcile import items_of, unknown_turns
from core.conversation.runtime import ConversationRuntime
from core.errors import NoRollout
from core.thread.thread import Job

PAUSES = (0.05, 0.1, 0.2, 0.4, 0.8)
"""Seconds before it is asked again."""


async def resume(runtime: ConversationRuntime, agent: Agent, thread_id: str) -> ThreadInfo:
    """Subscribe to the thread of a conversation. Raises NoRollout, CodexError."""
    job = runtime.thread.state.job
    if job is not None and thread_id in await agent.operations.loaded():
        for pause in PAUSES:
            if (info := await _fitting(job, runtime, agent, thread_id)) is not None:
                return info
            await asyncio.sleep(pause)
    return await agent.resume_thread(thread_id)


async def _fitting(job: Job, runtime: ConversationRuntime, agent: Agent, thread_id: str) -> ThreadInfo | None:
    """The thread, where what the host says of it fits the run."""
    try:
        info = await agent.resume_thread(thread_id)
    except NoRollout:
        return None
    return info if await _fits(job, runtime, agent, info) else None


async def _fits(job: Job, runtime: ConversationRuntime, agent: Agent, info: ThreadInfo) -> bool:
    """Is the job's turn listed, and said to run or to be over?"""
    for turn in await unknown_turns(runtime, agent, info.id):
        if turn.status is None and not info.active:
            continue
        if turn.id == job.turn_id or (job.turn_id is None and await _has_input(job, agent, info.id, turn.id)):
            return True
    return False


async def _has_input(job: Job, agent: Agent, thread_id: str, turn_id: str) -> bool:
    said = (entry.item for entry in await items_of(agent, thread_id, turn_id))
    return any(isinstance(item, UserMessage) and item.client_id == job.key for item in said)
