"""A cursor over the entries and the Markdown blocks within messages; folding, selecting, clicking."""

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
    from tui.transcript.document import Changes, Document
    from tui.transcript.entries import Entry
    from tui.transcript.flow import Flow
    from tui.transcript.markdown_rows import Part

RIGHT_BUTTON = 3

PART_ABOVE = 3
"""What is scrolled to has one part in so many of a page above it."""


class EntriesView(Keyed, RowsView, can_focus=True):
    """Adds a cursor to the rows: on an entry, or on one Markdown block of a message."""

    PART = "reading"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "block(-1)", "Block above", show=False),
        Binding("down", "block(1)", "Block below", show=False),
        Binding("k", "entry(-1)", "Entry above", show=False),
        Binding("j", "entry(1)", "Entry below", show=False),
        Binding("left_square_bracket,alt+pageup", "prompt(-1)", "Prompt above", show=False),
        Binding("right_square_bracket,alt+pagedown", "prompt(1)", "Prompt below", show=False),
        Binding("shift+up", "scroll_up", "A row up", show=False),
        Binding("shift+down", "scroll_down", "A row down", show=False),
        Binding("space", "fold", "Fold"),
    ]

    class OpenLink(Message, namespace="transcript_view"):
        """A link was clicked. It is somebody else's text: ask before opening it."""

        def __init__(self, url: str) -> None:
            super().__init__()
            self.url = url

    class OlderWanted(Message, namespace="transcript_view"):
        """The page before the oldest entry is wanted now: prepend it, or call `no_older`."""

        def __init__(self, document: Document) -> None:
            super().__init__()
            self.document = document

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self._cursor: Entry | None = None
        self._part: Part | None = None
        self._seeks_prompt = False

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

    def came(self, changes: Changes) -> None:
        """The document changed and is laid out."""
        if changes.prepended and self._seeks_prompt:
            self.action_prompt(-1)

    def no_older(self) -> None:
        """There is nothing before the oldest entry, or it cannot be read."""
        self._seeks_prompt = False

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

    def action_block(self, step: int) -> None:
        """To the next block, or the previous one; first through what of this one is out of view."""
        current = self._current()
        if current is None:
            return
        if current is not self._cursor or not self._in_view():
            self._put_cursor(self._at_edge(step))
            return
        parts = self.parts_of(current)
        part = _index(parts, self._part) + step
        if self._part is None and step > 0 and parts:
            self._go_to(current, parts[0])
        elif self._scrolled_within(step):
            return
        elif 0 <= part < len(parts):
            self._go_to(current, parts[part])
        elif part == -1 and step < 0:
            self._go_to(current)
        else:
            self._go_by(step, last_part=step < 0)

    def action_entry(self, step: int) -> None:
        """To the next entry or the previous one."""
        current = self._current()
        if current is not None and current is self._cursor:
            self._go_by(step)
        elif current is not None:
            self._go_to(current)

    def action_prompt(self, step: int) -> None:
        """To the next message of a person or the previous one, in older pages too."""
        flow = self.flow
        current = self._current()
        self._seeks_prompt = False
        if flow is None or current is None:
            return
        index = flow.index(current) + step
        while 0 <= index < len(flow):
            if flow.entry(index).is_prompt:
                self._put_cursor(flow.entry(index))
                self.place(flow.top(index))
                return
            index += step
        if step < 0 and flow.document.first_box_id > 1:
            self._seeks_prompt = True
            self.post_message(self.OlderWanted(flow.document))
        elif step > 0:
            self.show_end()

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

    def _go_to(self, entry: Entry, part: Part | None = None) -> None:
        """Put the cursor there and scroll as little as needed to see it, or its beginning."""
        flow = self.flow
        if flow is None:
            return
        self._put_cursor(entry, part)
        top, end = self._extent(flow)
        if top < self.first_row or end - top >= self.page:
            self.place(top)
        elif end > self.first_row + self.page:
            offset = top - flow.top(flow.index(entry))
            flow.measure_above(top, self.page)
            self.place(flow.top(flow.index(entry)) + offset + end - top - self.page)

    def _go_by(self, step: int, *, last_part: bool = False) -> None:
        """To the entry beside the cursor's."""
        flow, current = self.flow, self._current()
        if flow is None or current is None:
            return
        index = flow.index(current) + step
        if index >= len(flow):
            self.show_end()
        elif index >= 0:
            entry = flow.entry(index)
            parts = self.parts_of(entry) if last_part else ()
            self._go_to(entry, parts[-1] if parts else None)

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

    def _scrolled_within(self, step: int) -> bool:
        """Scroll on within what the cursor is on, where some of it is out of view in that direction."""
        assert self.flow is not None
        top, end = self._extent(self.flow)
        hidden = end - self.first_row - self.page if step > 0 else self.first_row - top
        if hidden > 0:
            self.scroll_rows(step * min(hidden, max(1, self.page // 2)))
        return hidden > 0

    def _part_at(self, entry: Entry, y: int) -> Part | None:
        """The Markdown block at a line of the screen."""
        flow = self.flow
        if flow is None:
            return None
        rows = flow.rendered(flow.index(entry)).rows
        line = rows[min(flow.find(self.first_row + y)[1], len(rows) - 1)].line
        return next((part for part in self.parts_of(entry) if part.first <= line <= part.last), None)


def _index(parts: Parts, part: Part | None) -> int:
    """Which of the parts it is; -1 for all of them."""
    if part is None:
        return -1
    return next((index for index, one in enumerate(parts) if one.last >= part.first), len(parts) - 1)
