"""A page to read: a few sections with lines, each a name and what is said of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from tui.screens.dialog import CLOSE_PAGE, Dialog
from tui.transcript import cells, safe

NAME_WIDTH = 28


@dataclass(frozen=True, slots=True)
class Part:
    """`rows` are (name, words); `empty` is said where there are none."""

    title: str
    rows: Sequence[tuple[str, str]]
    empty: str = "None."


class PageScreen(Dialog[None]):
    """Closed with Escape or q. What stands in it may come from anybody."""

    AUTO_FOCUS = "#page"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "dismiss", "Close", id=CLOSE_PAGE)]

    def __init__(self, title: str, parts: Sequence[Part]) -> None:
        super().__init__()
        self._title = title
        self._parts = parts

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="page") as box:
            box.border_title = Content(safe.line(self._title, 70))
            for part in self._parts:
                yield Static(Content.styled(safe.line(part.title, 200), "bold $primary"), classes="title")
                yield from _rows(part)

    def on_click(self, event: events.Click) -> None:
        if event.widget is self:
            self.dismiss(None)


def _rows(part: Part) -> Iterator[Widget]:
    if not part.rows:
        yield Static(Content(safe.line(part.empty, 400)), classes="quiet")
    names = [safe.line(name, NAME_WIDTH) for name, _ in part.rows]
    width = max((cells.width_of(name) for name in names), default=0)
    for name, (_, words) in zip(names, part.rows, strict=True):
        shown = Static(Content(name), classes="name")
        shown.styles.width = width + 2
        yield Horizontal(shown, Static(Content(safe.line(words, 400))), classes="row")
