"""The composer: where a message is written, and where it stays until the engine has it on disk."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static, TextArea

from tui.composing.parts import is_big
from tui.transcript import safe
from tui.widgets import composer_hint
from tui.widgets.composer_input import MessageInput as MessageInput
from tui.widgets.writing import Outgoing, Writing

SHOWN_AFTER = 0.25
"""Seconds after which a message that is not taken yet is shown as waiting."""


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
        self._input = MessageInput(writing.text, writing.parts)
        self._input.send = self.submit
        self._input.queue = self.queue
        self._outgoing = Static(id="outgoing", markup=False)
        self._hint = Static(id="composer-hint", markup=False)
        self._running = False
        self._loads = 0
        self.waits = ""

    @property
    def input(self) -> MessageInput:
        return self._input

    @property
    def writing(self) -> Writing:
        return self._writing

    def compose(self) -> ComposeResult:
        self._outgoing.display = False
        self._input.pasted = self._take_in
        yield self._outgoing
        yield self._input
        yield self._hint

    def on_resize(self) -> None:
        self._show_hint()

    def focus_input(self) -> None:
        self._input.focus()

    def show(self, writing: Writing) -> None:
        """Go on with another conversation's writing."""
        if self._writing.text != self._input.text:
            self._writing.text = self._input.text
            self.post_message(self.Edited(self._writing))
        self._writing = writing
        self._input.parts = writing.parts
        self._load()
        self._show_outgoing()

    def say(self, hint: str, *, running: bool = False) -> None:
        """What Enter will do; shown while nothing is written. `running`: a turn runs, so that Tab queues."""
        self._input.placeholder = Content(hint)
        self._running = running
        self._show_hint()

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
        """Insert text where the cursor is, as if it was pasted."""
        self._input.paste(text)

    def take_back(self, text: str, images: tuple[str, ...]) -> None:
        """Insert a message that was sent from here, with its images."""
        if images:
            self._input.put(self._writing.returned(text, images))
        else:
            self.put(text)

    def submit(self, *, queue: bool = False) -> None:
        """Make a message of what is written, as Enter does; `queue`: to wait for the end of the turn."""
        self._writing.changed(self._read)
        message = self._writing.submit(queue=queue)
        if message is None:
            return
        self._load()
        if self.waits:
            self._show_outgoing()
        else:
            self.set_timer(SHOWN_AFTER, self._show_outgoing)
        self.post_message(self.Submitted(self._writing, message))

    def queue(self) -> None:
        """As Tab does: a message for after the turn; nothing where none runs."""
        if self._running:
            self.submit(queue=True)

    def on_message_input_recalled(self, event: MessageInput.Recalled) -> None:
        event.stop()
        self._writing.changed(self._read)
        text = self._writing.recall(event.step)
        if text is not None:
            self._writing.text = text
            self._load()

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        event.stop()
        if self._loads:
            self._loads -= 1
        else:
            self._writing.changed(self._read)
            self.post_message(self.Edited(self._writing))

    def on_text_area_selection_changed(self, event: TextArea.SelectionChanged) -> None:
        event.stop()
        if self._writing.parts:
            self._show_hint()

    def _take_in(self, text: str) -> str:
        """What is put in for a paste."""
        return self._writing.parts.paste(text) if is_big(text) else text

    def _load(self) -> None:
        if self._input.text != self._writing.text:
            self._loads += 1
            self._input.text = self._writing.text
            self._input.move_cursor(self._input.document.end)

    def _read(self) -> str:
        return self._input.text

    def _show_hint(self) -> None:
        words = composer_hint.RUNNING if self._running else composer_hint.IDLE
        if found := self._input.placeholder_at_cursor():
            (row, start), (_, end) = found
            image = self._writing.parts.expand(self._input.document.get_line(row)[start:end])[1]
            words = composer_hint.IMAGE if image else composer_hint.PLACEHOLDER
        self._hint.update(composer_hint.hint(words, self._hint.size.width))

    def _show_outgoing(self) -> None:
        messages = self._writing.outgoing
        self._outgoing.display = bool(messages)
        why = f" · {self.waits}" if self.waits else ""
        lines = [f"⧗ {safe.line(message.written, 200)}{why}" for message in messages]
        self._outgoing.update(Content("\n".join(lines)))
