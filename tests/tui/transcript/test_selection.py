from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import get_character_cell_size
from rich.style import Style
from textual.geometry import Offset
from textual.selection import Selection
from textual.strip import Strip

from core.agent.events import Channel
from core.agent.items import AgentMessage
from tests.tui.transcript.app import TranscriptApp, changed, document_of
from tests.tui.transcript.drawn import styler
from tests.tui.transcript.gallery import Log, gallery
from tui.transcript import selection
from tui.transcript.document import Document
from tui.transcript.drawing import Drawer
from tui.transcript.flow import Flow

WIDTHS = st.integers(24, 120)
TEXT = st.text(st.sampled_from("ab 漢é-`*1"), min_size=1, max_size=200)


def flow_of(document: Document, width: int) -> Flow:
    return Flow(document, Drawer(styler).draw, width)


def hit(strip: Strip, column: int) -> Offset | None:
    """What the compositor finds at a cell."""
    found: Offset | None = None
    begin = 0
    for segment in strip:
        end = begin + segment.cell_length
        meta = segment.style.meta if segment.style is not None else {}
        if "offset" in meta:
            x, y = meta["offset"]
            found = Offset(x + len(segment.text), y)
            if begin <= column < end:
                for character in segment.text:
                    begin += get_character_cell_size(character)
                    if begin > column:
                        return Offset(x, y)
                    x += 1
        begin = end
    return found


@given(st.lists(TEXT, min_size=1, max_size=3), WIDTHS)
@settings(deadline=None)
def test_each_cell_of_text_leads_to_the_character_it_shows(texts: list[str], width: int) -> None:
    log = Log()
    for text in texts:
        log.user(text)
        log.command("run", text)
    flow = flow_of(document_of(log.boxes), width)
    for index in range(len(flow)):
        rendered = flow.rendered(index)
        for number, row in enumerate(rendered.rows):
            strip = selection.hit_strip(flow.entry(index), rendered.rows, number, width)
            if row.line < 0:
                continue
            column = row.indent
            for position in range(row.length):
                character = rendered.lines[row.line][row.start + position]
                offset = hit(strip, column)
                assert offset is not None
                assert selection.unpack(offset.y) == (flow.entry(index).order, row.line)
                assert offset.x == row.start + position
                column += get_character_cell_size(character)


@given(st.data(), WIDTHS, WIDTHS)
@settings(deadline=None, max_examples=40)
def test_the_selected_text_is_the_same_at_every_width(data: st.DataObject, one: int, other: int) -> None:
    document = document_of([box for box in gallery() if box.box_type in ("user", "notice", "reasoning")])
    flows = flow_of(document, one), flow_of(document, other)
    ends: list[Offset] = []
    for _ in range(2):
        entry = document[data.draw(st.integers(0, len(document) - 1))]
        lines = flows[0].rendered(document.index(entry)).lines
        line = data.draw(st.integers(0, len(lines) - 1))
        ends.append(Offset(data.draw(st.integers(0, len(lines[line]))), selection.pack(entry.order, line)))
    chosen = Selection.from_offsets(*ends)
    assert selection.text(chosen, flows[0]) == selection.text(chosen, flows[1])


@given(TEXT, st.integers(0, 60), st.integers(0, 60), WIDTHS)
@settings(deadline=None)
def test_what_is_highlighted_is_what_is_selected(text: str, begin: int, end: int, width: int) -> None:
    log = Log()
    log.user(text)
    flow = flow_of(document_of(log.boxes), width)
    entry, rendered = flow.entry(0), flow.rendered(0)
    y = selection.pack(entry.order, 0)
    chosen = Selection.from_offsets(Offset(min(begin, end), y), Offset(max(begin, end), y))
    mark = Style(reverse=True)
    marked = ""
    for row in rendered.rows:
        span = selection.span(chosen, entry, row)
        if span is not None:
            segments = selection.highlighted(row, span, mark)
            assert "".join(s.text for s in segments) == "".join(s.text for s in row.segments)
            marked += "".join(s.text for s in segments if s.style is not None and s.style.reverse)
    wanted = rendered.lines[0][min(begin, end) : max(begin, end)]
    assert marked.replace(" ", "") == wanted.replace(" ", "")


def test_order_and_line_are_packed_without_loss() -> None:
    for order in (0, 1 << 40, (1 << 41) + 7):
        for line in (0, 5, 100_000):
            assert selection.unpack(selection.pack(order, line)) == (order, line)


async def test_dragging_over_wrapped_lines_copies_them_whole() -> None:
    log = Log()
    text = "a sentence that is long enough to be wrapped several times on a screen as narrow as this one is"
    log.message(f"{text}\n\n- first\n- second")
    log.user("after")
    app = TranscriptApp(document_of(log.boxes))
    async with app.run_test(size=(40, 16)) as pilot:
        await pilot.pause()
        await pilot.mouse_down(offset=(3, 0))
        await pilot.hover(offset=(30, 5))
        await pilot.mouse_up(offset=(30, 5))
        assert app.screen.get_selected_text() == f"{text}\n\n- first\n- second"
        await pilot.press("y")
        assert app.clipboard == f"{text}\n\n- first\n- second"


async def test_a_drag_that_ends_on_decoration_selects_to_the_text_before_it() -> None:
    log = Log()
    log.command("make", "one\ntwo\nthree\n")
    log.user("below")
    app = TranscriptApp(document_of(log.boxes))
    async with app.run_test(size=(60, 16)) as pilot:
        await pilot.pause()
        await pilot.mouse_down(offset=(3, 1))
        await pilot.hover(offset=(20, 4))
        await pilot.mouse_up(offset=(20, 4))
        assert app.screen.get_selected_text() == "one\ntwo\nthree"


async def test_a_selection_stays_with_its_text_when_the_message_completes() -> None:
    log = Log()
    document = document_of([log.user("go")])
    document.item_started(AgentMessage(id="m", text=""))
    document.delta("m", Channel.MESSAGE, "words to select and more")
    app = TranscriptApp(document)
    async with app.run_test(size=(60, 16)) as pilot:
        await changed(app, pilot)
        await pilot.mouse_down(offset=(3, 2))
        await pilot.hover(offset=(7, 2))
        assert app.screen.get_selected_text() == "words"
        document.add_boxes(
            [log.notice("info", "in between"), log.message("words to select and more", item_id="m")]
        )
        await changed(app, pilot)
        assert app.screen.get_selected_text() == "words"
        await pilot.hover(offset=(17, 4))
        await pilot.mouse_up(offset=(17, 4))
        assert app.screen.get_selected_text() == "words to select"


async def test_a_selection_survives_resizing_scrolling_and_older_pages() -> None:
    log = Log()
    for number in range(40):
        log.message(f"message {number} with a few more words to wrap on a narrow screen")
    document = document_of(log.boxes[20:])
    app = TranscriptApp(document)
    async with app.run_test(size=(80, 16)) as pilot:
        await pilot.pause()
        await pilot.mouse_down(offset=(3, 1))
        await pilot.hover(offset=(14, 3))
        await pilot.mouse_up(offset=(14, 3))
        selected = app.screen.get_selected_text()
        assert selected is not None and "\n\n" in selected
        await pilot.press("pageup")
        document.prepend_boxes(log.boxes[:20])
        await changed(app, pilot)
        await pilot.resize_terminal(40, 12)
        await pilot.pause()
        assert app.screen.get_selected_text() == selected


async def test_a_selection_grows_while_a_drag_scrolls_past_the_edge() -> None:
    log = Log()
    for number in range(60):
        log.user(f"message {number}")
    app = TranscriptApp(document_of(log.boxes))
    async with app.run_test(size=(60, 16)) as pilot:
        await pilot.press("home")
        await pilot.mouse_down(offset=(3, 4))
        await pilot.hover(offset=(12, 15))
        before = app.screen.get_selected_text() or ""
        for _ in range(10):
            app.view.scroll_y += 1
        after = app.screen.get_selected_text() or ""
        await pilot.mouse_up(offset=(12, 15))
        assert after.startswith(before.rsplit("\n", 1)[0])
        assert after.count("message") == before.count("message") + 5
