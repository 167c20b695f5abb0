"""Settings on the console: they take effect as they are saved, and the colours can be tried out."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from core.errors import InvalidRequest, SettingsError
from tui.console.ability import Ability

if TYPE_CHECKING:
    from pathlib import Path

    from core.settings import Settings
    from tui.reload import Read, Reloader

SETTINGS = "settings"
STYLES = "styles"


class Configuring(Ability):
    """Owns what watches the files. `settings` are those in force."""

    settings: Settings | None = None
    key_problems: tuple[str, ...] = ()
    _reloader: Reloader | None = None
    _styles: tuple[tuple[str, int], ...] | None = None

    def opened(self) -> None:
        session = self.console.session
        assert session is not None
        if session.config is None:
            self.apply(session.settings)
            return
        from tui.reload import Reloader

        self._reloader = Reloader(session.config, self._reread)

    async def close(self) -> None:
        if self._reloader is not None:
            await self._reloader.close()

    @property
    def keys(self) -> dict[str, str]:
        """A person's own keys, as they stand in the file."""
        return self.settings.keys if self.settings is not None else {}

    def watch_again(self) -> None:
        """The file may be in a folder that was not there before."""
        if self._path is not None:
            self.console.run_worker(self._watch_again(self._path), group="reload", exclusive=True)

    async def _watch_again(self, path: Path) -> None:
        from tui.reload import Reloader

        await self.close()
        self._reloader = Reloader(path, self._reread)

    def _reread(self, read: Read) -> None:
        """What was saved takes effect; of what cannot be used, what held before holds."""
        notices = self.console.notices
        for theme in read.themes:
            self.console.app.register_theme(theme)
        notices.forget(SETTINGS)
        if read.settings is not None:
            self.apply(read.settings)
        for error in read.errors[:1]:
            notices.tell(f"{str(error).rstrip()} Until then all stays as it was.", "error", topic=SETTINGS)
        if self._styles not in (None, read.styles):
            self._read_styles()
        self._styles = read.styles

    def _read_styles(self) -> None:
        if problem := self.console.quarterdeck.read_styles():
            self.console.notices.tell(problem, "error", topic=STYLES)
        else:
            self.console.notices.forget(STYLES)

    def apply(self, settings: Settings) -> None:
        """Have these hold from now on, as far as they can without a new start."""
        self.settings = settings
        self._use_theme(settings.theme)
        self._use_keys(settings.keys)
        if self.console.session is not None:
            self.console.session.engine.use(settings)
        self.console.show_keys()
        self.console.settings_changed(settings)

    def _use_theme(self, name: str) -> None:
        if not self.console.quarterdeck.use_theme(name):
            self.console.notices.tell(f"There is no theme {name}; look for `theme` in config.toml", "warning")

    def _use_keys(self, entries: dict[str, str]) -> None:
        app, notices = self.console.quarterdeck, self.console.notices
        if not entries and not app.keys and not self.key_problems:
            return
        from tui.keymap import parse_keys
        from tui.screens.keys import PLACES

        keys, problems = parse_keys(entries, PLACES)
        self.key_problems = tuple(f"[keys] {problem.name}: {problem.why}." for problem in problems)
        app.use_keys(keys)
        self.console.show_own_keys()
        if self.key_problems:
            more = f" ({len(problems) - 1} more in the settings)" if len(problems) > 1 else ""
            notices.tell(self.key_problems[0] + more, "warning", topic="keys")
        else:
            notices.forget("keys")

    # Colours.

    async def switch_theme(self, name: str = "") -> None:
        """Put colours on and write them down. Without a name one is chosen: what is marked is put on at once.

        Raises InvalidRequest for a name that no theme has.
        """
        app = self.console.quarterdeck
        before = app.theme
        chosen: str | None = name or await self._chosen_theme()
        if chosen is None:
            app.use_theme(before)
        elif not app.use_theme(chosen):
            raise InvalidRequest(f"There is no theme {chosen}", todo="/theme shows those that there are.")
        elif self._path is None:
            self.console.notices.tell(f"The theme is {chosen} until you quit.")
        elif await self._set(self._path, ("theme",), chosen):
            self.console.notices.tell(f"The theme is {chosen}; {self._path} says so from now on.")

    async def _chosen_theme(self) -> str | None:
        from tui.screens.pick import PickScreen
        from tui.screens.themes import theme_picks

        app = self.console.quarterdeck
        picks = theme_picks(app.available_themes, self.settings.theme if self.settings else app.theme)
        return await app.push_screen_wait(PickScreen("Colours", picks, marked=app.use_theme))

    @property
    def _path(self) -> Path | None:
        """The file, where there is one to write."""
        return self.console.session.config if self.console.session is not None else None

    async def _set(self, path: Path, keys: tuple[str, ...], value: str) -> bool:
        """Write a setting, and have it hold; a failure is told. True where it worked."""
        from core.settings_file import write_setting

        try:
            settings = await asyncio.to_thread(write_setting, path, keys, value)
        except SettingsError as error:
            self.console.tell_error(error)
            return False
        self.apply(settings)
        return True
