"""An engine on the real Codex and the scripted model, and sessions that Codex's own program makes beside it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.conversation.feed import HostPhase
from core.demo.scratch import Scratch
from core.engine import Engine
from core.sessions.model import SessionMatch, SessionQuery, SessionsPage

PATIENCE = 20.0


@dataclass
class OfficialCodex:
    """`codex exec`, as a person runs it in another terminal."""

    binary: Path
    scratch: Scratch

    async def exec(self, prompt: str, *options: str) -> None:
        process = await asyncio.create_subprocess_exec(
            self.binary,
            "exec",
            "--skip-git-repo-check",
            *options,
            prompt,
            env=self.scratch.env,
            cwd=self.scratch.project,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        assert await asyncio.wait_for(process.wait(), PATIENCE) == 0


@pytest.fixture
def official(codex_binary: Path, scratch: Scratch) -> OfficialCodex:
    return OfficialCodex(codex_binary, scratch)


class Finder:
    """Searches again at each thing the feed tells, until what is wanted is found."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._news = asyncio.Event()
        engine.feed.listen(lambda _: self._news.set())

    async def until(self, found: Callable[[], Awaitable[bool]], seconds: float = PATIENCE) -> None:
        async with asyncio.timeout(seconds):
            while not await found():
                await self._news.wait()
                self._news.clear()

    async def connected(self) -> None:
        """Until there is a host. In a fresh CODEX_HOME two Codexes that begin at once get in each other's way."""

        async def there() -> bool:
            return self.engine.host.phase is HostPhase.READY

        await self.until(there)

    async def page(self, query: SessionQuery, count: int = 1, seconds: float = PATIENCE) -> SessionsPage:
        """The page once this many sessions are in it."""
        page = SessionsPage((), 0)

        async def enough() -> bool:
            nonlocal page
            page = await self.engine.sessions.search(query)
            return len(page.matches) >= count

        await self.until(enough, seconds)
        return page

    async def one(self, text: str, seconds: float = PATIENCE) -> SessionMatch:
        return (await self.page(SessionQuery(text=text), 1, seconds)).matches[0]


@pytest.fixture
def finder(engine: Engine) -> Finder:
    return Finder(engine)
