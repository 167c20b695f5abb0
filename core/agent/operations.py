"""What can be done with a thread besides talking in it, and what Codex tells of itself when asked. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from core.agent.port import ThreadInfo, TurnOptions


@dataclass(frozen=True, slots=True)
class Uncommitted:
    """Review the working tree: staged, unstaged and untracked."""


@dataclass(frozen=True, slots=True)
class AgainstBranch:
    """Review what is between a base branch and the current one."""

    branch: str


@dataclass(frozen=True, slots=True)
class OfCommit:
    """Review what a commit brought. `sha` may be short."""

    sha: str


@dataclass(frozen=True, slots=True)
class InWords:
    """Review what these words say."""

    text: str


ReviewTarget = Uncommitted | AgainstBranch | OfCommit | InWords


@dataclass(frozen=True, slots=True)
class Goal:
    """What Codex works towards. `status` in its word: active, paused, blocked, usageLimited, budgetLimited, complete."""

    objective: str
    status: str
    tokens_used: int
    token_budget: int | None
    seconds_used: int


@dataclass(frozen=True, slots=True)
class McpServer:
    """`status` and `auth` in Codex's words ("" where it does not say), `error` why its tools are not known."""

    name: str
    status: str
    auth: str
    tools: tuple[tuple[str, str], ...]
    error: str = ""


class ThreadOperations(Protocol):
    """The calls. Each raises CodexError; a thread that is not loaded has to be resumed first where that is said."""

    async def fork(self, thread_id: str, last_turn_id: str | None = None) -> ThreadInfo:
        """A new thread with the history of this one, up to and with a turn. Turns and items keep their ids."""
        ...

    async def loaded(self) -> tuple[str, ...]:
        """The ids of all threads that are loaded, those of other clients too."""
        ...

    async def revert(self, thread_id: str, before_turn_id: str) -> None:
        """Take a turn and all after it out of the history of a loaded thread; files stay as they are."""
        ...

    async def read(self, thread_id: str) -> ThreadInfo:
        """What a thread is, loaded or not."""
        ...

    async def unarchive(self, thread_id: str) -> None: ...

    async def delete(self, thread_id: str) -> None:
        """Refused for a thread that another was forked from; it is unloaded all the same (seen on 0.163)."""
        ...

    async def compact(self, thread_id: str) -> None:
        """Have the history of a loaded thread summed up; it runs as a turn."""
        ...

    async def review(self, thread_id: str, target: ReviewTarget) -> str:
        """Begin a review in a loaded thread; the id of its turn."""
        ...

    async def goal(self, thread_id: str) -> Goal | None: ...

    async def set_goal(
        self, thread_id: str, objective: str | None = None, status: str | None = None
    ) -> Goal: ...

    async def clear_goal(self, thread_id: str) -> bool:
        """False where there was none."""
        ...

    async def use(self, thread_id: str, options: TurnOptions) -> None:
        """From the next turn on a loaded thread runs with these, whoever begins it; not with a shape or a folder."""
        ...

    async def plan_first(self, thread_id: str, model: str, *, on: bool) -> None:
        """From the next turn on Codex plans before it changes anything, or no longer does."""
        ...

    async def mcp_servers(self, thread_id: str | None) -> tuple[McpServer, ...]: ...

    async def logout(self) -> None: ...
