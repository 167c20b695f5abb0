"""A text that is scrolled through."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from tui.screens.closing import OverlayScreen
from tui.transcript import safe


class TellScreen(OverlayScreen[None]):
    """Shows a text that is scrolled through."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,q", "dismiss", "Close")]

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self._title = title
        self._text = text

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="tell") as box:
            box.border_title = Content(safe.line(self._title, 70))
            box.border_subtitle = "↑↓ scroll · Esc closes"
            yield Static(safe.block(self._text), markup=False)
