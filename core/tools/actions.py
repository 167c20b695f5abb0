"""Launching dynamic tools under the authorization that is bound (seed 000, `launch_action`)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from core.access.policy import (
    AccessContext,
    AccessPolicy,
    Action,
    Authorization,
    ProfileId,
    Verdict,
    authorize,
)
from core.agent.port import ToolSpec
from core.agent.requests import ToolResult
from core.errors import InvalidRequest, QuarterdeckError, Unauthorized

Runner = Callable[[str], Awaitable[str]]
"""Takes the arguments as JSON text and gives the result as text; raises QuarterdeckError to fail."""

TOOL_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Tool:
    spec: ToolSpec
    run: Runner


_CODEX_OWN = frozenset({"exec_command", "write_stdin", "apply_patch", "view_image", "update_plan"})


class ThreadActions:
    """The tools of one conversation, and what its run may do with them."""

    def __init__(self, tools: Sequence[Tool] = (), seconds: float = TOOL_SECONDS) -> None:
        """Raises InvalidRequest for a name used twice, or one that would shadow a tool of Codex's own."""
        self._tools: dict[str, Tool] = {}
        self._seconds = seconds
        self._authorization: Authorization | None = None
        for tool in tools:
            name = tool.spec.name
            if name in _CODEX_OWN or name in self._tools:
                why = "Codex has one of that name" if name in _CODEX_OWN else "it is there twice"
                raise InvalidRequest(f"The tool {name} cannot be offered", why=why, todo="Rename it.")
            self._tools[name] = tool

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        return tuple(tool.spec for tool in self._tools.values())

    @property
    def authorization(self) -> Authorization | None:
        return self._authorization

    def bind_authorization(self, context: AccessContext, profile: ProfileId, policy: AccessPolicy) -> None:
        """Raises Unauthorized, and keeps what was bound before."""
        self._authorization = authorize(context, profile, policy)

    def clear_authorization(self) -> None:
        self._authorization = None

    async def launch(self, name: str, arguments: str) -> ToolResult:
        """Run a tool to its end. What goes wrong in it is a failed result; nothing but cancellation raises."""
        try:
            text = await asyncio.wait_for(self._tool(name).run(arguments), self._seconds)
        except TimeoutError:
            return ToolResult(success=False, text=f"{name} did not finish in {self._seconds:.0f} s.")
        except QuarterdeckError as error:
            return ToolResult(success=False, text=str(error))
        except Exception as error:  # noqa: BLE001 - a tool is somebody else's code: its failure is its result
            return ToolResult(success=False, text=f"{name} failed: {type(error).__name__}: {error}")
        return ToolResult(success=True, text=text)

    def _tool(self, name: str) -> Tool:
        if self._authorization is None:
            raise Unauthorized(f"{name} was not run", why="nothing is authorized in this conversation now")
        if self._authorization.verdict(Action.TOOL) is not Verdict.ALLOW:
            raise Unauthorized(
                f"{name} was not run",
                why=f"the profile {self._authorization.profile.id} does not allow tools",
            )
        tool = self._tools.get(name)
        if tool is None:
            raise InvalidRequest(f"There is no tool named {name}")
        return tool
