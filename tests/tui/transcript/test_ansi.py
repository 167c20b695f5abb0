from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.transcript import ansi, safe
from tui.transcript.rows import Run, Sgr


def plain(runs: list[Run]) -> str:
    return "".join(text for text, _ in runs)


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("plain", [("plain", ())]),
        ("\x1b[31mred\x1b[0m not", [("red", (Sgr(1),)), (" not", ())]),
        ("\x1b[1;4;92mloud", [("loud", (Sgr(10, bold=True, underline=True),))]),
        ("\x1b[38;5;208morange", [("orange", (Sgr(208),))]),
        ("\x1b[38;2;1;2;3mrgb", [("rgb", (Sgr(256 + 0x010203),))]),
        ("\x1b[48;5;4mon\x1b[49m off", [("on", (Sgr(background=4),)), (" off", ())]),
        ("\x1b[1mbold\x1b[22m not", [("bold", (Sgr(bold=True),)), (" not", ())]),
        ("\x1b[mnothing", [("nothing", ())]),
        ("\x1b[38;5mcut \x1b[38;9;9mwrong", [("cut ", ()), ("wrong", ())]),
        ("\x1b[999999999999mhuge", [("huge", ())]),
    ],
)
def test_colours_stay(text: str, runs: list[Run]) -> None:
    assert ansi.lines(text) == [runs]


@pytest.mark.parametrize(
    "text",
    [
        "a\x1b]0;title\x07b",
        "a\x1b]8;;https://evil.example\x1b\\b\x1b]8;;\x1b\\",
        "a\x1b]52;c;c2VjcmV0\x07b",
        "a\x1b[2Jb\x1b[H",
        "a\x1b[?1049hb",
        "a\x1bPq#0;2;0;0;0\x1b\\b",
        "a\x1b_apc\x1b\\b",
        "a\x9b31mb",
        "a\x9d0;title\x07b",
        "a\x1b(0b",
        "a\x1bcb",
        "a\x1b[5mb",
        "a\x1b[8mb",
    ],
)
def test_every_other_sequence_is_dropped_whole(text: str) -> None:
    assert [plain(runs) for runs in ansi.lines(text)] == ["ab"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("10%\r55%\r100%", "100%"),
        ("downloading\rdone", "doneloading"),
        ("downloading\r\x1b[Kdone", "done"),
        ("downloading\x1b[2K\rdone", "done"),
        ("bo\x08\x08BO", "BO"),
        ("line\r\n", "line"),
        ("50%\r", "50%"),
    ],
)
def test_a_line_that_redraws_itself_shows_its_last_state(text: str, shown: str) -> None:
    assert plain(ansi.lines(text)[0]).strip() == shown


def test_colours_carry_over_from_line_to_line() -> None:
    assert ansi.lines("\x1b[32mone\ntwo\x1b[0m\nthree") == [
        [("one", (Sgr(2),))],
        [("two", (Sgr(2),))],
        [("three", ())],
    ]


def test_tabs_are_columns_of_eight_across_colours() -> None:
    assert plain(ansi.lines("ab\tc\x1b[31md\te")[0]) == "ab      cd      e"


@given(st.text(st.sampled_from("a\x1b[]m;0123\x07\\\r\x08K\tP_\x9b\n"), max_size=60))
def test_lines_stay_lines_and_a_second_pass_finds_no_sequence(text: str) -> None:
    shown = ansi.lines(text)
    assert len(shown) == text.replace("\r\n", "\n").count("\n") + 1
    for runs in shown:
        safe_text = safe.line(plain(runs))
        assert safe_text.isprintable()
        assert [plain(again) for again in ansi.lines(safe_text)] == [safe_text]


def test_a_long_line_that_redraws_itself_costs_only_its_end() -> None:
    text = "\r".join(f"{number} %" for number in range(200_000))
    assert plain(ansi.lines(text)[0]).strip() == "199999 %"


def test_copied_output_has_no_sequences() -> None:
    assert ansi.plain("\x1b[31mred\x1b[0m\x07\tok\r\n") == "red\tok\n"
