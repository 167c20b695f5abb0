"""The calls about what is done with a thread besides talking in it: parameters and answers."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from core.codex.protocol.base import LONG_CALL_SECONDS, Method, Nothing, Wire
from core.codex.protocol.notifications import Turn
from core.codex.protocol.threads import OpenedThread, SandboxPolicy, Thread


class ForkParams(Wire):
    thread_id: str
    exclude_turns: bool = True
    last_turn_id: str | None = None


class RevertParams(Wire):
    thread_id: str
    before_turn_id: str


class ReadThread(Wire):
    thread: Thread


class UncommittedTarget(Wire):
    type: Literal["uncommittedChanges"] = "uncommittedChanges"


class BranchTarget(Wire):
    type: Literal["baseBranch"] = "baseBranch"
    branch: str


class CommitTarget(Wire):
    type: Literal["commit"] = "commit"
    sha: str


class WordsTarget(Wire):
    type: Literal["custom"] = "custom"
    instructions: str


class ReviewParams(Wire):
    thread_id: str
    target: UncommittedTarget | BranchTarget | CommitTarget | WordsTarget


class StartedReview(Wire):
    turn: Turn


class ThreadGoal(Wire):
    objective: str
    status: str
    tokens_used: int = 0
    token_budget: int | None = None
    time_used_seconds: int = 0


class GoalParams(Wire):
    """`origin` tells Codex that a person asked, and no automatism."""

    thread_id: str
    objective: str | None = None
    status: str | None = None
    origin: Literal["user"] = "user"


class GoalRead(Wire):
    goal: ThreadGoal | None = None


class GoalSet(Wire):
    goal: ThreadGoal


class GoalCleared(Wire):
    cleared: bool = False


class ModeSettings(Wire):
    model: str


class CollaborationMode(Wire):
    mode: Literal["plan", "default"]
    settings: ModeSettings


class SettingsParams(Wire):
    thread_id: str
    model: str | None = None
    effort: str | None = None
    personality: str | None = None
    sandbox_policy: SandboxPolicy | None = None
    approval_policy: str | None = None


class ModeParams(Wire):
    thread_id: str
    collaboration_mode: CollaborationMode


class McpServersParams(Wire):
    thread_id: str | None = None
    cursor: str | None = None
    detail: Literal["full", "toolsAndAuthOnly"] = "toolsAndAuthOnly"


class McpTool(Wire):
    name: str
    description: str | None = None


class McpServerStatus(Wire):
    name: str
    runtime_status: str | None = None
    auth_status: str = ""
    tools: dict[str, McpTool] = Field(default_factory=dict[str, McpTool])
    tools_error: str | None = None


class McpServers(Wire):
    data: tuple[McpServerStatus, ...]
    next_cursor: str | None = None


FORK = Method("thread/fork", OpenedThread, LONG_CALL_SECONDS)
REVERT = Method("thread/revert", Nothing, LONG_CALL_SECONDS)
READ = Method("thread/read", ReadThread, LONG_CALL_SECONDS)
UNARCHIVE = Method("thread/unarchive", Nothing)
DELETE = Method("thread/delete", Nothing)
COMPACT = Method("thread/compact/start", Nothing)
REVIEW = Method("review/start", StartedReview)
GOAL_GET = Method("thread/goal/get", GoalRead)
GOAL_SET = Method("thread/goal/set", GoalSet)
GOAL_CLEAR = Method("thread/goal/clear", GoalCleared)
SETTINGS = Method("thread/settings/update", Nothing)
MCP_SERVERS = Method("mcpServerStatus/list", McpServers, LONG_CALL_SECONDS)
LOGOUT = Method("account/logout", Nothing)
