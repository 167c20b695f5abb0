"""The cursor over blocks, and what is done with the block that it is on."""

from __future__ import annotations

from pathlib import Path

from textual.app import ComposeResult
from textual.message import Message
from textual.screen import Screen
from textual.widgets import OptionList

from core.agent.items import Change, Image, Status, SubAgentCall
from tests.tui.transcript.app import StillView, TranscriptApp, changed, document_of
from tests.tui.transcript.gallery import DIFF, Log
from tui.transcript.block_menu import INDENT, BlockMenu
from tui.transcript.blocks import quoted
from tui.transcript.view import TranscriptView

SIZE = (80, 24)
THREE = "# Title\n\nSome **bold** words\nand `code`.\n\n```python\nx = 1\n\ny = 2\n```"


class BlockApp(TranscriptApp):
    """Keeps every message of the view that asks for something."""

    def asked(self, kind: type[Message]) -> list[Message]:
        return [message for message in self.heard if isinstance(message, kind)]

    def on_transcript_view_quoted(self, event: TranscriptView.Quoted) -> None:
        self.heard.append(event)

    def on_transcript_view_open_wanted(self, event: TranscriptView.OpenWanted) -> None:
        self.heard.append(event)

    def on_transcript_view_picture_wanted(self, event: TranscriptView.PictureWanted) -> None:
        self.heard.append(event)

    def on_transcript_view_thread_wanted(self, event: TranscriptView.ThreadWanted) -> None:
        self.heard.append(event)

    def on_transcript_view_fork_wanted(self, event: TranscriptView.ForkWanted) -> None:
        self.heard.append(event)

    def on_transcript_view_revert_wanted(self, event: TranscriptView.RevertWanted) -> None:
        self.heard.append(event)


def three_blocks() -> Log:
    log = Log()
    log.user("hello")
    log.message(THREE)
    log.notice("info", "after")
    return log


def marked(app: TranscriptApp) -> list[str]:
    """The rows that the cursor marks, without the mark."""
    return [line[1:].strip() for line in app.screen_lines() if line[:1] in "▌█" and line.strip()]


# Where the cursor goes.


async def test_down_goes_from_entry_to_entry_and_through_the_blocks_of_a_message() -> None:
    app = BlockApp(document_of(three_blocks().boxes))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("home", "up", "k", "k")
        seen = []
        for _ in range(6):
            seen.append([line for line in marked(app) if line != "hello"])
            await pilot.press("down")
        assert seen[0] == []
        assert seen[1][0] == "● Title" and len(seen[1]) > 6
        assert seen[2] == ["● Title"]
        assert seen[3] == ["Some bold words", "and code."]
        assert [line.strip("▏ ") for line in seen[4]] == ["x = 1", "", "y = 2"]
        assert seen[5] == ["· after"]


async def test_up_goes_the_same_way_back() -> None:
    app = BlockApp(document_of(three_blocks().boxes))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("up", "up")
        assert any("y = 2" in line for line in marked(app))
        await pilot.press("up", "up")
        assert "● Title" in marked(app) and not any("words" in line for line in marked(app))
        await pilot.press("up")
        assert any("words" in line for line in marked(app))
        await pilot.press("up")
        assert app.view.cursor is app.view.document[0]  # type: ignore[index]


async def test_a_block_higher_than_the_screen_is_scrolled_through_before_the_next() -> None:
    log = Log()
    log.message("```\n" + "\n".join(f"code {number}" for number in range(60)) + "\n```")
    log.notice("info", "after")
    app = BlockApp(document_of(log.boxes))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("home", "up", "k", "k")
        first = app.view.cursor
        seen: set[str] = set()
        while app.view.cursor is first:
            seen.update(line.strip("▌▏ ●") for line in app.screen_lines())
            await pilot.press("down")
        assert {f"code {number}" for number in range(60)} <= seen


async def test_a_cursor_that_was_scrolled_away_comes_back_to_the_screen() -> None:
    log = Log()
    for number in range(60):
        log.notice("info", f"notice {number}")
    app = BlockApp(document_of(log.boxes))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("up", "home", "down")
        assert app.view.cursor is app.view.document[0]  # type: ignore[index]
        await pilot.press("end", "up")
        assert app.view.cursor is app.view.document[59]  # type: ignore[index]


async def test_coming_back_to_the_transcript_the_cursor_is_where_the_reader_looks() -> None:
    log = Log()
    for number in range(60):
        log.notice("info", f"notice {number}")
    app = BlockApp(document_of(log.boxes))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("up", "k")
        app.set_focus(None)
        app.view.action_scroll_home()
        app.view.focus()
        await pilot.pause()
        assert len(marked(app)) == 1
        assert app.view.cursor is app.view.document[11]  # type: ignore[index]


async def test_brackets_go_from_prompt_to_prompt() -> None:
    log = Log()
    for number in range(5):
        log.user(f"prompt {number}")
        log.message("answer\n\n" * 20)
    app = BlockApp(document_of(log.boxes))
    async with app.run_test(size=SIZE) as pilot:
        for number in (4, 3, 2):
            await pilot.press("left_square_bracket")
            assert app.screen_lines()[0] == f"█  prompt {number}"
        await pilot.press("alt+pageup", "right_square_bracket", "alt+pagedown")
        assert app.screen_lines()[0] == "█  prompt 3"
        await pilot.press("right_square_bracket", "right_square_bracket")
        assert app.view.at_end


async def test_a_prompt_of_an_older_page_is_gone_to_as_soon_as_that_is_there() -> None:
    log = Log()
    log.user("the first prompt")
    for number in range(40):
        log.notice("info", f"notice {number}")
    document = document_of(log.boxes[20:])
    app = BlockApp(document)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("left_square_bracket")
        assert app.asked(TranscriptView.OlderWanted)
        document.prepend_boxes(log.boxes[:20])
        await changed(app, pilot)
        assert app.screen_lines()[0] == "█  the first prompt"


async def test_the_cursor_costs_no_layout() -> None:
    app = BlockApp(document_of(three_blocks().boxes))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("home", "up")
        unmarked = [line[1:] for line in app.screen_lines()]
        await pilot.press("up", "up")
        assert [line[1:] for line in app.screen_lines()] == unmarked


# What is done with a block.


async def test_a_block_is_copied_as_it_reads_and_as_it_was_written() -> None:
    app = BlockApp(document_of(three_blocks().boxes))
    async with app.run_test(size=(30, 24)) as pilot:
        await pilot.press("home", "up", "k", "k", "down", "c")
        assert app.clipboard == "Title\n\nSome bold words\nand code.\n\nx = 1\n\ny = 2"
        await pilot.press("m")
        assert app.clipboard == THREE
        await pilot.press("down", "down", "c")
        assert app.clipboard == "Some bold words\nand code."
        await pilot.press("m")
        assert app.clipboard == "Some **bold** words\nand `code`."


async def test_what_is_copied_has_no_wraps() -> None:
    log = Log()
    text = "a long paragraph " * 12
    log.message(text + "\n\nand another")
    app = BlockApp(document_of(log.boxes))
    async with app.run_test(size=(40, 24)) as pilot:
        await pilot.press("home", "up", "down", "c")
        assert app.clipboard == text.strip()


async def test_other_entries_are_copied_as_markdown_in_fences() -> None:
    log = Log()
    log.command("cat a.md", "```\ninside\n```\n")
    log.patch(Change(path="core/tides.py", verb="update", diff=DIFF))
    app = BlockApp(document_of(log.boxes))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("up", "m")
        assert app.clipboard == f"`core/tides.py`\n\n```diff\n{DIFF}```"
        await pilot.press("k", "m")
        assert app.clipboard == "````console\n$ cat a.md\n```\ninside\n```\n````"


async def test_quoting_hands_over_the_text() -> None:
    app = BlockApp(document_of(three_blocks().boxes))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("up", "q")
        (asked,) = app.asked(TranscriptView.Quoted)
        assert isinstance(asked, TranscriptView.Quoted)
        assert asked.text == "after"
        assert quoted("one\n\ntwo") == "> one\n>\n> two\n\n"


async def test_the_whole_output_is_opened_however_long_it_is() -> None:
    log = Log()
    output = "".join(f"line {number}\n" for number in range(60_000))
    log.command("seq", output)
    app = BlockApp(document_of(log.boxes))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("up", "o", "e")
        pager, editor = app.asked(TranscriptView.OpenWanted)
        assert isinstance(pager, TranscriptView.OpenWanted) and isinstance(editor, TranscriptView.OpenWanted)
        assert pager.text == "$ seq\n" + output.strip()
        assert (pager.editor, editor.editor) == (False, True)


async def test_an_opened_text_has_no_escape_sequences() -> None:
    log = Log()
    log.command("x", "\x1b[31mred\x1b[0m \x1b]52;c;AAAA\x07\x9b1mend\x00")
    app = BlockApp(document_of(log.boxes))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("up", "o")
        (asked,) = app.asked(TranscriptView.OpenWanted)
        assert isinstance(asked, TranscriptView.OpenWanted)
        assert asked.text == "$ x\nred end"


async def test_a_sub_agent_leads_to_its_thread() -> None:
    log = Log()
    child = SubAgentCall(id="a", tool="spawnAgent", status=Status.RUNNING, receivers=("thread-7",))
    log.call(child)
    app = BlockApp(document_of(log.boxes))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("up", "enter", "enter", "g")
        asked = app.asked(TranscriptView.ThreadWanted)
        assert [message.thread_id for message in asked] == ["thread-7", "thread-7"]  # type: ignore[attr-defined]


async def test_an_image_is_shown_rather_than_its_text(tmp_path: Path) -> None:
    log = Log()
    log.item(Image(id="i", path=str(tmp_path / "a.png")))
    app = BlockApp(document_of(log.boxes))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("up", "o")
        (asked,) = app.asked(TranscriptView.PictureWanted)
        assert isinstance(asked, TranscriptView.PictureWanted)
        assert asked.path == str(tmp_path / "a.png")


# The menu.


def menu_lines(app: TranscriptApp) -> list[str]:
    screen = app.screen
    assert isinstance(screen, BlockMenu)
    return [choice.words for choice in screen._choices]


async def test_the_menu_says_what_can_be_done_and_its_letters_do_it() -> None:
    app = BlockApp(document_of(three_blocks().boxes))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("home", "up", "k", "k", "down", "down", "enter")
        assert menu_lines(app) == [
            "Copy",
            "Copy as Markdown",
            "Copy the whole message",
            "Quote in the message",
            "Open all of it in the pager",
            "Open in the editor",
        ]
        await pilot.press("a")
        await pilot.pause()
        assert app.clipboard.startswith("Title\n\nSome bold")
        await pilot.press("enter", "down", "enter")
        await pilot.pause()
        assert app.clipboard == THREE
        await pilot.press("enter", "escape")
        await pilot.pause()
        assert app.screen_stack[-1] is app.screen_stack[0]


async def test_the_menu_stands_at_its_block_wherever_the_transcript_begins() -> None:
    app = BlockApp(document_of(three_blocks().boxes))
    async with app.run_test(size=SIZE) as pilot:
        app.view.styles.margin = (0, 0, 0, 20)
        await pilot.pause()
        await pilot.press("home", "up", "enter")
        await pilot.pause()
        assert app.screen.query_one(OptionList).region.x == app.view.region.x + INDENT == 20 + INDENT


async def test_forking_is_offered_only_where_the_screen_can() -> None:
    class ForkingScreen(Screen[None]):
        def compose(self) -> ComposeResult:
            yield StillView()

        def action_fork_from(self, box_id: int) -> None: ...

    app = BlockApp(document_of(three_blocks().boxes))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("up", "enter")
        assert "Fork from here" not in menu_lines(app)
        await pilot.press("escape")
        await app.push_screen(ForkingScreen())
        view = app.screen.query_one(StillView)
        view.show(document_of(three_blocks().boxes))
        view.focus()
        await pilot.press("up", "up", "enter")
        assert menu_lines(app)[-2:] == ["Fork from here", "Revert to before this"]
        await pilot.press("f")
        await pilot.press("enter", "r")
        await pilot.pause()
        assert [message.box_id for message in app.asked(TranscriptView.ForkWanted)] == [2]  # type: ignore[attr-defined]
        assert [message.box_id for message in app.asked(TranscriptView.RevertWanted)] == [2]  # type: ignore[attr-defined]


async def test_a_click_selects_a_block_and_a_second_or_the_right_button_opens_its_menu() -> None:
    app = BlockApp(document_of(three_blocks().boxes))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        row = next(row for row, line in enumerate(app.screen_lines()) if "bold words" in line)
        await pilot.click(offset=(10, row))
        assert marked(app)[-2:] == ["Some bold words", "and code."]
        await pilot.click(offset=(10, row), times=2)
        assert isinstance(app.screen, BlockMenu)
        await pilot.press("escape")
        assert not app.screen.selections
        await pilot.click(offset=(10, row), button=3)
        assert isinstance(app.screen, BlockMenu)
        await pilot.click(offset=(79, 0))
        await pilot.pause()
        assert not isinstance(app.screen, BlockMenu)


async def test_the_menu_stays_on_a_small_screen() -> None:
    app = BlockApp(document_of(three_blocks().boxes))
    async with app.run_test(size=(60, 12)) as pilot:
        await pilot.press("up", "enter")
        await pilot.pause()
        region = app.screen.query_one("OptionList").region
        assert app.screen.region.contains_region(region)
