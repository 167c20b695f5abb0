from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.transcript import cells, safe

SAFE_TEXT = st.text(st.sampled_from("ab  漢字é\u0301👩 -x"), max_size=120).map(safe.line)
WIDTH = st.integers(4, 30)


@given(SAFE_TEXT, WIDTH)
def test_wrapped_rows_fit_and_lose_only_spaces_at_breaks(text: str, width: int) -> None:
    starts = cells.starts(text, width)
    assert starts[0] == 0
    assert starts == sorted(set(starts))
    rows = [text[start:end] for start, end in pairwise([*starts, len(text)])]
    assert "".join(rows) == text
    assert all(cells.width_of(row.rstrip(" ")) <= width for row in rows)


@given(SAFE_TEXT, WIDTH)
def test_hard_rows_fit_without_a_loss(text: str, width: int) -> None:
    starts = cells.hard_starts(text, width)
    rows = [text[start:end] for start, end in pairwise([*starts, len(text)])]
    assert "".join(rows) == text
    assert all(cells.width_of(row) <= width for row in rows)


@given(SAFE_TEXT, st.integers(1, 30))
def test_a_cut_text_fits(text: str, width: int) -> None:
    assert cells.width_of(cells.cut(text, width)) <= width


@pytest.mark.parametrize(
    ("text", "width", "rows"),
    [
        ("one two three", 8, ["one two ", "three"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("one   two", 4, ["one   ", "two"]),
        ("漢字漢字", 6, ["漢字漢", "字"]),
        ("see 漢字", 6, ["see 漢", "字"]),
    ],
)
def test_lines_break_between_words_and_between_wide_characters(
    text: str, width: int, rows: list[str]
) -> None:
    starts = cells.starts(text, width)
    assert [text[start:end] for start, end in pairwise([*starts, len(text)])] == rows


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [
        ("/home/dev/harbour", 20, "/home/dev/harbour"),
        ("/home/dev/harbour", 9, "…/harbour"),
        ("/港/港口", 5, "…港口"),
        ("/港/港口", 4, "…口"),
        ("abc", 1, ""),
        ("", 0, ""),
    ],
)
def test_a_path_is_cut_at_its_beginning(text: str, width: int, shown: str) -> None:
    assert cells.tail(text, width) == shown
