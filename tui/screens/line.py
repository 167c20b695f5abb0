"""Asking for one line of text."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input

from tui.screens.dialog import CLOSE, Dialog
from tui.transcript import safe
from tui.widgets.text_line import TextLine


class LineScreen(Dialog[str | None]):
    """Gives the line, or None."""

    AUTO_FOCUS = "Input"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Close", id=CLOSE)]

    def __init__(self, title: str, text: str = "", hint: str = "") -> None:
        super().__init__()
        self._title = title
        self._text = text
        self._hint = hint

    def compose(self) -> ComposeResult:
        with Vertical(id="line") as box:
            box.border_title = Content(safe.line(self._title, 70))
            yield TextLine(safe.line(self._text, 1000), placeholder=self._hint, compact=True)

    def key_words(self, action: str) -> str | None:
        return "Take it" if action == "submit" else super().key_words(action)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.dismiss(event.value)

    def on_click(self, event: events.Click) -> None:
        if event.widget is self:
            self.dismiss(None)
