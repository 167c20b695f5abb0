"""The official TUI on the same host: what it waits for is decided here, and it goes on."""

from __future__ import annotations

import asyncio
from pathlib import Path

from core.demo.scratch import Scratch
from core.engine import Engine
from tests.support.terminal import Terminal
from tests.support.watcher import Watcher

TYPED = "ze''bra"
DRAWN = "zebra"
"""What a shell makes of it: what was typed does not have it."""


async def test_what_the_official_tui_waits_for_is_decided_here_and_it_goes_on(
    engine: Engine, watcher: Watcher, scratch: Scratch, codex_binary: Path
) -> None:
    await watcher.until(lambda: engine.host.phase.value == "ready" or None)
    env = {name: value for name, value in scratch.env.items() if not name.startswith("XDG_")}
    env["HOME"] = str(scratch.folder)
    with Terminal([str(codex_binary)], env, 120, 40, folder=scratch.project, answers=True) as terminal:
        await asyncio.to_thread(terminal.until, "for shortcuts")
        terminal.type(f" /run! touch ../from-the-tui && echo {TYPED}")
        await asyncio.to_thread(terminal.until, TYPED)
        terminal.type("\r")
        drawing = asyncio.create_task(asyncio.to_thread(terminal.until, DRAWN))
        asked = await watcher.asked("command")
        assert "from-the-tui" in getattr(asked.request, "command", "")
        await watcher.choose(asked, "accept")
        settled = await watcher.outcome(asked)
        assert (settled.state.value, settled.decided_by) == ("delivered", "you")
        await watcher.until(lambda: (scratch.project.parent / "from-the-tui").exists() or None)
        await drawing
