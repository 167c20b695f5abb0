"""One of a few values, in a line: ← and → (or a click) go through them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Generic, TypeVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

Value = TypeVar("Value")


class Cycle(Widget, Generic[Value], can_focus=True):
    """`values`: what can be taken, each with its words (harmless ones)."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", "Before", show=False),
        Binding("right,space", "step(1)", "Next"),
    ]

    class Changed(Message):
        """Another value is taken."""

    def __init__(
        self, values: Sequence[tuple[Value, str]], current: Value | None = None, *, widget_id: str
    ) -> None:
        super().__init__(id=widget_id)
        self._values = tuple(values)
        found = [place for place, (value, _) in enumerate(self._values) if value == current]
        self._at = found[0] if found else 0

    @property
    def value(self) -> Value:
        return self._values[self._at][0]

    def render(self) -> Content:
        return Content.assemble(("‹ ", "$accent"), self._values[self._at][1], (" ›", "$accent"))

    def action_step(self, step: int) -> None:
        self._at = (self._at + step) % len(self._values)
        self.refresh(layout=True)
        self.post_message(self.Changed())

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.action_step(1)
