"""Markdown to tokens: one parser for everything, and what keeps hostile Markdown from costing too much.

Blocks are parsed first; the inline text of a block only when it is drawn. Links are recognised as such
but never followed; HTML is text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.token import Token

MAX_NESTING = 60
"""Deeper lists and quotes are shown as they were written: the parser would drop what is inside."""

MAX_BRACKETS = 40
BRACKETS_BUDGET = 20_000
"""In one paragraph, and as the sum of squares in one drawing: the time to find links grows with the square."""

MAX_INLINE = 30_000
"""Characters of one paragraph that are read at once; a longer one is read in pieces."""

PIECE = 4_000
"""Characters of such a piece at most: it ends between two words."""

CUTS_TRIED = 40
"""Spaces that are looked at for one outside of all markup."""

MAX_TOKENS = 6_000
"""What comes after so many of them in a long paragraph is shown as it was written."""

_PAIRED = ("`", "*", "**", "_", "__", "~~")

_PARSER = MarkdownIt("commonmark", {"html": False, "maxNesting": MAX_NESTING + 4})
_PARSER.enable(["table", "strikethrough"])


class Env(dict[str, object]):
    """What the parser remembers between blocks: link definitions. `brackets` is what was spent of the budget.

    `hurried`: paragraphs longer than MAX_INLINE are shown as they were written; `skipped`: one was.
    """

    brackets = 0
    hurried = False
    skipped = False


@dataclass(frozen=True, slots=True)
class Block:
    """A top-level block: its tokens, and where it begins and ends, in lines of the source."""

    tokens: list[Token]
    begin: int
    end: int

    @property
    def too_deep(self) -> bool:
        return any(token.level >= MAX_NESTING for token in self.tokens)


def blocks(source: str, env: Env) -> list[Block]:
    """The top-level blocks of a source that has LF line ends only."""
    tokens: list[Token] = []
    _PARSER.block.parse(source, _PARSER, env, tokens)
    found: list[Block] = []
    begin = 0
    for index, token in enumerate(tokens):
        if token.level == 0 and token.nesting <= 0:
            group = tokens[begin : index + 1]
            lines = group[0].map or [0, 0]
            found.append(Block(group, lines[0], lines[1]))
            begin = index + 1
    return found


def inline(text: str, env: Env) -> list[Token]:
    """The inline tokens of a paragraph's text; what costs too much is text as it was written."""
    if len(text) <= MAX_INLINE:
        return _inline(text, env)
    if env.hurried:
        env.skipped = True
        return _as_written(text)
    tokens: list[Token] = []
    begin = 0
    while begin < len(text):
        end = piece_end(text, begin) if len(tokens) < MAX_TOKENS else len(text)
        piece = text[begin:end]
        found = _inline(piece, env) if len(tokens) < MAX_TOKENS else _as_written(piece)
        if tokens and tokens[-1].type == found[0].type == "text":
            found[0].content = tokens.pop().content + found[0].content
        tokens += found
        begin = end
    return tokens


def piece_end(text: str, begin: int) -> int:
    """Where a piece that begins at `begin` ends: between two words, outside of all markup if that can be."""
    end = begin + PIECE
    if end >= len(text):
        return len(text)
    last = cut = text.rfind(" ", begin + 1, end) + 1
    for _ in range(CUTS_TRIED):
        if not cut:
            break
        if _is_calm(text[begin:cut]):
            return cut
        cut = text.rfind(" ", begin + PIECE // 2, cut - 1) + 1
    return last or end


def _is_calm(piece: str) -> bool:
    """Is it likely that no mark in a piece is closed after it?"""
    return piece.count("[") <= piece.count("]") and not any(piece.count(mark) % 2 for mark in _PAIRED)


def _inline(text: str, env: Env) -> list[Token]:
    brackets = text.count("[")
    env.brackets += brackets**2
    if brackets > MAX_BRACKETS or env.brackets > BRACKETS_BUDGET:
        return _as_written(text)
    tokens: list[Token] = []
    _PARSER.inline.parse(text, _PARSER, env, tokens)
    return tokens


def _as_written(text: str) -> list[Token]:
    tokens: list[Token] = []
    for index, line in enumerate(text.split("\n")):
        if index:
            tokens.append(Token("softbreak", "br", 0))
        tokens.append(Token("text", "", 0, content=line))
    return tokens


def line_starts(source: str) -> Iterator[int]:
    """Where each line of `source` begins."""
    position = 0
    while position >= 0:
        yield position
        position = source.find("\n", position) + 1 or -1
