"""Tools of ours in named sets: what Codex is told of each, and what runs when it calls one."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.agent.port import ToolSpec
from core.errors import InvalidRequest

TOOL_SECONDS = 60.0

Progress = Callable[[str], Awaitable[None]]
Arguments = Mapping[str, Any]
"""A call's arguments, checked against the tool's schema."""

_NAME = re.compile(r"[A-Za-z0-9_-]{1,128}")
_MCP_PREFIX = "mcp__"
CODEX_TOOLS = frozenset(
    {
        "apply_patch",
        "close_agent",
        "container.exec",
        "create_goal",
        "exec_command",
        "followup_task",
        "get_goal",
        "image_generation",
        "list_agents",
        "list_mcp_resource_templates",
        "list_mcp_resources",
        "local_shell",
        "read_mcp_resource",
        "request_permissions",
        "request_plugin_install",
        "request_user_input",
        "resume_agent",
        "send_input",
        "send_message",
        "shell",
        "shell_command",
        "spawn_agent",
        "tool_search",
        "update_goal",
        "update_plan",
        "view_image",
        "wait",
        "wait_agent",
        "web_search",
        "write_stdin",
    }
)
"""Tools of Codex's own. A dynamic tool of the same name would take their place (PROTOCOL, Threads)."""


@dataclass(frozen=True, slots=True)
class ToolContext:
    """What a call knows of where it runs. `progress` shows a line in the conversation while it runs."""

    conversation_id: str
    workspace: Path
    progress: Progress


Function = Callable[[ToolContext, Arguments], Awaitable[str]]
"""What a tool does: its text is the result, and what it raises is the error, both told to the model.

It runs on the event loop, so it must not block; it is cancelled when its time is up or the conversation
goes away, and has to let that through.
"""


@dataclass(frozen=True, slots=True)
class Tool:
    """A function with a name, a description for the model, and the JSON schema of its arguments.

    `seconds` is how long a call may take; None for one that waits on a person.
    """

    name: str
    description: str
    schema: Mapping[str, Any]
    run: Function = field(repr=False)
    seconds: float | None = TOOL_SECONDS

    @property
    def spec(self) -> ToolSpec:
        """What Codex is told."""
        return ToolSpec(self.name, self.description, json.dumps(self.schema))


@dataclass(frozen=True, slots=True)
class Toolset:
    """Tools that come together. Raises InvalidRequest for tools that cannot be offered (`check_tools`)."""

    name: str
    tools: tuple[Tool, ...]

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise InvalidRequest(
                f"A toolset cannot be named {self.name!r}", why=_NAME_RULE, todo="Rename it."
            )
        check_tools(self.tools)


_NAME_RULE = "a name is 1 to 128 letters, digits, _ and -"


def check_tools(tools: Iterable[Tool]) -> None:
    """Raises InvalidRequest for tools that cannot be offered together.

    A name is malformed, used twice, or Codex's own; or a schema is not of a JSON object. Whether it is a
    valid schema is told by `core.tools.arguments.check_schema`.
    """
    names: set[str] = set()
    for tool in tools:
        why = _against_name(tool.name, names) or _against_schema(tool.schema)
        if why:
            raise InvalidRequest(f"The tool {tool.name!r} cannot be offered", why=why, todo="Change it.")
        names.add(tool.name)


def _against_name(name: str, taken: set[str]) -> str:
    if not _NAME.fullmatch(name):
        return _NAME_RULE
    if name in CODEX_TOOLS:
        return "Codex has a tool of that name"
    if name.startswith(_MCP_PREFIX):
        return f"names with {_MCP_PREFIX} are for tools of MCP servers"
    return "there are two of that name" if name in taken else ""


def _against_schema(schema: Mapping[str, Any]) -> str:
    if schema.get("type") != "object":
        return 'its schema has to be of a JSON object ("type": "object")'
    try:
        json.dumps(schema)
    except (TypeError, ValueError) as error:
        return f"its schema is not JSON: {error}"
    return ""
