"""`core.agent.operations.ThreadOperations` on Codex: a method a call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from core.agent.operations import (
    AgainstBranch,
    Goal,
    InWords,
    McpServer,
    OfCommit,
    ReviewTarget,
    ThreadOperations,
    Uncommitted,
)
from core.agent.port import ThreadInfo, TurnOptions
from core.codex.listing import to_thread
from core.codex.pages import whole
from core.codex.params import sandbox_policy
from core.codex.protocol import operations as wire
from core.codex.protocol.base import Method, Nothing, Wire
from core.codex.protocol.calls import THREADS_LOADED
from core.codex.protocol.threads import CursorParams, OpenedThread, ThreadParams

R = TypeVar("R", bound=Wire)


class Call(Protocol):
    """One call over the link; raises CodexError."""

    async def __call__(self, method: Method[R], params: Wire, /) -> R: ...


class CodexOperations(ThreadOperations):
    def __init__(self, call: Call, keep: Callable[[OpenedThread], ThreadInfo]) -> None:
        """`keep` notes that we are subscribed to a thread now."""
        self._call = call
        self._keep = keep

    async def fork(self, thread_id: str, last_turn_id: str | None = None) -> ThreadInfo:
        params = wire.ForkParams(thread_id=thread_id, last_turn_id=last_turn_id)
        return self._keep(await self._call(wire.FORK, params))

    async def loaded(self) -> tuple[str, ...]:
        return await whole(lambda cursor: self._call(THREADS_LOADED, CursorParams(cursor=cursor)))

    async def revert(self, thread_id: str, before_turn_id: str) -> None:
        await self._call(wire.REVERT, wire.RevertParams(thread_id=thread_id, before_turn_id=before_turn_id))

    async def read(self, thread_id: str) -> ThreadInfo:
        return to_thread((await self._call(wire.READ, ThreadParams(thread_id=thread_id))).thread)

    async def unarchive(self, thread_id: str) -> None:
        await self._call(wire.UNARCHIVE, ThreadParams(thread_id=thread_id))

    async def delete(self, thread_id: str) -> None:
        await self._call(wire.DELETE, ThreadParams(thread_id=thread_id))

    async def compact(self, thread_id: str) -> None:
        await self._call(wire.COMPACT, ThreadParams(thread_id=thread_id))

    async def review(self, thread_id: str, target: ReviewTarget) -> str:
        params = wire.ReviewParams(thread_id=thread_id, target=_target(target))
        return (await self._call(wire.REVIEW, params)).turn.id

    async def goal(self, thread_id: str) -> Goal | None:
        goal = (await self._call(wire.GOAL_GET, ThreadParams(thread_id=thread_id))).goal
        return None if goal is None else _goal(goal)

    async def set_goal(self, thread_id: str, objective: str | None = None, status: str | None = None) -> Goal:
        params = wire.GoalParams(thread_id=thread_id, objective=objective, status=status)
        return _goal((await self._call(wire.GOAL_SET, params)).goal)

    async def clear_goal(self, thread_id: str) -> bool:
        return (await self._call(wire.GOAL_CLEAR, ThreadParams(thread_id=thread_id))).cleared

    async def use(self, thread_id: str, options: TurnOptions) -> None:
        params = wire.SettingsParams(
            thread_id=thread_id,
            model=options.model,
            effort=options.effort,
            personality=options.personality,
            sandbox_policy=sandbox_policy(options.sandbox),
            approval_policy=options.approvals,
        )
        await self._call(wire.SETTINGS, params)

    async def plan_first(self, thread_id: str, model: str, *, on: bool) -> None:
        mode = wire.CollaborationMode(
            mode="plan" if on else "default", settings=wire.ModeSettings(model=model)
        )
        await self._call(wire.SETTINGS, wire.ModeParams(thread_id=thread_id, collaboration_mode=mode))

    async def mcp_servers(self, thread_id: str | None) -> tuple[McpServer, ...]:
        listed = await whole(
            lambda cursor: self._call(
                wire.MCP_SERVERS, wire.McpServersParams(thread_id=thread_id, cursor=cursor)
            )
        )
        return tuple(_server(server) for server in listed)

    async def logout(self) -> None:
        await self._call(wire.LOGOUT, Nothing())


def _target(
    target: ReviewTarget,
) -> wire.UncommittedTarget | wire.BranchTarget | wire.CommitTarget | wire.WordsTarget:
    match target:
        case Uncommitted():
            return wire.UncommittedTarget()
        case AgainstBranch():
            return wire.BranchTarget(branch=target.branch)
        case OfCommit():
            return wire.CommitTarget(sha=target.sha)
        case InWords():
            return wire.WordsTarget(instructions=target.text)


def _goal(goal: wire.ThreadGoal) -> Goal:
    return Goal(goal.objective, goal.status, goal.tokens_used, goal.token_budget, goal.time_used_seconds)


def _server(server: wire.McpServerStatus) -> McpServer:
    tools = tuple((tool.name, tool.description or "") for tool in server.tools.values())
    return McpServer(
        server.name, server.runtime_status or "", server.auth_status, tools, server.tools_error or ""
    )
