"""One operation in a process of its own, which is killed at a step of it.

`python -m tests.core.operations.child DATA_DIR CODEX CODEX_HOME CONVERSATION OPERATION CALL WHEN`: around the
call of Codex's that the operation makes, `WHEN` is before or after.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from core.conversation.feed import HostPhase
from core.engine import Engine, open_engine
from core.settings import HostSettings, Settings
from tests.support.watcher import Watcher


def kill_around(owner: Any, method: str, when: str) -> None:
    wrapped: Callable[..., Awaitable[Any]] = getattr(owner, method)

    async def call(*args: Any, **named: Any) -> Any:
        if when == "after":
            await wrapped(*args, **named)
        os.kill(os.getpid(), signal.SIGKILL)

    setattr(owner, method, call)


async def operate(engine: Engine, conversation_id: str, operation: str) -> None:
    operations = engine.operations
    match operation:
        case "fork":
            await operations.fork(conversation_id)
        case "revert":
            await operations.revert(conversation_id, await operations.plan_revert(conversation_id, 3))
        case "archive":
            await operations.archive(conversation_id)
        case "delete":
            await operations.delete(conversation_id)
        case "rename":
            await operations.rename(conversation_id, "Another title")
        case _:
            raise ValueError(operation)


async def main(data_dir: str, codex: str, home: str, conversation_id: str, *what: str) -> None:
    operation, call, when = what
    host = HostSettings(codex=Path(codex), codex_home=Path(home))
    engine = await open_engine(Settings(data_dir=Path(data_dir), host=host))
    watcher = Watcher(engine)
    await watcher.until(lambda: engine.host.phase is HostPhase.READY)
    agent = engine._agent
    kill_around(agent.operations if hasattr(agent.operations, call) else agent, call, when)
    await operate(engine, conversation_id, operation)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
