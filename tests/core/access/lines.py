"""Random command lines: of commands that are allowed, pieces that hide something, and what joins them."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.core.access.escapes import ESCAPES

ALLOWED = ("git status", "git log", "ls", "cargo build")
"""Prefixes. None is a builtin of bash."""

WORDS = (
    "x",
    "-a",
    "--long=y",
    "src/a.py",
    "HEAD~2",
    "a#b",
    "'a b'",
    '"c d"',
    "'it'\\''s'",
    '"\\$x"',
    "e\\ f",
    '""',
    "src/*.py",
    "1",
    "é",
    "!",
    "=",
    "==",
    "'\n'",
    '"\n"',
    "@{1}",
    "%1",
    "+x",
)
JOINS = (" && ", " || ", "; ", " | ", " |& ", "\n", "\n\n", ";", "&&", " && \\\n ", " \\\n && ", " # x\n")
HOSTILE = (
    "rm x",
    "$(rm x)",
    "`rm x`",
    "> file",
    "2>&1",
    ">/dev/null",
    "2> /dev/null",
    "&",
    "\\\n",
    "\\",
    "'",
    '"',
    "#",
    "$x",
    "{a,b}",
    "*",
    "~",
    "(",
    ")",
    "{",
    "}",
    "<<E",
    "\nE\n",
    "<<<",
    "<(",
    "if",
    "then",
    "do",
    "time",
    "!",
    "A=1",
    "env",
    "sudo",
    "xargs",
    "eval",
    "\t",
    "\r",
    "$'a'",
    '$"a"',
    "[[",
    "]]",
    "[",
    ";;",
    "=",
    "\u202e",
    "\u00a0",
)

_words = st.lists(st.sampled_from(WORDS), max_size=3).map(lambda words: "".join(f" {word}" for word in words))
plain_commands = st.builds(lambda command, words: command + words, st.sampled_from(ALLOWED), _words)
_commands = plain_commands | st.sampled_from(("rm x", "curl y", "git push"))


@st.composite
def joined_lines(draw: st.DrawFn) -> str:
    """Commands joined in ways that a rule may look through."""
    line = draw(_commands)
    for _ in range(draw(st.integers(0, 3))):
        line += draw(st.sampled_from(JOINS)) + draw(_commands)
    return line


@st.composite
def hostile_lines(draw: st.DrawFn) -> str:
    """A joined line with one to three pieces put in anywhere."""
    line = draw(joined_lines())
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(line)))
        piece = draw(st.sampled_from(HOSTILE) | st.sampled_from(" ;|&<>(){}$`\"'*?[]~!#=^\\\n\t-/."))
        line = (
            line[:place]
            + draw(st.sampled_from(("", " ")))
            + piece
            + draw(st.sampled_from(("", " ")))
            + line[place:]
        )
    return line


@st.composite
def mutated_escapes(draw: st.DrawFn) -> str:
    """Two escapes joined, or one behind something allowed."""
    first = draw(st.sampled_from((*ESCAPES, *ALLOWED)))
    return first + draw(st.sampled_from(JOINS)) + draw(st.sampled_from(ESCAPES))


any_lines = joined_lines() | hostile_lines() | mutated_escapes()
