"""Where the words of a query stand in a text, as FTS5's `unicode61 remove_diacritics` takes them apart. Pure.

FTS5 can mark them itself, but looks the words up in the whole index again for each text that it marks.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from core.knowledge.query import Term
from core.sessions.model import Pieces

BEFORE = 60
"""Characters that are shown before the first hit."""

SHOWN = 240

_LETTER = r"[^\W_]"
_MARKS = "[\u0300-\u036f]*"
_WORD = re.compile(rf"{_LETTER}+")
_SPACE = re.compile(r"\s+")


def snippet(text: str, terms: tuple[Term, ...]) -> Pieces:
    """The part of a text around the first hit, on one line, in pieces; its beginning where there is none."""
    found = _pattern(terms).search(fold(text))
    first = max(0, (found.start() if found else 0) - BEFORE)
    last = min(len(text), first + SHOWN)
    if first:
        first = text.find(" ", first, first + BEFORE) + 1 or first
    if last < len(text):
        last = max(text.rfind(" ", first, last), found.end() if found else first + SHOWN // 2)
    shown = f"{'…' if first else ''}{text[first:last]}{'…' if last < len(text) else ''}"
    return pieces_of(_SPACE.sub(" ", shown), terms)


def pieces_of(text: str, terms: tuple[Term, ...]) -> Pieces:
    """A whole text in pieces."""
    return tuple(_pieces(text, _pattern(terms)))


def fold(text: str) -> str:
    """As long as the text, without case and without accents that are one character with their letter."""
    if text.isascii():
        return text.lower()
    return "".join(_folded(character) for character in text)


def _pieces(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[str, bool]]:
    end = 0
    for match in pattern.finditer(fold(text)):
        if match.start() > end:
            yield text[end : match.start()], False
        yield text[match.start() : match.end()], True
        end = match.end()
    if end < len(text):
        yield text[end:], False


@lru_cache(maxsize=4096)
def _folded(character: str) -> str:
    return unicodedata.normalize("NFD", character)[0].lower()[0]


@lru_cache(maxsize=64)
def _pattern(terms: tuple[Term, ...]) -> re.Pattern[str]:
    """Any of the terms, from the beginning of a word to the end of one."""
    choices = [choice for choice in map(_choice, terms) if choice]
    return re.compile("|".join(choices) if choices else r"(?!)")


def _choice(term: Term) -> str:
    words = [_MARKS.join(map(re.escape, word)) + _MARKS for word in _WORD.findall(fold(term.text))]
    if not words:
        return ""
    end = f"{_LETTER}*" if term.prefix else ""
    return rf"(?<!{_LETTER}){'[^a-zA-Z0-9]+'.join(words)}{end}(?!{_LETTER})"
