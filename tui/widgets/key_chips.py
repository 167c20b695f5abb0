"""What is told of the keys that work where the focus is: by the widgets themselves, to the bar that shows them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from tui.transcript import cells


class Chip(NamedTuple):
    """A key, how it is written, and what it does; `action` is its name, "" for what is no binding."""

    key: str
    shown: str
    words: str
    action: str = ""

    @property
    def width(self) -> int:
        return cells.width_of(self.shown) + 1 + cells.width_of(self.words)


class TellsKeys:
    """A mixin for a widget or screen whose keys mean now this, now that, or are no bindings.

    Of the focused widget and all that it is in, the innermost that has words for a binding is listened to.
    """

    def key_words(self, action: str) -> str | None:
        """What a binding's action does now; "" for nothing, None where its own description says it."""
        del action
        return None

    def key_chips(self) -> Iterable[Chip]:
        """Keys that are no bindings, those that matter most first."""
        return ()
