"""What a reader does on the console: finds text, goes to a box."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import StoreError
from core.thread.boxes import ASSISTANT, draft
from tests.tui.conftest import FOLDER, OpenConsole
from tests.tui.fake_engine import FakeEngine
from tests.tui.host import press, settled, until
from tui.launch import Launch
from tui.screens.console import ConsoleScreen
from tui.screens.opening import Jump
from tui.transcript.view import TranscriptView
from tui.widgets.key_bar import KeyBar


def shown(screen: ConsoleScreen) -> list[str]:
    view = screen.transcript
    return [strip.text.rstrip() for strip in view.render_lines(view.size.region)]


def long_conversation(engine: FakeEngine, boxes: int = 500) -> str:
    drafts = (draft(ASSISTANT, f"paragraph {number}.") for number in range(1, boxes + 1))
    return engine.add(FOLDER, "long", *drafts).id


async def test_what_is_in_no_page_yet_is_found_and_the_count_covers_the_whole_conversation(
    console: OpenConsole, engine: FakeEngine
) -> None:
    long_conversation(engine)
    async with console(Launch(FOLDER, latest=True)) as (screen, pilot):
        await press(pilot, "ctrl+f", *"paragraph 3.")
        await until(pilot, lambda: screen.reading.find_bar and screen.reading.find_bar.state == "1 of 1")
        await until(pilot, lambda: any("paragraph 3." in line for line in shown(screen)))
        await press(pilot, "backspace")
        await until(pilot, lambda: screen.reading.find_bar and screen.reading.find_bar.state == "1 of 111")
        await press(pilot, "enter")
        await until(pilot, lambda: screen.reading.find_bar and screen.reading.find_bar.state == "2 of 111")
        await press(pilot, "shift+enter", "up")
        await until(pilot, lambda: screen.reading.find_bar and screen.reading.find_bar.state == "111 of 111")


async def test_escape_closes_the_bar_and_leaves_the_reader_at_the_hit(
    console: OpenConsole, engine: FakeEngine
) -> None:
    long_conversation(engine, 100)
    async with console(Launch(FOLDER, latest=True)) as (screen, pilot):
        await press(pilot, "ctrl+f", *"paragraph 7.")
        await until(pilot, lambda: screen.reading.find_bar and screen.reading.find_bar.state == "1 of 1")
        await press(pilot, "escape")
        assert screen.reading.find_bar is not None and not screen.reading.find_bar.display
        assert screen.focused is screen.transcript
        assert not screen.transcript.finding
        assert any("paragraph 7." in line for line in shown(screen))


async def test_what_is_not_there_is_said(console: OpenConsole, engine: FakeEngine) -> None:
    long_conversation(engine, 300)
    async with console(Launch(FOLDER, latest=True)) as (screen, pilot):
        await press(pilot, "ctrl+f", *"whale")
        await until(pilot, lambda: screen.reading.find_bar and screen.reading.find_bar.state == "not found")


async def test_a_page_that_cannot_be_read_ends_the_search_with_a_word(
    console: OpenConsole, engine: FakeEngine
) -> None:
    conversation = engine.open_conversations[long_conversation(engine, 500)]
    async with console(Launch(FOLDER, latest=True)) as (screen, pilot):

        async def page(before: int | None = None, limit: int = 200) -> Sequence[object]:
            raise StoreError("The page cannot be read", why="the disk is gone")

        conversation.page = page  # type: ignore[method-assign,assignment]
        await press(pilot, "ctrl+f", *"paragraph 499.")
        await until(pilot, lambda: screen.reading.find_bar and screen.reading.find_bar.state == "1 of 1")
        assert "cannot be read" in str(screen.notices.render())


async def test_the_same_is_looked_for_in_the_next_conversation(
    console: OpenConsole, engine: FakeEngine
) -> None:
    engine.add(FOLDER, "other", draft(ASSISTANT, "paragraph and paragraph"))
    long_conversation(engine, 20)
    async with console(Launch(FOLDER, latest=True)) as (screen, pilot):
        await press(pilot, "ctrl+f", *"paragraph")
        await until(
            pilot, lambda: screen.reading.find_bar and screen.reading.find_bar.state.endswith("of 20")
        )
        await press(pilot, "alt+down")
        await until(pilot, lambda: screen.reading.find_bar and screen.reading.find_bar.state == "1 of 2")


async def test_a_jump_goes_to_a_box_of_a_page_that_is_not_read_yet(
    console: OpenConsole, engine: FakeEngine
) -> None:
    wanted = long_conversation(engine)
    engine.add(FOLDER, "here", draft(ASSISTANT, "hello"))
    async with console(Launch(FOLDER, latest=True)) as (screen, pilot):
        await settled(pilot)
        screen.reading.jump(Jump(wanted, 12))
        await until(pilot, lambda: any("paragraph 12." in line for line in shown(screen)))
        assert screen.desk is not None and screen.desk.current.id == wanted
        cursor = screen.transcript.cursor
        assert cursor is not None and cursor.key == 12
        assert screen.focused is screen.transcript


async def test_a_jump_without_a_box_goes_to_the_end(console: OpenConsole, engine: FakeEngine) -> None:
    wanted = long_conversation(engine)
    engine.add(FOLDER, "here", draft(ASSISTANT, "hello"))
    async with console(Launch(FOLDER, latest=True)) as (screen, pilot):
        await settled(pilot)
        screen.reading.jump(Jump(wanted))
        await until(pilot, lambda: any("paragraph 500." in line for line in shown(screen)))


# What is done with a block.


async def test_a_quote_goes_into_the_composer_to_be_answered(
    console: OpenConsole, engine: FakeEngine
) -> None:
    engine.add(FOLDER, "here", draft(ASSISTANT, "one\n\ntwo"))
    async with console(Launch(FOLDER, latest=True)) as (screen, pilot):
        await until(pilot, lambda: any("two" in line for line in shown(screen)))
        await press(pilot, "shift+tab", "q", *"why?")
        assert screen.composer.input.text == "> one\n>\n> two\n\nwhy?"
        assert screen.focused is screen.composer.input


async def test_the_keys_of_a_block_are_on_the_screen(console: OpenConsole, engine: FakeEngine) -> None:
    engine.add(FOLDER, "here", draft(ASSISTANT, "one"))
    async with console(Launch(FOLDER, latest=True), size=(120, 40)) as (screen, pilot):
        await until(pilot, lambda: any("one" in line for line in shown(screen)))
        await press(pilot, "shift+tab")
        keys = str(screen.query_one(KeyBar).render())
        assert all(
            words in keys for words in ("Enter Menu", "c Copy", "m Copy as Markdown", "q Quote", "o Open")
        )
        assert "Fold" not in keys and "sub-agent" not in keys


async def test_a_sub_agent_that_is_a_conversation_is_gone_to(
    console: OpenConsole, engine: FakeEngine
) -> None:
    child = engine.add(FOLDER, "the child", draft(ASSISTANT, "I am the child"))
    child.info = replace(child.info, thread_id="thread-7")
    engine.add(FOLDER, "here", draft(ASSISTANT, "one"))
    async with console(Launch(FOLDER, latest=True)) as (screen, pilot):
        await until(pilot, lambda: screen.desk is not None and len(screen.desk.infos) == 2)
        screen.transcript.post_message(TranscriptView.ThreadWanted("thread-9"))
        await until(pilot, lambda: "F3 lists every session" in str(screen.notices.render()))
        screen.transcript.post_message(TranscriptView.ThreadWanted("thread-7"))
        await until(pilot, lambda: any("I am the child" in line for line in shown(screen)))


async def test_an_image_without_a_viewer_has_its_path_copied(
    console: OpenConsole, engine: FakeEngine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    picture = tmp_path / "a.gif"
    picture.write_bytes(b"GIF89a\x03\x00\x04\x00")
    engine.add(FOLDER, "here", draft(ASSISTANT, "one"))
    async with console(Launch(FOLDER, latest=True)) as (screen, pilot):
        screen.transcript.post_message(TranscriptView.PictureWanted("/no/such.gif"))
        await until(pilot, lambda: "no image to be read" in str(screen.notices.render()))
        screen.transcript.post_message(TranscriptView.PictureWanted(str(picture)))
        await until(pilot, lambda: pilot.app.clipboard == str(picture))


async def test_a_pager_that_is_not_there_is_told(
    console: OpenConsole, engine: FakeEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAGER", "no-such-pager")
    engine.add(FOLDER, "here", draft(ASSISTANT, "one"))
    async with console(Launch(FOLDER, latest=True)) as (screen, pilot):
        await until(pilot, lambda: any("one" in line for line in shown(screen)))
        await press(pilot, "shift+tab", "o")
        await until(pilot, lambda: "no-such-pager is not on the PATH" in str(screen.notices.render()))


async def test_a_conversation_whose_first_boxes_were_taken_back_is_searched_to_its_end(
    console: OpenConsole, engine: FakeEngine
) -> None:
    conversation = engine.open_conversations[long_conversation(engine, 300)]
    del conversation.boxes[:7]
    async with console(Launch(FOLDER, latest=True)) as (screen, pilot):
        await press(pilot, "ctrl+f", *"paragraph 1")
        await until(pilot, lambda: screen.reading.find_bar and screen.reading.find_bar.state == "110 of 110")
        await press(pilot, "ctrl+f", *"whale")
        await until(pilot, lambda: screen.reading.find_bar and screen.reading.find_bar.state == "not found")
