"""An app with a composer alone, and what it needs of an engine in memory."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.widgets import Static

from core.agent.lookups import FoundFile, Skill
from tests.tui.composing.fakes import FakeCatalogs
from tests.tui.host import Echo
from tui.composing.command_pane import CommandPane
from tui.composing.near import Near, near
from tui.desk import new_key
from tui.theme import STYLES, load_themes
from tui.widgets.composer import Composer
from tui.widgets.writing import Writing


class FakeSources:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.catalogs = FakeCatalogs()

    async def files(self, text: str) -> Sequence[FoundFile]:
        return await self.catalogs.files(self.folder, text)

    async def near(self) -> Sequence[Near]:
        return await near(self.folder)

    async def skills(self) -> Sequence[Skill]:
        return await self.catalogs.skills(self.folder)


class ComposerApp(App[None]):
    """At its bottom the composer, and above it the pane of a command."""

    ENABLE_COMMAND_PALETTE = False
    CSS_PATH: ClassVar = [STYLES / f"{name}.tcss" for name in ("app", "composer", "composing")]

    def __init__(self) -> None:
        super().__init__()
        self.sources = FakeSources(Path("/home/dev/harbour"))
        self.composer = Composer(Writing(new_key), widget_id="composer")
        self.composer.use(self.sources)
        self.pane = CommandPane()
        self.commanded: list[tuple[str, str]] = []

    def compose(self) -> ComposeResult:
        room = Static()
        room.styles.height = "1fr"
        yield room
        yield self.pane
        yield self.composer

    def on_mount(self) -> None:
        for theme in load_themes():
            self.register_theme(theme)
        self.theme = "quarterdeck-dark"
        self.composer.input.cursor_blink = False
        self.composer.focus_input()

    def on_composer_commanded(self, event: Composer.Commanded) -> None:
        self.commanded.append((event.name, event.argument))

    def on_echo(self, event: Echo) -> None:
        event.back.set()
