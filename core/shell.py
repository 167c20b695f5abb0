"""Commands that a person runs herself, in the sandbox of a conversation and outside of its thread."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from core.agent.lookups import CommandOutput, Lookups, ShellCommand
from core.agent.port import Sandbox


class Shell:
    """Nobody is asked: that she types it is the decision. The sandbox holds for it as for Codex."""

    def __init__(self, lookups: Lookups) -> None:
        self._lookups = lookups

    def command(self, line: str, folder: Path, sandbox: str) -> ShellCommand:
        """A run to be; `sandbox` as `Selected.sandbox` says it, "" leaves it to Codex's own settings."""
        known = Sandbox(sandbox) if sandbox in tuple(Sandbox) else None
        return ShellCommand(os.urandom(8).hex(), line, str(folder), known)

    async def run(self, command: ShellCommand, hear: Callable[[CommandOutput], None]) -> int:
        """Run it to its end; its exit code. `hear` gets what it says, as it says it. Raises CodexError."""
        return await self._lookups.run(command, hear)

    async def stop(self, command: ShellCommand) -> None:
        """End it. Raises CodexError."""
        await self._lookups.stop(command.id)
