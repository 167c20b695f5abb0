"""Launching dynamic tools under the authorization that is bound (seed 000, `launch_action`)."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

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
from core.tools.arguments import parse_arguments
from core.tools.running import failed, run_tool
from core.tools.toolset import Progress, Tool, ToolContext, check_tools

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A call as it is decided on; `arguments` is JSON text that the tool's schema allows."""

    conversation_id: str
    tool: str
    arguments: str


Judge = Callable[[Authorization, ToolUse], Awaitable[Verdict]]
"""The verdict on a call, from the authorization and whatever else decides (rules).

Raises Unauthorized to deny in words of its own.
"""

Ask = Callable[[ToolUse], Awaitable[bool]]
"""Whether a person lets the call run. Waited for until the call is cancelled."""


async def by_profile(authorization: Authorization, use: ToolUse) -> Verdict:
    """What the profile says of tools."""
    return authorization.verdict(Action.TOOL)


async def _unheard(text: str) -> None:
    """Progress that nobody wants to see."""


class ThreadActions:
    """The tools of one conversation, and what its run may do with them."""

    def __init__(
        self,
        tools: Sequence[Tool] = (),
        *,
        conversation_id: str = "",
        judge: Judge = by_profile,
        ask: Ask | None = None,
    ) -> None:
        """Raises InvalidRequest for tools that cannot be offered together (`check_tools`)."""
        check_tools(tools)
        self._tools = {tool.name: tool for tool in tools}
        self._conversation_id = conversation_id
        self._judge = judge
        self._ask = ask
        self._authorization: Authorization | None = None

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        return tuple(tool.spec for tool in self._tools.values())

    def offers(self, name: str) -> bool:
        """Is there a tool of this name?"""
        return name in self._tools

    @property
    def authorization(self) -> Authorization | None:
        return self._authorization

    def bind_authorization(self, context: AccessContext, profile: ProfileId, policy: AccessPolicy) -> None:
        """Raises Unauthorized, and keeps what was bound before."""
        self._authorization = authorize(context, profile, policy)

    def clear_authorization(self) -> None:
        self._authorization = None

    async def launch(self, name: str, arguments: str, progress: Progress = _unheard) -> ToolResult:
        """Run a tool to its end; several may run at once. `arguments` is JSON text.

        What goes wrong is a failed result that says so; nothing but cancellation raises.
        """
        try:
            authorization = self._bound(name)
            tool = self._tool(name)
            parsed = await parse_arguments(tool, arguments)
            await self._permit(authorization, ToolUse(self._conversation_id, name, arguments))
        except QuarterdeckError as error:
            return failed(str(error))
        except Exception as error:
            # Whatever it was, Codex waits for a result.
            log.exception("a call of %s could not be decided on", name)
            return failed(f"{name} was not run: {error}")
        workspace = Path(authorization.context.workspace)
        return await run_tool(tool, ToolContext(self._conversation_id, workspace, progress), parsed)

    def _bound(self, name: str) -> Authorization:
        if self._authorization is None:
            raise Unauthorized(f"{name} was not run", why="nothing is authorized in this conversation now")
        if self._authorization.verdict(Action.TOOL) is Verdict.DENY:
            profile = self._authorization.profile.id
            raise Unauthorized(f"{name} was not run", why=f"the profile {profile} does not allow tools")
        return self._authorization

    def _tool(self, name: str) -> Tool:
        tool = self._tools.get(name)
        if tool is None:
            raise InvalidRequest(f"There is no tool named {name}")
        return tool

    async def _permit(self, authorization: Authorization, use: ToolUse) -> None:
        """Raises Unauthorized where the call may not run."""
        verdict = await self._judge(authorization, use)
        if verdict is Verdict.DENY:
            raise Unauthorized(f"{use.tool} was not run", why="a rule or the profile denies it")
        if verdict is Verdict.ASK:
            if self._ask is None:
                raise Unauthorized(
                    f"{use.tool} was not run", why="it has to be asked about, and nobody is there to ask"
                )
            if not await self._ask(use):
                raise Unauthorized(f"{use.tool} was not run", why="it was declined")
        if self._authorization != authorization:
            raise Unauthorized(f"{use.tool} was not run", why="what it was authorized for has ended")
