"""What changed within a line that was replaced by another: the words, bounded in time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import takewhile
from time import thread_time

from tui.transcript.panes.diffs import Line

MAX_TOKENS = 160
"""Of one line; longer ones are marked whole by their ground alone."""

MAX_SECONDS = 0.015
"""Of work, for all lines of one drawing."""

KEPT = 0.4
"""Where less of two lines is the same, one does not replace the other: marks would be noise."""

MAX_MATRIX = 100
"""Removed times added lines of a run that are compared each with each."""

Spans = list[tuple[int, int]]
"""Characters from and to."""

_WORD = re.compile(r"\w+")
_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")


def marked(lines: Sequence[Line]) -> dict[int, Spans]:
    """By the lines' indices: the characters that changed in those that replace each other."""
    deadline = thread_time() + MAX_SECONDS
    found: dict[int, Spans] = {}
    for removed, added in pairs(lines):
        if thread_time() > deadline:
            break
        found[removed], found[added] = changed(lines[removed].shown, lines[added].shown)
    return found


def pairs(lines: Sequence[Line]) -> list[tuple[int, int]]:
    """Which removed line is replaced by which added one, within one run of changes."""
    found: list[tuple[int, int]] = []
    index = 0
    while index < len(lines):
        removed = _run(lines, index, "-")
        added = _run(lines, index + removed, "+")
        gone, came = (
            lines[index : index + removed],
            lines[index + removed : index + removed + added],
        )
        found += ((index + one, index + removed + other) for one, other in _matched(gone, came))
        index += max(1, removed + added)
    return found


def _matched(gone: Sequence[Line], came: Sequence[Line]) -> list[tuple[int, int]]:
    """The pairs, in their order, that have most words in common; one by one where there are too many."""
    if len(gone) == len(came) or len(gone) * len(came) > MAX_MATRIX:
        return [(index, index) for index in range(min(len(gone), len(came)))]
    words = [[set(_WORD.findall(line.text)) for line in side] for side in (gone, came)]
    best: list[list[tuple[float, tuple[tuple[int, int], ...]]]] = [
        [(0.0, ()) for _ in range(len(came) + 1)] for _ in range(len(gone) + 1)
    ]
    for one, before in enumerate(words[0]):
        for other, after in enumerate(words[1]):
            alike = len(before & after) / max(1, len(before | after))
            score, chosen = best[one][other]
            paired = (score + alike, (*chosen, (one, other))) if alike else (-1.0, ())
            best[one + 1][other + 1] = max(
                best[one][other + 1], best[one + 1][other], paired, key=lambda found: found[0]
            )
    return list(best[-1][-1][1])


def changed(old: str, new: str) -> tuple[Spans, Spans]:
    """The characters of `old` that are gone and those of `new` that came; none where all or nothing changed."""
    before, after = _TOKEN.findall(old), _TOKEN.findall(new)
    if before == after or max(len(before), len(after)) > MAX_TOKENS:
        return [], []
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False)))
    rest = zip(reversed(before[same:]), reversed(after[same:]), strict=False)
    ending = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], rest))
    middle = before[same : len(before) - ending], after[same : len(after) - ending]
    matcher = SequenceMatcher(None, *middle, autojunk=False)
    gone: Spans = []
    came: Spans = []
    starts = _starts(before), _starts(after)
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind != "equal":
            _add(gone, starts[0][same + a], starts[0][same + b], old)
            _add(came, starts[1][same + c], starts[1][same + d], new)
    kept = len(old.strip()) + len(new.strip()) - _size(gone) - _size(came)
    if kept < KEPT * (len(old.strip()) + len(new.strip())):
        return [], []
    return gone, came


def _run(lines: Sequence[Line], index: int, sign: str) -> int:
    return sum(1 for _ in takewhile(lambda at: lines[at].sign == sign, range(index, len(lines))))


def _starts(tokens: Sequence[str]) -> list[int]:
    found = [0]
    for token in tokens:
        found.append(found[-1] + len(token))
    return found


def _add(spans: Spans, begin: int, end: int, text: str) -> None:
    """One more span; joined to the one before where only spaces part them."""
    if begin == end:
        return
    if spans and not text[spans[-1][1] : begin].strip():
        spans[-1] = (spans[-1][0], end)
    else:
        spans.append((begin, end))


def _size(spans: Spans) -> int:
    return sum(end - begin for begin, end in spans)
