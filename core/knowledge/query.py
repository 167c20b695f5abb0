"""What people type and what prompts say, as FTS5 expressions. Pure.

Every word is quoted, so nothing in it is ever FTS5 syntax. "" means that there is nothing to look for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.knowledge.documents import clean_text

WORDS_AT_MOST = 32
PROMPT_WORDS_AT_MOST = 64
_LONGEST_WORD = 80
_PROMPT_AT_MOST = 20_000

_TERM = re.compile(r'"([^"]*)"?|([^\s"]+)')
_WORD = re.compile(r"\w+")
_COMMON = frozenset(
    re.findall(
        r"\w+",
        """a about all also an and any are as at be been but by can could did do does for from get had has have
        how if in into is it its just let like make may me more my need new no not now of on one or our out please
        see should so some than that the their them then there these they this to too up us use was we were what
        when where which who why will with would you your""",
    )
)


@dataclass(frozen=True, slots=True)
class Term:
    """A word, or words in this order. `prefix`: the last one may go on."""

    text: str
    prefix: bool


def terms_of(query: str) -> tuple[Term, ...]:
    """What is looked for: `"a phrase"` in that order, `wor*` by its beginning, and so the last one while it is typed."""
    terms: list[Term] = []
    for match in _TERM.finditer(clean_text(query)):
        phrase, word = match[1], match[2]
        if word is None:
            text, prefix = phrase, False
        else:
            text = word.rstrip("*")
            prefix = (text != word or match.end() == len(query)) and _is_telling_beginning(text)
        if _has_token(text):
            terms.append(Term(text[:_LONGEST_WORD], prefix))
        if len(terms) == WORDS_AT_MOST:
            break
    return tuple(terms)


def every_word(query: str) -> str:
    """All of its terms."""
    return " AND ".join(_quoted(term.text) + (" *" if term.prefix else "") for term in terms_of(query))


def any_word(prompt: str) -> str:
    """Any of its telling words."""
    return " OR ".join(_quoted(word) for word in telling_words(prompt))


def telling_words(prompt: str) -> tuple[str, ...]:
    """The first different words of it, casefolded, without those that every text has."""
    words: dict[str, None] = {}
    for word, _ in words_of(clean_text(prompt[:_PROMPT_AT_MOST])):
        if _has_token(word) and word not in _COMMON and (len(word) > 2 or not word.isascii()):
            words[word] = None
        if len(words) == PROMPT_WORDS_AT_MOST:
            break
    return tuple(words)


def words_of(text: str) -> Iterator[tuple[str, int]]:
    """Each word, casefolded, and where it begins."""
    return ((match[0].casefold(), match.start()) for match in _WORD.finditer(text))


def _is_telling_beginning(term: str) -> bool:
    """One letter of an alphabet begins so many words that a search for it takes seconds."""
    return len(term) > 1 or not term.isascii()


def _has_token(term: str) -> bool:
    return any(character.isalnum() for character in term)


def _quoted(term: str) -> str:
    return '"' + term[:_LONGEST_WORD].replace('"', '""') + '"'
