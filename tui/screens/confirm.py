"""One question before something that is not undone by itself. Doing nothing is always the marked answer."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import ClassVar, NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from tui.screens.dialog import CLOSE, Dialog
from tui.transcript import safe

NO, YES = "no", "yes"
QUIET = 0.5
"""Seconds after which `y` counts."""


class Question(NamedTuple):
    """`lines` say what will be, each a paragraph; `no` and `yes` are whole answers."""

    title: str
    lines: Sequence[str]
    no: str
    yes: str


class ConfirmScreen(Dialog[bool]):
    """True only where the person said so: with `y`, or by moving to the other answer and taking it."""

    AUTO_FOCUS = "OptionList"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(False)", "Leave it as it is", id=CLOSE),
        Binding("y", "answer(True)", "Yes"),
        Binding("n", "answer(False)", "No"),
    ]

    def __init__(self, question: Question) -> None:
        super().__init__()
        self._question = question
        self._since = 0.0

    def compose(self) -> ComposeResult:
        with Vertical(id="confirm") as box:
            box.border_title = Content(safe.line(self._question.title, 70))
            with VerticalScroll(can_focus=False):
                for line in self._question.lines:
                    yield Static(Content(safe.line(line, 600)))
            yield OptionList(
                Option(Content(self._question.no), id=NO),
                Option(Content(self._question.yes), id=YES),
                compact=True,
            )

    def key_words(self, action: str) -> str | None:
        match action:
            case "select":
                return "Answer"
            case "cursor_up" | "cursor_down":
                return "Choose"
            case _:
                return super().key_words(action)

    def action_answer(self, yes: bool) -> None:
        """No yes by a letter that was on its way before the question could be read."""
        if not yes or monotonic() - self._since >= QUIET:
            self.dismiss(yes)

    def on_mount(self) -> None:
        self._since = monotonic()
        self.query_one(OptionList).highlighted = 0

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(event.option_id == YES)

    def on_click(self, event: events.Click) -> None:
        if event.widget is self:
            self.dismiss(False)
