from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from pathlib import Path

import pytest

from core.knowledge.base import KnowledgeBase
from core.knowledge.documents import Visible
from core.store.store import Store

PATIENCE_S = 15.0
SEEN = Visible.to("c", "w")
CONVERSATION, WORKSPACE, AGENT = SEEN.owners


class Changes:
    """Hears of every change, and waits for one after which something holds."""

    def __init__(self) -> None:
        self.told = False
        self._event = asyncio.Event()

    def __call__(self) -> None:
        self.told = True
        self._event.set()

    async def until(self, holds: Callable[[], Awaitable[bool]]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while True:
                self._event.clear()
                if await holds():
                    return
                await self._event.wait()


@pytest.fixture
async def store(tmp_path: Path) -> AsyncGenerator[Store]:
    opened = await Store.open(tmp_path / "data" / "quarterdeck.sqlite3")
    yield opened
    await opened.close()


@pytest.fixture
def changes() -> Changes:
    return Changes()


@pytest.fixture
async def base(store: Store, changes: Changes) -> AsyncGenerator[KnowledgeBase]:
    """Started; the owners are those of the conversation `c` in the workspace `w`."""
    made = KnowledgeBase(store.knowledge, store.imports, changes)
    made.start()
    yield made
    await made.close()
