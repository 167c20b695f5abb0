"""The text area of the composer. Whatever gets into it, nothing in it can steer the terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Offset
from textual.message import Message
from textual.widgets import TextArea
from textual.widgets.text_area import Edit, EditResult

from tui.composing.parts import Parts
from tui.keymap import Keyed
from tui.transcript import safe
from tui.widgets.ordered_keys import OrderedKeys

Location = tuple[int, int]


class MessageInput(Keyed, OrderedKeys, TextArea):  # pyright: ignore[reportIncompatibleMethodOverride]
    """`parts` are what its placeholders stand for: one of them is edited only as a whole.

    `takes` is asked before a key does anything here; True: the key was somebody else's. `pasted` gives what is
    put in for what was pasted.
    """

    PART = "composer"
    WRITES = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "send", "Send"),
        Binding("ctrl+j,shift+enter,alt+enter", "newline", "New line"),
        Binding("tab", "queue", "While a turn runs: queue for after it", show=False),
        Binding("alt+e", "expand", "Write a placeholder out", show=False),
        Binding("up", "up", "Earlier message", show=False),
        Binding("down", "down", "Later message", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
        Binding("pagedown", "page(1)", "Page down", show=False),
        Binding("ctrl+a", "line_begin", "To the beginning of the line", show=False),
        Binding("ctrl+e", "line_end", "To the end of the line", show=False),
        Binding("ctrl+u", "delete_to_begin", "Delete to the beginning of the line", show=False),
        Binding("ctrl+c", "copy_or_clear", "Copy what is selected, else clear the message", show=False),
        Binding("ctrl+d", "delete_or_quit", "Delete, or quit when empty", show=False),
    ]

    class Recalled(Message):
        """The arrow up (-1) or down (1) was pressed where there is no row to move to."""

        def __init__(self, step: int) -> None:
            super().__init__()
            self.step = step

    class Paged(Message):
        """The transcript is to be paged up (-1) or down (1)."""

        def __init__(self, step: int) -> None:
            super().__init__()
            self.step = step

    send: Callable[[], None]
    """What Enter does."""

    queue: Callable[[], None]
    """What Tab does."""

    clear_message: Callable[[], None]
    """What Ctrl+C does where something is written and nothing selected."""

    last_key: events.Key | None = None
    """The key that came here last: one that a screen sees and that is not this one, never came here."""

    def __init__(self, text: str, parts: Parts) -> None:
        super().__init__(text, compact=True, highlight_cursor_line=False)
        self.parts = parts
        self.takes: Callable[[str], bool] = lambda key: False
        self.pasted: Callable[[str], str] = lambda text: text

    def on_key(self, event: events.Key) -> None:
        self.last_key = event
        if self.takes(event.key):
            event.stop()
            event.prevent_default()

    def load_text(self, text: str) -> None:
        super().load_text(safe.copyable(text))

    def get_line(self, line_index: int) -> Text:
        line = self.document.get_line(line_index)
        text = Text(safe.in_place(line), end="", no_wrap=True)
        for start, end in self.parts.spans(line):
            text.stylize("reverse", start, end)
        return text

    def scroll_cursor_visible(self, center: bool = False, animate: bool = False) -> Offset:
        """While an edit is undone the cursor may still be where there is no line any more (Textual 8.2)."""
        if self.cursor_location[0] >= self.document.line_count:
            return Offset()
        return super().scroll_cursor_visible(center, animate)

    def edit(self, edit: Edit) -> EditResult:
        return super().edit(self._around_placeholders(edit) if self.parts else edit)

    async def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()
        self.paste(event.text)

    def action_paste(self) -> None:
        self.paste(self.app.clipboard)

    def paste(self, text: str) -> None:
        """Put in what was pasted, or what stands for it."""
        self.put(self.pasted(safe.copyable(text)))

    def put(self, text: str) -> None:
        """Insert text in place of what is selected, without the controls in it."""
        self.swap(text, *self.selection)

    def replace_all(self, text: str) -> None:
        """Another text, which can be undone."""
        self.swap(text, (0, 0), self.document.end)

    def swap(self, text: str, start: Location, end: Location) -> None:
        """Put text in place of what stands between two places, with the cursor behind it."""
        if result := self._replace_via_keyboard(safe.copyable(text), start, end):
            self.move_cursor(result.end_location)

    def placeholder_at_cursor(self) -> tuple[Location, Location] | None:
        """Where the placeholder begins and ends that the cursor touches."""
        row, column = self.cursor_location
        spans = self.parts.spans(self.document.get_line(row))
        touched = ((start, end) for start, end in spans if start <= column <= end)
        return next((((row, start), (row, end)) for start, end in touched), None)

    def action_send(self) -> None:
        """At once: what is typed next belongs to the next message."""
        self.send()

    def action_queue(self) -> None:
        self.queue()

    def action_newline(self) -> None:
        self.put("\n")

    def action_expand(self) -> None:
        """Put the text itself in place of the placeholder at the cursor."""
        found = self.placeholder_at_cursor()
        if found is None:
            return
        (row, start), (_, end) = found
        text, images = self.parts.expand(self.document.get_line(row)[start:end])
        if not images:
            self.swap(text, *found)

    def action_page(self, step: int) -> None:
        self.post_message(self.Paged(step))

    def action_up(self) -> None:
        if (
            self.cursor_at_first_line
            and self.wrapped_document.location_to_offset(self.cursor_location).y == 0
        ):
            self.post_message(self.Recalled(-1))
        self.action_cursor_up()

    def action_down(self) -> None:
        if self.cursor_at_last_line:
            self.post_message(self.Recalled(1))
        self.action_cursor_down()

    def action_line_begin(self) -> None:
        """Of the line that was written, however many rows it takes."""
        self.move_cursor((self.cursor_location[0], 0))

    def action_line_end(self) -> None:
        row = self.cursor_location[0]
        self.move_cursor((row, len(self.document.get_line(row))))

    def action_delete_to_begin(self) -> None:
        row, column = self.cursor_location
        self.swap("", (row, 0), (row, column))

    async def action_copy_or_clear(self) -> None:
        if self.selection.start != self.selection.end:
            self.action_copy()
        elif self.document.line_count > 1 or self.document.get_line(0):
            self.clear_message()
        else:
            await self.run_action("app.help_quit")

    async def action_delete_or_quit(self) -> None:
        if self.document.line_count > 1 or self.document.get_line(0):
            self.action_delete_right()
        else:
            await self.run_action("screen.quit")

    def _around_placeholders(self, edit: Edit) -> Edit:
        """The edit, wide enough to take the placeholders whole that it would cut."""
        start, end = sorted((edit.from_location, edit.to_location))
        if start == end:
            place = self._edge(start, after=True)
            return Edit(edit.text, place, place, edit.maintain_selection_offset)
        wide = self._edge(start, after=False), self._edge(end, after=True)
        return Edit(edit.text, *wide, edit.maintain_selection_offset)

    def _edge(self, location: Location, *, after: bool) -> Location:
        """Out of the placeholder that the location is within."""
        row, column = location
        for start, end in self.parts.spans(self.document.get_line(row)):
            if start < column < end:
                return row, end if after else start
        return location
