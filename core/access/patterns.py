"""What a rule speaks of, and whether that is what is being decided on. Pure.

A match says how sure it is, because allowing and denying want opposite things of doubt: what is allowed
must match beyond it, what is denied must not slip through it (`core.access.rules`).
"""

from __future__ import annotations

import posixpath
import re
import shlex
from dataclasses import dataclass
from enum import Enum
from itertools import zip_longest

from core.access.shell import SimpleCommand
from core.access.words import Word, read_word
from core.errors import InvalidRequest


class Match(Enum):
    """`YES`: exactly what the rule names. `LOOSELY`: the same thing by another name, or more than it.
    `MAYBE`: what the shell makes of it decides."""

    YES = "yes"
    LOOSELY = "loosely"
    MAYBE = "maybe"
    NO = "no"


@dataclass(frozen=True, slots=True)
class Path:
    """A file or folder that would be written. `real` is it with every symbolic link followed; both absolute."""

    path: str
    real: str

    def __str__(self) -> str:
        return self.path


@dataclass(frozen=True, slots=True)
class Host:
    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class ToolName:
    name: str

    def __str__(self) -> str:
        return self.name


Part = SimpleCommand | Path | Host | ToolName
"""One thing of those that a request asks for."""

ANY = None
"""Stands in a command pattern for any one word; for an allowing rule, one that is no option."""

OPEN_END = "…"
_OPEN_ENDS = (OPEN_END, "...")
_WORD_IN_TEXT = re.compile(r"""(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+""", re.DOTALL)


@dataclass(frozen=True, slots=True)
class CommandPattern:
    """A command's words, from its first on. `exact`: and no more words after them.

    As text: words quoted as in a shell, `*` for any one word, `…` at the end of a pattern that is not exact.
    """

    words: tuple[str | None, ...]
    exact: bool = False

    def __post_init__(self) -> None:
        if not self.words or not self.words[0]:
            raise InvalidRequest(
                "A rule for commands needs the name of a program",
                why="it would match every command",
                todo="Begin with the program's name.",
            )

    def __str__(self) -> str:
        words = " ".join(map(_written, self.words))
        return words if self.exact else f"{words} {OPEN_END}"

    @classmethod
    def parse(cls, text: str) -> CommandPattern:
        """The pattern that is written so. Raises InvalidRequest."""
        written = _WORD_IN_TEXT.findall(text)
        if "".join(_WORD_IN_TEXT.sub("", text).split()):
            raise InvalidRequest(f"{text} is no pattern of words", todo="Close every quotation mark.")
        exact = not written or written[-1] not in _OPEN_ENDS
        return cls(tuple(_read(word) for word in (written if exact else written[:-1])), exact)

    def match(self, part: Part) -> Match:
        if not isinstance(part, SimpleCommand):
            return Match.NO
        best = Match.YES
        words = part.words if self.exact else part.words[: len(self.words)]
        for place, (wanted, word) in enumerate(zip_longest(self.words, words, fillvalue=_MISSING)):
            if isinstance(word, Word) and word.expands:
                return Match.MAYBE
            if not isinstance(word, Word) or wanted is _MISSING:
                return Match.NO
            if wanted is ANY:
                best = Match.LOOSELY if word.text.startswith("-") else best
            elif wanted != word.text:
                if place or wanted != posixpath.basename(word.text):
                    return Match.NO
                best = Match.LOOSELY
        return best


_MISSING = object()


def _written(word: str | None) -> str:
    if word is None:
        return "*"
    return f"'{word}'" if word in ("*", *_OPEN_ENDS) else shlex.quote(word)


def _read(written: str) -> str | None:
    if written == "*":
        return ANY
    word = read_word(written)
    if word is None or word.expands:
        raise InvalidRequest(
            f"{written} is no word of a rule",
            why="a rule's words are compared as they are, and this one would be expanded by a shell",
            todo="Put it in quotation marks, or use a * alone for any one word.",
        )
    return word.text


@dataclass(frozen=True, slots=True)
class PathPattern:
    """A folder and all below it, or one file. Raises InvalidRequest for a path that is not absolute."""

    path: str

    def __post_init__(self) -> None:
        if not self.path.startswith("/") or plain_path(self.path) != self.path:
            raise InvalidRequest(
                f"{self.path} is no path for a rule",
                why="a rule's path begins with / and has no . or .. in it",
                todo="Write the whole path.",
            )

    def __str__(self) -> str:
        return self.path

    def match(self, part: Part) -> Match:
        if not isinstance(part, Path):
            return Match.NO
        inside = (is_inside(part.path, self.path), is_inside(part.real, self.path))
        if all(inside):
            return Match.YES
        return Match.LOOSELY if any(inside) else Match.NO


def plain_path(path: str) -> str:
    """An absolute path without `.`, `..` and doubled slashes, also at its beginning."""
    return "/" + posixpath.normpath(path).lstrip("/")


def is_inside(path: str, folder: str) -> bool:
    """Whether the absolute `path` is `folder` or below it, by their names alone."""
    path = plain_path(path)
    return path == folder or path.startswith(folder.rstrip("/") + "/")


_HOST = re.compile(r"(?:\*\.)?[a-z0-9_:\[\]-]+(?:\.[a-z0-9_-]+)*")


@dataclass(frozen=True, slots=True)
class HostPattern:
    """A host's name, or `*.` and a domain for all hosts below it. Raises InvalidRequest for anything else."""

    name: str

    def __post_init__(self) -> None:
        if not _HOST.fullmatch(self.name):
            raise InvalidRequest(
                f"{self.name} is no host for a rule",
                why="it is the name alone, in small letters, with *. before it for all below it",
                todo="Write it like example.com or *.example.com.",
            )

    def __str__(self) -> str:
        return self.name

    def match(self, part: Part) -> Match:
        if not isinstance(part, Host):
            return Match.NO
        name = part.name.lower().removesuffix(".")
        below = self.name.startswith("*.") and name.endswith(self.name[1:]) and name != self.name[1:]
        return Match.YES if below or name == self.name else Match.NO


@dataclass(frozen=True, slots=True)
class ToolPattern:
    """A tool's whole name."""

    name: str

    def __post_init__(self) -> None:
        if not self.name.strip():
            raise InvalidRequest("A rule for a tool needs its name")

    def __str__(self) -> str:
        return self.name

    def match(self, part: Part) -> Match:
        return Match.YES if isinstance(part, ToolName) and part.name == self.name else Match.NO


Pattern = CommandPattern | PathPattern | HostPattern | ToolPattern
