"""Keys that arrive together, as from a fast hand, a slow line or a program, are taken in their order."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from textual import events
from textual.app import App, ComposeResult
from textual.widgets import Input

from tests.tui.host import Echo, press, until
from tui.widgets.composer import Composer
from tui.widgets.text_line import TextLine
from tui.widgets.writing import Writing

KEYS = {"\n": "ctrl+j", "\r": "enter", "\b": "backspace", "<": "left"}


class ComposerApp(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.composer = Composer(Writing(lambda: "key"), widget_id="composer")
        self.sent: list[str] = []

    def compose(self) -> ComposeResult:
        yield self.composer

    def on_echo(self, event: Echo) -> None:
        event.back.set()

    def on_composer_submitted(self, event: Composer.Submitted) -> None:
        self.sent.append(event.message.text)


@pytest.mark.parametrize(
    ("typed", "sent", "left"),
    [
        ("one\ntwo", [], "one\ntwo"),
        ("onx\be", [], "one"),
        ("oe<n", [], "one"),
        ("one\rtwo", ["one"], "two"),
        ("one\rtwo\r", ["one", "two"], ""),
        ("\none\b\b\b\b", [], ""),
    ],
)
async def test_keys_in_one_burst_are_taken_in_order(typed: str, sent: Sequence[str], left: str) -> None:
    app = ComposerApp()
    async with app.run_test() as pilot:
        app.composer.focus_input()
        await pilot.pause()
        for character in typed:
            app.post_message(events.Key(KEYS.get(character, character), character))
        await until(pilot, lambda: (app.sent, app.composer.input.text) == (sent, left))


class LineApp(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.line = TextLine()
        self.given: list[str] = []

    def compose(self) -> ComposeResult:
        yield self.line

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.given.append(event.value)


@pytest.mark.parametrize(
    ("typed", "given", "left"),
    [("one\rtwo", ["one"], "onetwo"), ("onx\be", [], "one"), ("oe<n", [], "one")],
)
async def test_keys_in_one_burst_are_taken_in_order_by_a_line(
    typed: str, given: Sequence[str], left: str
) -> None:
    app = LineApp()
    async with app.run_test() as pilot:
        app.line.focus()
        await pilot.pause()
        for character in typed:
            app.post_message(events.Key(KEYS.get(character, character), character))
        await until(pilot, lambda: (app.given, app.line.value) == (given, left))


async def test_keys_of_a_line_mean_the_line_that_was_written_and_not_its_row() -> None:
    app = ComposerApp()
    async with app.run_test(size=(30, 20)) as pilot:
        app.composer.focus_input()
        text = "first\n" + "a long line that takes several rows of the screen " * 3
        app.composer.put(text)
        await press(pilot, "ctrl+a")
        assert app.composer.input.cursor_location == (1, 0)
        await press(pilot, "ctrl+e", "ctrl+u")
        assert app.composer.input.text == "first\n"
        await press(pilot, "ctrl+z")
        assert app.composer.input.text == text


async def test_ctrl_c_copies_what_is_selected_and_clears_what_is_written() -> None:
    app = ComposerApp()
    async with app.run_test() as pilot:
        app.composer.focus_input()
        app.composer.put("half written")
        await press(pilot, "shift+left", "ctrl+c")
        assert app.clipboard == "n"
        assert app.composer.input.text == "half written"
        await press(pilot, "right", "ctrl+c")
        assert app.composer.input.text == ""
        await press(pilot, "ctrl+z")
        assert app.composer.input.text == "half written"
        await press(pilot, "ctrl+c", "up")
        assert app.composer.input.text == "half written"
