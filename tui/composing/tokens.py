"""What is being completed where the cursor stands. Pure; looks at one line, and not far back."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

Kind = Literal["@", "/", "$"]

FARTHEST = 256
_LAST_WORD = re.compile(r"\S*\Z")
_SKILL = re.compile(r"\$[\w:.-]*\Z")


class Wanted(NamedTuple):
    """The word from column `start` to the cursor; `text` is without its first character."""

    kind: Kind
    text: str
    start: int


def wanted(line: str, column: int, *, first: bool) -> Wanted | None:
    """What can be completed at this column; `first`: it is the first line of the text."""
    before = line[max(column - FARTHEST, 0) : column]
    word = _LAST_WORD.search(before).group()  # type: ignore[union-attr]
    if not word or len(word) == FARTHEST:
        return None
    start = column - len(word)
    match word[0]:
        case "@":
            return Wanted("@", word[1:], start)
        case "/" if first and start == 0 and "/" not in word[1:]:
            return Wanted("/", word[1:], start)
        case "$" if _SKILL.match(word):
            return Wanted("$", word[1:], start)
        case _:
            return None
