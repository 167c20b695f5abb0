"""A paragraph of one line that grows without end: rows that can no longer change are kept, the last are laid out again.

Wrapping is greedy: a row that has another below it stays as it is. What Markdown makes of the text is less
sure, for a mark may be closed much later: it is read in pieces, as a very long paragraph always is, and
whoever shows the finished text draws it anew.
"""

from __future__ import annotations

from tui.transcript import markdown_inline
from tui.transcript.canvas import Canvas, harmless
from tui.transcript.markdown_parse import PIECE, Env, piece_end
from tui.transcript.rows import Run, sliced

MAX_SHOWN = 256_000
"""Characters that are shown; the others are counted."""


class OpenParagraph:
    """The last line of a text, which begins at `begin` of it, drawn below what is on the canvas."""

    def __init__(self, canvas: Canvas, begin: int, env: Env) -> None:
        self.canvas = canvas
        self.end = -1
        """Where the text goes on once the line has ended."""
        self._env = env
        self._begin = begin
        self._seen = begin
        self._rows = len(canvas.rows)
        self._lines = len(canvas.lines)
        self._links = len(canvas.links)
        self._carried: list[Run] = []
        self._start = 0

    @property
    def stable(self) -> tuple[int, int]:
        """How many rows and lines the next drawing leaves as they are."""
        return self._rows, self._lines

    def draw(self, source: str) -> bool:
        """Draw the line as far as it has come. False once another line has begun, which is not drawn."""
        newline = source.find("\n", self._seen)
        end = newline if newline >= 0 else len(source)
        shown = min(end, self._begin + MAX_SHOWN)
        self._drop_open_rows()
        while shown - self._seen > PIECE:
            self._keep(source, piece_end(source, self._seen))
        runs = [*self._carried, *self._runs(source[self._seen : shown].rstrip(" "))]
        if end > shown:
            runs.append((f"… ⟨{end - shown:,} more characters⟩", ()))
        self._put(runs)
        self.end = newline + 1
        return newline < 0 or not source[newline + 1 :].strip(" \t")

    def _keep(self, source: str, end: int) -> None:
        """Draw what comes next, to `end` of the source, for good, all but its last row."""
        self._carried += self._runs(source[self._seen : end])
        self._put(self._carried)
        start = self.canvas.rows[-1].start
        self._carried = list(sliced(self._carried, start - self._start, len(self.canvas.lines[-1])))
        self._start = start
        self._seen = end
        self._rows = len(self.canvas.rows) - 1
        self._links = len(self.canvas.links)
        self._drop_open_rows()

    def _runs(self, text: str) -> list[Run]:
        """A piece of the line, harmless, so that its runs are as long as what is shown of them."""
        lines = markdown_inline.runs(text, self._env, self.canvas)
        return [run for line in lines for run in harmless(line, PIECE)]

    def _put(self, runs: list[Run]) -> None:
        if self._start:
            self.canvas.more(runs, self._start)
        else:
            self.canvas.text(runs, limit=MAX_SHOWN)

    def _drop_open_rows(self) -> None:
        del self.canvas.rows[self._rows :]
        del self.canvas.links[self._links :]
        if not self._start:
            del self.canvas.lines[self._lines :]
