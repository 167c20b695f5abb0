"""The canvas: draws logical lines into rows, inside a frame. Everything shown goes through here, and so through `safe`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from rich.segment import Segment
from rich.style import Style

from tui.transcript import cells, safe
from tui.transcript.rows import (
    BARE,
    LINK,
    MIN_WIDTH,
    Frame,
    Look,
    Piece,
    Row,
    Runs,
    Styler,
    Tap,
    clipped,
    parted,
    sliced,
    width_of,
)


class Column(NamedTuple):
    """A line in one of two columns. `margin` stands before its first row; `fill` is the ground of all of it."""

    runs: Runs
    margin: str
    margin_look: Look
    fill: Look


class Canvas:
    """Draws logical lines into rows, inside a frame."""

    def __init__(
        self,
        width: int,
        styler: Styler,
        frame: Frame = BARE,
        *,
        first_line: int = 0,
        links: list[str] | None = None,
    ) -> None:
        """`first_line` is the number of the first logical line; `links` those that come before."""
        self.rows: list[Row] = []
        self.lines: list[str] = []
        self.links: list[str] = links if links is not None else []
        self._styler = styler
        self._frame = frame
        self._first_line = first_line
        self._begin = 0
        self._first = tuple(Segment(text, styler(look)) for text, look in frame.first)
        self._rest = tuple(Segment(text, styler(look)) for text, look in frame.rest)
        self._right = tuple(Segment(text, styler(look)) for text, look in frame.right)
        self._ground = styler(frame.fill)
        self._left_width = width_of(frame.first)
        self._outer_width = width
        self.width = max(MIN_WIDTH, width - self._left_width - width_of(frame.right))
        """Cells for text."""

    def framed(self, frame: Frame) -> Canvas:
        """A canvas that adds to the same rows, inside a further frame."""
        outer = self._frame
        first = outer.first if self._fresh else outer.rest
        copied = None
        if frame.copied is not None:
            outer_copied = outer.copied or ("", "")
            before = outer_copied[0] if self._fresh else outer_copied[1]
            copied = (before + frame.copied[0], outer_copied[1] + frame.copied[1])
        inner = Canvas(
            self._outer_width,
            self._styler,
            Frame(
                (*first, *frame.first),
                (*outer.rest, *frame.rest),
                (*frame.right, *outer.right),
                (*outer.fill, *frame.fill),
                copied,
            ),
            first_line=self._first_line,
            links=self.links,
        )
        inner.rows, inner.lines, inner._begin = self.rows, self.lines, len(self.rows)
        return inner

    @property
    def fresh(self) -> bool:
        """Has nothing been drawn yet?"""
        return self._fresh

    @property
    def _fresh(self) -> bool:
        return len(self.rows) == self._begin

    def text(
        self,
        runs: Runs,
        *,
        margin: Runs = (),
        rest: Runs | None = None,
        fill: Look = (),
        hard: bool = False,
        hang: int = 0,
        limit: int = safe.LINE_LIMIT,
    ) -> None:
        """A logical line, wrapped between words (`hard`: at the very cell).

        `margin` stands before the line's first row and `rest` (as wide; the margin where None) before
        the others; neither is part of the line's text. `hang` indents the rows after the first. Of each
        run at most `limit` characters are shown.
        """
        runs = harmless(runs, limit)
        margin = harmless(margin)
        text = "".join(run[0] for run in runs)
        copied = self._copied() if not margin else ""
        line = self._first_line + len(self.lines)
        self.lines.append(copied + text)
        room = max(1, self.width - width_of(margin))
        spans = _spans(text, self._starts(text, room, hang, hard), hard=hard)
        for number, ((start, end), piece) in enumerate(zip(spans, parted(runs, spans), strict=True)):
            lead = margin if number == 0 or rest is None else rest
            if number and hang and room > 2 * hang:
                lead = (*lead, (" " * hang, ()))
            if number == 0:
                self._emit(Row((), line, 0, -len(copied), len(copied) + end), piece, lead, fill)
            else:
                self._emit(Row((), line, len(copied) + start, 0, end - start), piece, lead, fill)

    def more(self, runs: Runs, start: int) -> None:
        """Go on with the last logical line in a new row: from `start` on its text is that of harmless `runs`."""
        text = "".join(run[0] for run in runs)
        self.lines[-1] = self.lines[-1][:start] + text
        line = self._first_line + len(self.lines) - 1
        spans = _spans(text, self._starts(text, self.width, 0, hard=False), hard=False)
        for (begin, end), piece in zip(spans, parted(runs, spans), strict=True):
            self._emit(Row((), line, start + begin, 0, end - begin), piece, (), ())

    def columns(self, left: Column | None, right: Column | None, between: Runs) -> None:
        """Two logical lines beside each other, each wrapped at the very cell in its half.

        What can be selected in the rows is the right line, or the left one where there is no right one; then
        the left one stands beside it. The same line on both sides is one logical line.
        """
        half = (self.width - width_of(between)) // 2
        drawn = [self._column(column, half) for column in (left, right)]
        lines = [self._first_line + len(self.lines)] * 2
        for index, column in enumerate((left, right)):
            same = index == 0 and left is not None and right is not None and left.runs is right.runs
            if column is not None and not same:
                lines[index] = self._first_line + len(self.lines)
                self.lines.append(drawn[index].text)
        chosen = 0 if right is None else 1
        offset = chosen * (half + width_of(between)) + drawn[chosen].margin_width
        for number in range(max(len(drawn[0].rows), len(drawn[1].rows))):
            pieces = [column.rows[number] if number < len(column.rows) else column.blank for column in drawn]
            row = Row((), -1, 0, 0, 0)
            if number < len(drawn[chosen].starts):
                start, end = drawn[chosen].starts[number]
                row = Row((), lines[chosen], start, offset, end - start)
            if chosen and number < len(drawn[0].starts):
                start, end = drawn[0].starts[number]
                row = row._replace(beside=Piece(lines[0], start, drawn[0].margin_width, end - start))
            self._emit(row, [*pieces[0], *between, *pieces[1]], (), ())

    def _column(self, column: Column | None, width: int) -> _Drawn:
        """One half's rows, each of exactly `width` cells."""
        if column is None:
            return _Drawn("", [], [], [(" " * width, ())], 0)
        margin = cells.width_of(column.margin)
        runs = [(text, (*column.fill, *look)) for text, look in harmless(column.runs)]
        text = "".join(run[0] for run in runs)
        room = max(1, width - margin)
        spans = list(pairwise([*cells.hard_starts(text, room), len(text)]))
        rows: list[Runs] = []
        for number, (start, end) in enumerate(spans):
            lead = column.margin if number == 0 else " " * margin
            pad = " " * max(0, room - cells.width_of(text[start:end]))
            piece = sliced(runs, start, end)
            rows.append([(lead, (*column.fill, *column.margin_look)), *piece, (pad, column.fill)])
        return _Drawn(text, rows, spans, [(" " * width, column.fill)], margin)

    def edge(
        self, left: Runs, title: Runs, right: Runs, *, gap: str = " ", gap_look: Look = (), fill: Look = ()
    ) -> None:
        """One row: `title`, a logical line of which as much is shown as there is room, between two decorations.

        `gap` fills what is left before `right`.
        """
        title, right = harmless(title), harmless(right)
        left = clipped(harmless(left), self.width // 2 if title else max(0, self.width - width_of(right)))
        left_width = width_of(left)
        room = self.width - left_width - width_of(right)
        line = -1
        if title:
            line = self._first_line + len(self.lines)
            self.lines.append("".join(run[0] for run in title))
        title = clipped(title, max(4, room - 1))
        shown = sum(len(text) for text, _ in title)
        filling = (gap * max(0, room - width_of(title)), gap_look)
        self._emit(Row((), line, 0, left_width, shown), [*left, *title, filling, *right], (), fill)

    def rule(self, runs: Runs, *, fill: Look = ()) -> None:
        """A row that is decoration: no part of the text that can be selected."""
        self._emit(Row((), -1, 0, 0, 0), clipped(harmless(runs), self.width), (), fill)

    def cells(self, segments: Sequence[Segment]) -> None:
        """A row of what is drawn already, in its own styles: decoration, at most as wide as there is room."""
        row = [*(self._first if self._fresh else self._rest), *segments]
        missing = self.width - sum(cells.width_of(segment.text) for segment in segments)
        if missing > 0:
            row.append(Segment(" " * missing, self._ground))
        self.rows.append(Row((*row, *self._right), -1, 0, 0, 0))

    def blank(self, *, fill: Look = ()) -> None:
        """An empty row inside the frame."""
        self._emit(Row((), -1, 0, 0, 0), (), (), fill)

    def link(self, url: str) -> Tap:
        """A tap that follows `url`."""
        self.links.append(url)
        return Tap(LINK, len(self.links) - 1)

    def _copied(self) -> str:
        copied = self._frame.copied
        if copied is None:
            return ""
        return copied[0] if self._fresh else copied[1]

    def _starts(self, text: str, room: int, hang: int, hard: bool) -> list[int]:
        if len(text) <= room and text.isascii():
            return [0]
        wrap = cells.hard_starts if hard else cells.starts
        first = wrap(text, room)
        if len(first) == 1 or not hang or room <= 2 * hang:
            return first
        return [0, *(first[1] + start for start in wrap(text[first[1] :], room - hang))]

    def _emit(self, row: Row, runs: Runs, lead: Runs, fill: Look) -> None:
        """Add a row; `row.indent` comes in relative to where the text begins, `row.segments` empty."""
        styler = self._styler
        base = (*self._frame.fill, *fill)
        ground = styler(base) if fill else self._ground
        segments = list(self._first if self._fresh else self._rest)
        for text, look in lead:
            segments.append(Segment(text, styler((*base, *look)) if look else ground))
        used = lead_width = width_of(lead)
        for text, look in runs:
            if text:
                segments.append(Segment(text, styler((*base, *look)) if look else ground))
                used += cells.width_of(text)
        if used < self.width:
            _pad(segments, self.width - used, ground, after_text=bool(runs))
        segments += self._right
        indent = self._left_width + lead_width
        beside = row.beside
        if beside is not None:
            beside = beside._replace(indent=indent + beside.indent)
        self.rows.append(Row(tuple(segments), row.line, row.start, indent + row.indent, row.length, beside))


class _Drawn(NamedTuple):
    """A column's line: its rows, which characters each shows, and a row below them."""

    text: str
    rows: list[Runs]
    starts: list[tuple[int, int]]
    blank: Runs
    margin_width: int


def harmless(runs: Runs, limit: int = safe.LINE_LIMIT) -> Runs:
    """The runs as they may be shown, of each at most `limit` characters."""
    return [(safe.line(text, limit), look) for text, look in runs if text]


def _spans(text: str, starts: Sequence[int], *, hard: bool) -> list[tuple[int, int]]:
    """Which characters rows that begin at `starts` show: wrapped between words, no spaces at their ends."""
    ends = pairwise([*starts, len(text)])
    return [(start, end if hard else start + len(text[start:end].rstrip(" "))) for start, end in ends]


def _pad(segments: list[Segment], missing: int, ground: Style, *, after_text: bool) -> None:
    """Fill the row with spaces: in the text's last segment where that looks the same, for rows are many."""
    space = " " * missing
    if after_text and segments[-1].style is ground:
        segments[-1] = Segment(segments[-1].text + space, ground)
    else:
        segments.append(Segment(space, ground))
