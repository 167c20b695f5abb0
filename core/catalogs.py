"""What can be chosen from while a message is written."""

from __future__ import annotations

from pathlib import Path

from core.agent.lookups import FoundFile, Lookups, Skill


class Catalogs:
    """Codex's own lists; nothing is kept here, Codex does that. Every method raises CodexError."""

    def __init__(self, lookups: Lookups) -> None:
        self._lookups = lookups

    async def files(self, folder: Path, text: str) -> tuple[FoundFile, ...]:
        """The files below a folder whose paths fit `text`, best first; not all of them where there are many."""
        return await self._lookups.files(str(folder), text)

    async def skills(self, folder: Path) -> tuple[Skill, ...]:
        """Those that Codex has in a folder."""
        return await self._lookups.skills(str(folder))
