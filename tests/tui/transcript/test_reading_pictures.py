"""Pictures of what a reader does: finding, the cursor, the menu. In the console's own colours."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from textual.app import ComposeResult
from textual.pilot import Pilot

from tests.tui.host import until
from tests.tui.transcript.app import TranscriptApp, document_of
from tests.tui.transcript.gallery import gallery
from tui.theme import load_themes
from tui.transcript.find_bar import FindBar, FindInput
from tui.transcript.view import TranscriptView

SIZES = pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
SnapCompare = Callable[..., bool]


class ReaderApp(TranscriptApp):
    """A transcript with the bar below it, as the console has them."""

    def compose(self) -> ComposeResult:
        yield from super().compose()
        self.bar = FindBar(widget_id="find")
        self.bar.display = False
        yield self.bar

    def on_mount(self) -> None:
        super().on_mount()
        for theme in load_themes():
            self.register_theme(theme)
        self.theme = "quarterdeck-dark"
        self.query_one(FindInput).cursor_blink = False

    def on_find_bar_wanted(self, event: FindBar.Wanted) -> None:
        self.view.find(event.needle)

    def on_find_bar_stepped(self, event: FindBar.Stepped) -> None:
        self.view.find_step(event.step)

    def on_transcript_view_found(self, event: TranscriptView.Found) -> None:
        self.bar.show(event.number, event.count, event.searched)


@SIZES
def test_finding(snap_compare: SnapCompare, size: tuple[int, int]) -> None:
    app = ReaderApp(document_of(gallery()))

    async def run(pilot: Pilot[None]) -> None:
        await pilot.press("home")
        app.bar.enter()
        await pilot.press(*"table")
        await until(pilot, lambda: app.bar.state == "1 of 32")
        await pilot.press("enter", "enter")
        await until(pilot, lambda: app.bar.state == "3 of 32")
        await pilot.pause()

    assert snap_compare(app, terminal_size=size, run_before=run)


@SIZES
def test_the_cursor_on_a_block_of_a_message(snap_compare: SnapCompare, size: tuple[int, int]) -> None:
    app = ReaderApp(document_of(gallery()))

    async def run(pilot: Pilot[None]) -> None:
        await pilot.press("home")
        app.view.cursor = app.view.document[5]  # type: ignore[index]
        await pilot.press(*["down"] * 12)

    assert snap_compare(app, terminal_size=size, run_before=run)


@SIZES
def test_the_menu_of_a_block(snap_compare: SnapCompare, size: tuple[int, int]) -> None:
    app = ReaderApp(document_of(gallery()))

    async def run(pilot: Pilot[None]) -> None:
        await pilot.press("home")
        app.view.cursor = app.view.document[3]  # type: ignore[index]
        await pilot.press("enter")
        await pilot.pause()

    assert snap_compare(app, terminal_size=size, run_before=run)
