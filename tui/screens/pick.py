"""Choosing one of a few named things: type to narrow the list, Enter takes the marked one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from tui.screens.dialog import CLOSE, Dialog
from tui.transcript import cells, safe
from tui.widgets.text_line import TextLine


@dataclass(frozen=True, slots=True)
class Pick:
    """`value` is what is given back. `current`: it holds now. `note` is why it may not be taken, if so."""

    value: str
    name: str
    words: str = ""
    current: bool = False
    group: str = ""
    note: str = ""


class PickScreen(Dialog[str | None]):
    """Gives the value, or None. `marked` hears what is marked as it moves, for a preview."""

    AUTO_FOCUS = "Input"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Close", id=CLOSE),
        Binding("up", "move(-1)", "Up", show=False, priority=True),
        Binding("down", "move(1)", "Down", show=False, priority=True),
        Binding("pageup", "move(-8)", "Page up", show=False, priority=True),
        Binding("pagedown", "move(8)", "Page down", show=False, priority=True),
    ]
    PART = "pick"
    WRITES = True
    URGENT = ("submit",)

    def __init__(
        self, title: str, picks: Sequence[Pick], *, marked: Callable[[str], object] | None = None
    ) -> None:
        super().__init__()
        self._title = title
        self._picks = tuple(picks)
        self._shown: tuple[Pick | None, ...] = ()
        """A row each; None for the name of a group. Nothing says that two have different values."""
        self._marked = marked
        self._list = OptionList(compact=True)
        self._words = Static(markup=False, id="pick-words")
        self._empty = Static("Nothing has that in its name. Take a letter back.", classes="quiet")

    def compose(self) -> ComposeResult:
        with Vertical(id="pick") as box:
            box.border_title = Content(safe.line(self._title, 70))
            yield TextLine(placeholder="Type to narrow the list", compact=True, select_on_focus=False)
            yield self._empty
            yield self._list
            yield self._words

    def key_words(self, action: str) -> str | None:
        match action:
            case "submit":
                return "Take it" if self._list.highlighted_option is not None else ""
            case "move(-1)" | "move(1)":
                return "Choose" if self._list.option_count > 1 else ""
            case _:
                return super().key_words(action)

    def on_mount(self) -> None:
        self._list.can_focus = False
        self._words.display = False
        self._fill("")

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._fill(event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if pick := self._pick_at(self._list.highlighted):
            self.dismiss(pick.value)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if pick := self._pick_at(event.option_index):
            self.dismiss(pick.value)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        pick = self._pick_at(event.option_index)
        self._tell_whole(pick)
        if self._marked is not None and pick is not None:
            self._marked(pick.value)

    def _pick_at(self, row: int | None) -> Pick | None:
        return self._shown[row] if row is not None and row < len(self._shown) else None

    def _tell_whole(self, pick: Pick | None) -> None:
        """What does not fit beside the name of the marked one stands below."""
        option = self._list.highlighted_option
        line = option.prompt if option is not None else ""
        room = self._list.scrollable_content_region.width - 1
        cut = isinstance(line, Content) and line.cell_length > room
        self._words.display = cut and pick is not None
        if pick is not None:
            self._words.update(Content(safe.line(" ".join(part for part in (pick.words, pick.note) if part))))

    def on_click(self, event: events.Click) -> None:
        if event.widget is self:
            self.dismiss(None)

    def action_move(self, step: int) -> None:
        """Move the mark; the focus stays where one types."""
        ids = [index for index, option in enumerate(self._list.options) if not option.disabled]
        if not ids:
            return
        now = self._list.highlighted
        place = ids.index(now) if now in ids else -1
        self._list.highlighted = ids[min(max(place + step, 0), len(ids) - 1)]

    def _fill(self, typed: str) -> None:
        words = typed.lower().split()
        found = [pick for pick in self._picks if all(word in _searched(pick) for word in words)]
        width = max((cells.width_of(safe.line(pick.name, 40)) for pick in found), default=0)
        options: list[Option] = []
        shown: list[Pick | None] = []
        group = ""
        for pick in found:
            if pick.group != group:
                group = pick.group
                options.append(Option(Content.styled(group, "bold $primary"), disabled=True))
                shown.append(None)
            options.append(Option(_line(pick, width)))
            shown.append(pick)
        self._shown = tuple(shown)
        self._list.clear_options()
        self._list.add_options(options)
        self._empty.display = not found
        places = [row for row, pick in enumerate(shown) if pick is not None]
        at = next((row for row, pick in enumerate(shown) if pick is not None and pick.current), None)
        self._list.highlighted = at if at is not None and not words else next(iter(places), None)
        self.refresh_bindings()


def _searched(pick: Pick) -> str:
    return f"{pick.name} {pick.words} {pick.group}".lower()


def _line(pick: Pick, width: int) -> Content:
    name = safe.line(pick.name, 40)
    pad = " " * (width - cells.width_of(name))
    note = (f"  {safe.line(pick.note)}", "$warning") if pick.note else ""
    return Content.assemble(
        ("● " if pick.current else "  ", "$accent"),
        (name + pad, "bold" if pick.current else ""),
        (f"  {safe.line(pick.words)}" if pick.words else "", "$foreground 60%"),
        note,
    )
