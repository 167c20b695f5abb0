"""A tiny app around one widget, with Quarterdeck's styles and themes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from textual import events
from textual.app import App, ComposeResult
from textual.message import Message
from textual.pilot import Pilot
from textual.widget import Widget
from textual.widgets import TextArea

from tui.theme import STYLES, load_themes


class Echo(Message):
    """Goes from the focused widget up to the app, behind whatever was posted on the way before."""

    def __init__(self, back: asyncio.Event) -> None:
        super().__init__()
        self.back = back


class HostApp(App[None]):
    """The widget under test, and below it a text area that has the focus."""

    ENABLE_COMMAND_PALETTE = False

    def __init__(self, make: Callable[[], Widget], styles: tuple[str, ...] = ("app", "prompts")) -> None:
        self.CSS_PATH = [STYLES / f"{name}.tcss" for name in styles]
        super().__init__()
        self._make = make
        self.heard: list[object] = []

    def on_mount(self) -> None:
        for theme in load_themes():
            self.register_theme(theme)
        self.theme = "quarterdeck-dark"
        self.query_one("#typing", TextArea).focus()

    def compose(self) -> ComposeResult:
        yield self._make()
        yield TextArea(id="typing")

    def on_echo(self, event: Echo) -> None:
        event.back.set()


async def until(pilot: Pilot[Any], condition: Callable[[], object], seconds: float = 20.0) -> None:
    """Let the app go on until `condition` holds. Raises TimeoutError."""
    async with asyncio.timeout(seconds):
        while not condition():
            await pilot.pause(0.01)


async def press(pilot: Pilot[Any], *keys: str) -> None:
    """Press keys one by one, each when all that the one before caused was heard."""
    for key in keys:
        await pilot.press(key)
        await settled(pilot)


async def settled(pilot: Pilot[Any]) -> None:
    """Wait until the app has dealt with everything that was posted to it or below its focus."""
    back = asyncio.Event()
    app = pilot.app
    app.call_later(lambda: (app.focused or app.screen).post_message(Echo(back)))
    await asyncio.wait_for(back.wait(), 20)


NAMED = {
    "\r": "enter",
    "\n": "ctrl+j",
    "\b": "backspace",
    " ": "space",
    "/": "slash",
    "@": "at",
    ".": "full_stop",
}


def burst(pilot: Pilot[Any], typed: str) -> None:
    """Type all of it before any of it is dealt with, as from a slow line or a macro; \\r is Enter."""
    for character in typed:
        pilot.app.post_message(events.Key(NAMED.get(character, character), character))
