"""What a writing person asks of the engine, in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

from core.agent.lookups import CommandOutput, FoundFile, ShellCommand, Skill
from core.agent.port import Sandbox
from core.errors import CodexError, QuarterdeckError
from core.rows import SaidRow


class FakeCatalogs:
    """`gate` holds back the answers for one text until it is set."""

    def __init__(self) -> None:
        self.paths: Sequence[str] = ()
        self.known: Sequence[Skill] = ()
        self.asked: list[str] = []
        self.fails: CodexError | None = None
        self.gates: dict[str, asyncio.Event] = {}

    async def files(self, folder: Path, text: str) -> tuple[FoundFile, ...]:
        self.asked.append(text)
        if gate := self.gates.get(text):
            await gate.wait()
        if self.fails is not None:
            raise self.fails
        return tuple(FoundFile(path) for path in self.paths if text.lower() in path.lower())

    async def skills(self, folder: Path) -> tuple[Skill, ...]:
        return tuple(self.known)


class FakeShell:
    """A command says what a test has it say, and ends when the test says so."""

    def __init__(self) -> None:
        self.commands: list[ShellCommand] = []
        self.stopped: list[ShellCommand] = []
        self.say: Callable[[CommandOutput], None] = lambda output: None
        self.end: asyncio.Future[int] | None = None

    def command(self, line: str, folder: Path, sandbox: str) -> ShellCommand:
        known = Sandbox(sandbox) if sandbox else None
        return ShellCommand(str(len(self.commands)), line, str(folder), known)

    async def run(
        self, command: ShellCommand, hear: Callable[[CommandOutput], None], conversation_id: str | None = None
    ) -> int:
        self.commands.append(command)
        self.say = hear
        self.end = asyncio.get_running_loop().create_future()
        return await self.end

    async def stop(self, command: ShellCommand) -> None:
        self.stopped.append(command)
        if self.end is not None and not self.end.done():
            self.end.set_result(137)


class FakeSaid:
    def __init__(self) -> None:
        self.rows: Sequence[SaidRow] = ()
        self.fails: QuarterdeckError | None = None

    async def find(self, text: str = "", folder: str | None = None, limit: int = 200) -> tuple[SaidRow, ...]:
        if self.fails is not None:
            raise self.fails
        here = (row for row in self.rows if folder in (None, row.path))
        return tuple(row for row in here if all(word in row.text for word in text.split()))[:limit]
