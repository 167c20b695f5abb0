"""Rows: what an entry looks like at one width. Pure of Textual: a `Look` becomes a style elsewhere.

A row is a tuple of segments of exactly the view's width. It also says which piece of which logical line
it shows, so that a selection is kept in logical lines and survives wrapping, and a copy has no wraps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from rich.segment import Segment
from rich.style import Style

from tui.transcript import cells

FOLD = "fold"
LINK = "link"


class Sgr(NamedTuple):
    """Colours and weights that a program chose: an ANSI number, 0xRRGGBB + 256, or None for the pane's."""

    color: int | None = None
    background: int | None = None
    bold: bool = False
    dim: bool = False
    italic: bool = False
    underline: bool = False
    strike: bool = False
    reverse: bool = False


class Tap(NamedTuple):
    """What a click on the text does: fold the entry, or follow the entry's link number `value`."""

    action: str
    value: int = 0


Look = tuple[str | Sgr | Tap, ...]
"""Component classes (without their prefix), later ones over earlier ones; () is the view's own style."""

Run = tuple[str, Look]
Runs = Sequence[Run]
Styler = Callable[[Look], Style]

MIN_WIDTH = 8
"""Narrower than this nothing is laid out; the view cuts what does not fit."""


class Piece(NamedTuple):
    """`length` characters from `start` of the logical line `line`, drawn after `indent` cells of a row."""

    line: int
    start: int
    indent: int
    length: int


class Row(NamedTuple):
    """One row. `line` numbers the logical line within the entry, -1 for decoration.

    The row's text is `length` characters of it from `start`, drawn after `indent` cells. What stands
    `beside` it, left of it, is read and found, not selected.
    """

    segments: tuple[Segment, ...]
    line: int
    start: int
    indent: int
    length: int
    beside: Piece | None = None

    @property
    def left(self) -> Row | None:
        """The row with what stands beside its text as its text."""
        return self._replace(**self.beside._asdict(), beside=None) if self.beside is not None else None


@dataclass(slots=True)
class Rendered:
    """An entry at a width: its rows, the text of its logical lines, and what its links lead to.

    `folded` None: there is nothing to fold. `stable` counts the leading rows that are the same as in the
    drawing before.
    """

    rows: list[Row]
    lines: list[str]
    links: list[str] = field(default_factory=list)
    folded: bool | None = None
    stable: int = 0


class Frame(NamedTuple):
    """What stands around a canvas's text: left on its first row, left on the others, and at the right end.

    The looks of these sides stand for themselves; `fill` is added to the look of everything between them.
    `copied`, where given, says what a copy has in place of the left side on a line's first row (as many
    characters; again for the first row and the others): list markers belong to the text, borders do not.
    """

    first: Runs = ()
    rest: Runs = ()
    right: Runs = ()
    fill: Look = ()
    copied: tuple[str, str] | None = None


BARE = Frame()


def width_of(runs: Runs) -> int:
    """Cells that the runs take."""
    return sum(cells.width_of(text) for text, _ in runs)


def sliced(runs: Runs, start: int, end: int) -> Runs:
    """The part of the runs between two characters."""
    if start == 0 and len(runs) == 1 and end == len(runs[0][0]):
        return runs
    found: list[Run] = []
    position = 0
    for text, look in runs:
        following = position + len(text)
        if following > start and position < end:
            found.append((text[max(0, start - position) : end - position], look))
        position = following
        if position >= end:
            break
    return found


def parted(runs: Runs, spans: Sequence[tuple[int, int]]) -> Iterator[Runs]:
    """The parts of the runs between characters, for spans that come in order; each run is passed over once."""
    if len(spans) == 1:
        yield sliced(runs, *spans[0])
        return
    index = position = 0
    for start, end in spans:
        while index < len(runs) and position + len(runs[index][0]) <= start:
            position += len(runs[index][0])
            index += 1
        found: list[Run] = []
        begin = position
        for text, look in islice(runs, index, None):
            if begin >= end:
                break
            found.append((text[max(0, start - begin) : end - begin], look))
            begin += len(text)
        yield found


def clipped(runs: Runs, width: int) -> Runs:
    """The runs, or their beginning and `…`, in at most `width` cells."""
    found: list[Run] = []
    for text, look in runs:
        size = cells.width_of(text)
        if size > width:
            found.append((cells.cut(text, width), look))
            break
        found.append((text, look))
        width -= size
    return found
