"""Going back: a turn and all after it is taken out of a conversation, here and at Codex."""

from __future__ import annotations

from core.agent.port import Agent
from core.conversation.boxing import typed_of
from core.conversation.pages import reverted_in
from core.conversation.reverting import turns_at_codex
from core.errors import InvalidRequest
from core.operations.model import RevertPlan
from core.operations.standing import idle, ours
from core.registry import Registry
from core.store.store import Store
from core.thread.boxes import USER, ChatBox
from core.thread.log import TurnSpan
from core.thread.records import BoxRecord
from core.thread.state import ConversationState

NOT_REVERTED = "Nothing was taken back"


class Reverts:
    def __init__(self, registry: Registry, agent: Agent) -> None:
        self._registry = registry
        self._agent = agent

    async def plan(self, conversation_id: str, before_box: int | None) -> RevertPlan:
        """What would go: the turn of box `before_box` (None: the last one) and all after it. Changes nothing.

        Raises Conflict while a turn runs or another console writes it, InvalidRequest where nothing would go,
        CodexError, StoreError.
        """
        await idle(self._registry, conversation_id, NOT_REVERTED)
        conversation = await ours(self._registry, conversation_id, NOT_REVERTED)
        state = conversation.runtime.thread.state
        turn = _turn_of(state, before_box)
        thread_id = conversation.thread_id
        known = await turns_at_codex(self._agent, thread_id) if thread_id is not None else frozenset[str]()
        later = [one for one in state.turns() if one.first >= turn.first and one.turn_id in known]
        boxes = state.boxes[turn.first - 1 :]
        return RevertPlan(
            turn_id=later[0].turn_id if later else "",
            first=turn.first,
            last=len(state.boxes),
            text=next((typed_of(box) for box in boxes if box.box_type == USER), ""),
            messages=sum(box.box_type == USER for box in boxes),
        )

    async def revert(self, conversation_id: str, plan: RevertPlan) -> None:
        """Do it, if the conversation stands as it did. Raises as `plan`, and InvalidState where Codex refuses."""
        await idle(self._registry, conversation_id, NOT_REVERTED)
        conversation = await ours(self._registry, conversation_id, NOT_REVERTED)
        if len(conversation.runtime.thread.state.boxes) != plan.last:
            raise InvalidRequest(
                NOT_REVERTED, why="the conversation went on meanwhile", todo="Look again, then repeat."
            )
        await conversation.take_back(plan.turn_id, plan.first)


async def reverted_boxes(store: Store, conversation_id: str) -> tuple[ChatBox, ...]:
    """The boxes that were taken out of a conversation, oldest first. Raises NotFound, StoreError."""
    await store.conversations.get(conversation_id)
    records = await store.records.read(conversation_id)
    spans = reverted_in(records)
    boxes = (record.box for record in records if isinstance(record, BoxRecord))
    return tuple(box for box in boxes if any(box.id in span for span in spans))


def _turn_of(state: ConversationState, box: int | None) -> TurnSpan:
    """The turn that a box is in, or the first one after it."""
    turns = state.turns()
    if box is None:
        found = turns[-1] if turns else None
    else:
        found = next((turn for turn in turns if turn.last >= box and turn.first <= turn.last), None)
    if found is None:
        raise InvalidRequest(
            NOT_REVERTED,
            why="Codex has answered nothing here yet" if not turns else "no turn of Codex's comes after it",
        )
    return found
