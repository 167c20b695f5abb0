"""What a program printed, folded to its beginning and its end. Shared by the panes that run something."""

from __future__ import annotations

from collections.abc import Sequence

from tui.transcript import ansi
from tui.transcript.canvas import Canvas
from tui.transcript.entries import Output

HEAD_LINES = 4
TAIL_LINES = 8
FULL_LINES = 1_000
"""Lines of the beginning, and again of the end, that are shown unfolded."""

FOLDED_ROWS = 3
"""Rows that one line may take while the output is folded."""


def draw(output: Output, canvas: Canvas, *, folded: bool) -> int:
    """Draw it; how many lines are left out."""
    first, last, hidden = _chosen(output, folded=folded)
    limit = canvas.width * FOLDED_ROWS if folded else 2_000
    for runs in ansi.lines("\n".join(first)) if first else ():
        canvas.text(runs, hard=True, fill=("output",), limit=limit)
    if hidden:
        canvas.rule([(f"… {hidden:,} lines", ("muted",))])
    for runs in ansi.lines("\n".join(last)) if last else ():
        canvas.text(runs, hard=True, fill=("output",), limit=limit)
    return hidden


def foldable(output: Output, width: int) -> bool:
    """Is there more than a folded pane of this width shows?"""
    if output.skipped:
        return True
    lines = _lines(output.head + output.tail)
    if len(lines) > HEAD_LINES + TAIL_LINES + 1:
        return True
    limit = width * FOLDED_ROWS
    return any(len(line) > limit and len(ansi.plain(line)) > limit for line in lines)


def _chosen(output: Output, *, folded: bool) -> tuple[Sequence[str], Sequence[str], int]:
    """Lines of the beginning, lines of the end, and how many are between them."""
    head_count, tail_count = (HEAD_LINES, TAIL_LINES) if folded else (FULL_LINES, FULL_LINES)
    if not output.skipped:
        lines = _lines(output.head + output.tail)
        if len(lines) <= head_count + tail_count + 1:
            return lines, (), 0
        return lines[:head_count], lines[-tail_count:], len(lines) - head_count - tail_count
    head, tail = _lines(output.head), _lines(output.tail)
    first, last = head[:head_count], tail[-tail_count:]
    hidden = len(head) - len(first) + output.skipped_lines + len(tail) - len(last)
    return first, last, max(1, hidden)


def _lines(text: str) -> list[str]:
    """The lines of a text; a line end at its end ends the last one."""
    lines = text.replace("\r\n", "\n").split("\n")
    if not lines[-1]:
        lines.pop()
    return lines
