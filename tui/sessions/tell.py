"""A text that is scrolled through."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from tui.screens.dialog import CLOSE_PAGE, Dialog
from tui.transcript import safe


class TellScreen(Dialog[None]):
    """Shows a text that is scrolled through."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,q", "dismiss", "Close", id=CLOSE_PAGE)]

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self._title = title
        self._text = text

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="tell") as box:
            box.border_title = Content(safe.line(self._title, 70))
            yield Static(safe.block(self._text), markup=False)
