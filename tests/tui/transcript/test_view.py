from __future__ import annotations

import asyncio
from time import perf_counter

import pytest
from textual.events import MouseScrollUp
from textual.widget import Widget

from core.agent.events import Channel
from core.agent.items import AgentMessage
from tests.tui.transcript.app import TranscriptApp, changed, document_of
from tests.tui.transcript.gallery import Log, gallery
from tui.theme import load_themes
from tui.transcript.document import Document
from tui.transcript.flow import Flow
from tui.transcript.palette import NAMES, Palette
from tui.transcript.view import TranscriptView

SIZE = (80, 24)


def long_log(entries: int = 60) -> Log:
    log = Log()
    for number in range(entries):
        if number % 3 == 2:
            log.command(f"step {number}", "".join(f"line {line}\n" for line in range(number % 7)))
        else:
            log.message(f"message {number} " + "with words that wrap on a narrow screen " * (number % 5))
    return log


def flow_of(view: TranscriptView) -> Flow:
    assert view.flow is not None
    return view.flow


def of_type(app: TranscriptApp, kind: type) -> list:
    return [message for message in app.heard if isinstance(message, kind)]


async def test_a_document_opens_at_its_end() -> None:
    app = TranscriptApp(document_of(long_log().boxes))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert app.view.at_end
        assert app.view.scroll_y == app.view.max_scroll_y > 0
        assert app.screen_lines()[-2].startswith(" ╰")


async def test_at_the_end_it_stays_at_the_end_while_text_streams() -> None:
    document = document_of(long_log().boxes)
    app = TranscriptApp(document)
    async with app.run_test(size=SIZE) as pilot:
        document.item_started(AgentMessage(id="m", text=""))
        for number in range(40):
            document.delta("m", Channel.MESSAGE, f"paragraph {number}\n\n")
            await changed(app, pilot)
            assert app.view.at_end
        assert app.screen_lines()[-2].strip() == "paragraph 39"
        assert of_type(app, TranscriptView.AtEndChanged) == []


async def test_away_from_the_end_nothing_moves_and_what_is_new_is_counted() -> None:
    log = long_log()
    document = document_of(log.boxes)
    app = TranscriptApp(document)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("pageup", "pageup")
        before = app.screen_lines()
        document.item_started(AgentMessage(id="m", text=""))
        for number in range(30):
            document.delta("m", Channel.MESSAGE, f"paragraph {number}\n\n")
            await changed(app, pilot)
            assert app.screen_lines() == before
        document.add_boxes([log.message("done", item_id="m"), log.notice("info", "and more")])
        await changed(app, pilot)
        assert app.screen_lines() == before
        assert app.view.new_count == 2
        told = of_type(app, TranscriptView.AtEndChanged)[-1]
        assert (told.at_end, told.new) == (False, 2)
        await pilot.press("end")
        told = of_type(app, TranscriptView.AtEndChanged)[-1]
        assert (told.at_end, told.new, app.view.new_count) == (True, 0, 0)


async def test_paging_down_shows_every_row_once() -> None:
    app = TranscriptApp(document_of(long_log().boxes))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        await pilot.press("home")
        whole = [
            "".join(segment.text for segment in row.segments).rstrip()
            for index in range(len(flow_of(app.view)))
            for row in flow_of(app.view).rendered(index).rows
        ]
        down: list[str] = app.screen_lines()
        while not app.view.at_end:
            before = app.view.first_row
            await pilot.press("pagedown")
            down += app.screen_lines()[24 - (app.view.first_row - before) :]
        assert down == whole


async def test_a_page_up_among_unseen_entries_moves_by_exactly_a_page() -> None:
    app = TranscriptApp(document_of(long_log(300).boxes))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        for _ in range(10):
            top = app.screen_lines()[0]
            await pilot.press("pageup")
            assert app.screen_lines()[23] == top


async def test_home_and_end_and_single_rows() -> None:
    app = TranscriptApp(document_of(long_log().boxes))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("home")
        assert app.screen_lines()[0].startswith(" ● message 0")
        await pilot.press("shift+down", "shift+down")
        assert app.view.scroll_y == 2
        await pilot.press("shift+up")
        assert app.view.scroll_y == 1
        await pilot.press("end")
        assert app.view.at_end


async def test_a_resize_keeps_the_place() -> None:
    app = TranscriptApp(document_of(long_log().boxes))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("pageup", "pageup", "pageup")
        while not (words := app.screen_lines()[0].split()[1:2]):
            await pilot.press("up")
        for width in (60, 40, 100, 80):
            await pilot.resize_terminal(width, 24)
            await pilot.pause()
            assert flow_of(app.view).width == width - 1
            assert words[0] in app.screen_lines()[0]
            assert not app.view.at_end


async def test_a_resize_at_the_end_stays_at_the_end() -> None:
    app = TranscriptApp(document_of(long_log().boxes))
    async with app.run_test(size=SIZE) as pilot:
        for size in ((40, 24), (120, 40), (80, 10), (80, 24)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert app.view.at_end
            assert app.view.scroll_y == app.view.max_scroll_y
            assert app.screen_lines()[-2].startswith(" ╰")


async def test_older_boxes_come_above_without_a_move() -> None:
    log = long_log()
    document = document_of(log.boxes[40:])
    app = TranscriptApp(document)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("home", "down")
        before = app.screen_lines()
        document.prepend_boxes(log.boxes[:40])
        await changed(app, pilot)
        assert app.screen_lines() == before
        assert app.view.new_count == 0
        while app.view.scroll_y > 0:
            await pilot.press("pageup")
        assert app.screen_lines()[0].startswith(" ● message 0")


async def test_the_host_is_told_when_the_reader_nears_the_top() -> None:
    log = long_log(200)
    document = document_of(log.boxes[100:])
    app = TranscriptApp(document)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert of_type(app, TranscriptView.NearTop) == []
        await pilot.press("home")
        assert [message.document for message in of_type(app, TranscriptView.NearTop)] == [document]
        await pilot.press("down", "up")
        assert len(of_type(app, TranscriptView.NearTop)) == 1
        document.prepend_boxes(log.boxes[:100])
        await changed(app, pilot)
        await pilot.press("home")
        assert len(of_type(app, TranscriptView.NearTop)) == 2


async def test_a_short_document_asks_for_older_boxes_at_once() -> None:
    app = TranscriptApp(document_of(long_log(3).boxes))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert len(of_type(app, TranscriptView.NearTop)) == 1
        assert app.view.at_end


async def test_each_document_is_shown_where_it_was_left() -> None:
    first, second = document_of(long_log().boxes), document_of(long_log(90).boxes)
    app = TranscriptApp(first)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("pageup", "pageup", "k")
        left, cursor = app.screen_lines(), app.view.cursor
        app.view.show(second)
        await pilot.pause()
        assert app.view.at_end
        assert app.view.cursor is None
        app.view.show(first)
        await pilot.pause()
        assert app.screen_lines() == left
        assert app.view.cursor is cursor
        app.view.show(second)
        assert app.view.at_end


async def test_a_document_that_changed_while_hidden_comes_back_complete() -> None:
    log = long_log()
    first = document_of(log.boxes)
    first.item_started(AgentMessage(id="m", text=""))
    app = TranscriptApp(first)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        app.view.show(None)
        await pilot.pause()
        assert set(app.screen_lines()) == {""}
        first.delta("m", Channel.MESSAGE, "half of it")
        first.add_boxes([log.message("all of it", item_id="m"), log.notice("warning", "meanwhile")])
        app.view.show(first)
        await pilot.pause()
        assert app.screen_lines()[-4:-1] == [" ● all of it", "", " ! Warning: meanwhile"]
        await pilot.resize_terminal(60, 24)
        app.view.show(None)
        first.add_boxes([log.notice("error", "broken")])
        app.view.show(first)
        await pilot.pause()
        assert app.screen_lines()[-2] == " ✗ Error: broken"


async def test_a_message_that_completes_does_not_jump() -> None:
    log = long_log()
    document = document_of(log.boxes)
    document.item_started(AgentMessage(id="m", text=""))
    app = TranscriptApp(document)
    text = "# Done\n\n- one\n- two\n\n```python\nx = 1\n```\n\nThat is all."
    async with app.run_test(size=SIZE) as pilot:
        for start in range(0, len(text), 5):
            document.delta("m", Channel.MESSAGE, text[start : start + 5])
            await changed(app, pilot)
        before = app.screen_lines()
        document.add_boxes([log.message(text, item_id="m")])
        await changed(app, pilot)
        assert app.screen_lines() == before
        app.view.restyle()
        flow_of(app.view).resize(flow_of(app.view).width)
        app.view.show_end()
        assert app.screen_lines() == before


async def test_the_cursor_goes_from_entry_to_entry_and_folds() -> None:
    app = TranscriptApp(document_of(gallery()))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("home")
        app.view.cursor = app.view.document[0]  # type: ignore[index]
        await pilot.press("j")
        assert app.view.cursor is app.view.document[1]  # type: ignore[index]
        marked = [line for line in app.screen_lines()[3:] if line.startswith("▌")]
        assert marked == ["▌∴ ▸ Thought · Looking for the cache · Reading the clock code"]
        await pilot.press("space")
        lines = app.screen_lines()
        assert lines[4] == "▌∴ ▾ Thought"
        assert "▌  The table may be kept too long." in lines
        await pilot.press("space")
        assert app.screen_lines()[4] == marked[0]
        await pilot.press("k")
        assert app.view.cursor is app.view.document[0]  # type: ignore[index]
        assert app.screen_lines()[0].startswith("█")


async def test_moving_the_cursor_brings_its_entry_into_view() -> None:
    app = TranscriptApp(document_of(gallery()))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("home")
        document = app.view.document
        assert document is not None
        app.view.cursor = document[0]
        for index in range(1, len(document)):
            await pilot.press("j")
            assert app.view.cursor is document[index]
            top = flow_of(app.view).top(index) - app.view.first_row
            assert 0 <= top < app.view.page
        for index in reversed(range(len(document) - 1)):
            await pilot.press("k")
            assert app.view.cursor is document[index]
            top = flow_of(app.view).top(index) - app.view.first_row
            assert 0 <= top < app.view.page


async def test_folding_keeps_the_entry_where_it_is() -> None:
    log = long_log(20)
    log.command("big", "".join(f"line {number}\n" for number in range(100)))
    log.notice("info", "after")
    app = TranscriptApp(document_of(log.boxes))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("k", "k")
        title = next(line for line in app.screen_lines() if "$ big" in line)
        row = app.screen_lines().index(title)
        await pilot.press("space")
        assert app.screen_lines()[row] == title
        assert not app.view.at_end
        await pilot.press("space")
        assert app.screen_lines()[row] == title


async def test_a_click_on_the_hint_unfolds() -> None:
    log = Log()
    log.command("big", "".join(f"line {number}\n" for number in range(100)))
    app = TranscriptApp(document_of(log.boxes))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        row = next(row for row, line in enumerate(app.screen_lines()) if "more lines" in line)
        await pilot.click(offset=(app.screen_lines()[row].index("▸"), row))
        assert "line 20" in app.screen_lines()[21]


async def test_a_click_on_a_link_only_announces_it() -> None:
    log = Log()
    log.message("see https://tides.example/api or [here](https://other.example)")
    app = TranscriptApp(document_of(log.boxes))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.click(offset=(10, 0))
        await pilot.click(offset=(38, 0))
        assert [message.url for message in of_type(app, TranscriptView.OpenLink)] == [
            "https://tides.example/api",
            "https://other.example",
        ]


async def test_a_theme_change_draws_everything_in_its_colours() -> None:
    app = TranscriptApp(document_of(long_log().boxes))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("pageup")
        before = app.screen_lines()
        dark = app.view.render_lines(app.view.size.region)
        app.theme = "textual-light"
        await pilot.pause()
        light = app.view.render_lines(app.view.size.region)
        assert app.screen_lines() == before
        assert all(one != other for one, other in zip(dark, light, strict=True))


async def test_every_colour_is_the_new_themes_after_a_change() -> None:
    app = TranscriptApp(document_of(long_log().boxes))
    async with app.run_test(size=SIZE) as pilot:
        for theme in load_themes():
            app.register_theme(theme)
        await pilot.pause()
        for theme in ("quarterdeck-light", "nord", "quarterdeck-dark"):
            app.theme = theme
            await pilot.pause()
            await pilot.pause()
            shown = app.view._palette
            assert shown is not None
            for name in NAMES:
                app.view._visual_style_cache.clear()
                assert shown((name,)) == Palette(app.view)((name,)), (theme, name)


async def test_focus_draws_nothing_anew() -> None:
    app = TranscriptApp(document_of(long_log().boxes))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        last = flow_of(app.view).rendered(len(flow_of(app.view)) - 1)
        app.set_focus(None)
        await pilot.pause()
        app.view.focus()
        await pilot.pause()
        assert flow_of(app.view).rendered(len(flow_of(app.view)) - 1) is last


async def test_updates_that_come_too_fast_are_drawn_together() -> None:
    document = document_of(long_log().boxes)
    document.item_started(AgentMessage(id="m", text=""))
    app = TranscriptApp(document)
    async with app.run_test(size=SIZE) as pilot:
        await changed(app, pilot)
        drawn = 0

        def count(*_: object) -> None:
            nonlocal drawn
            drawn += 1

        flow = flow_of(app.view)
        apply = flow.apply
        flow.apply = lambda changes: (count(), apply(changes))[1]  # type: ignore[method-assign]
        for number in range(50):
            document.delta("m", Channel.MESSAGE, f"{number} ")
            app.view.document_changed()
        assert drawn <= 1
        async with asyncio.timeout(20):
            while app.screen_lines()[-2].split()[-1:] != ["49"]:
                await pilot.pause(0.01)
        assert drawn <= 3


async def test_a_slow_update_is_followed_by_a_longer_pause() -> None:
    document = document_of(long_log().boxes)
    document.item_started(AgentMessage(id="m", text=""))
    app = TranscriptApp(document)
    async with app.run_test(size=SIZE) as pilot:
        await changed(app, pilot)
        document.delta("m", Channel.MESSAGE, "|a|\n|-|\n" + "|x **y** z|\n" * 600)
        app.view._next_flush = 0
        begin = perf_counter()
        app.view.document_changed()
        cost = perf_counter() - begin
        assert app.view._next_flush - begin >= min(0.5, 4 * cost) > 1 / 30


@pytest.mark.parametrize("width", [1, 5, 9, 14, 20])
async def test_a_sliver_of_a_screen_is_survived(width: int) -> None:
    app = TranscriptApp(document_of(gallery()))
    async with app.run_test(size=(width, 6)) as pilot:
        await pilot.press("home", "pagedown", "end", "k")
        for strip in app.view.render_lines(app.view.size.region):
            assert strip.cell_length == app.view.size.width


async def test_an_empty_document_is_blank_and_takes_keys() -> None:
    app = TranscriptApp(Document())
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("j", "k", "enter", "y", "pageup", "pagedown", "home", "end", "up", "down")
        assert set(app.screen_lines()) == {""}
        assert app.clipboard == ""


async def test_a_document_given_before_there_is_a_size_is_shown_with_the_first_one() -> None:
    app = TranscriptApp(document_of(long_log().boxes))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert app.screen_lines()[0] != ""


async def test_the_wheel_moves_by_the_apps_sensitivity() -> None:
    app = TranscriptApp(document_of(long_log().boxes))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        top = app.screen_lines()[0]
        await pilot._post_mouse_events([MouseScrollUp], widget=app.view)
        assert app.screen_lines()[round(app.scroll_sensitivity_y)] == top


async def test_dragging_the_scroll_bar_jumps() -> None:
    app = TranscriptApp(document_of(long_log(300).boxes))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        app.view.scroll_to(y=200, animate=False)
        await pilot.pause()
        assert app.view.scroll_y == 200
        assert not app.view.at_end
        app.view.scroll_to(y=app.view.max_scroll_y, animate=False)
        await pilot.pause()
        assert app.view.at_end


def test_the_view_is_one_widget() -> None:
    assert issubclass(TranscriptView, Widget)
    assert "compose" not in vars(TranscriptView)
