"""A command line -> the simple commands it runs, or why that cannot be said for sure. Pure.

The grammar is tree-sitter's of bash. It is not bash itself, and where the two differ somebody could hide
a command, so its reading counts only where nothing is left to interpretation: every node is of a kind
listed here, every word is plain (`core.access.words`), and what stands between two of them is what bash
too takes for a separator. The rest is `Opaque`, and asked about.

A few redirections are understood, because they touch no file: `>/dev/null` (also `>>`, `&>`, with 1 or 2
before it), `</dev/null`, and one of 0, 1, 2 sent to another (`2>&1`). Of here-documents only the whole
line `apply_patch <<'WORD'` with a quoted word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from core.access.escapes import escape_of
from core.access.words import UNKNOWN_WORD, Word, read_word

if TYPE_CHECKING:
    from tree_sitter import Language, Node

LONGEST = 5_000
"""Characters. A longer line is not read: the grammar takes up to 0.3 s for one of this length that is
made to take long, and a second for twice that."""


@dataclass(frozen=True, slots=True)
class SimpleCommand:
    """A program and its arguments: at least one word."""

    words: tuple[Word, ...]

    def __str__(self) -> str:
        return " ".join(word.text or "''" for word in self.words)


@dataclass(frozen=True, slots=True)
class Line:
    """Everything that the line can run, in order, however it is joined."""

    commands: tuple[SimpleCommand, ...]


@dataclass(frozen=True, slots=True)
class Opaque:
    """A line that can run something which its words do not show.

    `why` is a clause for a sentence. `commands` is what could be read of it all the same: enough to deny the
    line for, never to allow it.
    """

    why: str
    commands: tuple[SimpleCommand, ...] = ()


def parse_command(text: str) -> Line | Opaque:
    """Read a command as Codex gives it: as it is, or inside Codex's own `/bin/bash -lc '…'`."""
    outer = _parse(text)
    if isinstance(outer, Line) and len(outer.commands) == 1:
        match outer.commands[0].words:
            case (Word(shell), Word("-lc"), Word(script, expands=False)) if shell in _CODEX_SHELLS:
                return _checked(_parse(script))
            case _:
                pass
    return _checked(outer)


_CODEX_SHELLS = frozenset({"/bin/bash", "/usr/bin/bash"})


def _checked(parsed: Line | Opaque) -> Line | Opaque:
    """Opaque where one of the commands runs others, or hides what it does."""
    if isinstance(parsed, Line):
        for command in parsed.commands:
            why = escape_of(command.words)
            if why is not None:
                return Opaque(why, parsed.commands)
    return parsed


_STRUCTURE = frozenset({"program", "list", "pipeline", "redirected_statement"})
_OPERATORS = frozenset({";", "&&", "||", "|", "|&", "\n"})
_HARMLESS_REDIRECT = re.compile(r"[012]?>&[012]|(?:[12]|&)?>>?[ \t]*/dev/null|0?<[ \t]*/dev/null")
_RESERVED = (
    "! [[ ]] { } case coproc do done elif else esac fi for function if in select then time until while"
)
_PATCH = re.compile(r"apply_patch[ \t]*<<[ \t]*'(?P<end>\w+)'\n(?P<body>(?:.*\n)*?)(?P=end)\s*")
_BLANK = re.compile(r"(?:[ \t]|(?<=[ \t])\\\n)*")
_BLANK_LINES = re.compile(r"[ \t\n]*")
_AFTER_OPERATOR = re.compile(r"(?:[ \t\n]|(?<=[ \t])\\\n)*")

_WHY = {
    "&": "it leaves a command running in the background",
    "ERROR": "it is not a whole shell command",
    "ansi_c_string": "it has a $'…' string",
    "arithmetic_expansion": "it computes a word",
    "array": "it sets a variable",
    "brace_expression": "it has a brace expansion",
    "c_style_for_statement": "it has a loop",
    "case_statement": "it has a case distinction",
    "command_substitution": "it runs a command inside a word",
    "compound_statement": "it groups commands",
    "declaration_command": "it declares a variable",
    "expansion": "it has a variable in it",
    "file_redirect": "it redirects to or from a file",
    "for_statement": "it has a loop",
    "function_definition": "it defines a function",
    "heredoc_redirect": "it has a here-document",
    "herestring_redirect": "it has a here-string",
    "if_statement": "it has a condition",
    "negated_command": "it negates a command",
    "process_substitution": "it runs a command in place of a file",
    "simple_expansion": "it has a variable in it",
    "subshell": "it runs a subshell",
    "test_command": "it has a test in brackets",
    "translated_string": 'it has a $"…" string',
    "unset_command": "it takes a variable away",
    "variable_assignment": "it sets a variable",
    "variable_assignments": "it sets a variable",
    "while_statement": "it has a loop",
}


@dataclass(frozen=True, slots=True)
class _Token:
    """A part of the line, by its place in bytes. `owner` is the command that a word belongs to."""

    kind: str
    start: int
    end: int
    owner: int = -1


def _parse(text: str) -> Line | Opaque:
    why = _unreadable(text)
    if why is not None:
        return Opaque(why)
    source = text.encode()
    root = _tree(source)
    if _is_patch(root, text):
        return Line((SimpleCommand((Word("apply_patch"),)),))
    why = "it is not a whole shell command" if root.has_error else None
    tokens: list[_Token] = []
    owners: list[Node] = []
    for node, kind in _walk(root):
        if kind == "command":
            owners.append(node)
        elif kind == "opaque":
            why = why or _WHY.get(node.type, f"it has a {node.type.replace('_', ' ')}")
        else:
            tokens.append(_Token(kind, node.start_byte, node.end_byte, len(owners) - 1))
    commands = tuple(command for node in owners if (command := _readable(node)) is not None)
    why = why or _why_not_plain(source, tokens) or (None if commands else "it runs nothing")
    return Line(commands) if why is None else Opaque(why, commands)


def _unreadable(text: str) -> str | None:
    if len(text) > LONGEST:
        return f"it is longer than {LONGEST} characters"
    for character in text:
        if not character.isascii() or not character.isprintable():
            category = unicodedata.category(character)
            if category[0] in "CZ" and character not in "\n\t":
                return f"it has an invisible character (U+{ord(character):04X})"
    return None


@cache
def _language() -> Language:
    # Not needed before the first paint, and the grammar is a megabyte.
    import tree_sitter_bash
    from tree_sitter import Language

    return Language(tree_sitter_bash.language())


def _tree(source: bytes) -> Node:
    from tree_sitter import Parser

    return Parser(_language()).parse(source).root_node


def _is_patch(root: Node, text: str) -> bool:
    """Whether the line is `apply_patch` with a quoted here-document, for the grammar and for us."""
    whole = _PATCH.fullmatch(text)
    if whole is None or root.has_error or [node.type for node in root.children] != ["redirected_statement"]:
        return False
    return whole["end"] not in whole["body"].split("\n")


def _walk(root: Node) -> Iterator[tuple[Node, str]]:
    """The line's nodes in order, each with what it is: command, word, operator, redirect, comment or opaque.

    A command comes before its words. What is inside something opaque is gone through for its commands.
    Without recursion: a long list is a deep tree.
    """
    waiting = [root]
    while waiting:
        node = waiting.pop()
        kind = _kind(node)
        if kind == "structure":
            waiting.extend(reversed(node.children))
        elif kind == "command":
            yield node, kind
            for child in node.children:
                yield from _in_command(child, waiting)
        else:
            yield node, kind
            if kind == "opaque":
                waiting.extend(reversed(node.children))


def _kind(node: Node) -> str:
    if node.type in _STRUCTURE:
        return "structure"
    if node.type in ("command", "comment"):
        return node.type
    if node.type in _OPERATORS:
        return "operator"
    if node.type == "file_redirect" and _HARMLESS_REDIRECT.fullmatch(_text(node)):
        return "redirect"
    return "opaque"


def _in_command(child: Node, waiting: list[Node]) -> Iterator[tuple[Node, str]]:
    """A command's own parts. What is opaque in them goes to `waiting`, to be gone through after it."""
    if _is_redirect(child):
        if _kind(child) == "redirect":
            yield child, "redirect"
        else:
            waiting.append(child)
        return
    inside = [child]
    while inside:
        node = inside.pop()
        if node.type in _WHY:
            waiting.append(node)
        else:
            inside.extend(node.children)
    yield child, "word"


def _is_redirect(node: Node) -> bool:
    return node.type.endswith("_redirect")


def _text(node: Node) -> str:
    return (node.text or b"").decode()


def _readable(command: Node) -> SimpleCommand | None:
    """A command's words, with `UNKNOWN_WORD` for those that are not plain, and without what it sets before."""
    words = tuple(
        read_word(_text(child)) or UNKNOWN_WORD
        for child in command.children
        if not _is_redirect(child) and child.type != "variable_assignment"
    )
    return SimpleCommand(words) if words else None


def _why_not_plain(source: bytes, tokens: list[_Token]) -> str | None:
    """Why bash could read these tokens in another way than the grammar did; None where it cannot."""
    previous: _Token | None = None
    for token in tokens:
        start = 0 if previous is None else previous.end
        if not _may_stand_between(previous, token, source[start : token.start].decode()):
            return "its parts are not told apart for sure"
        if token.kind == "word":
            first = previous is None or previous.kind != "word" or previous.owner != token.owner
            why = _why_not_a_word(source[token.start : token.end].decode(), first)
            if why is not None:
                return why
        previous = token
    rest = source[0 if previous is None else previous.end :].decode()
    return None if _BLANK_LINES.fullmatch(rest) else "its end is not told for sure"


def _may_stand_between(left: _Token | None, right: _Token, gap: str) -> bool:
    """Whether `gap` keeps the two apart, and apart in the same way for bash and the grammar."""
    if left is None or left.kind == "operator":
        return _AFTER_OPERATOR.fullmatch(gap) is not None
    if left.kind == "comment":
        return gap.startswith("\n") and _BLANK_LINES.fullmatch(gap) is not None
    if right.kind == "operator":
        return _BLANK.fullmatch(gap) is not None
    if right.kind == "comment":
        return gap != "" and _BLANK_LINES.fullmatch(gap) is not None
    if right.kind == "word" and right.owner != left.owner:
        return "\n" in gap and _BLANK_LINES.fullmatch(gap) is not None
    return gap != "" and _BLANK.fullmatch(gap) is not None


def _why_not_a_word(source: str, first: bool) -> str | None:
    word = read_word(source)
    if word is None:
        return "a word of it is not plain"
    if first and (word.expands or not word.text):
        return "what it runs is not a plain word"
    if first and source in _RESERVED.split():
        return f"it has the shell's own word {source}"
    if first and "=" in source:
        return "it sets a variable"
    if first and word.text.startswith("%"):
        return "it goes on with a job"
    return None
