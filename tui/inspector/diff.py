"""Unified diffs, as git and Codex's turns give them, taken apart by file. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Verb = Literal["add", "delete", "update"]

_HEAD = re.compile(r"^diff --git (.*)$", re.MULTILINE)
_ESCAPE = re.compile(rb'\\([abfnrtv"\\]|[0-7]{3})')
_ESCAPED = {"a": 7, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11, '"': 34, "\\": 92}


@dataclass(frozen=True, slots=True)
class FileDiff:
    """One file. `diff` is its text for `add` and `delete`, its hunks for `update`; "" for a binary one.

    `moved_from`: the path that it had before.
    """

    path: str
    verb: Verb
    diff: str
    added: int
    removed: int
    moved_from: str | None = None


def files_of(diff: str) -> list[FileDiff]:
    """The files of a whole diff. What is no diff gives none."""
    heads = list(_HEAD.finditer(diff))
    ends = [*(head.start() for head in heads[1:]), len(diff)]
    return [_file(diff[head.start() : end]) for head, end in zip(heads, ends, strict=False)]


def _file(text: str) -> FileDiff:
    head, _, hunks = text.partition("\n@@")
    fields = head.split("\n")
    hunks = "@@" + hunks if hunks else ""
    old, new = _field(fields, "--- "), _field(fields, "+++ ")
    renamed_from, renamed_to = _field(fields, "rename from "), _field(fields, "rename to ")
    path = _stripped(new if new not in (None, "/dev/null") else old)
    path = renamed_to or path or _named(fields[0])
    added = hunks.count("\n+")
    removed = hunks.count("\n-")
    if any(field.startswith("new file mode") for field in fields):
        return FileDiff(path, "add", _side(hunks, "+"), added, removed)
    if any(field.startswith("deleted file mode") for field in fields):
        return FileDiff(path, "delete", _side(hunks, "-"), added, removed)
    return FileDiff(path, "update", hunks, added, removed, renamed_from)


def _field(fields: list[str], name: str) -> str | None:
    found = next((field for field in fields if field.startswith(name)), None)
    return None if found is None else unquoted(found.removeprefix(name).rstrip("\t"))


def _stripped(path: str | None) -> str:
    """Without the `a/` or `b/` that git puts before."""
    return "" if path is None or path == "/dev/null" else path.partition("/")[2] or path


def _named(head: str) -> str:
    """The path in `diff --git a/PATH b/PATH`: the only place for a file with no text, such as a binary one."""
    names = head.removeprefix("diff --git ")
    if names.endswith('"'):
        return _stripped(unquoted('"' + names.rpartition(' "')[2]))
    return names[len(names) // 2 + 1 :].partition("/")[2]


def _side(hunks: str, sign: str) -> str:
    """The whole text of a file that is all new or all gone."""
    lines = hunks.split("\n")[1:]
    return "".join(f"{line[1:]}\n" for line in lines if line.startswith(sign))


def unquoted(path: str) -> str:
    """A path as it is, where git wrote it between quotes."""
    if len(path) < 2 or not (path.startswith('"') and path.endswith('"')):
        return path
    raw = _ESCAPE.sub(_unescaped, path[1:-1].encode("utf-8", "surrogatepass"))
    return raw.decode("utf-8", "replace")


def _unescaped(match: re.Match[bytes]) -> bytes:
    escape = match[1].decode()
    return bytes([_ESCAPED[escape] if escape in _ESCAPED else int(escape, 8) & 0xFF])
