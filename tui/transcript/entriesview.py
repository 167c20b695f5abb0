"""Where the cursor is: on an entry, or on one Markdown block of a message; folding, selecting, clicking."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.selection import Selection

from tui.keymap import Keyed
from tui.transcript import selection as selecting
from tui.transcript.painting import Mark
from tui.transcript.rows import FOLD, LINK
from tui.transcript.rowsview import RowsView

if TYPE_CHECKING:
    from tui.transcript.blocks import Parts
    from tui.transcript.entries import Entry
    from tui.transcript.flow import Flow
    from tui.transcript.markdown_rows import Part

RIGHT_BUTTON = 3

PART_ABOVE = 3
"""What is scrolled to has one part in so many of a page above it."""


class EntriesView(Keyed, RowsView, can_focus=True):
    """Adds a cursor to the rows: on an entry, or on one Markdown block of a message."""

    PART = "reading"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("space", "fold", "Fold")]

    class OpenLink(Message, namespace="transcript_view"):
        """A link was clicked. It is somebody else's text: ask before opening it."""

        def __init__(self, url: str) -> None:
            super().__init__()
            self.url = url

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self._cursor: Entry | None = None
        self._part: Part | None = None

    @property
    def cursor(self) -> Entry | None:
        """The entry that keys act on; None until there was one."""
        return self._cursor

    @cursor.setter
    def cursor(self, entry: Entry | None) -> None:
        self._put_cursor(entry)

    @property
    def marked(self) -> Mark | None:
        if not self.has_focus or self._cursor is None:
            return None
        part = self._part
        return Mark(self._cursor) if part is None else Mark(self._cursor, part.first, part.last)

    def parts_of(self, entry: Entry) -> Parts:
        """The Markdown blocks of an entry that is a message of several."""
        raise NotImplementedError

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

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        return (selecting.text(selection, self.flow), "\n") if self.flow is not None else None

    def action_fold(self) -> None:
        self.toggle()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Folding is offered where there is something to fold."""
        if action == "fold":
            return self.can_fold
        return super().check_action(action, parameters)

    @property
    def can_fold(self) -> bool:
        entry, flow = self._cursor, self.flow
        if entry is None or flow is None or not flow.holds(entry):
            return False
        return flow.rendered(flow.index(entry)).folded is not None

    def entry_at(self, y: int) -> Entry | None:
        """The entry at a line of the screen."""
        flow = self.flow
        if flow is None or not len(flow) or self.first_row + y >= flow.height:
            return None
        return flow.entry(flow.find(self.first_row + y)[0])

    def bring(self, entry: Entry, line: int, start: int = 0) -> None:
        """Have a character of an entry's logical line on the screen; if it is, nothing moves."""
        flow = self.flow
        if flow is None:
            return
        index = flow.index(entry)
        rows = flow.rendered(index).rows
        found = next(
            (
                number
                for number, row in enumerate(rows)
                if row.line > line or (row.line == line and start < row.start + max(1, row.length))
            ),
            len(rows) - 1,
        )
        row = flow.top(index) + found
        if not self.first_row <= row < self.first_row + self.page:
            flow.measure_above(row, self.page // PART_ABOVE)
            self.place(flow.top(index) + found - self.page // PART_ABOVE)

    def on_focus(self) -> None:
        """The cursor is where the reader looks."""
        if not self._in_view():
            self._put_cursor(self._at_edge(-1))

    def on_click(self, event: events.Click) -> None:
        entry = self.entry_at(event.y)
        flow = self.flow
        if event.chain > 1:
            event.stop()
            event.prevent_default()
        if entry is None or flow is None or self.text_selection is not None:
            return
        meta = event.style.meta
        self._put_cursor(entry, self._part_at(entry, event.y))
        if event.button == RIGHT_BUTTON or (event.chain == 2 and not meta):
            self.clicked_again()
        elif FOLD in meta:
            self.toggle(entry)
        elif LINK in meta:
            links = flow.rendered(flow.index(entry)).links
            self.post_message(self.OpenLink(links[meta[LINK]]))

    def clicked_again(self) -> None:
        """A block was clicked twice or with the right button; the cursor is on it. For subclasses."""

    def _put_cursor(self, entry: Entry | None, part: Part | None = None) -> None:
        self._cursor, self._part = entry, part
        self.refresh()
        self.refresh_bindings()

    def _current(self) -> Entry | None:
        """The cursor's entry, or the last one on the screen where that is gone or was never set."""
        flow = self.flow
        if flow is None or not len(flow):
            return None
        if self._cursor is not None and flow.holds(self._cursor):
            return self._cursor
        return self._at_edge(-1)

    def _at_edge(self, step: int) -> Entry | None:
        """The first entry on the screen for a step down, the last one for a step up."""
        return None if self.flow is None else self.entry_at(0 if step > 0 else self._last_line)

    @property
    def _last_line(self) -> int:
        """The last line of the screen that shows something."""
        height = self.flow.height if self.flow is not None else 0
        return max(0, min(self.page, height - self.first_row) - 1)

    def _extent(self, flow: Flow) -> tuple[int, int]:
        """The rows that the cursor is on, from and to; without the empty row after an entry."""
        assert self._cursor is not None
        index = flow.index(self._cursor)
        rows = flow.rendered(index).rows
        top = flow.top(index)
        if self._part is None:
            return top, top + len(rows) - 1
        inside = [
            number for number, row in enumerate(rows) if self._part.first <= row.line <= self._part.last
        ]
        return (top + inside[0], top + inside[-1] + 1) if inside else (top, top + len(rows) - 1)

    def _in_view(self) -> bool:
        if self.flow is None or self._cursor is None or not self.flow.holds(self._cursor):
            return False
        top, end = self._extent(self.flow)
        return top < self.first_row + self.page and end > self.first_row

    def _part_at(self, entry: Entry, y: int) -> Part | None:
        """The Markdown block at a line of the screen."""
        flow = self.flow
        if flow is None:
            return None
        rows = flow.rendered(flow.index(entry)).rows
        line = rows[min(flow.find(self.first_row + y)[1], len(rows) - 1)].line
        return next((part for part in self.parts_of(entry) if part.first <= line <= part.last), None)
