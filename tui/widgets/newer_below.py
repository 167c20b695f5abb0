"""Says that there is more below what is on the screen."""

from __future__ import annotations

from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from tui.widgets.key_names import key_shown


class NewerBelow(Widget):
    """One row under the transcript while its end is out of view."""

    class Clicked(Message):
        """Go to the end."""

    def __init__(self, *, widget_id: str) -> None:
        super().__init__(id=widget_id)
        self._count = 0

    def on_mount(self) -> None:
        self.display = False

    def show(self, count: int, *, at_end: bool = True) -> None:
        """`count` entries came since the end was last on the screen."""
        self._count = count
        self.display = not at_end
        self.refresh()

    def render(self) -> Content:
        key = key_shown(self.app, "newest", "ctrl+end")
        return Content(f"↓ {self._count} new · {key}" if self._count else f"↓ more below · {key}")

    def on_click(self) -> None:
        self.post_message(self.Clicked())
