"""Big pastes and images in the composer: whole on the way out, one piece while they are there."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.events import Paste

from tests.core.conversation.test_queue import PNG
from tests.tui.conftest import FOLDER, OpenConsole
from tests.tui.fake_engine import FakeEngine
from tests.tui.host import press, settled, until
from tui.launch import Launch
from tui.screens.console import ConsoleScreen

LATEST = Launch(FOLDER, latest=True)
BIG = "\n".join(f"line {number} [Image #9 x.png 1 B]" for number in range(132))
PLACEHOLDER = "[Pasted 132 lines #1]"


def written(screen: ConsoleScreen) -> str:
    return screen.composer.input.text


async def test_a_big_paste_is_one_piece_and_is_sent_whole(console: OpenConsole, engine: FakeEngine) -> None:
    conversation = engine.add(FOLDER, "boats")
    async with console(LATEST) as (screen, pilot):
        await press(pilot, *"see ")
        pilot.app.post_message(Paste(BIG))
        await until(pilot, lambda: PLACEHOLDER in written(screen))
        await press(pilot, *" ok", "left", "left", "left", "left", "left", "x")
        assert written(screen) == f"see {PLACEHOLDER}x ok"
        await press(pilot, "backspace", "enter")
        await until(pilot, lambda: conversation.sent)
        assert [text for text, _ in conversation.sent] == [f"see {BIG} ok"]


async def test_it_is_removed_by_one_key_and_brought_back_by_undo(
    console: OpenConsole, engine: FakeEngine
) -> None:
    conversation = engine.add(FOLDER, "boats")
    async with console(LATEST) as (screen, pilot):
        screen.composer.put(BIG)
        await settled(pilot)
        assert "Alt+E writes it out" in str(screen.query_one("#composer-hint").render())
        await press(pilot, "backspace")
        assert written(screen) == ""
        await press(pilot, "ctrl+z")
        assert written(screen) == PLACEHOLDER
        await press(pilot, "home", "delete")
        assert written(screen) == ""
        await press(pilot, "ctrl+z", "ctrl+y", "ctrl+z", "enter")
        await until(pilot, lambda: conversation.sent)
        assert [text for text, _ in conversation.sent] == [BIG]


async def test_it_is_written_out_to_be_changed(console: OpenConsole) -> None:
    async with console() as (screen, pilot):
        screen.composer.put(BIG)
        await settled(pilot)
        await press(pilot, "alt+e")
        assert written(screen) == BIG
        await press(pilot, "ctrl+z")
        assert written(screen) == PLACEHOLDER


@pytest.mark.parametrize("height", [20, 24, 40])
async def test_written_out_it_takes_a_third_of_the_screen_and_no_more(
    console: OpenConsole, height: int
) -> None:
    async with console(size=(80, height)) as (screen, pilot):
        screen.composer.put(BIG)
        await settled(pilot)
        await press(pilot, "alt+e")
        await settled(pilot)
        hint = screen.query_one("#composer-hint")
        assert screen.composer.input.size.height == height * 33 // 100
        assert screen.composer.region.height == screen.composer.input.size.height + hint.size.height


async def test_what_stands_for_it_is_still_there_after_a_restart(
    console: OpenConsole, engine: FakeEngine, tmp_path: Path
) -> None:
    image = tmp_path / "dot.png"
    image.write_bytes(PNG)
    conversation = engine.add(FOLDER, "boats")
    async with console(LATEST) as (screen, pilot):
        screen.composer.put(BIG)
        screen.composer.put(str(image))
        await until(pilot, lambda: str(image) in engine.drafts.get(conversation.id, ""))
    async with console(LATEST) as (screen, pilot):
        assert written(screen) == f"{PLACEHOLDER}[Image #2 dot.png 69 B] "
        await press(pilot, "enter")
        await until(pilot, lambda: conversation.sent)
        ((text, key),) = conversation.sent
        assert text == f"{BIG}[Image #2 dot.png 69 B] "
        assert conversation.attached[key] == (str(image),)
        assert engine.drafts[conversation.id] == ""


async def test_what_is_written_in_each_conversation_keeps_its_own_parts(
    console: OpenConsole, engine: FakeEngine
) -> None:
    first, second = engine.add(FOLDER, "first"), engine.add(FOLDER, "second")
    async with console(LATEST) as (screen, pilot):
        assert screen.desk is not None and screen.desk.current.id == second.id
        screen.composer.put(BIG)
        screen.go_to(first.id)
        await until(
            pilot, lambda: screen.desk and screen.desk.current.id == first.id and written(screen) == ""
        )
        screen.composer.put(BIG * 2)
        await press(pilot, "enter")
        await until(pilot, lambda: first.sent)
        screen.go_to(second.id)
        await until(pilot, lambda: written(screen) == PLACEHOLDER)
        await press(pilot, "enter")
        await until(pilot, lambda: second.sent)
        assert (first.sent[0][0], second.sent[0][0]) == (BIG * 2, BIG)


@pytest.mark.parametrize(
    "form", ["{}", "'{}'", '"{}"', "{escaped}", "file://{url}", "  {escaped}\n", "{escaped} {escaped}"]
)
async def test_the_path_of_an_image_becomes_the_image(
    console: OpenConsole, engine: FakeEngine, tmp_path: Path, form: str
) -> None:
    image = tmp_path / "my dot.PNG"
    image.write_bytes(PNG)
    pasted = form.format(image, escaped=str(image).replace(" ", "\\ "), url=str(image).replace(" ", "%20"))
    conversation = engine.add(FOLDER, "boats")
    async with console(LATEST) as (screen, pilot):
        pilot.app.post_message(Paste(pasted))
        await until(pilot, lambda: "[Image #1 my dot.PNG 69 B]" in written(screen))
        await press(pilot, "enter")
        await until(pilot, lambda: conversation.sent)
        assert conversation.attached[conversation.sent[0][1]] == (str(image),)


async def test_an_image_is_removed_by_one_key(
    console: OpenConsole, engine: FakeEngine, tmp_path: Path
) -> None:
    image = tmp_path / "dot.png"
    image.write_bytes(PNG)
    conversation = engine.add(FOLDER, "boats")
    async with console(LATEST) as (screen, pilot):
        screen.composer.put(str(image))
        await press(pilot, *"no", *(["backspace"] * 4), *"words alone", "enter")
        await until(pilot, lambda: conversation.sent)
        ((text, key),) = conversation.sent
        assert text == "words alone" and conversation.attached[key] == ()


@pytest.mark.parametrize(
    ("contents", "reason"),
    [(None, "cannot be attached: No such file"), (b"<svg/>", "is no image that Codex takes")],
)
async def test_what_is_no_image_stays_text_and_says_why(
    console: OpenConsole, tmp_path: Path, contents: bytes | None, reason: str
) -> None:
    path = tmp_path / "not.png"
    if contents is not None:
        path.write_bytes(contents)
    async with console() as (screen, pilot):
        screen.composer.put(str(path))
        await until(pilot, lambda: screen.notices.showing)
        assert reason in str(screen.notices.render())
        assert written(screen) == str(path)


async def test_wide_and_joined_characters_keep_the_cursor_where_it_belongs(
    console: OpenConsole, engine: FakeEngine
) -> None:
    conversation = engine.add(FOLDER, "boats")
    async with console(LATEST) as (screen, pilot):
        field = screen.composer.input
        pilot.app.post_message(Paste("日本語"))
        await until(pilot, lambda: written(screen) == "日本語")
        assert field.cursor_screen_offset.x - field.content_region.x == 6
        await press(pilot, "left", "x")
        assert written(screen) == "日本x語"
        assert field.cursor_screen_offset.x - field.content_region.x == 5
        pilot.app.post_message(Paste("e\u0301"))
        await until(pilot, lambda: "e\u0301" in written(screen))
        assert field.cursor_screen_offset.x - field.content_region.x == 6
        await press(pilot, "backspace", "backspace", "backspace", "end")
        assert written(screen) == "日本語"
        pilot.app.post_message(Paste("🚢"))
        await until(pilot, lambda: "🚢" in written(screen))
        assert field.cursor_screen_offset.x - field.content_region.x == 8
        await press(pilot, "enter")
        await until(pilot, lambda: conversation.sent)
        assert [text for text, _ in conversation.sent] == ["日本語🚢"]
