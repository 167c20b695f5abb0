from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rich.style import Style

from tests.tui.transcript.drawn import row_text, styler
from tests.tui.transcript.gallery import MESSAGE
from tui.transcript import markdown_rows
from tui.transcript.canvas import Canvas
from tui.transcript.live import LiveMarkdown
from tui.transcript.rows import Frame, Look, Rendered, Tap

FRAME = Frame((("● ", ()),), (("  ", ()),), ((" ", ()),))
LINES = st.sampled_from(
    [
        "",
        "",
        "words that are long enough to be wrapped at forty cells",
        "**bold** and `code`",
        "# Heading",
        "===",
        "---",
        "- item",
        "- ",
        "  - nested",
        "  continued",
        "1. one",
        "2",
        "2. two",
        "3) other",
        "* * *",
        "> quote",
        "> - quoted item",
        "```python",
        "```",
        "~~~",
        "    indented",
        "   ```",
        "|a|b|",
        "|-|-|",
        "|1|2|",
        "- [x] done",
        "<b>",
        "\\",
        "漢字かな",
    ]
)
MARKDOWN = st.lists(LINES, max_size=14).map("\n".join)


def drawn(source: str, width: int = 60) -> Canvas:
    canvas = Canvas(width, styler, FRAME)
    markdown_rows.draw(source, canvas)
    return canvas


def lines(source: str, width: int = 60) -> list[str]:
    return [row_text(row).rstrip() for row in drawn(source, width).rows]


def streamed(source: str, cuts: list[int], width: int = 60) -> Rendered:
    live = LiveMarkdown(width, styler, FRAME)
    for cut in sorted({*cuts, len(source)}):
        rendered = live.draw(source[:cut])
    return rendered


@given(MARKDOWN, st.data())
@settings(max_examples=300)
def test_text_that_streamed_has_the_rows_of_text_that_came_at_once(source: str, data: st.DataObject) -> None:
    cuts = data.draw(st.lists(st.integers(0, len(source)), max_size=30))
    whole = drawn(source)
    rendered = streamed(source, cuts)
    assert [row_text(row) for row in rendered.rows] == [row_text(row) for row in whole.rows]
    assert [row[1:] for row in rendered.rows] == [row[1:] for row in whole.rows]
    assert rendered.lines == whole.lines


@given(MARKDOWN, st.data())
def test_stable_rows_are_those_that_were_drawn_before(source: str, data: st.DataObject) -> None:
    live = LiveMarkdown(60, styler, FRAME)
    before: list[object] = []
    for cut in sorted(data.draw(st.sets(st.integers(0, len(source))))):
        rendered = live.draw(source[:cut])
        assert rendered.rows[: rendered.stable] == before[: rendered.stable]
        before = list(rendered.rows)


@given(MARKDOWN, st.integers(16, 80))
@example("1. one\n   ```", 16)
def test_each_row_is_as_wide_as_the_canvas(source: str, width: int) -> None:
    for row in drawn(source, width).rows:
        assert sum(segment.cell_length for segment in row.segments) == width


@given(MARKDOWN, st.integers(16, 80))
def test_rows_show_the_text_of_their_lines(source: str, width: int) -> None:
    canvas = drawn(source, width)
    for row in canvas.rows:
        if row.line >= 0 and row.start:
            shown = row_text(row)[row.indent :] if row_text(row).isascii() else ""
            assert canvas.lines[row.line][row.start :].startswith(shown[: row.length] if shown else "")


def test_a_paragraph_keeps_the_line_breaks_of_its_author() -> None:
    assert lines("one\ntwo") == ["● one", "  two"]


def test_lists_nest_and_hang() -> None:
    source = (
        "- one\n  - two words that go on and on until they wrap\n- [ ] open\n- [x] done\n\n7. seven\n8. eight"
    )
    assert lines(source, 31) == [
        "● • one",
        "    ◦ two words that go on and",
        "      on until they wrap",
        "  • ☐ open",
        "  • ☑ done",
        "",
        "  7. seven",
        "  8. eight",
    ]


def test_an_empty_item_has_its_bullet() -> None:
    assert lines("- \n- x") == ["● •", "  • x"]


def test_quotes_and_code_are_marked_by_more_than_colour() -> None:
    assert lines("> said\n> - so\n\n```\ncode\n```") == ["● ▎ said", "  ▎", "  ▎ • so", "", "  ▏ code"]


def test_a_copy_has_markdown_markers_in_place_of_the_screens() -> None:
    source = "- one\n  1. two\n\n> said"
    assert drawn(source).lines == ["- one", "  1. two", "", "> said"]


def test_tables_align_and_shrink_to_the_room() -> None:
    source = "|Name|Count|\n|:--|--:|\n|a **bold** word|1|\n|b|22|"
    assert lines(source, 40) == [
        "● Name        │ Count",
        "  ────────────┼──────",
        "  a bold word │     1",
        "  b           │    22",
    ]
    assert lines(source, 20) == [
        "● Name      │ Count",
        "  ──────────┼──────",
        "  a bold    │     1",
        "  word      │",
        "  b         │    22",
    ]


def test_a_table_too_wide_for_columns_becomes_records() -> None:
    source = "|" + "|".join(f"h{number}" for number in range(8)) + "|\n" + "|-" * 8 + "|\n" + "|v" * 8 + "|"
    assert lines(source, 30)[:2] == ["● h0: v", "  h1: v"]


@pytest.mark.parametrize(
    ("source", "shown", "urls"),
    [
        ("[docs](https://docs.example/a)", "docs (https://docs.example/a)", ["https://docs.example/a"]),
        (
            "[https://good.example](https://evil.example)",
            "https://good.example (https://evil.example)",
            ["https://evil.example"],
        ),
        ("[docs.example](https://docs.example/)", "docs.example", ["https://docs.example/"]),
        ("see https://a.example/x?y=1.", "see https://a.example/x?y=1.", ["https://a.example/x?y=1"]),
        ("[tides.py](/home/dev/core/tides.py)", "tides.py", []),
        ("[tides.py](/home/dev/core/other.py)", "tides.py (/home/dev/core/other.py)", []),
        ("[run](javascript:alert(1))", "[run](javascript:alert(1))", []),
        ("![chart](tides.png)", "▣ chart (tides.png)", []),
    ],
)
def test_where_a_link_leads_is_shown_unless_its_text_says_so(
    source: str, shown: str, urls: list[str]
) -> None:
    canvas = drawn(source)
    assert [row_text(row).rstrip() for row in canvas.rows] == [f"● {shown}"]
    assert canvas.links == urls


def test_links_are_numbered_on_through_a_stream() -> None:
    source = "https://one.example\n\nhttps://two.example\n\nhttps://three.example"
    rendered = streamed(source, list(range(len(source))))
    assert rendered.links == ["https://one.example", "https://two.example", "https://three.example"]
    taps = [
        segment.style.meta["link"]
        for row in rendered.rows
        for segment in row.segments
        if segment.style and segment.style.meta
    ]
    assert taps == [0, 1, 2]


def test_html_and_markup_are_text() -> None:
    assert lines("<b>not bold</b> [red]not red[/red]") == ["● <b>not bold</b> [red]not red[/red]"]


def test_emphasis_adds_up() -> None:
    looks: list[Look] = []

    def record(look: Look) -> Style:
        looks.append(look)
        return Style.null()

    markdown_rows.draw("**a *b* `c`**", Canvas(60, record, FRAME))
    assert ("strong", "emphasis") in looks
    assert ("strong", "code") in looks


def test_an_open_fence_is_coloured_line_by_line_and_whole_once_it_is_closed() -> None:
    def coloured(look: Look) -> Style:
        return Style(bold="code-string" in look or None)

    source = 'x\n\n```python\n"""\ndoc\n"""\n'
    live = LiveMarkdown(60, coloured, FRAME)
    for end in range(len(source)):
        live.draw(source[: end + 1])
    doc = live.draw(source).rows[3]
    assert not any(segment.style and segment.style.bold for segment in doc.segments)
    doc = live.draw(source + "```\n").rows[3]
    assert any(segment.style and segment.style.bold for segment in doc.segments)


def test_the_gallery_message_streams_as_it_is_drawn() -> None:
    rendered = streamed(MESSAGE, list(range(0, len(MESSAGE), 7)))
    assert [row_text(row) for row in rendered.rows] == [row_text(row) for row in drawn(MESSAGE).rows]


def test_a_tap_is_part_of_the_links_style_only() -> None:
    canvas = drawn("a https://x.example b")
    taps = [segment.text for segment in canvas.rows[0].segments if segment.style and segment.style.meta]
    assert taps == ["https://x.example"]
    assert styler((Tap("link", 0),)).meta == {"link": 0}
