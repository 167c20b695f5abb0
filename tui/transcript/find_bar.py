"""The bar with which text is found: what is looked for, which hit is shown, and the keys that go on."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from tui.keymap import Keyed
from tui.transcript import safe
from tui.transcript.finding import MAX_NEEDLE
from tui.widgets.key_chips import TellsKeys
from tui.widgets.text_line import TextLine

PAUSE = 0.15
"""Seconds without a key after which what is written is looked for."""


class FindInput(Keyed, TextLine):
    """Where it is written what to find."""

    PART = "finding"
    WRITES = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,down", "step(1)", "Next"),
        Binding("shift+enter,up", "step(-1)", "Previous"),
        Binding("escape", "leave", "Close"),
    ]

    class Stepped(Message):
        """The next hit (1) or the previous one (-1) is wanted."""

        def __init__(self, step: int) -> None:
            super().__init__()
            self.step = step

    class Left(Message):
        """Escape was pressed."""

    def insert_text_at_cursor(self, text: str) -> None:
        super().insert_text_at_cursor(safe.copyable(text))

    def action_step(self, step: int) -> None:
        self.post_message(self.Stepped(step))

    def action_leave(self) -> None:
        self.post_message(self.Left())


class FindBar(TellsKeys, Horizontal):
    """One row. It says what a person wants; who owns it finds it and tells `show`."""

    class Wanted(Message):
        """Another text is to be found."""

        def __init__(self, needle: str) -> None:
            super().__init__()
            self.needle = needle

    class Stepped(Message):
        """To the next hit (1) or the previous one (-1)."""

        def __init__(self, step: int) -> None:
            super().__init__()
            self.step = step

    class Closed(Message):
        """Nothing is to be found any more."""

    def __init__(self, *, widget_id: str) -> None:
        super().__init__(id=widget_id)
        self._input = FindInput(placeholder="Find in this conversation", compact=True, max_length=MAX_NEEDLE)
        self._state = Static(id="find-state", markup=False)
        self._looked_for = ""
        self._count = 0

    def compose(self) -> ComposeResult:
        yield Static("⌕", id="find-glyph", markup=False)
        yield self._input
        yield self._state

    @property
    def needle(self) -> str:
        return self._input.value

    @property
    def state(self) -> str:
        """What it says about the search."""
        return str(self._state.content)

    def enter(self) -> None:
        """Take the focus, with what was looked for last selected."""
        self.display = True
        self._input.focus()
        self._input.select_all()
        self._look_for(self.needle)

    def look_again(self) -> None:
        """Another conversation is shown: the same is looked for there."""
        self._looked_for = ""
        self._look_for(self.needle)

    def show(self, number: int, count: int, searched: float) -> None:
        """How far it is: hit `number` of `count` is shown, so much (0 to 1) of the conversation was searched."""
        if not self.needle:
            words = ""
        elif count:
            words = f"{number:,} of {count:,}" if number else f"{count:,} found"
        else:
            words = "not found" if searched >= 1 else "nothing yet"
        if self.needle and searched < 1:
            words += f" · searched {searched:.0%}"
        if count != self._count:
            self._count = count
            self.refresh_bindings()
        self._state.set_class(bool(self.needle) and not count and searched >= 1, "-none")
        self._state.update(Content(words))

    def key_words(self, action: str) -> str | None:
        """Only where there are others to go to."""
        return "" if action.startswith("step") and (not self.needle or self._count < 2) else None

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self.set_timer(PAUSE, lambda: self._look_for(event.value))

    def on_find_input_stepped(self, event: FindInput.Stepped) -> None:
        event.stop()
        if self._looked_for != self.needle:
            self._look_for(self.needle)
        else:
            self.post_message(self.Stepped(event.step))

    def on_find_input_left(self, event: FindInput.Left) -> None:
        event.stop()
        self.display = False
        self._looked_for = ""
        self.post_message(self.Closed())

    def _look_for(self, needle: str) -> None:
        """Unless that was typed on, or looked for already."""
        if needle == self.needle and needle != self._looked_for and self.display:
            self._looked_for = needle
            self.post_message(self.Wanted(needle))
