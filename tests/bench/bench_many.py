"""Fifty conversations at once on one real host: the engine's own CPU an event, against one conversation's."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from codex_cli_bin import bundled_codex_path

from core.conversation.feed import FeedEvent, LiveDelta, StateChanged
from core.conversation.info import Conversation
from core.demo.scratch import temporary_scratch
from core.engine import Engine, open_engine
from core.settings import HostSettings, Settings
from core.thread.boxes import ASSISTANT
from core.thread.state import Status
from tests.bench.figures import Figure, bench
from tests.support.watcher import Watcher

CONVERSATIONS = 50
WORDS = 200
TURNS = 10
ROUND_SECONDS = 120.0


@bench("engine.many")
async def many() -> Sequence[Figure]:
    async with temporary_scratch(record=False) as scratch:
        with tempfile.TemporaryDirectory(prefix="qd-bench-") as data:
            settings = Settings(
                data_dir=Path(data),
                host=HostSettings(codex=Path(bundled_codex_path()), codex_home=scratch.home),
            )
            engine = await open_engine(settings)
            try:
                watcher = Watcher(engine)
                await watcher.until(lambda: engine.host.phase.value == "ready")
                one = [await engine.create(scratch.project)]
                await _round(engine, watcher, one, "warm up")
                floor = [await _round(engine, watcher, one, f"one {turn}") for turn in range(TURNS)]
                several = [await engine.create(scratch.project) for _ in range(CONVERSATIONS)]
                await _round(engine, watcher, several, "begin", words=1)
                ours = await _round(engine, watcher, several, "all")
            finally:
                await engine.close()
    return [
        Figure(
            f"CPU an event: {CONVERSATIONS} conversations ÷ one",
            ours * 1e6,
            1.3,
            sorted(floor)[len(floor) // 2] * 1e6,
            unit="µs",
        )
    ]


async def _round(
    engine: Engine, watcher: Watcher, conversations: Sequence[Conversation], name: str, words: int = WORDS
) -> float:
    """One turn in each; the CPU seconds of this process for each delta. Fails where answers cross."""
    counted = 0
    left = {conversation.id for conversation in conversations}
    over = asyncio.Event()

    def hear(event: FeedEvent) -> None:
        nonlocal counted
        counted += isinstance(event, LiveDelta)
        if isinstance(event, StateChanged) and event.state.status is not Status.RUNNING:
            left.discard(event.conversation_id)
            if not left:
                over.set()

    watcher.events.clear()
    stop = engine.feed.listen(hear)
    began = time.process_time()
    for number, conversation in enumerate(conversations):
        await conversation.send(
            f"/stream {words}\n/say {name} {number}", f"{name}-{number}".replace(" ", "-")
        )
    async with asyncio.timeout(ROUND_SECONDS):
        await over.wait()
    spent = time.process_time() - began
    stop()
    for number, conversation in enumerate(conversations):
        said = [box.contents for box in watcher.boxes(conversation, ASSISTANT)]
        assert said[-1] == f"{name} {number}", f"answers crossed: {said[-1]!r} in conversation {number}"
        assert conversation.state.status is Status.IDLE
    return spent / counted
