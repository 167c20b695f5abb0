"""Reading on the console: finding text in a conversation, and going to one of its boxes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.console.ability import Ability

if TYPE_CHECKING:
    from tui.desk import Desk
    from tui.screens.opening import Jump
    from tui.transcript.document import Document
    from tui.transcript.find_bar import FindBar


class Reading(Ability):
    """What the console does for a reader."""

    find_bar: FindBar | None = None
    """Made when something is first looked for."""

    async def find(self) -> None:
        """Find text in the conversation."""
        from tui.transcript.find_bar import FindBar

        if self.desk is None:
            return
        if self.find_bar is None:
            self.find_bar = FindBar(widget_id="find")
            await self.console.query_one("#stage").mount(self.find_bar)
        self.find_bar.enter()

    def find_no_more(self) -> None:
        """Back to reading, at what was found."""
        transcript = self.console.transcript
        transcript.stop_finding()
        if transcript.display:
            transcript.focus()
        else:
            self.console.composer.focus_input()

    def show_found(self, number: int, count: int, searched: float) -> None:
        """How many places were found, and which of them is shown."""
        if self.find_bar is not None:
            self.find_bar.show(number, count, searched)

    def place_shown(self) -> None:
        if self.find_bar is not None and self.find_bar.display:
            self.find_bar.look_again()

    def want_earlier(self, document: Document) -> None:
        """Read an older page, where this is what is shown."""
        if self.desk is not None and self.desk.current.document is document:
            self.console.run_worker(self._read_earlier(self.desk), group="earlier")

    async def _read_earlier(self, desk: Desk) -> None:
        place = desk.current
        worked = await self.console.attempt(desk.earlier(place))
        if place is not desk.current:
            return
        self.console.transcript.document_changed()
        if not worked or place.complete:
            self.console.transcript.no_older()

    def jump(self, jump: Jump) -> None:
        """To a conversation, and in it to a box where one is named."""
        if jump.box_id is None:
            self.console.go_to(jump.conversation_id)
        elif self.desk is not None:
            going = self._go_to_box(self.desk, jump.conversation_id, jump.box_id)
            self.console.run_worker(going, group="go", exclusive=True)

    async def _go_to_box(self, desk: Desk, conversation_id: str, box_id: int) -> None:
        console = self.console
        if desk.current.id != conversation_id:
            await console.arrive(desk.open(conversation_id))
        if desk.current.id == conversation_id and await console.attempt(desk.reach(desk.current, box_id)):
            console.transcript.document_changed()
            console.transcript.focus()
            console.call_after_refresh(console.transcript.show_box, box_id)
