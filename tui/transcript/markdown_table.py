"""Markdown tables: columns as wide as their cells want while that fits, else shared out and wrapped."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from markdown_it.token import Token

from tui.transcript import cells, markdown_inline, safe
from tui.transcript.canvas import Canvas
from tui.transcript.markdown_parse import Env
from tui.transcript.rows import Run, sliced

MAX_ROWS = 400
"""Rows that are shown; the others are counted."""

MIN_COLUMN = 6
"""Where columns would become narrower, each row is shown as a record instead."""

BETWEEN = " │ "
CELL_LIMIT = 2_000

Cell = list[Run]


def draw(tokens: Sequence[Token], env: Env, canvas: Canvas) -> None:
    """A table, from its `table_open` to its `table_close`."""
    rows, aligns, hidden = _cells(tokens, env, canvas)
    columns = len(rows[0])
    room = canvas.width - len(BETWEEN) * (columns - 1)
    widths = _widths(rows, room)
    if widths is None:
        _records(rows, canvas)
    else:
        _row(rows[0], widths, aligns, canvas)
        canvas.rule([("─┼─".join("─" * width for width in widths), ("rule",))])
        for row in rows[1:]:
            _row(row, widths, aligns, canvas)
    if hidden:
        canvas.rule([(f"… {hidden:,} more rows", ("muted",))])


def _cells(tokens: Sequence[Token], env: Env, canvas: Canvas) -> tuple[list[list[Cell]], list[str], int]:
    """The rows' cells, the head's first; the columns' alignments; and how many rows are left out."""
    rows: list[list[Cell]] = []
    aligns: list[str] = []
    hidden = 0
    in_head = True
    for token in tokens:
        if token.type == "tr_open":
            if len(rows) > MAX_ROWS:
                hidden += 1
            else:
                rows.append([])
        elif token.type == "tbody_open":
            in_head = False
        elif token.type == "th_open":
            aligns.append(str(token.attrs.get("style", "")).removeprefix("text-align:"))
        elif token.type == "inline" and not hidden:
            line = [run for part in markdown_inline.runs(token.content, env, canvas) for run in part]
            look = ("table-head",) if in_head else ()
            rows[-1].append([(safe.line(text, CELL_LIMIT), (*look, *of)) for text, of in line])
    columns = len(rows[0])
    for row in rows:
        row += [[] for _ in range(columns - len(row))]
    return rows, aligns, hidden


def _size(cell: Cell) -> int:
    return sum(cells.width_of(text) for text, _ in cell)


def _widths(rows: Sequence[Sequence[Cell]], room: int) -> list[int] | None:
    """A width for each column, together at most `room`; None where they would be too narrow to read."""
    wanted = [max(1, *(_size(row[column]) for row in rows)) for column in range(len(rows[0]))]
    if sum(wanted) <= room:
        return wanted
    if room < MIN_COLUMN * len(wanted):
        return None
    widths = [0] * len(wanted)
    open_columns = sorted(range(len(wanted)), key=lambda column: wanted[column])
    while open_columns:
        share = room // len(open_columns)
        column = open_columns.pop(0)
        widths[column] = min(wanted[column], share)
        room -= widths[column]
    return widths


def _row(row: Sequence[Cell], widths: Sequence[int], aligns: Sequence[str], canvas: Canvas) -> None:
    wrapped = [_wrapped(cell, width) for cell, width in zip(row, widths, strict=True)]
    for index in range(max(map(len, wrapped))):
        runs: list[Run] = []
        for column, width in enumerate(widths):
            if column:
                runs.append((BETWEEN, ("rule",)))
            piece = wrapped[column][index] if index < len(wrapped[column]) else []
            runs += _padded(piece, width, aligns[column], last=column == len(widths) - 1)
        canvas.text(runs)


def _wrapped(cell: Cell, width: int) -> list[Cell]:
    text = "".join(run[0] for run in cell)
    ends = [*cells.starts(text, width), len(text)]
    return [
        list(sliced(cell, start, start + len(text[start:end].rstrip(" ")))) for start, end in pairwise(ends)
    ]


def _padded(cell: Cell, width: int, align: str, *, last: bool) -> list[Run]:
    space = max(0, width - _size(cell))
    before = space if align == "right" else space // 2 if align == "center" else 0
    after = 0 if last else space - before
    return [(" " * before, ()), *cell, (" " * after, ())]


def _records(rows: Sequence[Sequence[Cell]], canvas: Canvas) -> None:
    """Each row as lines of `head: cell`, for a screen too narrow for columns."""
    head = rows[0]
    for index, row in enumerate(rows[1:]):
        if index:
            canvas.rule([("─" * canvas.width, ("rule",))])
        for name, cell in zip(head, row, strict=False):
            canvas.text([*name, (": ", ("table-head",)), *cell], hang=2)
