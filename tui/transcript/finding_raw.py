"""Could an entry show a word? Told from the text that it is made of, so that most entries need not be drawn.

Pure. It may say yes of an entry that does not show the word, and never no of one that does: what a drawing
takes out of the middle of a word (marks of Markdown, escapes, entities, colours) is taken out here too, and
what panes say by themselves is said by any of them.
"""

from __future__ import annotations

import html
import re
import string
from collections.abc import Iterable, Iterator

from tui.transcript import ansi, safe
from tui.transcript.entries import Entry, Live, Output

HEAD = 300_000
TAIL = 200_000
"""Characters of a text's beginning and of its end that are looked at closely: no pane draws more of a line."""

_WORD = re.compile(r"[^\W_]+")
_COUNTED = re.compile(r"\d{1,3}")
"""Numbers that a pane may have counted: of items, lines, files."""

_ENCODED = re.compile(r"%|xn--", re.IGNORECASE)
"""A link's target is shown as an address, encoded."""

_MOVES = re.compile(r"\r(?!\n)|\x08|\x1b\[[12]K")
"""A line that draws over itself shows words that were never printed in one piece."""

_ESCAPED = re.compile(r"\\+u([0-9a-fA-F]{4})")
_ENTITY = re.compile("&(?:#[xX][0-9a-fA-F]{1,6}|#[0-9]{1,7}|[a-zA-Z][a-zA-Z0-9]{1,31});")
_LINK_TITLE = re.compile(r"""\s(?:"[^"]*"|'[^']*'|\([^()]*\))\s*\)""")
_JOINERS = re.compile("[\u200d\ufe0e\ufe0f]")
_MARKUP = str.maketrans("", "", string.punctuation)

_PANES = (
    "edit edited add added delete deleted no files looked at made an image not saved searched the web query "
    "sub agents started told more resumed waited for closed context compacted review began ended a hook said "
    "tool output paused plan thought thinking warning error details cannot be read known to this version "
    f"characters marks invisible {' '.join(safe.NAMES.values())} tag vs"
).lower()
"""The words in lines of text that no box holds."""


class Words:
    """The words of what is looked for."""

    def __init__(self, needle: str) -> None:
        words = () if _ENCODED.search(needle) else _WORD.findall(needle.lower())
        self._words = [word for word in words if word not in _PANES and not _COUNTED.fullmatch(word)]

    def may_be_in(self, entry: Entry) -> bool:
        """May the entry, drawn whole, show all of them?"""
        missing = self._words
        for text in _raw_texts(entry):
            if not missing:
                break
            missing = _missing(missing, text)
        return not missing


def _missing(words: Iterable[str], text: str) -> list[str]:
    """Those of the words that a text cannot show."""
    lower = text.lower()
    missing = [word for word in words if word not in lower]
    if not missing or not text:
        return missing
    if len(text) > HEAD + TAIL:
        text = text[:HEAD] + "\n" + text[-TAIL:]
    if _MOVES.search(text):
        return []
    squeezed = _squeezed(text).lower()
    return [word for word in missing if word not in squeezed]


def _squeezed(text: str) -> str:
    """A text without what its drawing may leave out of the middle of a word."""
    if "\\u" in text:
        text = _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text)
    if "\x1b" in text or "\x9b" in text:
        text = ansi.without_sequences(text)
    if "](" in text:
        text = _LINK_TITLE.sub(")", text)
    if "&" in text:
        text = _ENTITY.sub(lambda match: html.unescape(match[0]), text)
    if not text.isascii():
        text = _JOINERS.sub("", text)
    return text.translate(_MARKUP)


def _raw_texts(entry: Entry) -> Iterator[str]:
    """Everything that an entry is made of, as it came."""
    for box in (*((entry.box,) if entry.box is not None else ()), *entry.followers):
        yield box.contents
        yield box.hidden_contents
    if entry.waiting is not None:
        yield entry.waiting.text
    if entry.live is not None:
        yield from _live_texts(entry.live)


def _live_texts(live: Live) -> Iterator[str]:
    if live.item is not None:
        yield live.item.model_dump_json()
    for growing in live.texts.values():
        yield growing.text
    if isinstance(live.output, Output):
        yield live.output.head
        yield live.output.tail
