"""The lines of one file's diff as rows: below each other, or old and new side by side where there is room."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from core.agent.items import Change
from tui.transcript import highlight
from tui.transcript.canvas import Canvas, Column
from tui.transcript.panes import diff_words
from tui.transcript.panes.diffs import Line
from tui.transcript.rows import Run, Runs

SIDE_BY_SIDE = 108
"""Cells from which an edited file is shown side by side."""

_LOOKS = {"+": "added", "-": "removed"}
_BETWEEN: Runs = ((" │ ", ("border",)),)


def draw(file: Change, shown: Sequence[Line], canvas: Canvas) -> None:
    """These lines of a file's diff."""
    digits = max((len(str(line.number)) for line in shown if line.number is not None), default=0)
    coloured = _coloured(file, shown)
    if file.verb == "update" and canvas.width >= SIDE_BY_SIDE:
        _beside(shown, coloured, digits, canvas)
    else:
        _below(shown, coloured, digits, canvas)


def _below(shown: Sequence[Line], coloured: Sequence[Runs], digits: int, canvas: Canvas) -> None:
    for index, (line, runs) in enumerate(zip(shown, coloured, strict=True)):
        if line.sign == "@":
            _hunk(line, digits, canvas, first=index == 0)
            continue
        look = _LOOKS.get(line.sign)
        margin: Runs = ((_margin(line, line.number, digits), _side_look(line)),)
        rest: Runs = ((" " * len(margin[0][0]), ()),)
        canvas.text(runs, margin=margin, rest=rest, fill=(look,) if look else (), hard=True)


def _beside(shown: Sequence[Line], coloured: Sequence[Runs], digits: int, canvas: Canvas) -> None:
    for left, right in _sides(shown):
        line = shown[left] if left is not None else None
        if line is not None and line.sign == "@":
            _hunk(line, digits, canvas, first=left == 0)
            continue
        canvas.columns(
            _column(shown, coloured, left, digits, old=True),
            _column(shown, coloured, right, digits, old=False),
            _BETWEEN,
        )


def _sides(shown: Sequence[Line]) -> Iterator[tuple[int | None, int | None]]:
    """The lines that stand beside each other, by their indices; a context line beside itself."""
    partner = dict(diff_words.pairs(shown))
    removed: list[int] = []
    added: list[int] = []
    for index, line in enumerate(shown):
        if line.sign == "+":
            added.append(index)
        elif line.sign == "-" and not added:
            removed.append(index)
        else:
            yield from _run_sides(removed, added, partner)
            removed, added = ([index], []) if line.sign == "-" else ([], [])
            if line.sign != "-":
                yield index, index
    yield from _run_sides(removed, added, partner)


def _run_sides(
    removed: Sequence[int], added: Sequence[int], partner: dict[int, int]
) -> Iterator[tuple[int | None, int | None]]:
    """One run of changes: partners beside each other, what is between them as close as it goes."""
    left, right = list(removed), list(added)
    while left or right:
        paired = next((index for index in left if index in partner), None)
        until = (
            (len(left), len(right)) if paired is None else (left.index(paired), right.index(partner[paired]))
        )
        yield from zip_longest(left[: until[0]], right[: until[1]])
        if paired is not None:
            yield paired, partner[paired]
        del left[: until[0] + (paired is not None)], right[: until[1] + (paired is not None)]


def _column(
    shown: Sequence[Line], coloured: Sequence[Runs], index: int | None, digits: int, *, old: bool
) -> Column | None:
    if index is None:
        return None
    line = shown[index]
    look = _LOOKS.get(line.sign)
    number = line.old if old else line.number
    return Column(coloured[index], _margin(line, number, digits), _side_look(line), (look,) if look else ())


def _hunk(line: Line, digits: int, canvas: Canvas, *, first: bool) -> None:
    if not first or line.text:
        canvas.rule([("⋮".rjust(max(1, digits)) + " ", ("muted",)), (line.text, ("hunk",))])


def _margin(line: Line, number: int | None, digits: int) -> str:
    said = "" if number is None else str(number)
    return f"{said:>{digits}} {line.sign} " if digits else f"{line.sign} "


def _side_look(line: Line) -> tuple[str, ...]:
    look = _LOOKS.get(line.sign)
    return ("muted",) if look is None else (f"{look}-number",)


def _coloured(file: Change, shown: Sequence[Line]) -> list[Runs]:
    """The lines' code, highlighted as one text: good enough for hunks, and bounded; changed words are marked."""
    language = highlight.lexer_name(file.move_path or file.path)
    code = "\n".join(line.text if line.sign != "@" else "" for line in shown)
    lines: list[Runs] = list(highlight.code_lines(code, language))
    for index, spans in diff_words.marked(shown).items():
        look = "added-word" if shown[index].sign == "+" else "removed-word"
        for begin, end in spans:
            lines[index] = _over(lines[index], begin, end, look)
    return lines


def _over(runs: Runs, begin: int, end: int, look: str) -> list[Run]:
    """The runs with one more look from one character to another."""
    found: list[Run] = []
    position = 0
    for text, looks in runs:
        first, last = (min(len(text), max(0, cut - position)) for cut in (begin, end))
        pieces = ((text[:first], looks), (text[first:last], (*looks, look)), (text[last:], looks))
        found += (piece for piece in pieces if piece[0])
        position += len(text)
    return found
