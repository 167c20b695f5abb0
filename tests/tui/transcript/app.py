"""A small app around one transcript, with its stylesheet and one of Textual's own themes."""

from __future__ import annotations

from pathlib import Path

from textual.app import App, ComposeResult
from textual.message import Message
from textual.pilot import Pilot

from core.thread.boxes import ChatBox
from tui.transcript.document import Document
from tui.transcript.view import TranscriptView

STYLES = Path(__file__).parents[3] / "styles" / "transcript.tcss"


class StillView(TranscriptView):
    """Draws nothing ahead: the scroll bar depends only on what was looked at."""

    PREFETCH = False


class TranscriptApp(App[None]):
    """`document` is shown from the start; `heard` collects the view's messages."""

    CSS_PATH = STYLES
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, document: Document | None = None) -> None:
        super().__init__()
        self.shown = document
        self.heard: list[Message] = []

    def compose(self) -> ComposeResult:
        yield StillView()

    def on_mount(self) -> None:
        self.theme = "textual-dark"
        self.view.focus()
        self.view.show(self.shown)

    @property
    def view(self) -> TranscriptView:
        return self.query_one(TranscriptView)

    def on_transcript_view_at_end_changed(self, event: TranscriptView.AtEndChanged) -> None:
        self.heard.append(event)

    def on_transcript_view_near_top(self, event: TranscriptView.NearTop) -> None:
        self.heard.append(event)

    def on_transcript_view_open_link(self, event: TranscriptView.OpenLink) -> None:
        self.heard.append(event)

    def on_transcript_view_copied(self, event: TranscriptView.Copied) -> None:
        self.heard.append(event)

    def on_transcript_view_found(self, event: TranscriptView.Found) -> None:
        self.heard.append(event)

    def on_transcript_view_older_wanted(self, event: TranscriptView.OlderWanted) -> None:
        self.heard.append(event)

    def screen_lines(self) -> list[str]:
        """What the view shows, a string a row."""
        return [strip.text.rstrip() for strip in self.view.render_lines(self.view.size.region)]


def document_of(boxes: list[ChatBox]) -> Document:
    document = Document()
    document.add_boxes(boxes)
    return document


async def changed(app: TranscriptApp, pilot: Pilot[None]) -> None:
    """Have the document's change drawn now, however recent the last one was."""
    app.view._next_flush = 0
    app.view.document_changed()
    await pilot.pause()
