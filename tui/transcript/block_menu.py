"""The menu of a block: a line for each thing that can be done with it, with the letter that does it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from tui.screens.dialog import CLOSE, Dialog
from tui.transcript import cells
from tui.widgets.key_names import key_name

if TYPE_CHECKING:
    from tui.transcript.blocks import Block

EDGE, KEYS = 2, 1
"""Rows of the frame, and of the bar at the bottom."""


@dataclass(frozen=True, slots=True)
class Choice:
    """`action` is one of the view; `key` does the same without the menu, "" for none."""

    words: str
    key: str
    action: str


FIXED: Mapping[str, str] = {
    "a": "copies the whole message in the menu of a block",
    "f": "forks in the menu of a block",
    "r": "goes back in the menu of a block",
}
"""Letters of the menu that have no key of their own outside it."""


def with_own_keys(choices: Iterable[Choice], own: Mapping[str, str]) -> tuple[Choice, ...]:
    """The choices under the keys that a person has for the same in the conversation."""
    named = ((one, own.get(f"reading_{one.action}")) for one in choices)
    return tuple(replace(one, key=keys.partition(",")[0]) if keys and one.key else one for one, keys in named)


def choices_for(block: Block, *, forks: bool, folded: bool | None) -> tuple[Choice, ...]:
    """What can be done with a block. `folded` None: there is nothing to fold."""
    found: list[Choice] = []
    threads = block.threads
    for number, thread in enumerate(threads):
        name = "Go to the sub-agent's conversation" if len(threads) == 1 else f"Go to sub-agent {thread[-8:]}"
        found.append(Choice(name, "g" if number == 0 else "", f"go({number})"))
    if block.picture is not None:
        found.append(Choice("Show the image", "o", "open"))
    found.append(Choice("Copy", "c", "copy"))
    found.append(Choice("Copy as Markdown", "m", "copy_markdown"))
    if block.part is not None:
        found.append(Choice("Copy the whole message", "a", "copy_all"))
    found.append(Choice("Quote in the message", "q", "quote"))
    if block.picture is None:
        found.append(Choice("Open all of it in the pager", "o", "open"))
        found.append(Choice("Open in the editor", "e", "edit"))
    if folded is not None:
        found.append(Choice("Show all of it" if folded else "Show less of it", "space", "fold"))
    if forks and block.box_id is not None:
        found.append(Choice("Fork from here", "f", "fork"))
        found.append(Choice("Revert to before this", "r", "revert"))
    return tuple(found)


INDENT = 6
"""Columns from where its block begins."""


class BlockMenu(Dialog[Choice | None]):
    """Closes with what was chosen, or None. `row`: the row of the screen that it is about; `left`: where that begins."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", "Close", id=CLOSE)]

    def __init__(self, choices: Sequence[Choice], row: int, left: int = 0) -> None:
        super().__init__()
        self._choices = tuple(choices)
        self._row = row
        self._left = left

    def compose(self) -> ComposeResult:
        width = max(cells.width_of(choice.words) for choice in self._choices)
        options = OptionList(*(Option(_line(choice, width)) for choice in self._choices), compact=True)
        yield options

    def on_mount(self) -> None:
        self._put()

    def on_resize(self) -> None:
        self._put()

    def key_words(self, action: str) -> str | None:
        match action:
            case "select":
                return "Do it"
            case "cursor_up" | "cursor_down":
                return "Choose"
            case _:
                return super().key_words(action)

    def on_key(self, event: events.Key) -> None:
        for choice in self._choices:
            if choice.key and event.key == choice.key:
                event.stop()
                self.dismiss(choice)
                return

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(self._choices[event.option_index])

    def on_click(self, event: events.Click) -> None:
        """Beside the menu: away with it."""
        if event.widget is self:
            self.dismiss(None)

    def _put(self) -> None:
        """Below the row it is about; above it where there is no room."""
        height = len(self._choices) + EDGE
        below = self._row + 1
        room = self.app.size.height - KEYS - height
        top = below if below <= room else max(0, min(self._row - height, room))
        self.query_one(OptionList).styles.offset = (self._left + INDENT, top)


def _line(choice: Choice, width: int) -> Content:
    pad = " " * (width - cells.width_of(choice.words) + 3)
    return Content.assemble(choice.words, pad, (key_name(choice.key), "bold $accent"))
