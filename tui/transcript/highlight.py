"""Source code to coloured runs, bounded in size and time: a blob under a code fence cannot stall the screen."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from time import thread_time

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.token import Token
from pygments.util import ClassNotFound

from tui.transcript import safe
from tui.transcript.rows import Look, Run

MAX_CODE = 48_000
"""Characters; longer code stays plain."""

MAX_LINE = 2_000
"""Characters; code with a longer line stays plain: it is data, and lexers are slowest on it."""

CHUNK_LINES = 1_500
"""More than honest code has within `MAX_CODE`, as a rule."""

MAX_SECONDS = 0.02
"""Of work, not of waiting for a busy machine. When they are spent, the rest of the code stays plain."""

_LOOKS: dict[object, Look] = {
    Token.Comment: ("code-comment",),
    Token.Error: ("code-error",),
    Token.Generic.Deleted: ("code-error",),
    Token.Generic.Error: ("code-error",),
    Token.Generic.Heading: ("code-function",),
    Token.Generic.Inserted: ("code-string",),
    Token.Generic.Subheading: ("code-keyword",),
    Token.Keyword: ("code-keyword",),
    Token.Keyword.Constant: ("code-number",),
    Token.Keyword.Type: ("code-builtin",),
    Token.Literal.Number: ("code-number",),
    Token.Literal.String: ("code-string",),
    Token.Name.Attribute: ("code-attribute",),
    Token.Name.Builtin: ("code-builtin",),
    Token.Name.Class: ("code-function",),
    Token.Name.Constant: ("code-number",),
    Token.Name.Decorator: ("code-attribute",),
    Token.Name.Exception: ("code-builtin",),
    Token.Name.Function: ("code-function",),
    Token.Name.Tag: ("code-keyword",),
    Token.Name.Variable: ("code-name",),
    Token.Operator.Word: ("code-keyword",),
    Token.Operator: ("code-operator",),
}


def lexer_name(path: str) -> str:
    """The language of a file by its name; "" for none we know."""
    try:
        return get_lexer_for_filename(path).aliases[0]
    except (ClassNotFound, IndexError):
        return ""


@lru_cache(maxsize=16)
def code_lines(code: str, language: str) -> list[list[Run]]:
    """The lines of `code` as runs. An unknown language, too much code or too long a line: plain."""
    return lines_alone(code, language)


def lines_alone(code: str, language: str) -> list[list[Run]]:
    """`code_lines` of code that will not be asked for again."""
    code = code.expandtabs(safe.TAB)
    plain = code.split("\n")
    lexer = _lexer(language)
    if lexer is None or len(code) > MAX_CODE or any(len(line) > MAX_LINE for line in plain):
        return [[(line, ())] if line else [] for line in plain]
    return _lexed(lexer, code)


def _lexed(lexer: Lexer, code: str) -> list[list[Run]]:
    deadline = thread_time() + MAX_SECONDS
    lines: list[list[Run]] = [[]]
    done = 0
    for token, text in _tokens(lexer, code):
        look = _look(token)
        first, *others = text.split("\n")
        if first:
            lines[-1].append((first, look))
        for line in others:
            lines.append([(line, look)] if line else [])
        done += len(text)
        if thread_time() > deadline:
            lines[-1:] = _continued(lines[-1], code[done:])
            break
    del lines[code.count("\n") + 1 :]
    return lines


def _tokens(lexer: Lexer, code: str) -> Iterator[tuple[object, str]]:
    """Some lexers look through all that is left before they say a word: they get no more than some lines at a time.

    What goes over such a border, a long string for instance, is coloured wrong behind it.
    """
    lines = code.splitlines(keepends=True)
    for first in range(0, len(lines), CHUNK_LINES):
        part = "".join(lines[first : first + CHUNK_LINES])
        yield from lexer.get_tokens(part)


def _continued(line: list[Run], rest: str) -> list[list[Run]]:
    first, *others = rest.split("\n")
    return [[*line, (first, ())], *([(other, ())] for other in others)]


@lru_cache(maxsize=128)
def _look(token: object) -> Look:
    while token is not None:
        if (look := _LOOKS.get(token)) is not None:
            return look
        token = getattr(token, "parent", None)
    return ()


@lru_cache(maxsize=64)
def _lexer(language: str) -> Lexer | None:
    if not language or language in ("text", "txt", "plain"):
        return None
    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None
