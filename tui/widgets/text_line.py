"""A line of text, as every field of the console is one."""

from __future__ import annotations

from textual.widgets import Input

from tui.widgets.ordered_keys import OrderedKeys


class TextLine(OrderedKeys, Input):
    """An `Input` that takes the keys of a burst in their order."""
