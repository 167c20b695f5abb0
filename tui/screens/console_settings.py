"""Settings on the console: they take effect as they are saved, and the colours can be tried out."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from core.errors import SettingsError
from tui.screens.console_inspecting import ConsoleInspecting

if TYPE_CHECKING:
    from core.settings import Settings
    from tui.reload import Read, Reloader

SETTINGS = "settings"
STYLES = "styles"


class ConsoleSettings(ConsoleInspecting):
    """Owns what watches the files. `settings` are those in force."""

    settings: Settings | None = None
    key_problems: tuple[str, ...] = ()
    _reloader: Reloader | None = None
    _styles: tuple[tuple[str, int], ...] | None = None

    def opened(self) -> None:
        super().opened()
        assert self.session is not None
        if self.session.config is None:
            self.apply_settings(self.session.settings)
            return
        from tui.reload import Reloader

        self._reloader = Reloader(self.session.config, self._reread)

    async def close(self) -> str:
        if self._reloader is not None:
            await self._reloader.close()
        return await super().close()

    def watch_settings_again(self) -> None:
        """The file may be in a folder that was not there before."""
        if self.session is not None and self.session.config is not None:
            self.run_worker(self._watch_again(), group="reload", exclusive=True)

    async def _watch_again(self) -> None:
        from tui.reload import Reloader

        assert self.session is not None and self.session.config is not None
        if self._reloader is not None:
            await self._reloader.close()
        self._reloader = Reloader(self.session.config, self._reread)

    def _reread(self, read: Read) -> None:
        """What was saved takes effect; of what cannot be used, what held before holds."""
        for theme in read.themes:
            self.app.register_theme(theme)
        self.notices.forget(SETTINGS)
        if read.settings is not None:
            self.apply_settings(read.settings)
        for error in read.errors[:1]:
            self.notices.tell(
                f"{str(error).rstrip()} Until then all stays as it was.", "error", topic=SETTINGS
            )
        if self._styles not in (None, read.styles):
            self._read_styles()
        self._styles = read.styles

    def _read_styles(self) -> None:
        if problem := self.quarterdeck.read_styles():
            self.notices.tell(problem, "error", topic=STYLES)
        else:
            self.notices.forget(STYLES)

    def apply_settings(self, settings: Settings) -> None:
        """Have these hold from now on, as far as they can without a new start."""
        self.settings = settings
        self.use_theme(settings.theme)
        self._use_keys(settings.keys)
        if self.session is not None:
            self.session.engine.use(settings)
        self.show_keys()

    def _use_keys(self, entries: dict[str, str]) -> None:
        if not entries and not self.quarterdeck.keys and not self.key_problems:
            return
        from tui.keymap import parse_keys
        from tui.screens.keys import actions

        keys, problems = parse_keys(entries, actions())
        self.key_problems = tuple(f"[keys] {problem.name}: {problem.why}." for problem in problems)
        self.quarterdeck.use_keys(keys)
        self.show_own_keys()
        if self.key_problems:
            more = f" ({len(problems) - 1} more in the settings)" if len(problems) > 1 else ""
            self.notices.tell(self.key_problems[0] + more, "warning", topic="keys")
        else:
            self.notices.forget("keys")

    # Colours.

    async def switch_theme(self) -> None:
        """Choose the colours; what is marked is put on at once, and stays only if it is taken."""
        from tui.screens.pick import PickScreen
        from tui.screens.themes import theme_picks

        app = self.quarterdeck
        before = app.theme
        picks = theme_picks(app.available_themes, self.settings.theme if self.settings else before)
        value = await app.push_screen_wait(PickScreen("Colours", picks, marked=app.use_theme))
        if value is None:
            app.use_theme(before)
        else:
            await self.set_setting(("theme",), value)

    async def set_setting(self, keys: tuple[str, ...], value: str | None) -> None:
        """Write a setting, and have it hold. A failure is told."""
        from core.settings_file import write_setting

        if self.session is None or self.session.config is None:
            return
        try:
            settings = await asyncio.to_thread(write_setting, self.session.config, keys, value)
        except SettingsError as error:
            self.tell_error(error)
            return
        self.apply_settings(settings)
