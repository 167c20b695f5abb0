"""What was taken back out of a conversation, to be read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from core.thread.boxes import ChatBox
from tui.screens.dialog import CLOSE, Dialog
from tui.transcript.document import Document
from tui.transcript.view import TranscriptView


class TakenBackScreen(Dialog[None]):
    """Closed with Escape."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", "Close", id=CLOSE)]

    def __init__(self, boxes: Sequence[ChatBox]) -> None:
        super().__init__()
        self._boxes = boxes

    def compose(self) -> ComposeResult:
        yield Static("Taken back: Codex knows nothing of this", id="taken-title", markup=False)
        yield TranscriptView(id="taken")

    def on_mount(self) -> None:
        document = Document()
        document.add_boxes(self._boxes)
        view = self.query_one(TranscriptView)
        view.show(document)
        view.focus()
