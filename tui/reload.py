"""Files that take effect as they are saved: config.toml, the themes beside it, and, where Quarterdeck is
developed, the styles.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from textual.theme import Theme

from core.errors import SettingsError
from core.knowledge.watching import watching
from core.settings import Settings, load_settings
from tui.theme import STYLES, own_themes

log = logging.getLogger(__name__)

THEMES = "themes"
"""The folder of a person's themes, beside config.toml."""


@dataclass(frozen=True, slots=True)
class Read:
    """What is saved now. `settings` None: the file cannot be used, as `errors` say; what held before holds."""

    settings: Settings | None
    themes: tuple[Theme, ...]
    errors: tuple[SettingsError, ...]
    styles: tuple[tuple[str, int], ...]
    """The sheets with the times of their last change; empty where they are not watched."""

    @property
    def news(self) -> tuple[object, ...]:
        """What has to be another to be told."""
        return self.settings, self.themes, tuple(map(str, self.errors)), self.styles


def read_files(config: Path, *, styles: bool) -> Read:
    """Read everything. Blocks."""
    themes, errors = own_themes(config.parent / THEMES)
    settings: Settings | None = None
    try:
        settings = load_settings(config)
    except SettingsError as error:
        errors = (error, *errors)
    times = _times() if styles else ()
    return Read(settings, themes, errors, times)


def developed() -> bool:
    """Whether the styles are those of a clone, and not of an installed package."""
    return (STYLES.parent / "pyproject.toml").exists()


class Reloader:
    """Owns the task that watches. `tell` is called on the event loop, at first and when something is another."""

    def __init__(self, config: Path, tell: Callable[[Read], None]) -> None:
        self._config = config
        self._tell = tell
        self._styles = developed()
        self._last: Read | None = None
        self._task = asyncio.create_task(self._run(), name="reload")

    async def close(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            folders = [str(folder) for folder in self._folders() if folder.is_dir()]
            if not folders:
                await self._read()
                return
            try:
                async with watching(folders, list(map(Path, folders)), asyncio.Event()) as changed:
                    await self._read()
                    while await changed():
                        await self._read()
            except OSError as error:
                log.info("settings and styles are not watched: %s", error)
                return

    def _folders(self) -> tuple[Path, ...]:
        own = (self._config.parent, self._config.parent / THEMES)
        return (*own, STYLES) if self._styles else own

    async def _read(self) -> None:
        read = await asyncio.to_thread(read_files, self._config, styles=self._styles)
        if self._last is None or read.news != self._last.news:
            self._last = read
            self._tell(read)


def _times() -> tuple[tuple[str, int], ...]:
    found: list[tuple[str, int]] = []
    for path in sorted(STYLES.glob("*.tcss")):
        try:
            found.append((path.name, path.stat().st_mtime_ns))
        except FileNotFoundError:
            continue
    return tuple(found)
