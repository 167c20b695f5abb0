"""The line for a message that goes to Codex with a refusal."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Static

from tui.widgets.text_line import TextLine


class SayLine(Horizontal):
    """Put up when it is wanted; Enter in it gives the message to the prompt (`Input.Submitted`)."""

    DEFAULT_CLASSES = "say"

    def __init__(self, message: str = "") -> None:
        """`message` is what was written already."""
        super().__init__()
        self.input = TextLine(message, placeholder="what Codex is to do instead, or why not")

    def compose(self) -> ComposeResult:
        yield Static("to Codex ")
        yield self.input

    def on_mount(self) -> None:
        """The person asked for it."""
        self.input.focus()
