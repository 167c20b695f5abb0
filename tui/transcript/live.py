"""Markdown that streams: what can no longer change keeps its rows, only the open block is drawn again.

An open code fence grows by appending rows: each new line is coloured by itself, the whole block once it
is closed. A list, table, quote or paragraph that grows very long is cut between its lines and goes on as
a block of its own; a table gets its head again. A line that grows very long is drawn piece by piece. But for
such blocks, for colours in an open fence and for links that are defined after they are used, the rows are
those of drawing the whole text at once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tui.transcript import highlight, markdown_rows
from tui.transcript.canvas import Canvas
from tui.transcript.live_paragraph import OpenParagraph
from tui.transcript.markdown_parse import Block, Env, blocks, line_starts
from tui.transcript.rows import Frame, Rendered, Row, Styler

MAX_OPEN = 4_000
"""Characters that an open block may have before it is cut."""

MAX_UNCUT = 32_000
"""Characters after which it is cut even where that shows: in the middle of a list's item, say."""

_LINE_STARTS = {
    "bullet_list_open": re.compile(r"[-*+][ \t]"),
    "ordered_list_open": re.compile(r"\d{1,9}[.)][ \t]"),
    "blockquote_open": re.compile(">"),
    "table_open": re.compile(r"[^\n]*\|"),
    "paragraph_open": re.compile(r"\S"),
    "code_block": re.compile(r" {4}|\t"),
}
"""Where a block of each kind may be cut: before a line that begins like this."""

_FENCE = re.compile(r"(?P<indent> {0,3})(?P<marks>`{3,}|~{3,})(?P<info>[^\n]*)\n")


class LiveMarkdown:
    """One growing Markdown text at one width."""

    def __init__(self, width: int, styler: Styler, frame: Frame) -> None:
        self.width = width
        self.styler = styler
        self._frame = frame
        self._env = Env()
        self._env.hurried = True
        self._paragraphs_cut = False
        self._head = ""
        self._goes_on = False
        self._source = ""
        self._settled = 0
        self._rows: list[Row] = []
        self._lines: list[str] = []
        self._settled_rows = 0
        self._settled_lines = 0
        self._links: list[str] = []
        self._open: _OpenFence | OpenParagraph | None = None

    @property
    def exact(self) -> bool:
        """Are all paragraphs drawn as in the whole text? A mark may reach from one piece of them to another."""
        return not (self._paragraphs_cut or self._env.skipped)

    def continues(self, source: str) -> bool:
        """Is `source` the text drawn so far, or more of it?"""
        return source.startswith(self._source)

    def draw(self, source: str) -> Rendered:
        """The rows of `source` (LF line ends), which continues the one drawn before.

        The lists that were returned before are the ones that are returned again, changed at their end:
        copying them would make each update dearer than the one before.
        """
        self._source = source
        self._env.brackets = 0
        stable = self._settled_rows
        if self._open is not None:
            kept = self._open.stable
            if self._open.draw(source):
                return self._joined(self._open.canvas, stable + kept[0], kept)
            if isinstance(self._open, OpenParagraph):
                stable += kept[0]
                self._end_line(self._open, kept)
            self._open = None
        open_blocks = self._settle()
        self._open = self._opened(open_blocks[0]) if len(open_blocks) == 1 else None
        if self._open is not None:
            self._open.draw(source)
            return self._joined(self._open.canvas, stable)
        canvas = self._canvas()
        self._draw_blocks(open_blocks, self._tail(), canvas)
        return self._joined(canvas, stable)

    def _tail(self) -> str:
        """The source from the open block on, with the head of a table that was cut before it."""
        return self._head + self._source[self._settled :]

    def _settle(self) -> list[Block]:
        """Draw for good what can no longer change; the blocks of the tail that still can.

        Text that comes later changes only the last block whose first line is complete, and what follows
        it. A closed fence changes no more at all.
        """
        tail = self._tail()
        lines = tail.split("\n")
        found = blocks(tail, self._env)
        complete = len(lines) - 1
        last = max((index for index, block in enumerate(found) if block.begin < complete), default=0)
        if last < len(found) and _is_closed_fence(found[last], lines, complete):
            last += 1
        if last:
            self._keep(found[:last], tail)
            begin = found[last].begin if last < len(found) else found[last - 1].end
            self._settled += _offset(tail, begin) - len(self._head)
            self._head, self._goes_on = "", False
        elif found and len(tail) > MAX_OPEN and (cut := _cut(found[0], lines, complete)):
            self._cut_open(found[0], tail, _offset(tail, cut))
            return blocks(self._tail(), self._env)
        elif not found and len(tail) > MAX_OPEN and complete > 1:
            # Definitions of links: they are remembered, and show nothing.
            self._settled += _offset(tail, complete - 1) - len(self._head)
        return found[last:]

    def _cut_open(self, block: Block, tail: str, offset: int) -> None:
        """Keep a long block's lines before `offset` of the tail as a block of their own."""
        self._keep(blocks(tail[:offset], self._env), tail)
        self._settled += offset - len(self._head)
        is_table = block.tokens[0].type == "table_open"
        self._head = (
            "".join(tail.splitlines(keepends=True)[block.begin : block.begin + 2]) if is_table else ""
        )
        self._goes_on = not is_table

    def _keep(self, drawn: Sequence[Block], tail: str) -> None:
        canvas = self._canvas()
        self._draw_blocks(drawn, tail, canvas)
        self._rows[self._settled_rows :] = canvas.rows
        self._lines[self._settled_lines :] = canvas.lines
        self._settle_drawn(canvas)

    def _settle_drawn(self, canvas: Canvas) -> None:
        self._settled_rows = len(self._rows)
        self._settled_lines = len(self._lines)
        self._links = canvas.links

    def _end_line(self, paragraph: OpenParagraph, kept: tuple[int, int]) -> None:
        """A line that was drawn by pieces is complete, and what follows it has begun."""
        self._joined(paragraph.canvas, 0, kept)
        self._settle_drawn(paragraph.canvas)
        self._settled = paragraph.end
        following = blocks(self._tail(), self._env) if self._tail()[:1].strip() else []
        self._goes_on = bool(following) and following[0].tokens[0].type == "paragraph_open"

    def _opened(self, block: Block) -> _OpenFence | OpenParagraph | None:
        """The last block as one that is drawn by what is added to it, where it is of such a kind."""
        kind = block.tokens[0].type
        if kind == "fence" and (match := _FENCE.match(self._source, self._settled)):
            return _OpenFence(self._canvas_below(), match)
        if kind == "paragraph_open" and len(self._source) - self._settled > MAX_OPEN:
            text = self._source[self._settled :].lstrip(" \n")
            if "\n" not in text:
                self._paragraphs_cut = True
                return OpenParagraph(self._canvas_below(), len(self._source) - len(text), self._env)
        return None

    def _canvas_below(self) -> Canvas:
        """A canvas for the block after what is settled."""
        canvas = self._canvas()
        if self._settled_rows and not self._goes_on:
            canvas.text([])
        return canvas

    def _canvas(self) -> Canvas:
        frame = self._frame._replace(first=self._frame.rest) if self._settled_rows else self._frame
        return Canvas(self.width, self.styler, frame, first_line=self._settled_lines, links=list(self._links))

    def _draw_blocks(self, drawn: Sequence[Block], tail: str, canvas: Canvas) -> None:
        for index, block in enumerate(drawn):
            if index or (self._settled_rows and not self._goes_on):
                canvas.text([])
            markdown_rows.draw_block(block, tail, self._env, canvas)

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
        self._indent = len(opening["indent"])
        self._language = markdown_rows.language_of(opening["info"])
        self._seen = opening.end()
        self._rows = len(canvas.rows)
        self._lines = self._begin = len(canvas.lines)

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
        rest = source[self._seen :]
        if rest and not self._closing.fullmatch(rest):
            self._add([rest], language="")
        elif self._lines == self._begin:
            self._add([""], language="")
        return True

    def _add(self, lines: Sequence[str], language: str | None = None) -> None:
        code = (
            "\n".join(_unindented(line, self._indent) for line in lines) if self._indent else "\n".join(lines)
        )
        named = self._language if language is None else language
        markdown_rows.draw_code(highlight.lines_alone(code, named), self.canvas)


def _unindented(line: str, columns: int) -> str:
    """A line of an indented fence, without as much of its own indentation as the fence has."""
    text = line.lstrip(" \t")
    lead = line[: len(line) - len(text)].expandtabs(4)
    return lead[min(columns, len(lead)) :] + text


def _cut(block: Block, lines: Sequence[str], complete: int) -> int | None:
    """The last line before which a block that has grown too long may be cut: a complete one, or a very long one."""
    kind = block.tokens[0].type
    pattern = _LINE_STARTS.get(kind)
    if pattern is None:
        return None
    if (
        kind == "paragraph_open"
        and block.begin < complete < block.end
        and len(lines[complete]) > MAX_OPEN // 2
    ):
        return complete
    for line in range(complete - 1, block.begin + 2, -1):
        if pattern.match(lines[line]):
            return line
    too_long = sum(map(len, lines[block.begin : block.end])) > MAX_UNCUT
    return complete - 1 if too_long and complete - 1 > block.begin else None


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
