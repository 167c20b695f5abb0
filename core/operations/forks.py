"""Copies of a conversation: the same boxes, and at Codex the same history, up to a turn."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict

from core.agent.port import Agent
from core.conversation.boxing import notice
from core.conversation.live import LiveConversation
from core.conversation.reverting import turns_at_codex
from core.errors import Conflict, InvalidRequest
from core.operations.journal import Journal, Kind, Step
from core.registry import Registry
from core.rows import ForkDraft, OperationRow
from core.store.store import Store
from core.thread import log
from core.thread.boxes import BoxId, ChatBox
from core.thread.log import TurnSpan
from core.thread.records import BoxRecord, EventRecord, Record
from core.thread.state import ConversationState

CLOCK_SLACK_SECONDS = 5


class ForkPlan(BaseModel):
    """What is to be copied: up to and with box `last`, and at Codex up to and with turn `turn_id`."""

    model_config = ConfigDict(frozen=True)

    id: str
    thread_id: str
    turn_id: str
    last: int
    turns: tuple[TurnSpan, ...]


class Forks:
    def __init__(self, store: Store, registry: Registry, agent: Agent, journal: Journal) -> None:
        self._store = store
        self._registry = registry
        self._agent = agent
        self._journal = journal

    async def fork(self, conversation_id: str, after_box: int | None) -> str:
        """The id of the copy: all of it, or up to and with the turn that box `after_box` is in.

        Raises InvalidRequest where there is nothing to copy up to there, CodexError, StoreError.
        """
        plan = await self._plan(conversation_id, after_box)
        async with self._journal.step(conversation_id, Kind.FORK, plan.model_dump_json()) as step:
            await self._make(conversation_id, plan, step, made_since=None)
        return plan.id

    async def finish(self, row: OperationRow, step: Step) -> None:
        """One that was cut off. Where Codex has made its copy already, that is taken."""
        plan = ForkPlan.model_validate_json(row.data)
        await self._make(row.conversation_id, plan, step, made_since=row.at_ms // 1000 - CLOCK_SLACK_SECONDS)

    async def _plan(self, conversation_id: str, after_box: int | None) -> ForkPlan:
        row = await self._store.conversations.get(conversation_id)
        live = self._registry.opened(conversation_id)
        if isinstance(live, LiveConversation):
            await live.runtime.thread.checkpoint()
        records = await self._store.records.read(conversation_id)
        state = ConversationState.recover(records)
        if row.thread_id is None or not state.boxes:
            raise InvalidRequest("There is nothing to copy yet", todo="Send a message first.")
        whole = after_box is None
        if whole and state.job is not None:
            raise Conflict(
                "A conversation whose turn runs is not copied whole",
                why="the copy would end in the middle of it",
                todo="Interrupt it (Esc) or wait for its end, or copy up to an earlier entry.",
            )
        known = await turns_at_codex(self._agent, row.thread_id)
        end = len(state.boxes) if after_box is None else after_box
        turns = tuple(turn for turn in state.turns() if turn.turn_id in known and turn.first <= end)
        if not turns:
            raise InvalidRequest(
                "There is nothing to copy up to there", why="no turn of Codex's ended before it"
            )
        last = len(state.boxes) if whole else turns[-1].last
        unsent = [box for box in _unsent(state) if box <= last]
        return ForkPlan(
            id=uuid.uuid4().hex,
            thread_id=row.thread_id,
            turn_id=turns[-1].turn_id,
            last=min(unsent, default=last + 1) - 1,
            turns=turns,
        )

    async def _make(self, origin_id: str, plan: ForkPlan, step: Step, made_since: int | None) -> None:
        """At Codex, then with all its records in one transaction."""
        origin = await self._store.conversations.get(origin_id)
        title = origin.title or "a conversation"
        async with self._registry.adoption.lock:
            thread_id = await self._made(plan.thread_id, made_since) if made_since is not None else None
            if thread_id is None:
                thread_id = (await self._agent.operations.fork(plan.thread_id, plan.turn_id)).id
            draft = ForkDraft(plan.id, origin_id, f"{title} (copy)", thread_id)
            await self._agent.rename(thread_id, draft.title)
            records = await self._store.records.read(origin_id)
            await self._store.operations.end_fork(
                step.number, draft, fork_records(records, plan, origin_id, title)
            )
            step.ended = True

    async def _made(self, thread_id: str, since: int) -> str | None:
        """The thread that Codex made of this one since then and that is no conversation yet.

        Codex lists a copy only when it has a turn of its own or its host was started anew (seen on 0.163); until
        then it is found among the loaded ones. One that was made in the last instant of its host is not found: another is made then.
        """
        operations = self._agent.operations
        listed = (await self._agent.threads()).entries
        loaded = [await operations.read(found) for found in await operations.loaded()]
        for thread in (*listed, *loaded):
            ours = thread.forked_from_id == thread_id and thread.created_at >= since
            if ours and await self._store.conversations.find_by_thread(thread.id) is None:
                return thread.id
        return None


def _unsent(state: ConversationState) -> tuple[int, ...]:
    """The boxes that Codex does not have."""
    stall = state.stall
    if stall is None:
        return state.waiting
    return (*state.waiting, *stall.held, *(() if stall.seen else stall.boxes))


def fork_records(records: Sequence[Record], plan: ForkPlan, origin_id: str, title: str) -> list[Record]:
    """The log of a copy: the boxes, what of them is over, and a sentence on where they come from."""
    boxes = [record.box for record in records if isinstance(record, BoxRecord)][: plan.last]
    state = ConversationState.recover(records)
    forked = log.Forked(
        origin=origin_id,
        turns=plan.turns,
        reverted=tuple((span.first, span.last) for span in state.reverted if span.first <= plan.last),
    )
    said = notice("info", f"This is a copy of “{title}”, which stays as it is.", "forked")
    number = BoxId(len(boxes) + 1)
    box = ChatBox(number, said.box_type, said.contents, said.hidden_type, said.hidden_contents)
    event = EventRecord(len(boxes), 1, forked.kind, forked.model_dump_json())
    return [*(BoxRecord(box) for box in boxes), event, BoxRecord(box)]
