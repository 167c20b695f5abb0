"""Taking turns back: recorded, then done at Codex, then recorded as done.

The console may die, or Codex go away, between any two of these. What was begun is then finished the next
time the conversation is attached to its thread, before anything else goes out.
"""

from __future__ import annotations

from itertools import takewhile

from core.agent.pages import each
from core.agent.port import Agent
from core.conversation.boxing import typed_of
from core.conversation.runtime import ConversationRuntime
from core.errors import CallRefused, InvalidState
from core.thread.boxes import ASSISTANT, USER
from core.thread.log import TurnSpan
from core.thread.state import ConversationState, Status

TURN_PAGES = 200
"""How many pages of turns are read, of Codex's own size."""

TITLE = 60


async def turns_at_codex(agent: Agent, thread_id: str) -> frozenset[str]:
    """The ids of the turns that Codex has in a thread. Raises CodexError."""
    turns = each(lambda cursor: agent.turns(thread_id, cursor), TURN_PAGES)
    return frozenset([turn.id async for turn in turns])


async def take_back(
    runtime: ConversationRuntime, agent: Agent, thread_id: str | None, turn_id: str, first: int
) -> None:
    """Take the boxes from `first` on back, which Codex has from turn `turn_id` on; `thread_id` None: it has none.

    Raises TransitionError, InvalidRequest, and as `settle_revert`.
    """
    async with runtime.turnstile:
        runtime.thread.state.reverts.begin(turn_id, first)
        if thread_id is None:
            await finish_revert(runtime)
        else:
            await runtime.publish()
            await settle_revert(runtime, agent, thread_id)


async def settle_revert(runtime: ConversationRuntime, agent: Agent, thread_id: str) -> None:
    """Finish what was begun; nothing to do where nothing was. The caller holds the turnstile.

    Raises InvalidState where Codex refuses: everything stands as it was then. Raises CodexError where Codex
    cannot be asked, StoreError; it stays begun then.
    """
    reverting = runtime.thread.state.reverting
    if reverting is None:
        return
    if reverting.turn_id in await turns_at_codex(agent, thread_id):
        try:
            await agent.operations.revert(thread_id, reverting.turn_id)
        except CallRefused as error:
            runtime.thread.state.reverts.drop()
            text = f"Codex did not go back: {error.message}. Everything stands as it was."
            await runtime.put_notice("error", text, code="revert_refused")
            raise InvalidState("Codex did not go back", why=error.message) from error
    await finish_revert(runtime)


async def notice_revert(
    runtime: ConversationRuntime, agent: Agent, thread_id: str, *, told: bool = False
) -> None:
    """Take out of view what another client of Codex took back. The caller holds the turnstile.

    `told`: Codex says that there was a revert, yet not of what. Otherwise it shows by this: Codex has older turns
    of ours and not the newest, of which it had answered at least one; it never loses those by itself. Nothing is
    done while something runs or waits here. Raises CodexError, StoreError.
    """
    state = runtime.thread.state
    turns = state.turns()
    if not turns or state.status is not Status.IDLE or state.reverting is not None:
        return
    newest = await agent.turns(thread_id, None)
    if any(turn.id == turns[-1].turn_id for turn in newest.entries):
        return
    known = await turns_at_codex(agent, thread_id)
    gone = list(takewhile(lambda turn: turn.turn_id not in known, turns[::-1]))[::-1]
    if not told and len(gone) == len(turns):
        return
    first = next((turn.first for turn in gone if _holds(state, turn, answered=not told)), None)
    if first is not None:
        state.reverts.begin("", first)
        await finish_revert(runtime, "Another program")


def _holds(state: ConversationState, turn: TurnSpan, *, answered: bool) -> bool:
    """Are there boxes of the turn here; a message and an answer, where it has to be `answered`?"""
    types = {box.box_type for box in state.boxes[turn.first - 1 : turn.last]}
    return {USER, ASSISTANT} <= types if answered else bool(types)


async def finish_revert(runtime: ConversationRuntime, who: str = "You") -> None:
    """Codex has none of it any more: record that, and say it in the conversation."""
    state = runtime.thread.state
    reverting = state.reverting
    if reverting is None:
        return
    span = reverting.span
    boxes = state.boxes[span.first - 1 : span.last]
    first = next((typed_of(box) for box in boxes if box.box_type == USER), "")
    line = next((line.strip() for line in first.splitlines() if line.strip()), "")
    before = f" to before “{line[:TITLE]}{'…' if len(line) > TITLE else ''}”" if line else ""
    state.reverts.finish()
    text = (
        f"{who} went back{before}. Codex knows nothing of that and what came after; files are as they were."
    )
    detail = f"Entries {span.first} to {span.last} were taken back."
    await runtime.put_notice("info", text, code="reverted", detail=detail)
    runtime.tell_reverted(span)
