"""A file of a workspace, read through Codex."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.agent.port import Agent, Sandbox
from core.conversation.workspace import Workspace
from core.errors import Unsupported

LARGEST_FILE = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class FileRead:
    """`text` None: it is not UTF-8 text."""

    relative: Path
    data: bytes
    text: str | None


async def read_file(agent: Agent, workspace: Workspace, path: Path) -> FileRead:
    """`path` is relative.

    Raises Unsupported without full access or for a file that is too large, InvalidRequest, NotFound, CodexError.
    """
    if workspace.policy.sandbox is not Sandbox.FULL_ACCESS:
        raise Unsupported(
            "Files are read only with full access to the workspace",
            why=f"its sandbox is {workspace.policy.sandbox or 'left to Codex'}",
        )
    relative, absolute = workspace.resolve(path)
    size = absolute.stat().st_size
    if size > LARGEST_FILE:
        raise Unsupported(f"{relative} is too large to read", why=f"it has {size:,} bytes")
    data = await agent.read_file(str(absolute))
    return FileRead(relative, data, _text_of(data))


def _text_of(data: bytes) -> str | None:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None
