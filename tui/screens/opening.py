"""The screens that lie over the console: each is loaded when it is first wanted."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType

from tui.keymap import Keyed
from tui.screens.closing import ClosesOnce
from tui.widgets.key_chips import TellsKeys
from tui.widgets.waiting_count import WaitingCount

if TYPE_CHECKING:
    from core.engine import Engine
    from tui.console.answering import Answering


@dataclass(frozen=True, slots=True)
class Jump:
    """Where the person wants to go as such a screen closes. `box_id` None: to the end."""

    conversation_id: str
    box_id: int | None = None


class OverScreen(TellsKeys, Keyed, ClosesOnce[Jump | None]):
    """One of them. Made with the engine, closed with `dismiss(Jump(…))` or `dismiss(None)`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "help", "Help", priority=True, id="help"),
        Binding("question_mark", "help", "Help", show=False),
    ]

    answering: Answering
    """What the console does with what prompts say, where this screen has some."""

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self.engine = engine
        self.tell: Callable[[str], None] = _said_to_nobody
        """Say what became of something when this screen may be gone: the console does it."""

    counts_waiting: ClassVar[bool] = True
    """Does it show how many requests wait for the person?"""

    def action_help(self) -> None:
        """Every key, those of this screen first."""
        from tui.screens.help import HelpScreen
        from tui.screens.keys import sections

        own = getattr(self.app, "keys", {})
        self.app.push_screen(HelpScreen(sections(own, first=type(self).__dict__["BINDINGS"]), own))

    def on_mount(self) -> None:
        if self.counts_waiting:
            self.mount(WaitingCount(self.engine))


def _said_to_nobody(text: str) -> None:
    del text


SCREENS: dict[str, str] = {
    "inbox": "tui.screens.inbox:InboxScreen",
    "ledger": "tui.screens.ledger:LedgerScreen",
    "rules": "tui.screens.rules:RulesScreen",
    "settings": "tui.screens.settings:SettingsScreen",
    "sessions": "tui.sessions.screen:SessionsScreen",
}
"""By name: the module and the class, as "module:Class"."""


def over_screen(name: str, engine: Engine) -> OverScreen:
    """The screen of that name, made anew."""
    module, _, made = SCREENS[name].partition(":")
    found: type[OverScreen] = getattr(importlib.import_module(module), made)
    return found(engine)
