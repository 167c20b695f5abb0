"""What the agent looks up or runs for a person who is writing, outside of any thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from core.agent.port import Sandbox


@dataclass(frozen=True, slots=True)
class FoundFile:
    """`path` is relative to the folder that was searched."""

    path: str
    folder: bool = False


@dataclass(frozen=True, slots=True)
class Skill:
    """`scope`: user, repo, system, admin. `path` is its SKILL.md."""

    name: str
    description: str
    path: str
    scope: str


@dataclass(frozen=True, slots=True)
class ShellCommand:
    """A command line for the shell of the user whom the host runs as.

    `id` names the run, so that it can be stopped. `sandbox` None leaves it to Codex's own settings.
    """

    id: str
    line: str
    cwd: str
    sandbox: Sandbox | None = None


@dataclass(frozen=True, slots=True)
class CommandOutput:
    """What a command said. `cut`: it says more than is passed on, and nothing of that comes."""

    text: str
    cut: bool = False


class Lookups(Protocol):
    """Every method raises CodexError as those of `Agent` do."""

    async def files(self, folder: str, text: str) -> tuple[FoundFile, ...]:
        """The files whose paths fit `text`, best first."""
        ...

    async def skills(self, folder: str) -> tuple[Skill, ...]:
        """Those that are switched on in a folder."""
        ...

    async def run(self, command: ShellCommand, hear: Callable[[CommandOutput], None]) -> int:
        """Run it to its end; its exit code. It ends with the connection. There is no time-out."""
        ...

    async def stop(self, command_id: str) -> None:
        """End a command that runs; nothing to do where it is over."""
        ...
