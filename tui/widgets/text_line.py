"""A line of text, as every field of the console is one."""

from __future__ import annotations

from textual.geometry import Size
from textual.reactive import Reactive
from textual.widgets import Input

from tui.widgets.ordered_keys import OrderedKeys


class TextLine(OrderedKeys, Input):
    """An `Input` that takes the keys of a burst in their order, and lays out the screen for none of them."""

    virtual_size: Reactive[Size] = Reactive(Size(0, 0), layout=False)
