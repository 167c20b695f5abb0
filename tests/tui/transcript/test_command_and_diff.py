"""Commands and diffs in detail: what fits where, what is folded, which words changed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.style import Style

from core.agent.items import Change
from tests.tui.transcript.drawn import draw, draw_boxes
from tests.tui.transcript.gallery import SCRIPT, WIDE_DIFF, Log
from tui.transcript.canvas import Canvas
from tui.transcript.document import Document
from tui.transcript.drawing import Drawer
from tui.transcript.panes import diff_rows, diff_words, diffs
from tui.transcript.rows import Look


def drawn(log: Log, width: int = 80, folded: bool | None = None) -> list[str]:
    return draw_boxes(log.boxes, width, folded)


def commands(command: str, output: str = "") -> Log:
    log = Log()
    log.command(command, output)
    return log


# Commands.


def test_the_lines_after_the_first_are_below_the_title() -> None:
    rows = drawn(commands(SCRIPT))
    assert rows[0].startswith(" ╭─ $ set -euo pipefail ─")
    assert rows[1].startswith(" │   for station in cuxhaven helgoland; do")
    assert rows[5].startswith(" ├─")


def test_a_line_that_the_title_cannot_hold_is_whole_below_it() -> None:
    line = "grep -rn 'a long pattern that goes on' " + "folder/ " * 12
    rows = drawn(commands(line))
    assert rows[0].startswith(" ╭─ $ grep … ─")
    assert "".join(row[4:-2] for row in rows[1:4]).replace(" ", "").startswith(line.replace(" ", ""))


def test_of_a_long_folder_the_end_is_shown_beside_the_hint() -> None:
    log = Log()
    log.command("seq", "1\n" * 60, cwd="/home/somebody/with/a/very/long/path/to/the/project/folder/harbour")
    end = drawn(log, width=60)[-2]
    assert "harbour ─" in end and "/home" not in end and "48 more lines ─╯" in end


@pytest.mark.parametrize("length", range(40, 70))
def test_a_title_is_never_cut_and_never_repeated(length: int) -> None:
    command = "x" * length
    text = "\n".join(drawn(commands(command)))
    assert text.count(command) == 1 or "$ xxxxxxxxxxxxxxxxxxxxxxx… …" in text


@pytest.mark.parametrize(
    ("command", "output"),
    [("true", ""), ("x " * 100, "short\n"), (SCRIPT, "3.42\n"), ("ls", "name\n" * 12)],
)
def test_a_pane_that_is_whole_says_nothing_of_more(command: str, output: str) -> None:
    log = commands(command, output)
    document = Document()
    document.add_boxes(log.boxes)
    assert draw(document[0]).folded is None
    assert not any("▸" in row or "show" in row for row in drawn(log))


@pytest.mark.parametrize(
    ("command", "output"),
    [("true", "name\n" * 100), ("true", "y" * 1_000), ("echo\n" * 60, ""), ("x" * 1_000, "")],
)
def test_a_pane_with_more_shows_all_of_it_unfolded(command: str, output: str) -> None:
    log = commands(command, output)
    assert any("▸" in row for row in drawn(log))
    whole = "".join(row.strip(" │") for row in drawn(log, folded=False))
    letters = "".join((command + output).split())
    assert "".join(whole.split()).count("y" * 20) == letters.count("y" * 20)
    assert any("▾ show less" in row for row in drawn(log, folded=False))


def test_a_command_is_coloured_as_shell() -> None:
    looks: set[Look] = set()

    def styler(look: Look) -> Style:
        looks.add(look)
        return Style.null()

    document = Document()
    document.add_boxes(commands("for x in *; do echo 'a b'; done").boxes)
    Drawer(styler).draw(document[0], 80)
    assert ("command", "code-keyword") in looks
    assert ("command", "code-string") in looks


# Which words changed.


@pytest.mark.parametrize(
    ("old", "new", "gone", "came"),
    [
        ("if table is None:", "if table is not None:", [], ["not "]),
        ("read(path)", "read(path, checked=True)", [], [", checked=True"]),
        ("a = tide + 1", "a = tides + 2", ["tide", "1"], ["tides", "2"]),
        ("one two three", "four five six", [], []),
        ("same", "same", [], []),
        ("", "new", [], []),
    ],
)
def test_the_words_that_changed_are_found(old: str, new: str, gone: list[str], came: list[str]) -> None:
    first, second = diff_words.changed(old, new)
    assert [old[begin:end] for begin, end in first] == gone
    assert [new[begin:end] for begin, end in second] == came


@given(st.text("ab (=", max_size=30), st.text("ab (=", max_size=30))
@settings(max_examples=200, deadline=None)
def test_what_is_not_marked_is_the_same_in_both(old: str, new: str) -> None:
    gone, came = diff_words.changed(old, new)
    if not gone and not came:
        return

    def rest(text: str, spans: diff_words.Spans) -> str:
        kept = list(text)
        for begin, end in spans:
            kept[begin:end] = " " * (end - begin)
        return "".join("".join(kept).split())

    assert rest(old, gone) == rest(new, came)


def line_list(diff: str) -> list[diffs.Line]:
    return list(diffs.lines(Change(path="a", verb="update", diff=diff)))


def test_a_line_is_replaced_by_the_one_that_is_most_like_it() -> None:
    lines = line_list("-read the table\n+log the reading\n+read the table twice\n same\n-gone\n")
    assert diff_words.pairs(lines) == [(0, 2)]
    assert diff_words.pairs(line_list("-a 1\n-b 1\n+a 2\n+b 2\n")) == [(0, 2), (1, 3)]


def test_a_giant_line_is_not_compared() -> None:
    lines = line_list("-" + "a b " * 100_000 + "\n+" + "a c " * 100_000)
    assert diff_words.marked(lines) == {0: [], 1: []}


@pytest.mark.parametrize("files", [1, 2])
def test_of_a_long_path_the_end_is_shown_beside_the_counts(files: int) -> None:
    log = Log()
    path = "/home/somebody/with/a/very/long/path/to/the/project/folder/harbour.py"
    log.patch(*(Change(path=path, verb="update", diff="@@ -1 +1 @@\n-a\n+b\n") for _ in range(files)))
    title = drawn(log, width=60)[files - 1]
    assert "harbour.py" in title and "/home" not in title and "+1 −1" in title


# Side by side.


def sides(diff: str, width: int = 120) -> list[tuple[str, str]]:
    log = Log()
    log.patch(Change(path="a.txt", verb="update", diff=diff))
    rows = [row for row in drawn(log, width) if row.count("│") == 3]
    return [tuple(part.rstrip() for part in row.split("│")[1:3]) for row in rows]  # type: ignore[misc]


def test_old_and_new_stand_beside_each_other_where_there_is_room() -> None:
    found = sides("@@ -3,3 +3,3 @@\n same\n-old line\n+new line\n end\n")
    assert found == [(" 3   same", " 3   same"), (" 4 - old line", " 4 + new line"), (" 5   end", " 5   end")]
    assert sides("@@ -3 +3 @@\n-a\n+b\n", width=100) == []


def test_what_has_no_partner_stands_alone() -> None:
    found = sides("@@ -1,2 +1,3 @@\n-read the table\n+log it\n+read the table twice\n-gone\n")
    assert found == [
        ("", " 1 + log it"),
        (" 1 - read the table", " 2 + read the table twice"),
        (" 2 - gone", ""),
    ]


def test_a_line_longer_than_its_half_goes_on_below() -> None:
    text = "".join(chr(97 + number % 26) for number in range(150))
    found = sides(f"@@ -1 +1 @@\n-{text} old\n+short\n")
    left = "".join(old[5:] for old, _ in found)
    assert left == f"{text} old"


def test_selecting_across_old_and_new_gives_each_line_once() -> None:
    log = Log()
    log.patch(Change(path="a.py", verb="update", diff=WIDE_DIFF))
    document = Document()
    document.add_boxes(log.boxes)
    lines = draw(document[0], 130).lines[1:]
    assert sorted(lines) == sorted(line[1:] for line in WIDE_DIFF.splitlines() if line[0] != "@")
    assert {row.line for row in draw(document[0], 130).rows} <= set(range(-1, len(lines) + 1))


@given(st.lists(st.tuples(st.sampled_from("+- "), st.text("ab 漢\t", max_size=90)), max_size=12))
@settings(max_examples=60, deadline=None)
def test_every_row_of_two_columns_is_as_wide_as_it_should_be(lines: list[tuple[str, str]]) -> None:
    change = Change(path="a", verb="update", diff="".join(f"{sign}{text}\n" for sign, text in lines))
    canvas = Canvas(118, lambda look: Style.null())
    diff_rows.draw(change, list(diffs.lines(change)), canvas)
    for row in canvas.rows:
        assert sum(segment.cell_length for segment in row.segments) == 118
        shown: Any = "".join(segment.text for segment in row.segments)
        if row.line >= 0 and row.length and shown.isascii():
            piece = shown[row.indent : row.indent + row.length]
            assert piece == canvas.lines[row.line][row.start : row.start + row.length]
