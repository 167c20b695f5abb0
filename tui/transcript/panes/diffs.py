"""Diffs as Codex gives them: whole files for added and deleted ones, hunks without a header for updates."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.agent.items import Change
from tui.transcript import safe

_HUNK = re.compile(r"@@ -(?P<old>\d+)(?:,\d+)? \+(?P<new>\d+)(?:,\d+)? @@ ?(?P<where>.*)")


@dataclass(frozen=True, slots=True)
class Line:
    """One line. `sign`: `+`, `-`, a space for context, `@` for a hunk's head; `number` in the file it is in.

    `old` is its number in the file as it was, where it was there.
    """

    sign: str
    text: str
    number: int | None = None
    old: int | None = None

    @property
    def shown(self) -> str:
        """The text with its tabs as spaces, as code is drawn."""
        return self.text.expandtabs(safe.TAB)


def counts(change: Change) -> tuple[int, int]:
    """Lines added and removed."""
    if change.verb == "update":
        diff = "\n" + change.diff
        return diff.count("\n+"), diff.count("\n-")
    lines = change.diff.count("\n") + (not change.diff.endswith("\n") and bool(change.diff))
    return (lines, 0) if change.verb == "add" else (0, lines)


def lines(change: Change) -> Iterator[Line]:
    """The lines of a change; made as they are asked for, so that a huge diff costs what is shown of it."""
    if change.verb == "update":
        yield from _hunks(change.diff)
        return
    sign = "+" if change.verb == "add" else "-"
    for number, text in enumerate(_split(change.diff), 1):
        yield Line(sign, text, number)


def _hunks(diff: str) -> Iterator[Line]:
    old = new = 1
    known = False
    for text in _split(diff):
        if match := _HUNK.match(text):
            old, new, known = int(match["old"]), int(match["new"]), True
            yield Line("@", match["where"])
            continue
        sign = text[:1]
        if sign == "+":
            yield Line("+", text[1:], new if known else None)
            new += 1
        elif sign == "-":
            yield Line("-", text[1:], old if known else None, old if known else None)
            old += 1
        elif sign in (" ", ""):
            yield Line(" ", text[1:], new if known else None, old if known else None)
            old, new = old + 1, new + 1
        else:
            yield Line("@", text)


def _split(text: str) -> Iterator[str]:
    position = 0
    while position < len(text):
        end = text.find("\n", position)
        if end < 0:
            end = len(text)
        yield text[position:end].removesuffix("\r")
        position = end + 1
