"""Where the composer's completions and images come from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from core.agent.lookups import FoundFile, Skill
    from core.engine import Engine
    from tui.composing.near import Near


class Sources(Protocol):
    """Of the conversation that is written in."""

    @property
    def folder(self) -> Path: ...

    async def files(self, text: str) -> Sequence[FoundFile]:
        """Raises CodexError."""
        ...

    async def near(self) -> Sequence[Near]:
        """What is offered before anything is typed."""
        ...

    async def skills(self) -> Sequence[Skill]:
        """Raises CodexError."""
        ...


class EngineSources:
    """`folder` gives that of the current conversation."""

    def __init__(self, engine: Engine, folder: Callable[[], Path]) -> None:
        self._engine = engine
        self._folder = folder

    @property
    def folder(self) -> Path:
        return self._folder()

    async def files(self, text: str) -> Sequence[FoundFile]:
        return await self._engine.catalogs.files(self.folder, text)

    async def near(self) -> Sequence[Near]:
        from tui.composing.near import near

        return await near(self.folder)

    async def skills(self) -> Sequence[Skill]:
        return await self._engine.catalogs.skills(self.folder)
