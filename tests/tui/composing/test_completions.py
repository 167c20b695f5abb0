"""Completions: offered for the word at the cursor, taken by a key or a click, never in the way."""

from __future__ import annotations

import asyncio
from pathlib import Path

from core.agent.lookups import Skill
from core.errors import CodexError
from tests.core.conversation.test_queue import PNG
from tests.tui.composing.host import ComposerApp
from tests.tui.conftest import FOLDER, OpenConsole
from tests.tui.fake_engine import FakeEngine
from tests.tui.host import burst, press, settled, until
from tui.launch import Launch
from tui.screens.console import ConsoleScreen
from tui.screens.help import HelpScreen

LATEST = Launch(FOLDER, latest=True)


def offered(screen: ConsoleScreen) -> list[str]:
    """The lines of the list; none where it is not shown."""
    found = screen.query_one("#completions")
    return [str(option.prompt) for option in found.options] if found.display else []  # type: ignore[attr-defined]


def written(screen: ConsoleScreen) -> str:
    return screen.composer.input.text


async def test_a_file_is_found_and_put_in_as_one_word(console: OpenConsole, engine: FakeEngine) -> None:
    engine.catalogs.paths = ("src/main.py", "src/main window.py", "notes.md")
    async with console() as (screen, pilot):
        await press(pilot, *"see @mai")
        await until(pilot, lambda: len(offered(screen)) == 2)
        await press(pilot, "down", "enter", *"now")
        assert written(screen) == 'see "src/main window.py" now'
        assert offered(screen) == []
        await press(pilot, *" @not")
        await until(pilot, lambda: offered(screen) == ["notes.md"])
        await press(pilot, "tab")
        assert written(screen).endswith("now notes.md ")


async def test_enter_takes_what_fits_all_that_was_typed_however_fast(
    console: OpenConsole, engine: FakeEngine
) -> None:
    engine.catalogs.paths = ("foo.py", "fob.py")
    async with console() as (screen, pilot):
        await press(pilot, *"@fo")
        await until(pilot, lambda: len(offered(screen)) == 2)
        burst(pilot, "b\r")
        await until(pilot, lambda: written(screen) == "fob.py ")
        screen.composer.replace("")
        await press(pilot, *"@fo")
        await until(pilot, lambda: len(offered(screen)) == 2)
        burst(pilot, "b\r now")
        await until(pilot, lambda: written(screen) == "@fob now")


async def test_enter_sends_where_nothing_fits_what_was_typed_fast(
    console: OpenConsole, engine: FakeEngine
) -> None:
    engine.catalogs.paths = ("foo.py",)
    async with console() as (screen, pilot):
        await press(pilot, *"@fo")
        await until(pilot, lambda: offered(screen) == ["foo.py"])
        burst(pilot, "x\r")
        await until(pilot, lambda: written(screen) == "")
        await until(pilot, lambda: engine.open_conversations)
        assert [text for text, _ in next(iter(engine.open_conversations.values())).sent] == ["@fox"]


async def test_a_command_that_is_typed_fast_is_the_one_that_is_done(
    console: OpenConsole, engine: FakeEngine
) -> None:
    async with console() as (screen, pilot):
        given: list[str] = []
        screen.operating.slash = lambda name, argument: given.append(name)  # type: ignore[method-assign]
        for first, rest in (("/re", "view"), ("/", "keys"), ("/sta", "t")):
            await press(pilot, *first)
            await until(pilot, lambda: offered(screen))
            burst(pilot, f"{rest}\r")
            await until(pilot, lambda: written(screen) == "")
        await until(pilot, lambda: len(given) == 3)
        assert given == ["review", "keys", "status"]


async def test_codex_is_asked_when_nothing_was_typed_for_a_moment(
    console: OpenConsole, engine: FakeEngine
) -> None:
    engine.catalogs.paths = ("harbour.py",)
    async with console() as (screen, pilot):
        pilot.app.simulate_key("@")
        for key in "harb":
            pilot.app.simulate_key(key)
        await until(pilot, lambda: offered(screen) == ["harbour.py"])
        assert engine.catalogs.asked == ["harb"]


async def test_what_comes_for_a_word_that_is_gone_is_thrown_away(
    console: OpenConsole, engine: FakeEngine
) -> None:
    engine.catalogs.paths = ("one.py", "two.py")
    gate = engine.catalogs.gates["one"] = asyncio.Event()
    async with console() as (screen, pilot):
        await press(pilot, *"@one")
        await until(pilot, lambda: "one" in engine.catalogs.asked)
        await press(pilot, *(["backspace"] * 3), *"two")
        await until(pilot, lambda: offered(screen) == ["two.py"])
        gate.set()
        await settled(pilot)
        assert offered(screen) == ["two.py"]


async def test_what_was_marked_stays_marked_as_the_list_gets_shorter(
    console: OpenConsole, engine: FakeEngine
) -> None:
    engine.catalogs.paths = ("boat.py", "boats.md", "boats.py")
    async with console() as (screen, pilot):
        await press(pilot, *"@boat")
        await until(pilot, lambda: len(offered(screen)) == 3)
        await press(pilot, "up", "s")
        await until(pilot, lambda: len(offered(screen)) == 2)
        await press(pilot, "enter")
        assert written(screen) == "boats.py "


async def test_it_says_why_nothing_is_offered(console: OpenConsole, engine: FakeEngine) -> None:
    engine.catalogs.fails = CodexError("Codex is not connected")
    async with console() as (screen, pilot):
        await press(pilot, *"@x")
        await until(pilot, lambda: any("Codex is not connected" in line for line in offered(screen)))
        await press(pilot, "escape")
        assert offered(screen) == [] and written(screen) == "@x"


async def test_a_list_that_was_closed_stays_closed_for_its_word(
    console: OpenConsole, engine: FakeEngine
) -> None:
    engine.catalogs.paths = ("harbour.py",)
    conversation = engine.add(FOLDER, "boats")
    async with console(LATEST) as (screen, pilot):
        await press(pilot, *"@h")
        await until(pilot, lambda: offered(screen))
        await press(pilot, "escape", *"ar", "enter")
        await until(pilot, lambda: conversation.sent)
        assert [text for text, _ in conversation.sent] == ["@har"]


async def test_a_skill_is_offered_by_its_name(console: OpenConsole, engine: FakeEngine) -> None:
    engine.catalogs.known = [
        Skill("unmoor", "Cast off.", "/s/unmoor", "user"),
        Skill("moor", "Make a boat\x1b[31m fast.", "/s/moor", "user"),
    ]
    async with console() as (screen, pilot):
        await press(pilot, *"use $moo")
        await until(pilot, lambda: len(offered(screen)) == 2)
        assert offered(screen)[0].startswith("$moor") and "\x1b" not in "".join(offered(screen))
        await press(pilot, "enter")
        assert written(screen) == "use $moor "


async def test_a_command_is_found_by_its_letters_and_given_with_its_argument() -> None:
    host = ComposerApp()
    async with host.run_test() as pilot:
        await press(pilot, *"/nam")
        await until(pilot, lambda: host.composer.query_one("#completions").display)
        await press(pilot, "tab", *"Pier 2", "enter")
        await until(pilot, lambda: host.commanded)
        await press(pilot, *"/comp")
        await until(pilot, lambda: host.composer.query_one("#completions").display)
        await press(pilot, "enter")
        await until(pilot, lambda: len(host.commanded) == 2)
        assert host.commanded == [("rename", "Pier 2"), ("compact", "")]
        assert host.composer.input.text == ""
        await press(pilot, "ctrl+z")
        assert host.composer.input.text == "/compact"
        await press(pilot, "ctrl+y", "up", "up")
        assert host.composer.input.text == "/rename Pier 2"


async def test_an_unknown_command_is_said_and_its_text_kept(console: OpenConsole, engine: FakeEngine) -> None:
    conversation = engine.add(FOLDER, "boats")
    async with console(LATEST) as (screen, pilot):
        await press(pilot, *"/nosuch thing", "enter")
        await until(pilot, lambda: screen.notices.showing)
        assert "There is no command /nosuch; a space before it sends it as text" in str(
            screen.notices.render()
        )
        assert written(screen) == "/nosuch thing"
        await press(pilot, "home", "space", "end", "enter")
        await until(pilot, lambda: conversation.sent)
        assert [text for text, _ in conversation.sent] == ["/nosuch thing"]


async def test_a_path_is_no_command(console: OpenConsole, engine: FakeEngine) -> None:
    conversation = engine.add(FOLDER, "boats")
    async with console(LATEST) as (_, pilot):
        await press(pilot, *"/usr/bin/env is there", "enter")
        await until(pilot, lambda: conversation.sent)
        assert [text for text, _ in conversation.sent] == ["/usr/bin/env is there"]


async def test_a_click_takes_what_is_clicked(console: OpenConsole, engine: FakeEngine) -> None:
    engine.catalogs.paths = ("one.py", "onetwo.py")
    async with console() as (screen, pilot):
        await press(pilot, *"@one")
        await until(pilot, lambda: len(offered(screen)) == 2)
        await pilot.click("#completions", offset=(3, 1))
        await until(pilot, lambda: written(screen) == "onetwo.py ")
        assert screen.focused is screen.composer.input


async def test_an_image_that_is_chosen_goes_along(
    console: OpenConsole, engine: FakeEngine, tmp_path: Path
) -> None:
    (tmp_path / "dot.png").write_bytes(PNG)
    engine.catalogs.paths = ("dot.png",)
    conversation = engine.add(tmp_path, "boats")
    async with console(Launch(tmp_path, latest=True)) as (screen, pilot):
        await press(pilot, *"see @do")
        await until(pilot, lambda: offered(screen))
        await press(pilot, "enter")
        assert written(screen) == "see [Image #1 dot.png 69 B] "
        await press(pilot, *"and @dot.png", "escape", "enter")
        await until(pilot, lambda: conversation.sent)
        ((_, key),) = conversation.sent
        assert conversation.attached[key] == (str(tmp_path / "dot.png"),)


async def test_the_help_is_not_kept_from_its_key(console: OpenConsole, engine: FakeEngine) -> None:
    engine.catalogs.paths = ("one.py",)
    async with console() as (screen, pilot):
        await press(pilot, *"@one")
        await until(pilot, lambda: offered(screen))
        await press(pilot, "f1")
        assert isinstance(pilot.app.screen, HelpScreen)
