"""A diff over the whole screen, drawn as the transcript draws one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from core.agent.items import Change, FileChange, Status
from tui.inspector.diff import FileDiff
from tui.screens.dialog import CLOSE, Dialog
from tui.transcript.document import Document
from tui.transcript.view import TranscriptView


class DiffScreen(Dialog[None]):
    """Closed with Escape."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", "Close", id=CLOSE)]

    def __init__(self, title: str, files: Sequence[FileDiff]) -> None:
        super().__init__()
        self._title = title
        self._files = files

    def compose(self) -> ComposeResult:
        yield Static(self._title, id="diff-title", markup=False)
        yield TranscriptView(id="diff")

    def on_mount(self) -> None:
        view = self.query_one(TranscriptView)
        document = Document()
        for number, file in enumerate(self._files):
            document.item_started(
                FileChange(id=f"diff-{number}", changes=(_change(file),), status=Status.DONE)
            )
        view.show(document)
        view.focus()
        self.call_after_refresh(view.scroll_home, animate=False)


def _change(file: FileDiff) -> Change:
    moved = file.moved_from is not None
    return Change(
        path=file.moved_from if moved and file.moved_from else file.path,
        verb=file.verb,
        diff=file.diff or "(nothing to show: a binary file, or only its name or mode is another)",
        move_path=file.path if moved else None,
    )
