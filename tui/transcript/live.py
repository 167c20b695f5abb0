"""Markdown that streams: what can no longer change keeps its rows, only the open block is drawn again.

An open code fence grows by appending rows: each new line is coloured by itself, the whole block once it
is closed. The result is the same, row for row, as drawing the whole text at once, but for colours in an
open fence and for links that are defined after they are used.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tui.transcript import highlight, markdown_rows
from tui.transcript.markdown_parse import Block, Env, blocks, line_starts
from tui.transcript.rows import Canvas, Frame, Rendered, Row, Styler

_FENCE = re.compile(r"(?P<indent> {0,3})(?P<marks>`{3,}|~{3,})(?P<info>[^\n]*)\n")


class LiveMarkdown:
    """One growing Markdown text at one width."""

    def __init__(self, width: int, styler: Styler, frame: Frame) -> None:
        self.width = width
        self.styler = styler
        self._frame = frame
        self._env: Env = {}
        self._source = ""
        self._settled = 0
        self._rows: list[Row] = []
        self._lines: list[str] = []
        self._settled_rows = 0
        self._settled_lines = 0
        self._links: list[str] = []
        self._fence: _OpenFence | None = None

    def continues(self, source: str) -> bool:
        """Is `source` the text drawn so far, or more of it?"""
        return source.startswith(self._source)

    def draw(self, source: str) -> Rendered:
        """The rows of `source` (LF line ends), which continues the one drawn before.

        The lists that were returned before are the ones that are returned again, changed at their end:
        copying them would make each update dearer than the one before.
        """
        self._source = source
        if self._fence is not None:
            kept = self._fence.stable
            if self._fence.draw(source):
                return self._joined(self._fence.canvas, self._settled_rows + kept[0], kept)
            self._fence = None
        stable = self._settled_rows
        tail = source[self._settled :]
        lines = tail.split("\n")
        open_blocks = self._settle(tail, lines)
        if len(open_blocks) == 1 and (fence := self._open_fence(open_blocks[0])):
            self._fence = fence
            fence.draw(source)
            return self._joined(fence.canvas, stable)
        canvas = self._canvas()
        self._draw_blocks(open_blocks, lines, canvas)
        return self._joined(canvas, stable)

    def _settle(self, tail: str, lines: Sequence[str]) -> list[Block]:
        """Draw for good what can no longer change; the blocks that still can.

        Text that comes later changes only the last block whose first line is complete, and what follows
        it. A closed fence changes no more at all.
        """
        found = blocks(tail, self._env)
        complete = len(lines) - 1
        last = max((index for index, block in enumerate(found) if block.begin < complete), default=0)
        if last < len(found) and _is_closed_fence(found[last], lines, complete):
            last += 1
        if last == 0:
            return found
        canvas = self._canvas()
        self._draw_blocks(found[:last], lines, canvas)
        self._rows[self._settled_rows :] = canvas.rows
        self._lines[self._settled_lines :] = canvas.lines
        self._settled_rows = len(self._rows)
        self._settled_lines = len(self._lines)
        self._links = canvas.links
        begin = found[last].begin if last < len(found) else found[last - 1].end
        self._settled += _offset(tail, begin)
        return found[last:]

    def _open_fence(self, block: Block) -> _OpenFence | None:
        """The block as a fence that grows, where it is one whose end has not come."""
        match = _FENCE.match(self._source, self._settled)
        if block.tokens[0].type != "fence" or match is None:
            return None
        canvas = self._canvas()
        if self._settled_rows:
            canvas.text([])
        return _OpenFence(canvas, match)

    def _canvas(self) -> Canvas:
        frame = self._frame._replace(first=self._frame.rest) if self._settled_rows else self._frame
        return Canvas(self.width, self.styler, frame, first_line=self._settled_lines, links=list(self._links))

    def _draw_blocks(self, drawn: Sequence[Block], lines: Sequence[str], canvas: Canvas) -> None:
        for index, block in enumerate(drawn):
            if index or self._settled_rows:
                canvas.text([])
            markdown_rows.draw_block(block, lines, self._env, canvas)

    def _joined(self, canvas: Canvas, stable: int, kept: tuple[int, int] = (0, 0)) -> Rendered:
        """The settled rows and the canvas's, whose first `kept` rows and lines are in the lists already."""
        rows, lines = kept
        self._rows[self._settled_rows + rows :] = canvas.rows[rows:]
        self._lines[self._settled_lines + lines :] = canvas.lines[lines:]
        return Rendered(self._rows, self._lines, canvas.links, stable=stable)


class _OpenFence:
    """A code fence at the end of the text: complete lines keep their rows, the last one is drawn again."""

    def __init__(self, canvas: Canvas, opening: re.Match[str]) -> None:
        self.canvas = canvas
        marks = opening["marks"]
        self._closing = re.compile(rf" {{0,3}}{re.escape(marks[0])}{{{len(marks)},}}[ \t]*")
        self._indent = re.compile(rf" {{0,{len(opening['indent'])}}}")
        self._language = markdown_rows.language_of(opening["info"])
        self._seen = opening.end()
        self._rows = len(canvas.rows)
        self._lines = len(canvas.lines)

    @property
    def stable(self) -> tuple[int, int]:
        """How many rows and lines the next drawing leaves as they are."""
        return self._rows, self._lines

    def draw(self, source: str) -> bool:
        """Add what is new. False once the fence is closed: it is an ordinary block then."""
        del self.canvas.rows[self._rows :]
        del self.canvas.lines[self._lines :]
        end = source.rfind("\n", self._seen) + 1
        if end > self._seen:
            fresh = source[self._seen : end - 1].split("\n")
            if any(self._closing.fullmatch(line) for line in fresh):
                return False
            self._add(fresh)
            self._seen = end
            self._rows = len(self.canvas.rows)
            self._lines = len(self.canvas.lines)
        if self._seen < len(source):
            self._add([source[self._seen :]], language="")
        elif self._lines == 0:
            self._add([""], language="")
        return True

    def _add(self, lines: Sequence[str], language: str | None = None) -> None:
        code = "\n".join(line[self._indent.match(line).end() :] for line in lines)  # type: ignore[union-attr]
        named = self._language if language is None else language
        markdown_rows.draw_code(highlight.lines_alone(code, named), self.canvas)


def _is_closed_fence(block: Block, lines: Sequence[str], complete: int) -> bool:
    token = block.tokens[0]
    if token.type != "fence" or block.end > complete or block.end - block.begin < 2:
        return False
    last = lines[block.end - 1].strip()
    return len(last) >= len(token.markup) and set(last) == {token.markup[0]}


def _offset(text: str, line: int) -> int:
    """Where a line begins."""
    for number, start in enumerate(line_starts(text)):
        if number == line:
            return start
    return len(text)
