"""What lies over a screen until it is answered or closed, with the keys that work in it at its bottom."""

from __future__ import annotations

from typing import ClassVar, TypeVar

from tui.keymap import Keyed
from tui.screens.closing import OverlayScreen
from tui.widgets.key_bar import KeyBar
from tui.widgets.key_chips import TellsKeys

Result = TypeVar("Result")

CLOSE, CLOSE_PAGE = "dialog_close", "page_close"
"""The names of the keys that close any of them: those where one answers, and those that are only read."""


class Dialog(TellsKeys, Keyed, OverlayScreen[Result]):
    """Its bar covers that of the screen below: those keys do not work now."""

    PART = "dialog"
    URGENT: ClassVar[tuple[str, ...]] = ()
    """The actions whose keys come first."""

    def on_mount(self) -> None:
        closing = next((one.action for _, one in self._bindings if one.id in (CLOSE, CLOSE_PAGE)), "")
        bar = KeyBar(urgent=self.URGENT, last=(closing,), always=closing)
        bar.add_class("over-keys")
        self.mount(bar)

    def key_words(self, action: str) -> str | None:
        """A text that is longer than its box is scrolled."""
        focused = self.focused
        if action in ("scroll_up", "scroll_down") and focused is not None and focused.max_scroll_y > 0:
            return "Scroll"
        return super().key_words(action)
