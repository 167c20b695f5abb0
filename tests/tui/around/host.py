"""A bare app with Quarterdeck's styles: what lies over the console, without the console."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual.app import App, ComposeResult
from textual.screen import Screen
from textual.widget import Widget

from tui.app import SHEETS, QuarterdeckApp
from tui.theme import STYLES, load_themes


class BareApp(App[None]):
    """Shows one widget, or one screen over nothing."""

    ENABLE_COMMAND_PALETTE = False
    CSS_PATH = [STYLES / f"{name}.tcss" for name in SHEETS]  # noqa: RUF012

    def __init__(self, make: Callable[[], Widget | Screen[Any]], theme: str = "quarterdeck-dark") -> None:
        super().__init__()
        self._made = make()
        for one in load_themes():
            self.register_theme(one)
        QuarterdeckApp.use_theme(self, theme)  # type: ignore[arg-type] - all that it needs is Textual's

    def compose(self) -> ComposeResult:
        if not isinstance(self._made, Screen):
            yield self._made

    def on_mount(self) -> None:
        if isinstance(self._made, Screen):
            self.push_screen(self._made)
