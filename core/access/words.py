"""One word of a shell command: from how it is written to what the program is given. Pure.

Only what bash reads in one way and turns into exactly one argument is decoded, with one exception: a
word with `*` or `?` that begins with a letter, a digit, `_`, `.` or `/`, and so can become file names but
never an option. Everything else (expansions, braces, a leading `~` or `*`, letters beyond ASCII outside
quotes, which some shells take for blanks) is no word here, and the command it is in is not understood.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_PIECE = re.compile(
    r"""
      (?P<plain>  (?: [A-Za-z0-9_@%+=:,./^!-] | (?<=[A-Za-z0-9])~ | (?<=[^\s])\# )+ )
    | (?P<glob>   [*?]+ )
    | \\(?P<escaped> [\x20-\x7e] )
    | '(?P<single> [^']* )'
    | "(?P<double> (?: [^"\\$`] | \\[\x20-\x7e] )* )"
    """,
    re.VERBOSE,
)
_IN_DOUBLE = re.compile(r'\\(["\\$`])')
_NEVER_AN_OPTION = re.compile(r"[A-Za-z0-9_./]")


@dataclass(frozen=True, slots=True)
class Word:
    """What the program is given. `expands`: the shell puts zero or more file names in its place."""

    text: str
    expands: bool = False


UNKNOWN_WORD = Word("", expands=True)
"""Stands where a word could not be read: it can be anything."""


def read_word(source: str) -> Word | None:
    """The word that is written like this; None for one that is not plain enough to be sure of."""
    text: list[str] = []
    expands = False
    position = 0
    while position < len(source):
        piece = _PIECE.match(source, position)
        if piece is None:
            return None
        expands = expands or piece["glob"] is not None
        text.append(_decoded(piece))
        position = piece.end()
    if not source or (expands and not _NEVER_AN_OPTION.match(source)):
        return None
    return Word("".join(text), expands)


def _decoded(piece: re.Match[str]) -> str:
    if piece["double"] is not None:
        # Inside double quotes a backslash before anything else stays (POSIX, 2.2.3).
        return _IN_DOUBLE.sub(r"\1", piece["double"])
    return next(text for name in ("plain", "glob", "escaped", "single") if (text := piece[name]) is not None)
