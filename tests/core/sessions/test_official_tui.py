"""The official TUI on the host that Quarterdeck uses: each sees what the other does."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.demo.scratch import Scratch
from core.engine import Engine
from core.thread.state import Status
from tests.core.sessions.conftest import Finder
from tests.support.terminal import Terminal
from tests.support.watcher import Watcher


@pytest.fixture
async def tui(
    engine: Engine, finder: Finder, codex_binary: Path, scratch: Scratch
) -> AsyncIterator[Terminal]:
    """The official TUI, started when there is a host that it can attach to."""
    await finder.connected()
    kept = {name: value for name, value in scratch.env.items() if not name.startswith("XDG_")}
    env = {**kept, "HOME": str(scratch.folder)}
    with Terminal([str(codex_binary)], env, 120, 40, folder=scratch.project, answers=True) as terminal:
        yield terminal


async def _type(tui: Terminal, text: str) -> None:
    await asyncio.to_thread(tui.type, text)
    # Words may come one by one, with movements of the cursor between them.
    await asyncio.to_thread(tui.until, text.rpartition(" ")[2])
    await asyncio.to_thread(tui.type, "\r")


async def test_a_session_of_the_official_tui_is_found_and_both_go_on(
    engine: Engine, finder: Finder, tui: Terminal
) -> None:
    await asyncio.to_thread(tui.until, "for shortcuts")
    await _type(tui, " /say Portree is a harbour.")
    began = time.monotonic()
    match = await finder.one("portree harbour")
    assert time.monotonic() - began < 10
    conversation = await engine.open(await engine.sessions.open(match.entry.key))
    watcher = Watcher(engine)
    assert conversation.writer == ""
    await watcher.until(lambda: conversation.state.status is Status.IDLE)
    await conversation.send("/say Kyle is another.", "k1")
    await watcher.box(conversation, "assistant", "Kyle is another.")
    await asyncio.to_thread(tui.until, "another.")
    await _type(tui, " /say Ardvasar is the third.")
    await watcher.box(conversation, "assistant", "Ardvasar is the third.")
    assert (await finder.one("ardvasar")).entry.key == match.entry.key
