"""`engine.operations` in memory: what was asked of it is in `asked`, what it gives back in the fields."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from core.agent.operations import Goal, McpServer
from core.conversation.feed import BoxesReverted, Detached, SelectionChanged
from core.conversation.info import ConversationInfo
from core.errors import NotFound, QuarterdeckError
from core.operations.model import RevertPlan
from core.thread.boxes import ASSISTANT, USER

if TYPE_CHECKING:
    from tests.tui.fake_engine import FakeEngine


@dataclass
class FakeOperations:
    engine: FakeEngine
    asked: list[tuple[Any, ...]] = field(default_factory=list[tuple[Any, ...]])
    fails: QuarterdeckError | None = None
    away: list[ConversationInfo] = field(default_factory=list[ConversationInfo])
    goals: dict[str, Goal] = field(default_factory=dict[str, Goal])
    servers: tuple[McpServer, ...] = ()

    def _ask(self, *what: Any) -> None:
        self.asked.append(what)
        if self.fails is not None:
            raise self.fails

    async def fork(self, conversation_id: str, after_box: int | None = None) -> str:
        self._ask("fork", conversation_id, after_box)
        origin = self.engine.open_conversations[conversation_id]
        copy = self.engine.add(self.engine.folder_of(origin), f"{origin.info.title} (copy)")
        copy.boxes.extend(origin.boxes[:after_box])
        return copy.id

    async def plan_revert(self, conversation_id: str, before_box: int | None = None) -> RevertPlan:
        self._ask("plan_revert", conversation_id, before_box)
        boxes = self.engine.open_conversations[conversation_id].boxes
        said = [box for box in boxes if box.box_type == USER and (before_box is None or box.id >= before_box)]
        first = said[-1] if before_box is None else said[0]
        return RevertPlan("turn", first.id, len(boxes), first.contents, len(said))

    async def revert(self, conversation_id: str, plan: RevertPlan) -> None:
        self._ask("revert", conversation_id, plan)
        del self.engine.open_conversations[conversation_id].boxes[plan.first - 1 :]
        self.engine.feed.tell(BoxesReverted(conversation_id, plan.first, plan.last))

    async def last_answer(self, conversation_id: str) -> str:
        boxes = self.engine.open_conversations[conversation_id].boxes
        return [box.contents for box in boxes if box.box_type == ASSISTANT][-1]

    async def rename(self, conversation_id: str, title: str) -> None:
        self._ask("rename", conversation_id, title)

    async def archive(self, conversation_id: str) -> None:
        self._ask("archive", conversation_id)
        self._gone(conversation_id)

    async def unarchive(self, conversation_id: str) -> None:
        self._ask("unarchive", conversation_id)

    async def archived(self) -> tuple[ConversationInfo, ...]:
        return tuple(self.away)

    async def delete(self, conversation_id: str) -> None:
        self._ask("delete", conversation_id)
        self._gone(conversation_id)

    async def conversation_of(self, thread_id: str) -> str:
        for one in self.engine.open_conversations.values():
            if one.info.thread_id == thread_id:
                return one.id
        raise NotFound("Codex has no such thread", todo="F3 lists every session.")

    async def compact(self, conversation_id: str) -> None:
        self._ask("compact", conversation_id)

    async def review(self, conversation_id: str, target: object) -> None:
        self._ask("review", conversation_id, target)

    async def plan_first(self, conversation_id: str, model: str, *, on: bool | None = None) -> bool:
        self._ask("plan_first", conversation_id, model, on)
        conversation = self.engine.open_conversations[conversation_id]
        planning = not conversation.selection.planning if on is None else on
        conversation.selection = replace(conversation.selection, planning=planning)
        conversation.feed.tell(SelectionChanged(conversation_id, conversation.selection))
        return planning

    async def goal(self, conversation_id: str) -> Goal | None:
        return self.goals.get(conversation_id)

    async def set_goal(
        self, conversation_id: str, objective: str | None = None, status: str | None = None
    ) -> Goal:
        self._ask("set_goal", conversation_id, objective, status)
        before = self.goals.get(conversation_id, Goal("", "active", 0, None, 0))
        goal = Goal(objective or before.objective, status or before.status, 0, None, 0)
        self.goals[conversation_id] = goal
        return goal

    async def clear_goal(self, conversation_id: str) -> bool:
        return self.goals.pop(conversation_id, None) is not None

    async def mcp_servers(self, conversation_id: str | None) -> tuple[McpServer, ...]:
        return self.servers

    async def logout(self) -> None:
        self._ask("logout")

    def _gone(self, conversation_id: str) -> None:
        del self.engine.open_conversations[conversation_id]
        self.engine.feed.tell(Detached(conversation_id))
