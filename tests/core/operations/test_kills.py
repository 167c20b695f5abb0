"""The console is killed within an operation: the next start finishes it, once."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from core.conversation.info import Conversation
from core.engine import Engine, open_engine
from core.settings import Settings
from core.thread.boxes import USER
from tests.core.operations.conftest import contents
from tests.support.watcher import Watcher

SECONDS = 60.0
THREE = ["/say one", "/say two", "/say three"]


@pytest.fixture
async def talk_id(settings: Settings, engine: Engine, talk: Conversation) -> str:
    """A conversation of three messages that no console has open."""
    await engine.close()
    return talk.id


async def _killed(settings: Settings, talk_id: str, operation: str, call: str, when: str) -> None:
    words = (settings.data_dir, settings.host.codex, settings.host.codex_home, talk_id, operation, call, when)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.core.operations.child", *map(str, words), cwd=Path.cwd()
    )
    async with asyncio.timeout(SECONDS):
        assert await process.wait() == -signal.SIGKILL


@asynccontextmanager
async def _next_start(settings: Settings) -> AsyncIterator[tuple[Engine, Watcher]]:
    """The next console, when nothing that was begun is left."""
    engine = await open_engine(settings)
    watcher = Watcher(engine)
    try:
        async with asyncio.timeout(SECONDS):
            while engine.host.phase.value != "ready" or await engine._store.operations.pending():
                await watcher.news()
        yield engine, watcher
    finally:
        await engine.close()


@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_copy_is_made_once(settings: Settings, talk_id: str, when: str) -> None:
    await _killed(settings, talk_id, "fork", "fork", when)
    async with _next_start(settings) as (engine, watcher):
        infos = await watcher.listed(2)
        (copy,) = (info for info in infos if info.forked_from == talk_id)
        calls = engine._agent.operations
        made = [await calls.read(thread_id) for thread_id in await calls.loaded()]
        assert [thread.id for thread in made if thread.forked_from_id] == [copy.thread_id]
        opened = await engine.open(copy.id)
        assert await contents(opened, USER) == THREE
        await opened.send("/say on", "k4")
        await watcher.settled(opened)
        assert await contents(opened, USER) == [*THREE, "/say on"]


@pytest.mark.parametrize("when", ["before", "after"])
async def test_going_back_is_finished_before_anything_else_goes_out(
    settings: Settings, talk_id: str, when: str
) -> None:
    await _killed(settings, talk_id, "revert", "revert", when)
    async with _next_start(settings) as (engine, watcher):
        conversation = await engine.open(talk_id)
        await conversation.send("/say instead", "k4")
        await watcher.settled(conversation)
        assert await contents(conversation, USER) == ["/say one", "/say instead"]
        thread_id = conversation.info.thread_id
        assert thread_id is not None
        items = (await engine._agent.items(thread_id)).entries
        said = [getattr(entry.item, "text", "") for entry in items if entry.item.kind == "user"]
        assert said == ["/say one", "/say instead"]


async def test_what_was_put_away_at_codex_is_put_away_here(settings: Settings, talk_id: str) -> None:
    await _killed(settings, talk_id, "archive", "archive", "after")
    async with _next_start(settings) as (engine, _):
        assert await engine.conversations() == ()
        assert [info.id for info in await engine.operations.archived()] == [talk_id]


async def test_what_was_deleted_at_codex_is_gone_here(settings: Settings, talk_id: str) -> None:
    await _killed(settings, talk_id, "delete", "delete", "after")
    async with _next_start(settings) as (engine, _):
        assert await engine.conversations() == ()
        assert await engine.operations.archived() == ()


async def test_a_title_that_codex_was_not_told_yet_is_told(settings: Settings, talk_id: str) -> None:
    await _killed(settings, talk_id, "rename", "rename", "before")
    async with _next_start(settings) as (engine, _):
        assert [thread.name for thread in (await engine._agent.threads()).entries] == ["Another title"]
        assert [info.title for info in await engine.conversations()] == ["Another title"]
