"""A command of the person's own, beside the conversation, and what becomes of its output."""

from __future__ import annotations

import pytest
from textual import events

from core.agent.lookups import CommandOutput
from core.agent.port import Sandbox
from core.conversation.choosing import Selected
from core.errors import ConnectionLost
from core.settings import Settings
from tests.tui.conftest import FOLDER, OpenConsole
from tests.tui.fake_engine import FakeEngine
from tests.tui.host import press, settled, until
from tui.launch import Launch
from tui.screens.console import ConsoleScreen

LATEST = Launch(FOLDER, latest=True)


def pane(screen: ConsoleScreen) -> str:
    """What the command's pane shows; "" where there is none."""
    found = screen.commands.pane
    if found is None or not found.display:
        return ""
    return "\n".join(str(part.render()) for part in found.query("Static"))


async def finish(screen: ConsoleScreen, engine: FakeEngine, code: int = 0) -> None:
    assert engine.shell.end is not None
    engine.shell.end.set_result(code)


async def test_its_output_is_shown_and_goes_along_with_the_next_message(
    console: OpenConsole, engine: FakeEngine
) -> None:
    conversation = engine.add(FOLDER, "boats")
    conversation.selection = Selected(sandbox="read-only")
    async with console(LATEST) as (screen, pilot):
        await press(pilot, *"!git status", "enter")
        await until(pilot, lambda: engine.shell.commands)
        (command,) = engine.shell.commands
        assert (command.line, command.cwd, command.sandbox) == ("git status", str(FOLDER), Sandbox.READ_ONLY)
        engine.shell.say(CommandOutput("on \x1b[32mmain\x1b[0m\x1b]52;c;eA==\x07\n"))
        await until(pilot, lambda: "on main" in pane(screen))
        assert "Esc stops it" in pane(screen) and "\x1b" not in pane(screen)
        await finish(screen, engine, 1)
        await until(pilot, lambda: "exit code 1" in pane(screen) and "attaches it" in pane(screen))
        await press(pilot, "enter")
        await until(pilot, lambda: "[Output of git status #1]" in screen.composer.input.text)
        assert pane(screen) == ""
        await press(pilot, *"what now?", "enter")
        await until(pilot, lambda: conversation.sent)
        ((text, _),) = conversation.sent
        assert text == "I ran `git status` (exit code 1):\n```\non main\n```\nwhat now?"


async def test_it_is_dropped_or_attached_by_a_click_and_keys_that_mean_the_message_go_there(
    console: OpenConsole, engine: FakeEngine
) -> None:
    engine.add(FOLDER, "boats")
    async with console(LATEST) as (screen, pilot):
        await press(pilot, *"!true", "enter")
        await until(pilot, lambda: engine.shell.commands)
        await finish(screen, engine)
        await until(pilot, lambda: "done" in pane(screen))
        pane_widget = screen.commands.pane
        assert pane_widget is not None
        for key in ("d", "o"):
            pane_widget.post_message(events.Key(key, key))
        await until(pilot, lambda: screen.composer.input.text == "do")
        assert "done" in pane(screen), "a message that begins with any letter leaves the output where it is"
        await pilot.click(pane_widget.query("PaneKey").last())
        await until(pilot, lambda: pane(screen) == "")


async def test_enter_attaches_what_a_command_said_to_what_was_written_meanwhile_and_sends_the_next_time(
    console: OpenConsole, engine: FakeEngine
) -> None:
    conversation = engine.add(FOLDER, "boats")
    async with console(LATEST) as (screen, pilot):
        await press(pilot, *"!true", "enter")
        await until(pilot, lambda: engine.shell.commands)
        await press(pilot, *"and")
        await finish(screen, engine)
        await until(pilot, lambda: "done" in pane(screen))
        await press(pilot, "enter")
        assert screen.composer.input.text == "and\n[Output of true #1]\n"
        assert conversation.sent == []
        await press(pilot, "enter")
        await until(pilot, lambda: conversation.sent)
        assert "I ran `true`" in conversation.sent[0][0]


async def test_a_line_for_the_shell_is_told_from_a_message(console: OpenConsole) -> None:
    async with console() as (screen, pilot):
        await press(pilot, *"!ls")
        assert screen.composer.has_class("-shell")
        await press(pilot, "ctrl+u", *" !ls")
        assert not screen.composer.has_class("-shell")


@pytest.mark.parametrize("where", ["pane", "composer"])
@pytest.mark.parametrize(("own", "key"), [({}, "delete"), ({"command_drop": "f9"}, "f9")])
async def test_a_key_that_is_no_letter_drops_it(
    console: OpenConsole, engine: FakeEngine, where: str, own: dict[str, str], key: str
) -> None:
    engine.settings = Settings(keys=own)
    async with console() as (screen, pilot):
        await press(pilot, *"!true", "enter")
        await until(pilot, lambda: engine.shell.commands)
        await finish(screen, engine)
        await until(pilot, lambda: "drops it" in pane(screen))
        assert f"{key.capitalize()} drops it" in pane(screen)
        if where == "composer":
            screen.composer.focus_input()
            await press(pilot, "x", key)
            assert pane(screen), "with something written it is a key of the text"
            await press(pilot, "backspace")
        await press(pilot, key)
        await until(pilot, lambda: pane(screen) == "")
        assert screen.focused is screen.composer.input
        await press(pilot, "up")
        assert screen.composer.input.text == "!true"


async def test_escape_stops_it_and_not_the_turn(console: OpenConsole, engine: FakeEngine) -> None:
    conversation = engine.add(FOLDER, "boats")
    async with console(LATEST) as (screen, pilot):
        await press(pilot, *"!sleep 600", "enter")
        await until(pilot, lambda: engine.shell.commands)
        await press(pilot, *"so", "escape")
        await until(pilot, lambda: engine.shell.stopped)
        await until(pilot, lambda: "exit code 137" in pane(screen))
        assert conversation.interrupted == 0
        assert screen.composer.input.text == "so"


async def test_each_conversation_has_its_own_and_it_goes_on_while_another_is_shown(
    console: OpenConsole, engine: FakeEngine
) -> None:
    first = engine.add(FOLDER, "first")
    second = engine.add(FOLDER, "second")
    async with console(LATEST) as (screen, pilot):
        await press(pilot, *"!make", "enter")
        await until(pilot, lambda: engine.drafts.get(second.id) == "!make")
        screen.go_to(first.id)
        await until(pilot, lambda: screen.desk and screen.desk.current.id == first.id)
        await settled(pilot)
        assert pane(screen) == ""
        engine.shell.say(CommandOutput("built\n"))
        await finish(screen, engine)
        screen.go_to(second.id)
        await until(pilot, lambda: "built" in pane(screen) and "done" in pane(screen))
        await press(pilot, "enter")
        await until(pilot, lambda: "[Output of make #1]" in screen.composer.input.text)
        await until(pilot, lambda: "built" in engine.drafts[second.id])


async def test_one_that_cannot_run_says_why(console: OpenConsole, engine: FakeEngine) -> None:
    async with console() as (screen, pilot):
        await press(pilot, *"!true", "enter")
        await until(pilot, lambda: engine.shell.commands)
        assert engine.shell.end is not None
        engine.shell.end.set_exception(ConnectionLost("The connection to Codex was closed"))
        await until(pilot, lambda: "The connection to Codex was closed" in pane(screen))


async def test_a_second_one_waits_in_the_composer_until_the_first_is_over(
    console: OpenConsole, engine: FakeEngine
) -> None:
    async with console() as (screen, pilot):
        await press(pilot, *"!sleep 600", "enter")
        await until(pilot, lambda: engine.shell.commands)
        await press(pilot, *"!true", "enter")
        await until(pilot, lambda: "A command still runs" in str(screen.notices.render()))
        assert screen.composer.input.text == "!true"
        assert len(engine.shell.commands) == 1
