"""How a screen that lies over the console closes: once, whatever keys come behind the one that closed it."""

from __future__ import annotations

from typing import TypeVar

from textual.await_complete import AwaitComplete
from textual.screen import ModalScreen, Screen

T = TypeVar("T")


class ClosesOnce(Screen[T]):
    """Of the keys of one burst several may say that a screen is to close: the first of them counts.

    Textual takes away whatever screen is on top, at last the console itself. Here nobody closes another's screen: one
    that is closed already stays so, one that something lies over closes when that is gone.
    """

    _late: tuple[T | None] | None = None

    @property
    def closed(self) -> bool:
        """Is it gone? What its widgets still hear is meant for nothing."""
        return self not in self.app.screen_stack

    def closing(self) -> None:
        """It is about to go: what is to be kept of it is kept now."""

    def dismiss(self, result: T | None = None) -> AwaitComplete:
        if self.closed:
            return AwaitComplete.nothing()
        if self.app.screen is not self:
            self._late = self._late or (result,)
            return AwaitComplete.nothing()
        self.closing()
        # Its widgets go before its workers would: one of those would draw on what is gone.
        self.workers.cancel_node(self)
        return super().dismiss(result)

    def on_screen_resume(self) -> None:
        if self._late is not None and not self.closed:
            self.dismiss(*self._late)


class OverlayScreen(ModalScreen[T], ClosesOnce[T]):
    """What is asked or shown over another screen, which stays to be seen."""

    # The modal screen comes first: Textual takes styles and bindings from the first of several bases.
