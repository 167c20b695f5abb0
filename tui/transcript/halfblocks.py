"""Pixels as rows of text: a cell shows two of them, the upper one as `▀`, the lower one as its ground. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from rich.color import Color
from rich.segment import Segment
from rich.style import Style

Rgb = tuple[int, int, int]
"""Red, green and blue, 0 to 255."""

PictureRow = tuple[Segment, ...]

UPPER = "▀"


def fitted(width: int, height: int, columns: int, rows: int) -> tuple[int, int]:
    """The pixels, across and down, that a picture gets in so many columns and rows; it is never enlarged.

    A cell is taken to be twice as high as it is wide, so that its two pixels are square.
    """
    room = 2 * rows
    scale = min(1.0, columns / width, room / height)
    return max(1, min(columns, round(width * scale))), max(1, min(room, round(height * scale)))


def rows_of(pixels: bytes, width: int, ground: Rgb) -> tuple[PictureRow, ...]:
    """`pixels` are three bytes each, `width` of them a line. Below an odd last line is `ground`."""
    lines = [pixels[start : start + 3 * width] for start in range(0, len(pixels), 3 * width)]
    if len(lines) % 2:
        lines.append(bytes(ground) * width)
    return tuple(_row(upper, lower) for upper, lower in zip(lines[::2], lines[1::2], strict=True))


def _row(upper: bytes, lower: bytes) -> PictureRow:
    pairs = zip(_colors(upper), _colors(lower), strict=True)
    return tuple(_segment(above, below, len(list(same))) for (above, below), same in groupby(pairs))


def _colors(line: bytes) -> Sequence[Rgb]:
    return list(zip(line[::3], line[1::3], line[2::3], strict=True))


def _segment(above: Rgb, below: Rgb, count: int) -> Segment:
    """Two pixels of one colour are ground alone: some fonts leave a seam in a block."""
    ground = Color.from_rgb(*below)
    if above == below:
        return Segment(" " * count, Style(bgcolor=ground))
    return Segment(UPPER * count, Style(color=Color.from_rgb(*above), bgcolor=ground))
