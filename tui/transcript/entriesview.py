"""What a reader does with single entries: go from one to the next, fold, copy, select, follow links."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.selection import Selection

from tui.transcript import selection as selecting
from tui.transcript.rows import FOLD, LINK
from tui.transcript.rowsview import RowsView

if TYPE_CHECKING:
    from tui.transcript.entries import Entry


class EntriesView(RowsView, can_focus=True):
    """Adds a cursor over entries to the rows."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "cursor(1)", "Next entry", show=False),
        Binding("k", "cursor(-1)", "Previous entry", show=False),
        Binding("enter", "fold", "Fold"),
        Binding("y", "copy", "Copy entry"),
    ]

    class OpenLink(Message, namespace="transcript_view"):
        """A link was clicked. It is somebody else's text: ask before opening it."""

        def __init__(self, url: str) -> None:
            super().__init__()
            self.url = url

    class Copied(Message, namespace="transcript_view"):
        """So many characters went to the clipboard."""

        def __init__(self, characters: int) -> None:
            super().__init__()
            self.characters = characters

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self._cursor: Entry | None = None

    @property
    def cursor(self) -> Entry | None:
        """The entry that keys act on; None until there was one."""
        return self._cursor

    @cursor.setter
    def cursor(self, entry: Entry | None) -> None:
        self._cursor = entry
        self.refresh()

    @property
    def marked(self) -> Entry | None:
        return self._cursor if self.has_focus else None

    def toggle(self, entry: Entry | None = None) -> None:
        """Fold or unfold an entry, the cursor's where none is given. Its first row stays where it is."""
        flow = self.flow
        entry = entry if entry is not None else self._current()
        if flow is None or entry is None:
            return
        index = flow.index(entry)
        folded = flow.rendered(index).folded
        if folded is None:
            return
        on_screen = max(0, flow.top(index) - self.first_row)
        flow.document.fold(entry, not folded)
        flow.redraw(entry)
        self.place(flow.top(index) - on_screen)

    def copy_entry(self, entry: Entry) -> None:
        """An entry's whole text to the clipboard."""
        from tui.transcript.copying import text_of

        self._copy(text_of(entry))

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        return (selecting.text(selection, self.flow), "\n") if self.flow is not None else None

    def action_cursor(self, step: int) -> None:
        """The next or the previous entry, brought into view."""
        flow = self.flow
        if flow is None or not len(flow):
            return
        current = self._current()
        index = flow.index(current) if current is not None else 0
        if current is self._cursor:
            index = min(max(0, index + step), len(flow) - 1)
        self.cursor = flow.entry(index)
        self.reveal(index)

    def action_fold(self) -> None:
        self.toggle()

    def action_copy(self) -> None:
        """What is selected, else the cursor's entry."""
        chosen = self.text_selection
        if chosen is not None and self.flow is not None:
            self._copy(selecting.text(chosen, self.flow))
        elif (entry := self._current()) is not None:
            self.copy_entry(entry)

    def reveal(self, index: int) -> None:
        """Scroll as little as needed to have an entry on the screen, its beginning if it is too high."""
        flow = self.flow
        if flow is None:
            return
        height = len(flow.rendered(index).rows) - 1
        top = flow.top(index)
        if top < self.first_row or height >= self.page:
            self.place(top)
        elif top + height > self.first_row + self.page:
            flow.measure_above(top, self.page)
            self.place(flow.top(index) + height - self.page)

    def entry_at(self, y: int) -> Entry | None:
        """The entry at a line of the screen."""
        flow = self.flow
        if flow is None or not len(flow) or self.first_row + y >= flow.height:
            return None
        return flow.entry(flow.find(self.first_row + y)[0])

    def on_click(self, event: events.Click) -> None:
        entry = self.entry_at(event.y)
        flow = self.flow
        if entry is None or flow is None or self.text_selection is not None:
            return
        meta = event.style.meta
        self.cursor = entry
        if FOLD in meta:
            self.toggle(entry)
        elif LINK in meta:
            links = flow.rendered(flow.index(entry)).links
            self.post_message(self.OpenLink(links[meta[LINK]]))

    def _current(self) -> Entry | None:
        """The cursor's entry, or the last one on the screen where that is gone or was never set."""
        flow = self.flow
        if flow is None or not len(flow):
            return None
        if self._cursor is not None and flow.holds(self._cursor):
            return self._cursor
        return flow.entry(flow.find(self.first_row + self.page - 1)[0])

    def _copy(self, text: str) -> None:
        self.app.copy_to_clipboard(text)
        self.post_message(self.Copied(len(text)))
