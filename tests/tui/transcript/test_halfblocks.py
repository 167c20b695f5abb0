"""Two pixels a cell: what is drawn shows every pixel, and never takes more room than there is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.segment import Segment

from tui.transcript.halfblocks import UPPER, Rgb, fitted, rows_of

GROUND = (9, 8, 7)
COLOURS = st.sampled_from([(0, 0, 0), (255, 255, 255), (255, 0, 0), (1, 2, 3)])


@st.composite
def pictures(draw: st.DrawFn) -> list[list[Rgb]]:
    """Lines of pixels, of few colours so that neighbours are often the same."""
    width, height = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    return [draw(st.lists(COLOURS, min_size=width, max_size=width)) for _ in range(height)]


def pixels_of(row: tuple[Segment, ...]) -> tuple[list[Rgb], list[Rgb]]:
    """The two lines that a row shows, read from its colours as a terminal would."""
    upper: list[Rgb] = []
    lower: list[Rgb] = []
    for text, style, _ in row:
        assert style is not None and style.bgcolor is not None and style.bgcolor.triplet is not None
        below = tuple(style.bgcolor.triplet)
        above = below
        if text[0] == UPPER:
            assert style.color is not None and style.color.triplet is not None
            above = tuple(style.color.triplet)
        assert set(text) in ({UPPER}, {" "})
        upper += [above] * len(text)  # type: ignore[list-item]
        lower += [below] * len(text)  # type: ignore[list-item]
    return upper, lower


@given(pictures())
def test_every_pixel_is_shown_where_it_belongs(lines: list[list[Rgb]]) -> None:
    width = len(lines[0])
    rows = rows_of(bytes(value for line in lines for pixel in line for value in pixel), width, GROUND)
    shown = [line for row in rows for line in pixels_of(row)]
    odd = len(lines) % 2
    assert shown[: len(lines)] == lines
    assert shown[len(lines) :] == [[GROUND] * width] * odd


def test_neighbours_of_one_look_are_one_segment() -> None:
    red, blue = (255, 0, 0), (0, 0, 255)
    rows = rows_of(bytes((*red, *red, *blue, *blue, *blue, *blue)), 3, GROUND)
    assert [(text, str(style)) for text, style, _ in rows[0]] == [
        ("▀▀", "#ff0000 on #0000ff"),
        (" ", "on #0000ff"),
    ]


@given(st.integers(1, 60_000), st.integers(1, 60_000), st.integers(1, 200), st.integers(1, 60))
def test_a_picture_fits_and_is_never_enlarged(width: int, height: int, columns: int, rows: int) -> None:
    across, down = fitted(width, height, columns, rows)
    assert 1 <= across <= min(columns, width)
    assert 1 <= down <= min(2 * rows, height)
    # One of the two is as large as it can be, but for what rounding takes.
    assert across >= min(columns, width) - 1 or down >= min(2 * rows, height) - 1


@pytest.mark.parametrize(
    ("size", "room", "found"),
    [
        ((640, 480), (76, 13), (35, 26)),
        ((1600, 100), (76, 13), (76, 5)),
        ((16, 16), (76, 13), (16, 16)),
        ((1, 5_000), (76, 13), (1, 26)),
    ],
)
def test_what_stands_across_and_down(
    size: tuple[int, int], room: tuple[int, int], found: tuple[int, int]
) -> None:
    assert fitted(*size, *room) == found
