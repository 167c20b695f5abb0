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
"""Characters of one paragraph; longer ones are shown as they were written."""

_PARSER = MarkdownIt("commonmark", {"html": False, "maxNesting": MAX_NESTING + 4})
_PARSER.enable(["table", "strikethrough"])


class Env(dict[str, object]):
    """What the parser remembers between blocks: link definitions. `brackets` is what was spent of the budget."""

    brackets = 0


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


def inline(text: str, env: Env) -> list[Token] | None:
    """The inline tokens of a paragraph's text; None where it must be shown as it was written."""
    brackets = text.count("[")
    env.brackets += brackets**2
    if len(text) > MAX_INLINE or brackets > MAX_BRACKETS or env.brackets > BRACKETS_BUDGET:
        return None
    tokens: list[Token] = []
    _PARSER.inline.parse(text, _PARSER, env, tokens)
    return tokens


def line_starts(source: str) -> Iterator[int]:
    """Where each line of `source` begins."""
    position = 0
    while position >= 0:
        yield position
        position = source.find("\n", position) + 1 or -1
