"""Asking for one line of text: another title, a tag, the name of a file."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from tui.transcript import safe


class AskScreen(ModalScreen[str | None]):
    """Gives what was written, or None."""

    AUTO_FOCUS = "Input"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Close")]

    def __init__(self, title: str, words: str, value: str = "") -> None:
        super().__init__()
        self._title = title
        self._words = words
        self._value = value

    def compose(self) -> ComposeResult:
        with Vertical(id="ask") as box:
            box.border_title = self._title
            box.border_subtitle = "Enter takes it · Esc closes"
            yield Static(safe.block(self._words), markup=False)
            yield Input(self._value, compact=True, select_on_focus=True)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.dismiss(event.value)

    def on_click(self, event: events.Click) -> None:
        if event.widget is self:
            self.dismiss(None)


class TellScreen(ModalScreen[None]):
    """Shows a text that is scrolled through."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,q", "dismiss", "Close")]

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self._title = title
        self._text = text

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="tell") as box:
            box.border_title = self._title
            box.border_subtitle = "↑↓ scroll · Esc closes"
            yield Static(safe.block(self._text), markup=False)
