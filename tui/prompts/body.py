"""The part of a prompt that scrolls."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.errors import NoWidget
from textual.widget import Widget
from textual.widgets import Input

from tui.keymap import Keyed
from tui.prompts.going import go_on
from tui.widgets.key_chips import TellsKeys


class Body(TellsKeys, Keyed, VerticalScroll):
    """Nothing in it moves by itself or in leaps between two frames: what was scrolled past was on the screen."""

    PART = "text"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "scroll_up", "A row up", show=False),
        Binding("down", "scroll_down", "A row down", show=False),
        Binding("pageup", "page_up", "A page up", show=False),
        Binding("space,pagedown", "page_down", "A page down", show=False),
        Binding("home", "scroll_home", "To the beginning", show=False),
        Binding("end", "scroll_end", "To the end", show=False),
    ]

    def key_words(self, action: str) -> str | None:
        """What scrolls is said where something is out of view."""
        match action:
            case "scroll_up" | "scroll_down" if self.max_scroll_y > 0:
                return "Scroll"
            case "scroll_down" if self.query("Picker, Input"):
                return "To the fields"
            case _:
                return None

    def window(self) -> tuple[int, int, int] | None:
        """What the person sees of it: the first row, how many rows, and their width in cells.

        None where it is nowhere on the screen, or another screen lies over it.
        """
        if not self.is_attached or not self.screen.is_active:
            return None
        try:
            placed = self.screen.find_widget(self)
        except NoWidget:
            return None
        inner = self.scrollable_content_region
        visible = inner.intersection(placed.visible_region)
        if not visible:
            return None
        return round(self.scroll_y) + visible.y - inner.y, visible.height, inner.width

    def action_page_down(self) -> None:
        self.scroll_page_down(animate=False)
        self.call_after_refresh(self._type_nothing_unseen)

    def action_page_up(self) -> None:
        self.scroll_page_up(animate=False)
        self.call_after_refresh(self._type_nothing_unseen)

    def on_mouse_scroll_down(self) -> None:
        self.call_after_refresh(self._type_nothing_unseen)

    def on_mouse_scroll_up(self) -> None:
        self.call_after_refresh(self._type_nothing_unseen)

    def _type_nothing_unseen(self) -> None:
        """A field that was scrolled away is left."""
        field = self.screen.focused if self.is_attached else None
        if isinstance(field, Input) and self in field.ancestors and not self._shows(field):
            self.focus(scroll_visible=False)

    def _shows(self, widget: Widget) -> bool:
        return bool(widget.region.intersection(self.scrollable_content_region))

    def action_scroll_down(self) -> None:
        """As soon as what is filled in is in sight, the arrow goes on to it."""
        field = next(iter(self.query("Picker, Input")), None)
        if field is not None and self.has_focus and self._shows(field):
            go_on(self)
        else:
            self.scroll_relative(y=1, animate=False)

    def action_scroll_up(self) -> None:
        self.scroll_relative(y=-1, animate=False)

    def action_scroll_home(self) -> None:
        self.scroll_home(animate=False)

    def action_scroll_end(self) -> None:
        self.scroll_end(animate=False)
