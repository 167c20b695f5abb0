"""What every ability of the console is: an object of its own, told what happens, that acts on the screen it is of."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.settings import Settings
    from tui.desk import Desk
    from tui.hearing import Heard
    from tui.screens.console import ConsoleScreen


class Ability:
    """Keeps what only it needs. The screen tells it what happens, each ability in its order; none has to care."""

    def __init__(self, console: ConsoleScreen) -> None:
        self.console = console

    @property
    def desk(self) -> Desk | None:
        """None until the engine is there."""
        return self.console.desk

    def opened(self) -> None:
        """The engine is there; nothing is open yet."""

    def place_shown(self) -> None:
        """Another conversation is the current one, and shown."""

    def thread_shown(self) -> None:
        """What the current thread does was shown anew."""

    def heard(self, heard: Heard) -> None:
        """The engine told something, and it is shown."""

    def focus_changed(self, focused: bool) -> None:
        """The terminal got or lost the focus."""

    def settings_changed(self, settings: Settings) -> None:
        """These hold from now on."""

    async def close(self) -> None:
        """Let go of everything."""
