"""Paragraphs of one very long line, as they stream and when they are done."""

from __future__ import annotations

import random

import pytest

from core.agent.events import Channel
from core.agent.items import AgentMessage
from tests.tui.transcript.drawn import row_text, styler
from tests.tui.transcript.gallery import Log
from tests.tui.transcript.test_markdown import FRAME, drawn
from tui.transcript import live_paragraph
from tui.transcript.document import Document
from tui.transcript.drawing import Drawer
from tui.transcript.live import LiveMarkdown
from tui.transcript.rows import Rendered

WIDTH = 60
PROSE = "the **tide table** is `read()` again, says a page at https://tides.example now "
LINK = "and [another page](https://example.org/1) "
LINES = {
    "prose with marks": (PROSE * 10 + LINK) * 20,
    "words": "tide table " * 1_900,
    "one word": "x" * 20_000,
    "wide letters": "潮汐表 und Gezeiten " * 1_000,
    "words with marks that mean nothing": "snake_case a < b & c > d " * 800,
    "what is shown otherwise": "a\u202eb\tc\u200bd e\u0301\u0301\u0301\u0301\u0301\u0301 " * 800,
}


def streamed(source: str, seed: int = 1) -> Rendered:
    """The rows after it came in pieces of any size; rows said to be stable stayed as they were."""
    live = LiveMarkdown(WIDTH, styler, FRAME)
    rng = random.Random(seed)
    before: list[object] = []
    position = 0
    while position < len(source):
        position += rng.randint(1, 900)
        rendered = live.draw(source[:position])
        assert rendered.rows[: rendered.stable] == before[: rendered.stable]
        before = list(rendered.rows)
    return rendered


def same(rendered: Rendered, source: str) -> bool:
    whole = drawn(source, WIDTH)
    assert [row_text(row) for row in rendered.rows] == [row_text(row) for row in whole.rows]
    assert [row[1:] for row in rendered.rows] == [row[1:] for row in whole.rows]
    return (rendered.lines, rendered.links) == (whole.lines, whole.links)


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_a_long_line_streams_to_the_rows_of_the_whole(line: str) -> None:
    assert same(streamed(line), line)


@pytest.mark.parametrize("before", ["", "A heading\n===\n\n", "a line\nanother\nand one\n"])
@pytest.mark.parametrize(
    "after", ["\n", "\n\nA paragraph", "\nmore of it\n\n- item", "\n```\ncode", "\n\n\n# Title"]
)
def test_what_stands_around_a_long_line_keeps_its_place(before: str, after: str) -> None:
    source = f"{before}{PROSE * 80}{after}"
    assert same(streamed(source), source)
    source += "\n\n" + PROSE * 60
    assert same(streamed(source), source)


def test_a_mark_that_is_closed_far_away_is_right_in_the_end() -> None:
    source = "**bold " + "word " * 4_000 + "end** and plain"
    log = Log()
    document = Document()
    document.item_started(AgentMessage(id="m", text=""))
    drawer = Drawer(styler)
    for start in range(0, len(source), 500):
        document.delta("m", Channel.MESSAGE, source[start : start + 500])
        rendered = drawer.draw(document[0], WIDTH)
    assert rendered.lines[0].startswith("**bold")
    document.add_boxes([log.message(source, item_id="m")])
    rendered = drawer.draw(document[0], WIDTH)
    assert rendered.lines == [source.replace("**", "")]


def test_an_answer_too_long_to_be_shown_whole_stays_as_it_streamed() -> None:
    source = "**bold " + "word " * 14_000 + "end**"
    assert len(source) > 64_000
    log = Log()
    document = Document()
    document.item_started(AgentMessage(id="m", text=""))
    drawer = Drawer(styler)
    document.delta("m", Channel.MESSAGE, source)
    before = drawer.draw(document[0], WIDTH).lines[0]
    document.add_boxes([log.message(source, item_id="m")])
    assert drawer.draw(document[0], WIDTH).lines[0] == before


def test_of_a_line_without_end_the_beginning_is_shown_and_the_rest_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(live_paragraph, "MAX_SHOWN", 10_000)
    rendered = streamed("word " * 4_000)
    assert rendered.lines[0].endswith("word… ⟨10,000 more characters⟩")


def test_a_very_long_paragraph_is_shown_whole_with_its_markup() -> None:
    source = PROSE.replace("says", "says the keeper of the tables of the old harbour in words " * 3) * 280
    assert len(source) > 60_000
    line = drawn(source, WIDTH).lines[0]
    assert (line.count("**"), line.count("`")) == (0, 0)
    assert line.count("tide table") == 280


def test_a_long_line_in_a_list_is_drawn_as_it_was_written_until_it_is_done() -> None:
    source = "- " + PROSE * 380
    live = LiveMarkdown(WIDTH, styler, FRAME)
    assert "**tide" in live.draw(source).lines[0]
    assert not live.exact
    assert "**tide" not in drawn(source, WIDTH).lines[0]
