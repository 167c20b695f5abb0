"""Agents on the real Codex and the scripted model; everything they start is ended with the test."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from core.agent.port import Approvals, Sandbox, ThreadSpec, TurnInput, TurnOptions
from core.codex.client import CodexAgent
from core.codex.options import HostOptions
from core.demo.scratch import Scratch
from tests.core.codex.heard import Heard


@pytest.fixture
def options(scratch: Scratch) -> HostOptions:
    """A host at the control socket of the test's own CODEX_HOME."""
    return HostOptions(codex_home=scratch.home, state_dir=scratch.home.parent / "state")


@pytest.fixture
def project(scratch: Scratch) -> Path:
    """The folder that threads work in."""
    return scratch.project


@dataclass(frozen=True, slots=True)
class Console:
    """An open agent, and what it told."""

    agent: CodexAgent
    heard: Heard
    project: Path

    async def thread(self, **more: Any) -> str:
        """A new thread in which commands outside the sandbox are asked about."""
        spec = ThreadSpec(
            cwd=str(self.project), sandbox=Sandbox.READ_ONLY, approvals=Approvals.ON_REQUEST, **more
        )
        return (await self.agent.start_thread(spec)).id

    async def say(self, thread_id: str, text: str, key: str = "key") -> str:
        """Start a turn; its id."""
        return await self.agent.start_turn(thread_id, TurnInput((text,), key), TurnOptions())


def freeze(pid: int) -> None:
    """Stop a host that a test's console started. It is a child of this process, so its stop can be awaited."""
    os.kill(pid, signal.SIGSTOP)
    _, status = os.waitpid(pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status)


OpenConsole = Callable[..., Awaitable[Console]]


@pytest.fixture
async def open_console(options: HostOptions, project: Path) -> AsyncIterator[OpenConsole]:
    """Opens consoles on the test's host; closes them at the end."""
    opened: list[CodexAgent] = []

    async def open_one(options: HostOptions = options) -> Console:
        agent, heard = CodexAgent(options), Heard()
        agent.listen(heard)
        opened.append(agent)
        await agent.open()
        return Console(agent, heard, project)

    yield open_one
    for agent in opened:
        await agent.close()


@pytest.fixture
async def console(open_console: OpenConsole) -> Console:
    return await open_console()
