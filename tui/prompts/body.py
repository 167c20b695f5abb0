"""The part of a prompt that scrolls."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType
from textual.containers import VerticalScroll


class Body(VerticalScroll):
    """Nothing in it moves by itself or in leaps between two frames: what was scrolled past was on the screen."""

    BINDINGS: ClassVar[list[BindingType]] = [("space", "page_down", "Scroll")]

    def action_page_down(self) -> None:
        self.scroll_page_down(animate=False)

    def action_page_up(self) -> None:
        self.scroll_page_up(animate=False)

    def action_scroll_down(self) -> None:
        """At the end the arrow goes on to what is filled in, where there is something."""
        if self.scroll_y >= self.max_scroll_y and self.query("Picker, Input"):
            self.screen.focus_next()
        self.scroll_relative(y=1, animate=False)

    def action_scroll_up(self) -> None:
        self.scroll_relative(y=-1, animate=False)

    def action_scroll_home(self) -> None:
        self.scroll_home(animate=False)

    def action_scroll_end(self) -> None:
        self.scroll_end(animate=False)
