"""Content that wants to harm: it costs little, shows what it is, and never reaches the terminal raw."""

from __future__ import annotations

import base64
import random
from collections.abc import Callable
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.agent.events import Channel
from core.agent.items import AgentMessage, Change, OtherItem, Reasoning
from tests.tui.transcript.app import TranscriptApp, document_of
from tests.tui.transcript.drawn import draw_boxes, row_text, styler
from tests.tui.transcript.gallery import Log, gallery
from tests.tui.transcript.test_safe import harmful
from tui.transcript.document import Document
from tui.transcript.drawing import Drawer

NASTY = st.text(
    st.one_of(
        st.sampled_from(
            "\x00\x07\x08\t\n\r\x1b[]()0123456789;mKJHh?PX^_\\\x7f\x9b\x9d\x90\u202e\u200b\ud800`*#|-> "
        ),
        st.characters(codec=None, exclude_categories=[]),
    ),
    max_size=80,
)

BLOB = base64.b64encode(random.Random(1).randbytes(1_500_000)).decode()

SECONDS = 1.0
"""CPU time for one entry on a slow machine; most take a few milliseconds."""

Make = Callable[[Log], object]

HOSTILE: dict[str, Make] = {
    "50 MB on one line of output": lambda log: log.command("x", "y" * 50_000_000),
    "50 MB on one line of a message": lambda log: log.message("y" * 50_000_000),
    "50 MB on one line from a person": lambda log: log.user("y" * 50_000_000),
    "100,000 lines of output": lambda log: log.command("x", "a line of output\n" * 100_000),
    "100,000 lines of a message": lambda log: log.message("a line of text\n" * 100_000),
    "a diff of 10,000 lines each way": lambda log: log.patch(
        Change(
            path="a.py",
            verb="update",
            diff="@@ -1,9 +1,9 @@\n" + "-old = 1\n" * 10_000 + "+new = 2\n" * 10_000,
        )
    ),
    "a blob on one line of a fence": lambda log: log.message(f"```python\n{BLOB}\n```"),
    "a blob on many lines of a fence": lambda log: log.message(
        "```python\n" + "\n".join(BLOB[start : start + 76] for start in range(0, len(BLOB), 76)) + "\n```"
    ),
    "5,000 rows of a table": lambda log: log.message("|a|b|\n|-|-|\n" + "|cell **x**|`y`|\n" * 5_000),
    "a table of 3,000 columns": lambda log: log.message("|" * 3_000 + "\n" + "|-" * 3_000 + "\n|a|"),
    "lists 300 deep": lambda log: log.message("".join("  " * depth + "- x\n" for depth in range(300))),
    "quotes 3,000 deep": lambda log: log.message(">" * 3_000 + " x\n" * 20),
    "60,000 brackets": lambda log: log.message("[" * 60_000),
    "brackets in many paragraphs": lambda log: log.message("\n\n".join("[" * 39 for _ in range(1_500))),
    "runs of backticks": lambda log: log.message(
        "".join("`" * (size % 300 + 1) + " " for size in range(400))
    ),
    "unfinished emphasis": lambda log: log.message("*a _b " * 10_000),
    "a flood of combining marks": lambda log: log.message("e" + "\u0301" * 60_000),
    "a flood of invisible characters": lambda log: log.message("a\u200b" * 30_000),
    "a flood of colours": lambda log: log.command("x", "\x1b[31m" * 100_000),
    "a flood of carriage returns": lambda log: log.command("x", "\r" * 100_000 + "\x08" * 100),
    "a flood of unfinished sequences": lambda log: log.command("x", "\x1b]" * 50_000),
    "9,000 link definitions": lambda log: log.message("[a]: x\n" * 9_000),
    "JSON 100,000 deep": lambda log: log.tool("t", "[" * 100_000),
    "an unknown item with deep JSON": lambda log: log.item(OtherItem(id="o", name="n", raw="[" * 100_000)),
    "a megabyte of reasoning": lambda log: log.reasoning("word " * 200_000),
}


@pytest.mark.parametrize("folded", [None, False])
@pytest.mark.parametrize("name", HOSTILE)
def test_drawing_is_bounded_in_time_and_in_rows(name: str, folded: bool | None) -> None:
    log = Log()
    HOSTILE[name](log)
    begin = process_time()
    rows = draw_boxes(log.boxes, 100, folded)
    assert process_time() - begin < SECONDS
    assert len(rows) < 30_000
    assert all(len(row) <= 100 for row in rows)


def nasty_log(text: str) -> Log:
    """The text in every place that somebody else writes."""
    log = Log()
    log.user(text, attachments=(text,))
    log.message(text)
    log.reasoning(text, text)
    log.plan(text)
    log.command(text, text, cwd=text)
    log.patch(
        Change(path=text, verb="update", diff=text), Change(path="b", verb="add", diff=text, move_path=text)
    )
    log.tool(text, text, text, server=text, notes=(text,))
    log.tool("request_user_input", '{"questions": [{"id": "a", "question": "?"}]}', text)
    log.item(OtherItem(id="o", name=text, raw=text))
    log.notice("error", text, text)
    return log


@given(NASTY)
@settings(max_examples=60, deadline=None)
def test_no_row_holds_a_control_and_each_is_as_wide_as_it_should_be(text: str) -> None:
    log = nasty_log(text.encode("utf-8", "replace").decode())
    for folded in (None, False):
        for row in draw_boxes(log.boxes, 70, folded):
            assert not [character for character in row if harmful(character)]


@given(st.lists(NASTY, min_size=1, max_size=6))
@settings(max_examples=60, deadline=None)
def test_no_row_of_a_stream_holds_a_control(pieces: list[str]) -> None:
    document = Document()
    document.item_started(AgentMessage(id="m", text=""))
    document.item_started(Reasoning(id="r"))
    drawer = Drawer(styler)
    for piece in pieces:
        document.delta("m", Channel.MESSAGE, piece)
        document.delta("r", Channel.SUMMARY, piece)
        for entry in document.entries():
            for row in drawer.draw(entry, 50).rows:
                text = row_text(row)
                assert not [character for character in text if harmful(character)]
                assert sum(segment.cell_length for segment in row.segments) == 50


async def test_no_escape_reaches_a_painted_strip() -> None:
    text = (
        "".join(map(chr, range(0xA0))) + "\x1b]52;c;c2VjcmV0\x07\x1b]8;;https://evil.example\x1b\\click\u202e"
    )
    app = TranscriptApp(document_of(nasty_log(text).boxes))
    async with app.run_test(size=(90, 30)) as pilot:
        await pilot.press("home")
        while True:
            for strip in app.view.render_lines(app.view.size.region):
                assert not [character for character in strip.text if harmful(character)]
                assert not any(segment.style and segment.style.link for segment in strip)
            if app.view.at_end:
                break
            await pilot.press("pagedown")


@pytest.mark.parametrize(
    "markdown",
    [
        "|a|b|\n|-|-|\n" + "|cell **x**|`y`|\n" * 3_000,
        "".join(f"- item **{number}** and `code`\n" for number in range(2_500)),
        "a line of one paragraph **x**\n" * 2_500,
        "> a quoted line **x**\n" * 2_500,
        "```python\n" + "x = [1, 2]\n" * 6_000,
        "```\n" + BLOB[:400_000],
        "words **x** of one line " * 6_000,
        "a_b *c " * 9_000,
        BLOB[:250_000],
        "[a]: x\n" * 9_000,
        "- an item\n" + "  and more of it\n" * 3_000,
        "    indented code\n" * 6_000,
    ],
    ids=[
        "table",
        "list",
        "paragraph",
        "quote",
        "fence",
        "blob",
        "line",
        "unclosed marks",
        "word",
        "link definitions",
        "one item",
        "indented code",
    ],
)
def test_one_giant_block_streams_at_a_steady_cost(markdown: str) -> None:
    """The last updates cost about what early ones did: nothing is drawn from the beginning again."""
    document = Document()
    document.item_started(AgentMessage(id="m", text=""))
    drawer = Drawer(styler)
    pieces = [markdown[start : start + 400] for start in range(0, len(markdown), 400)]
    costs: list[float] = []
    for piece in pieces:
        document.delta("m", Channel.MESSAGE, piece)
        begin = process_time()
        drawer.draw(document[0], 100)
        costs.append(process_time() - begin)
    third = len(costs) // 3
    early, late = sum(costs[:third]), sum(costs[-third:])
    assert late < 3 * early + 0.2


def test_markup_is_text() -> None:
    log = Log()
    text = "[bold red]not markup[/] [@click=app.quit]nor this[/] \\[x]"
    log.user(text)
    log.command(f"echo '{text}'", text)
    log.notice("info", text)
    shown = "\n".join(draw_boxes(log.boxes, 120))
    assert shown.count("[bold red]not markup[/] [@click=app.quit]nor this[/]") == 4


def test_lines_that_end_in_crlf_are_lines() -> None:
    log = Log()
    log.user("one\r\ntwo")
    log.message("one\r\n\r\n- two\r\n")
    log.command("x", "one\r\ntwo\r\n")
    assert draw_boxes(log.boxes, 40)[:6] == ["▌  one", "▌  two", "", " ● one", "", "   • two"]


def test_an_entry_that_cannot_be_drawn_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from tui.transcript.panes import notice

    def fail(*_: object) -> None:
        raise RuntimeError("no ink")

    monkeypatch.setattr(notice, "draw", fail)
    log = Log()
    log.notice("info", "hello")
    assert "cannot be read: RuntimeError('no ink')" in draw_boxes(log.boxes)[0]


def test_everything_in_the_gallery_is_drawn_at_every_width() -> None:
    for width in (4, 9, 20, 41, 80, 200):
        for folded in (None, False, True):
            assert draw_boxes(gallery(), width, folded)
