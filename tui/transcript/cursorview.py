"""How the cursor goes: by blocks, by entries, from prompt to prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message

from tui.transcript.entriesview import EntriesView

if TYPE_CHECKING:
    from tui.transcript.blocks import Parts
    from tui.transcript.changes import Changes
    from tui.transcript.document import Document
    from tui.transcript.entries import Entry
    from tui.transcript.markdown_rows import Part


class CursorView(EntriesView):
    """Adds the keys that move the cursor."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "block(-1)", "Block above", show=False),
        Binding("down", "block(1)", "Block below", show=False),
        Binding("k", "entry(-1)", "Entry above", show=False),
        Binding("j", "entry(1)", "Entry below", show=False),
        Binding("left_square_bracket,alt+pageup", "prompt(-1)", "Prompt above", show=False),
        Binding("right_square_bracket,alt+pagedown", "prompt(1)", "Prompt below", show=False),
        Binding("shift+up", "scroll_up", "A row up", show=False),
        Binding("shift+down", "scroll_down", "A row down", show=False),
    ]

    class OlderWanted(Message, namespace="transcript_view"):
        """The page before the oldest entry is wanted now: prepend it, or call `no_older`."""

        def __init__(self, document: Document) -> None:
            super().__init__()
            self.document = document

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self._seeks_prompt = False

    def came(self, changes: Changes) -> None:
        """The document changed and is laid out."""
        if changes.prepended and self._seeks_prompt:
            self.action_prompt(-1)

    def no_older(self) -> None:
        """There is nothing before the oldest entry, or it cannot be read."""
        self._seeks_prompt = False

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

    def _scrolled_within(self, step: int) -> bool:
        """Scroll on within what the cursor is on, where some of it is out of view in that direction."""
        assert self.flow is not None
        top, end = self._extent(self.flow)
        hidden = end - self.first_row - self.page if step > 0 else self.first_row - top
        if hidden > 0:
            self.scroll_rows(step * min(hidden, max(1, self.page // 2)))
        return hidden > 0


def _index(parts: Parts, part: Part | None) -> int:
    """Which of the parts it is; -1 for all of them."""
    if part is None:
        return -1
    return next((index for index, one in enumerate(parts) if one.last >= part.first), len(parts) - 1)
