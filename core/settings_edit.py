"""Setting one value in a TOML text, and nothing else of it: comments, order and line ends stay. Pure.

The standard parser tells whether a text is whole; so a statement is the fewest lines from its first on that
are whole by themselves, and its key is what is before the first `=` outside quotes.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from core.errors import SettingsError

Value = str | int | float | bool | Sequence["Value"] | Mapping[str, "Value"]
Keys = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Statement:
    """Lines `start` to before `end`. `path`: from the top; `table`: the header that it stands under."""

    kind: Literal["blank", "header", "array", "pair"]
    start: int
    end: int
    table: Keys
    path: Keys


def set_value(text: str, keys: Keys, value: Value | None) -> str:
    """The text with another value for a key, or without the key (None).

    Every other line is as it was. Raises SettingsError where that cannot be done: the text is not valid, or
    what is there is not a table.
    """
    before = _parsed(text)
    if value is None and not _has(before, keys):
        return text
    lines = _lines(text)
    found = _edit(lines, _statements(lines), keys, value, "\r\n" if "\r\n" in text else "\n")
    edited = "".join(found)
    if _parsed(edited) != _expected(before, keys, value):
        raise SettingsError(
            f"{'.'.join(keys)} was not changed",
            why="the file is written in a way that this cannot follow",
            todo="Change it in the file itself.",
        )
    return edited


def _edit(
    lines: list[str], statements: list[_Statement], keys: Keys, value: Value | None, end: str
) -> list[str]:
    for one in statements:
        if one.kind == "pair" and keys[: len(one.path)] == one.path:
            return _replaced(lines, one, keys, value)
    if value is None:
        return lines
    return _inserted(lines, statements, keys, value, end)


def _replaced(lines: list[str], one: _Statement, keys: Keys, value: Value | None) -> list[str]:
    """With another value in the statement that has the key, or the table that holds it."""
    text = "".join(lines[one.start : one.end])
    inner = keys[len(one.path) :]
    if inner:
        table = _table(_at(_parsed(text), one.path[len(one.table) :]))
        if table is None:
            raise SettingsError(f"{'.'.join(one.path)} is not a table", todo="Mend it in the file.")
        value = _expected(table, inner, value)
    if value is None:
        return [*lines[: one.start], *lines[one.end :]]
    name, rest = _split_at_equals(text)
    comment = _comment(name, rest)
    line_end = "\r\n" if text.endswith("\r\n") else "\n" if text.endswith("\n") else ""
    return [*lines[: one.start], f"{name}= {literal(value)}{comment}{line_end}", *lines[one.end :]]


def _inserted(
    lines: list[str], statements: list[_Statement], keys: Keys, value: Value, end: str
) -> list[str]:
    """With a new line for the key, where keys like it stand."""
    table, name = keys[:-1], keys[-1]
    beside = [one for one in statements if one.kind == "pair" and one.table == table]
    dotted = [one for one in statements if one.kind == "pair" and table and one.path[: len(table)] == table]
    header = next((one for one in statements if one.kind == "header" and one.path == table), None)
    if beside or header is not None:
        after = beside[-1].end if beside else header.end if header is not None else 0
        return _put(lines, after, f"{_name((name,))} = {literal(value)}", end)
    if dotted:
        last = dotted[-1]
        return _put(lines, last.end, f"{_name(keys[len(last.table) :])} = {literal(value)}", end)
    if not table:
        return _put_first(lines, statements, f"{_name(keys)} = {literal(value)}", end)
    gap = [end] if lines and lines[-1].strip() else []
    return [*_ended(lines, end), *gap, f"[{_name(table)}]{end}", f"{_name((name,))} = {literal(value)}{end}"]


def _put(lines: list[str], at: int, line: str, end: str) -> list[str]:
    return [*_ended(lines[:at], end), line + end, *lines[at:]]


def _put_first(lines: list[str], statements: list[_Statement], line: str, end: str) -> list[str]:
    """Before the first table, and the comment that is right above it."""
    first = next((one.start for one in statements if one.kind in ("header", "array")), None)
    if first is None:
        return [*_ended(lines, end), line + end]
    while first and lines[first - 1].lstrip().startswith("#"):
        first -= 1
    return [*lines[:first], line + end, end, *lines[first:]]


def _ended(lines: list[str], end: str) -> list[str]:
    """With an end to the last line, too."""
    if lines and not lines[-1].endswith("\n"):
        return [*lines[:-1], lines[-1] + end]
    return lines


def _statements(lines: Sequence[str]) -> list[_Statement]:
    """What the lines of a valid text say, one after the other."""
    found: list[_Statement] = []
    table: Keys = ()
    place = 0
    while place < len(lines):
        end = place + 1
        while (parsed := _try("".join(lines[place:end]))) is None and end < len(lines):
            end += 1
        first = lines[place].lstrip()
        if not parsed:
            found.append(_Statement("blank", place, end, table, ()))
        elif first.startswith("[["):
            table = _chain(parsed)
            found.append(_Statement("array", place, end, table, table))
        elif first.startswith("["):
            table = _chain(parsed)
            found.append(_Statement("header", place, end, table, table))
        else:
            name, _ = _split_at_equals("".join(lines[place:end]))
            path = (*table, *_chain(_parsed(f"{name.strip()} = 0")))
            found.append(_Statement("pair", place, end, table, path))
        place = end
    return found


def _lines(text: str) -> list[str]:
    """Only a newline ends a line of TOML."""
    parts = text.split("\n")
    return [*(part + "\n" for part in parts[:-1]), *([parts[-1]] if parts[-1] else [])]


def _chain(parsed: Mapping[str, Any]) -> Keys:
    """The keys of a text that has but one."""
    keys: list[str] = []
    inside = _table(parsed)
    while inside:
        name, value = next(iter(inside.items()))
        keys.append(name)
        inside = _table(value)
    return tuple(keys)


def _split_at_equals(text: str) -> tuple[str, str]:
    """Key and rest, around the first `=` that is in no quotes."""
    quote = ""
    escaped = False
    for place, character in enumerate(text):
        if quote:
            if escaped:
                escaped = False
            elif character == "\\" and quote == '"':
                escaped = True
            elif character == quote:
                quote = ""
        elif character in "\"'":
            quote = character
        elif character == "=":
            return text[:place], text[place + 1 :]
    return text, ""


def _comment(name: str, rest: str) -> str:
    """The comment behind the value, with the spaces before it; "" for none."""
    whole = _try(f"{name}={rest}")
    place = rest.find("#")
    while place >= 0:
        if _try(f"{name}={rest[:place]}") == whole:
            spaces = len(rest[:place]) - len(rest[:place].rstrip())
            return rest[place - spaces :].rstrip("\r\n")
        place = rest.find("#", place + 1)
    return ""


def literal(value: Value) -> str:
    """The value as TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{_name((name,))} = {literal(one)}" for name, one in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    return f"[{', '.join(map(literal, value))}]"


def _string(text: str) -> str:
    escapes = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
    shown = (
        escapes.get(character) or (f"\\u{ord(character):04x}" if _control(character) else character)
        for character in text
    )
    return f'"{"".join(shown)}"'


def _control(character: str) -> bool:
    return ord(character) < 0x20 or ord(character) == 0x7F


def _name(keys: Keys) -> str:
    """Keys with dots between, quoted where they have to be."""
    bare = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
    return ".".join(key if key and set(key) <= set(bare) else _string(key) for key in keys)


def _expected(table: Mapping[str, Any], keys: Keys, value: Value | None) -> dict[str, Any]:
    """What the text has to say afterwards; a table that the last key is taken from stays."""
    found = dict(table)
    name, inner = keys[0], keys[1:]
    if inner:
        below = _table(found.get(name, {}))
        if below is None:
            raise SettingsError(f"{name} is not a table", todo="Mend it in the file.")
        found[name] = _expected(below, inner, value)
    elif value is None:
        found.pop(name, None)
    else:
        found[name] = _plain(value)
    return found


def _plain(value: Value) -> Any:
    """As the parser gives it."""
    if isinstance(value, Mapping):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(one) for one in value]
    return value


def _has(table: Any, keys: Keys) -> bool:
    for key in keys:
        inside = _table(table)
        if inside is None or key not in inside:
            return False
        table = inside[key]
    return True


def _table(value: Any) -> dict[str, Any] | None:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def _at(table: Any, keys: Keys) -> Any:
    for key in keys:
        table = table[key]
    return table


def _try(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return None


def _parsed(text: str) -> dict[str, Any]:
    parsed = _try(text)
    if parsed is None:
        raise SettingsError("The settings are not valid TOML", todo="Mend the file, then change it again.")
    return parsed
