"""Command output: its colours stay, carriage returns do what they say, the rest of the terminal's language goes.

Kept: SGR colours and weights (not blinking, not concealment), carriage return, backspace, and erasing to
the end of the line, with which progress bars redraw themselves. Every other escape sequence is dropped
whole, OSC and its like with what they carry. Other controls are left for `safe` to show as symbols.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tui.transcript import safe
from tui.transcript.rows import Look, Run, Sgr

_STRING_END = r"(?:\x07|\x1b\\|\x9c)"
_SEQUENCE = re.compile(
    r"(?:\x1b\[|\x9b)(?P<parameters>[0-?]*)[ -/]*(?P<final>[@-~])"
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*" + _STRING_END + "?"
    r"|\x1b[ -/]*[0-~]"
)
_MOVES = re.compile(r"[\r\x08]|\x1b\[[12]K")

PLAIN = Sgr()
TAB = 8

MAX_DRAWN = 8_192
"""Of a line that redraws itself only this many characters, the last, are drawn: it shows its end."""


def lines(text: str) -> list[list[Run]]:
    """The lines of `text` as runs; colours carry over from line to line, as in a terminal."""
    text = text.replace("\r\n", "\n")
    found: list[list[Run]] = []
    style = PLAIN
    for part in text.split("\n"):
        runs, style = _line(part, style)
        found.append(runs)
    return found


def plain(text: str) -> str:
    """`text` without its escape sequences, for copying."""
    return safe.copyable(without_sequences(text)) if "\x1b" in text or "\x9b" in text else safe.copyable(text)


def without_sequences(text: str) -> str:
    """`text` without its escape sequences; its other controls stay."""
    return _SEQUENCE.sub("", text)


def _line(text: str, style: Sgr) -> tuple[list[Run], Sgr]:
    if text.isprintable():
        return ([(text, _look(style))] if text else []), style
    if _MOVES.search(text):
        return _drawn(text[-MAX_DRAWN:], style)
    runs: list[Run] = []
    column = 0
    for found, of in _pieces(text, style):
        if piece := _expanded(found, column):
            column += len(piece)
            runs.append((piece, _look(of)))
        style = of
    return runs, style


def _expanded(text: str, column: int) -> str:
    """`text` with its tabs as spaces, when it begins at `column`."""
    before = column % TAB
    return (" " * before + text).expandtabs(TAB)[before:] if "\t" in text else text


def _pieces(text: str, style: Sgr) -> Iterator[tuple[str, Sgr]]:
    """The text between the sequences, each with the style it has; the last gives the style at the end."""
    position = 0
    for match in _SEQUENCE.finditer(text):
        yield text[position : match.start()], style
        if match["final"] == "m":
            style = _applied(style, match["parameters"])
        position = match.end()
    yield text[position:], style


def _drawn(text: str, style: Sgr) -> tuple[list[Run], Sgr]:
    """A line that moves its cursor back: drawn character by character."""
    drawn: list[tuple[str, Sgr]] = []
    column = 0
    position = 0
    for match in [*_SEQUENCE.finditer(text), None]:
        end = match.start() if match is not None else len(text)
        column = _written(drawn, column, _expanded(text[position:end], column), style)
        if match is None:
            break
        position = match.end()
        if match["final"] == "m":
            style = _applied(style, match["parameters"])
        elif match["final"] == "K" and match["parameters"] in ("", "0"):
            del drawn[column:]
        elif match["final"] == "K" and match["parameters"] == "2":
            drawn[:] = [(" ", PLAIN)] * column
    return _joined(drawn), style


def _written(drawn: list[tuple[str, Sgr]], column: int, text: str, style: Sgr) -> int:
    for character in text:
        if character == "\r":
            column = 0
        elif character == "\x08":
            column = max(0, column - 1)
        else:
            drawn[column : column + 1] = [(character, style)]
            column += 1
    return column


def _joined(drawn: list[tuple[str, Sgr]]) -> list[Run]:
    runs: list[Run] = []
    start = 0
    for index in range(1, len(drawn) + 1):
        if index == len(drawn) or drawn[index][1] != drawn[start][1]:
            runs.append(("".join(character for character, _ in drawn[start:index]), _look(drawn[start][1])))
            start = index
    return runs


def _look(style: Sgr) -> Look:
    return () if style is PLAIN or style == PLAIN else (style,)


def _applied(style: Sgr, parameters: str) -> Sgr:
    """The style after one SGR sequence. Parameters that make no sense are passed over."""
    codes = [int(code) if code.isdecimal() and len(code) < 6 else 0 for code in re.split("[;:]", parameters)]
    index = 0
    while index < len(codes):
        code = codes[index]
        index += 1
        if code in (38, 48):
            color, index = _extended(codes, index)
            if color is not None:
                style = style._replace(color=color) if code == 38 else style._replace(background=color)
        else:
            style = _simple(style, code)
    return style


def _extended(codes: list[int], index: int) -> tuple[int | None, int]:
    """A colour of `38;5;N` or `38;2;R;G;B` from after the 38, and where the next code is."""
    kind = codes[index] if index < len(codes) else None
    if kind == 5 and index + 1 < len(codes):
        return min(codes[index + 1], 255), index + 2
    if kind == 2 and index + 3 < len(codes):
        red, green, blue = (min(code, 255) for code in codes[index + 1 : index + 4])
        return 256 + (red << 16 | green << 8 | blue), index + 4
    return None, len(codes)


_WEIGHTS = {
    1: {"bold": True},
    2: {"dim": True},
    3: {"italic": True},
    4: {"underline": True},
    7: {"reverse": True},
    9: {"strike": True},
    22: {"bold": False, "dim": False},
    23: {"italic": False},
    24: {"underline": False},
    27: {"reverse": False},
    29: {"strike": False},
    39: {"color": None},
    49: {"background": None},
}


def _simple(style: Sgr, code: int) -> Sgr:
    if code == 0:
        return PLAIN
    if change := _WEIGHTS.get(code):
        return style._replace(**change)
    for first, offset in ((30, 0), (90, 8)):
        if first <= code <= first + 7:
            return style._replace(color=code - first + offset)
        if first + 10 <= code <= first + 17:
            return style._replace(background=code - first - 10 + offset)
    return style
