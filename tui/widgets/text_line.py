"""A line of text, as every field of the console is one."""

from __future__ import annotations

from typing import Any

from rich.highlighter import Highlighter
from rich.text import Text
from textual.geometry import Size
from textual.reactive import Reactive
from textual.widgets import Input

from tui.transcript import safe
from tui.widgets.ordered_keys import OrderedKeys


class TextLine(OrderedKeys, Input):
    """An `Input` that takes the keys of a burst in their order, and lays out the screen for none of them.

    What is put into it may come from anybody: it is shown harmless, and stays as it is.
    """

    virtual_size: Reactive[Size] = Reactive(Size(0, 0), layout=False)

    def __init__(self, value: str | None = None, **options: Any) -> None:
        super().__init__(value, highlighter=_Harmless(), **options)


class _Harmless(Highlighter):
    def __call__(self, text: str | Text) -> Text:
        shown = safe.in_place(text.plain if isinstance(text, Text) else text)
        return Text(shown, no_wrap=True, overflow="ignore", end="")

    def highlight(self, text: Text) -> None:
        """There is nothing to colour."""
