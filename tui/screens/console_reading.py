"""Reading on the console: finding text in a conversation, and going to one of its boxes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.screens.console_around import ConsoleAround

if TYPE_CHECKING:
    from tui.desk import Desk
    from tui.screens.opening import Jump
    from tui.transcript.document import Document
    from tui.transcript.find_bar import FindBar
    from tui.transcript.view import TranscriptView


class ConsoleReading(ConsoleAround):
    """What the console does for a reader."""

    find_bar: FindBar | None = None
    """Made when something is first looked for."""

    async def action_find(self) -> None:
        """Find text in the conversation."""
        from tui.transcript.find_bar import FindBar

        if self.desk is None:
            return
        if self.find_bar is None:
            self.find_bar = FindBar(widget_id="find")
            await self.query_one("#stage").mount(self.find_bar)
        self.find_bar.enter()

    def on_find_bar_wanted(self, event: FindBar.Wanted) -> None:
        self.transcript.find(event.needle)

    def on_find_bar_stepped(self, event: FindBar.Stepped) -> None:
        self.transcript.find_step(event.step)

    def on_find_bar_closed(self) -> None:
        """Back to reading, at what was found."""
        self.transcript.stop_finding()
        if self.transcript.display:
            self.transcript.focus()
        else:
            self.composer.focus_input()

    def on_transcript_view_found(self, event: TranscriptView.Found) -> None:
        if self.find_bar is not None:
            self.find_bar.show(event.number, event.count, event.searched)

    def show_place(self) -> None:
        super().show_place()
        if self.find_bar is not None and self.find_bar.display:
            self.find_bar.look_again()

    # Older pages.

    def on_transcript_view_near_top(self, event: TranscriptView.NearTop) -> None:
        self._want_earlier(event.document)

    def on_transcript_view_older_wanted(self, event: TranscriptView.OlderWanted) -> None:
        self._want_earlier(event.document)

    def _want_earlier(self, document: Document) -> None:
        if self.desk is not None and self.desk.current.document is document:
            self.run_worker(self._read_earlier(self.desk), group="earlier")

    async def _read_earlier(self, desk: Desk) -> None:
        place = desk.current
        worked = await self.attempt(desk.earlier(place))
        if place is not desk.current:
            return
        self.transcript.document_changed()
        if not worked or place.complete:
            self.transcript.no_older()

    # Going to a box.

    def jump(self, jump: Jump) -> None:
        """To a conversation, and in it to a box where one is named."""
        if jump.box_id is None:
            self.go_to(jump.conversation_id)
        elif self.desk is not None:
            self.run_worker(
                self._go_to_box(self.desk, jump.conversation_id, jump.box_id), group="go", exclusive=True
            )

    async def _go_to_box(self, desk: Desk, conversation_id: str, box_id: int) -> None:
        if desk.current.id != conversation_id:
            await self._go(desk.open(conversation_id))
        if desk.current.id == conversation_id and await self.attempt(desk.reach(desk.current, box_id)):
            self.transcript.document_changed()
            self.transcript.focus()
            self.call_after_refresh(self.transcript.show_box, box_id)
