"""Commands that a person runs herself, in the sandbox of a conversation and outside of its thread."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path

from core.agent.lookups import CommandOutput, Lookups, ShellCommand
from core.agent.outcomes import CUT
from core.agent.port import Sandbox
from core.agent.requests import CommandApproval, RequestKey, dump_request
from core.conversation.unsettled import PERSON
from core.errors import CallRefused, CodexError
from core.rows import DecisionDraft
from core.store.ledger import Ledger

NOT_RUN = "not run"


class Shell:
    """Nobody is asked: that she types it is the decision, and it is in the ledger as hers. The sandbox holds for it as
    for Codex.
    """

    def __init__(self, lookups: Lookups, ledger: Ledger) -> None:
        self._lookups = lookups
        self._ledger = ledger

    def command(self, line: str, folder: Path, sandbox: str) -> ShellCommand:
        """A run to be; `sandbox` as `Selected.sandbox` says it, "" leaves it to Codex's own settings."""
        known = Sandbox(sandbox) if sandbox in tuple(Sandbox) else None
        return ShellCommand(os.urandom(8).hex(), line, str(folder), known)

    async def run(
        self, command: ShellCommand, hear: Callable[[CommandOutput], None], conversation_id: str | None = None
    ) -> int:
        """Run it to its end; its exit code. `hear` gets what it says, as it says it. Raises CodexError, StoreError.

        It is recorded before it starts; `conversation_id` is the one beside which it runs.
        """
        decision = await self._ledger.record(_decision(command, conversation_id))
        try:
            code = await self._lookups.run(command, hear)
        except CallRefused:
            await self._ledger.add_outcome(decision, NOT_RUN)
            raise
        except (CodexError, asyncio.CancelledError):
            await self._ledger.add_outcome(decision, CUT)
            raise
        await self._ledger.add_outcome(decision, f"exit {code}")
        return code

    async def stop(self, command: ShellCommand) -> None:
        """End it. Raises CodexError."""
        await self._lookups.stop(command.id)


def _decision(command: ShellCommand, conversation_id: str | None) -> DecisionDraft:
    """Written as a request of Codex's would be, so that it is read and found like one."""
    content = dump_request(
        CommandApproval(
            key=RequestKey(generation="", id=0),
            thread_id="",
            turn_id=None,
            item_id="",
            command=command.line,
            cwd=command.cwd,
            choices=(),
        )
    )
    return DecisionDraft(
        conversation_id=conversation_id,
        decided_by=PERSON,
        kind="command",
        content=content,
        content_hash=hashlib.sha256(content.encode()).hexdigest(),
        answer=json.dumps({"kind": "ran", "sandbox": command.sandbox or ""}),
    )
