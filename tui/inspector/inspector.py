"""The inspector: plan, changes and usage of the current conversation, at the right of it."""

from __future__ import annotations

from time import time
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from tui.inspector.changes import Row, change_rows
from tui.inspector.diff import FileDiff, files_of
from tui.inspector.facts import Facts
from tui.inspector.git import Tree, TreeFile
from tui.inspector.lines import Line, drawn
from tui.inspector.plan import plan_lines
from tui.inspector.usage import usage_lines
from tui.keymap import Keyed
from tui.widgets.key_chips import TellsKeys

SECTIONS = ("plan", "changes", "usage")


class SectionBar(Widget):
    """The names of the sections; a click goes to one."""

    class Chosen(Message):
        def __init__(self, section: str) -> None:
            super().__init__()
            self.section = section

    shown = SECTIONS[0]

    def render(self) -> Content:
        return Content("   ").join(
            Content.styled(
                name.capitalize(), "bold underline $accent" if name == self.shown else "$foreground 70%"
            )
            for name in SECTIONS
        )

    def on_click(self, event: events.Click) -> None:
        left = 0
        for name in SECTIONS:
            if left <= event.x < left + len(name):
                self.post_message(self.Chosen(name))
            left += len(name) + 3


class Wrapped(Static):
    """Lines, wrapped anew as the width changes."""

    def __init__(self) -> None:
        super().__init__(markup=False)
        self._lines: list[Line] = []

    def show(self, lines: list[Line]) -> None:
        if lines != self._lines:
            self._lines = lines
            self._draw()

    def on_resize(self) -> None:
        self._draw()

    def _draw(self) -> None:
        self.update(drawn(self._lines, max(1, self.size.width)))


class Inspector(TellsKeys, Keyed, Vertical):
    """`show` has it say something; Enter on a file asks for its diff (`Opened`)."""

    PART = "inspector"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "section(-1)", "Section before", show=False),
        Binding("right", "section(1)", "Next section", show=False),
        Binding("r", "read_again", "Read again"),
    ]

    class Opened(Message):
        """The diffs of this turn from one on, or a file of the working tree, are wanted."""

        def __init__(self, turn: tuple[FileDiff, ...], tree: Tree | None, file: TreeFile | None) -> None:
            super().__init__()
            self.turn = turn
            self.tree = tree
            self.file = file

    class SectionShown(Message):
        """Another section is looked at."""

    class ReadAgain(Message):
        """The working tree is to be read again."""

    def __init__(self) -> None:
        super().__init__(id="inspector")
        self.section = SECTIONS[0]
        self._bar = SectionBar()
        self._text = Wrapped()
        self._scroll = VerticalScroll(self._text)
        self._list = OptionList(compact=True)
        self._facts: Facts | None = None
        self._branch = ""
        self._diff = ""
        self._turn: tuple[FileDiff, ...] = ()
        self._rows: list[Row] = []

    def compose(self) -> ComposeResult:
        yield self._bar
        yield self._scroll
        yield self._list

    def on_mount(self) -> None:
        self._show_section()

    @property
    def body(self) -> Widget:
        """What is scrolled or gone through now."""
        return self._list if self.section == "changes" else self._scroll

    def show(self, facts: Facts, branch: str) -> None:
        """What is known now."""
        self._facts, self._branch = facts, branch
        self._fill()

    def go(self, section: str) -> None:
        """Look at a section."""
        focused = self.has_focus_within
        self.section = section
        self._show_section()
        if focused:
            self.body.focus()
        self.post_message(self.SectionShown())

    def key_words(self, action: str) -> str | None:
        changes = self.section == "changes"
        match action:
            case "section(-1)" | "section(1)" | "scroll_left" | "scroll_right":
                return "Sections"  # Nothing scrolls sideways here: the key goes on to the sections.
            case "select":
                return "Diff" if changes and self._list.highlighted is not None else ""
            case "read_again":
                return None if changes else ""
            case "scroll_up" | "scroll_down" if self._scroll.max_scroll_y > 0:
                return "Scroll"
            case _:
                return None

    def action_section(self, step: int) -> None:
        self.go(SECTIONS[(SECTIONS.index(self.section) + step) % len(SECTIONS)])

    def action_read_again(self) -> None:
        self.post_message(self.ReadAgain())

    def on_section_bar_chosen(self, event: SectionBar.Chosen) -> None:
        event.stop()
        self.go(event.section)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        where, _, number = (event.option_id or "").partition(":")
        seen = self._facts.seen if self._facts is not None else None
        if where == "turn":
            index = int(number)
            self.post_message(self.Opened((*self._turn[index:], *self._turn[:index]), None, None))
        elif where == "tree" and seen is not None and seen.tree is not None:
            self.post_message(self.Opened((), seen.tree, seen.tree.files[int(number)]))

    def _show_section(self) -> None:
        self._bar.shown = self.section
        self._bar.refresh()
        self._list.display = self.section == "changes"
        self._scroll.display = self.section != "changes"
        self._scroll.scroll_home(animate=False)
        if self.is_attached:
            self.refresh_bindings()
        self._fill()

    def _fill(self) -> None:
        if self._facts is None:
            return
        match self.section:
            case "plan":
                self._text.show(list(plan_lines(self._facts.plan)))
            case "usage":
                self._text.show(list(usage_lines(self._facts, time())))
            case _:
                self._fill_changes(self._facts)

    def _fill_changes(self, facts: Facts) -> None:
        diff = facts.diff.diff if facts.diff is not None else ""
        if diff != self._diff:
            self._diff, self._turn = diff, tuple(files_of(diff))
        rows = list(change_rows(self._turn, facts.seen, self._branch))
        if rows == self._rows:
            return
        self._rows = rows
        marked = self._list.highlighted
        scroll = self._list.scroll_y
        self._list.clear_options()
        self._list.add_options(Option(row.content, id=row.id or None, disabled=not row.id) for row in rows)
        places = [place for place, row in enumerate(rows) if row.id]
        kept = [place for place in places if marked is not None and place >= marked]
        self._list.highlighted = (
            next(iter(kept), places[-1] if places else None) if marked else next(iter(places), None)
        )
        self._list.scroll_to(y=scroll, animate=False)
