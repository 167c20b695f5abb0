"""The composer: where a message is written, and where it stays until the engine has it on disk."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static, TextArea

from tui.transcript import safe
from tui.widgets.writing import Outgoing, Writing

SHOWN_AFTER = 0.25
"""Seconds after which a message that is not taken yet is shown as waiting."""

_UNSEEN = dict.fromkeys(
    (0x061C, 0x200B, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2060, 0x206A), 0xFEFF), "▯"
)
"""Characters that reorder or hide text: drawn as a box, sent as they are."""


class MessageInput(TextArea):
    """The text area. Whatever gets into it, nothing in it can steer the terminal."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "send", "Send"),
        Binding("ctrl+j,shift+enter,alt+enter", "newline", "New line"),
        Binding("up", "up", "Earlier message", show=False),
        Binding("down", "down", "Later message", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
        Binding("pagedown", "page(1)", "Page down", show=False),
        Binding("ctrl+d", "delete_or_quit", "Delete, or quit when empty", show=False),
    ]

    class Sent(Message):
        """Enter was pressed."""

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

    last_key: events.Key | None = None
    """The key that came here last: one that a screen sees and that is not this one, never came here."""

    def on_key(self, event: events.Key) -> None:
        self.last_key = event
        if event.key == "enter":
            event.prevent_default()

    def load_text(self, text: str) -> None:
        super().load_text(safe.copyable(text))

    def get_line(self, line_index: int) -> Text:
        return Text(self.document.get_line(line_index).translate(_UNSEEN), end="", no_wrap=True)

    async def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()
        self.put(event.text)

    def action_paste(self) -> None:
        self.put(self.app.clipboard)

    def put(self, text: str) -> None:
        """Insert text in place of what is selected, without the controls in it."""
        if result := self._replace_via_keyboard(safe.copyable(text), *self.selection):
            self.move_cursor(result.end_location)

    def action_send(self) -> None:
        self.post_message(self.Sent())

    def action_newline(self) -> None:
        self.put("\n")

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

    async def action_delete_or_quit(self) -> None:
        if self.text:
            self.action_delete_right()
        else:
            await self.run_action("screen.quit")


class Composer(Vertical):
    """Shows one `Writing` at a time. `waits` says why messages are not taken now, "" where they are."""

    class Submitted(Message):
        """A message is to be handed to the engine; answer with `taken` or `refused`."""

        def __init__(self, writing: Writing, message: Outgoing) -> None:
            super().__init__()
            self.writing = writing
            self.message = message

    class Edited(Message):
        """The draft of `writing` is another."""

        def __init__(self, writing: Writing) -> None:
            super().__init__()
            self.writing = writing

    def __init__(self, writing: Writing, *, widget_id: str) -> None:
        super().__init__(id=widget_id)
        self._writing = writing
        self._input = MessageInput(writing.text, compact=True, highlight_cursor_line=False)
        self._outgoing = Static(id="outgoing", markup=False)
        self.waits = ""

    @property
    def input(self) -> MessageInput:
        return self._input

    @property
    def writing(self) -> Writing:
        return self._writing

    def compose(self) -> ComposeResult:
        self._outgoing.display = False
        yield self._outgoing
        yield self._input

    def focus_input(self) -> None:
        self._input.focus()

    def show(self, writing: Writing) -> None:
        """Go on with another conversation's writing."""
        self._writing = writing
        self._load()
        self._show_outgoing()

    def say(self, hint: str) -> None:
        """What Enter will do; shown while nothing is written."""
        self._input.placeholder = Content(hint)

    def taken(self, writing: Writing, key: str) -> None:
        """The engine has a message on disk."""
        writing.taken(key)
        self._show_outgoing()
        self.post_message(self.Edited(writing))

    def refused(self, writing: Writing, key: str) -> None:
        """The engine could not take a message: it is in the text again."""
        writing.refused(key)
        if writing is self._writing:
            self._load()
            self._show_outgoing()
        self.post_message(self.Edited(writing))

    def put(self, text: str) -> None:
        """Insert text where the cursor is."""
        self._input.put(text)

    def submit(self) -> None:
        """Make a message of what is written, as Enter does."""
        self._writing.text = self._input.text
        message = self._writing.submit()
        if message is None:
            return
        self._load()
        if self.waits:
            self._show_outgoing()
        else:
            self.set_timer(SHOWN_AFTER, self._show_outgoing)
        self.post_message(self.Submitted(self._writing, message))

    def on_message_input_sent(self, event: MessageInput.Sent) -> None:
        event.stop()
        self.submit()

    def on_message_input_recalled(self, event: MessageInput.Recalled) -> None:
        event.stop()
        self._writing.text = self._input.text
        text = self._writing.recall(event.step)
        if text is not None:
            self._writing.text = text
            self._load()

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        event.stop()
        if self._writing.text != self._input.text:
            self._writing.text = self._input.text
            self.post_message(self.Edited(self._writing))

    def _load(self) -> None:
        if self._input.text != self._writing.text:
            self._input.text = self._writing.text
            self._input.move_cursor(self._input.document.end)

    def _show_outgoing(self) -> None:
        messages = self._writing.outgoing
        self._outgoing.display = bool(messages)
        why = f" · {self.waits}" if self.waits else ""
        lines = [f"⧗ {safe.line(message.text, 200)}{why}" for message in messages]
        self._outgoing.update(Content("\n".join(lines)))
