"""Rules as a TOML text, to be read, edited and taken back. Pure.

A mistake is named with its line and its key, and then nothing of the text is taken.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any, NoReturn, cast

from core.access.patterns import CommandPattern, HostPattern, PathPattern, Pattern, ToolPattern
from core.access.policy import Verdict
from core.access.rules import Reach, Rule, RuleDraft, Scope
from core.errors import InvalidRequest
from core.settings_lines import line_of

_HEAD = """\
# The rules of Quarterdeck, in their order: of those that match, the first counts. None: you are asked.
# A rule never allows what the profile denies. `quarterdeck rules import FILE` takes all of this file, or,
# where something in it is wrong, nothing.
#
# verdict   allow, ask or deny
# command   words as in a shell, * for any one word, and … (or ...) at the end for any more;
#           or instead: path (a file, or a folder and all in it), host (or *.domain), tool
# workspace the folder that it holds for, or conversation, its id; neither: everywhere
# expires   a date or a time, from which on it holds no more
# id        which rule this was: keep it, and the rule keeps its hits
"""
_SUBJECTS: dict[str, Any] = {
    "command": CommandPattern.parse,
    "path": PathPattern,
    "host": HostPattern,
    "tool": ToolPattern,
}
_PLACES = {"workspace": Reach.WORKSPACE, "conversation": Reach.CONVERSATION}
_KEYS = ("id", "verdict", *_SUBJECTS, *_PLACES, "expires", "enabled", "note")
_LINE = re.compile(r"\(at line (\d+)")


@dataclass(frozen=True, slots=True)
class WrittenRule:
    """A rule of the text. `id`: which rule that was there it is; None for a new one."""

    id: int | None
    draft: RuleDraft


def dump_rules(rules: Iterable[Rule]) -> str:
    """The text that `parse_rules` reads as these rules."""
    return "\n".join([_HEAD, *map(_dumped, rules)])


def parse_rules(text: str) -> tuple[WrittenRule, ...]:
    """The rules of a text. Raises InvalidRequest, naming the line and the key."""
    try:
        whole = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        found = _LINE.search(str(error))
        line = f"line {found[1]}" if found else "the text"
        raise _refusal(f"{line} is no TOML", str(error)) from error
    for key in whole:
        if key != "rule":
            _refuse(text, (key,), "there is no such key: rules stand under [[rule]]")
    tables = whole.get("rule", [])
    if not isinstance(tables, list):
        _refuse(text, ("rule",), "each rule stands under a [[rule]] of its own, in double brackets")
    rules = tuple(_Table(text, number, table).rule() for number, table in enumerate(cast(list[Any], tables)))
    seen: set[int] = set()
    for number, rule in enumerate(rules):
        if rule.id is not None and rule.id in seen:
            _refuse(text, ("rule", number, "id"), f"{rule.id} is the id of another rule above")
        seen |= {rule.id} if rule.id is not None else set()
    return rules


class _Table:
    def __init__(self, text: str, number: int, table: object) -> None:
        self._text = text
        self._number = number
        if not isinstance(table, Mapping):
            _refuse(text, ("rule", number), "a rule is a table of keys")
        self._table = cast(Mapping[str, Any], table)

    def rule(self) -> WrittenRule:
        for key in self._table:
            if key not in _KEYS:
                self._refuse(key, f"there is no such key; there are {', '.join(_KEYS)}")
        number = self._value("id", int, None)
        draft = RuleDraft(
            verdict=self._verdict(),
            pattern=self._pattern(),
            scope=self._scope(),
            expires_at_ms=self._expires(),
            enabled=self._value("enabled", bool, True),
            note=self._value("note", str, ""),
        )
        return WrittenRule(number, draft)

    def _verdict(self) -> Verdict:
        written = self._value("verdict", str, "")
        try:
            return Verdict(written)
        except ValueError:
            self._refuse("verdict", f"it is allow, ask or deny, not {written!r}")

    def _pattern(self) -> Pattern:
        key = self._one_of(tuple(_SUBJECTS), needed=True)
        written = self._value(key, str, "")
        try:
            return _SUBJECTS[key](written)
        except InvalidRequest as error:
            self._refuse(key, f"{error.what}: {error.why or error.todo}")

    def _scope(self) -> Scope:
        key = self._one_of(tuple(_PLACES), needed=False)
        if not key:
            return Scope(Reach.EVERYWHERE)
        of = self._value(key, str, "")
        if not of or (key == "workspace" and not of.startswith("/")):
            self._refuse(key, "it names a folder from the root on, or a conversation by its id")
        return Scope(_PLACES[key], of)

    def _expires(self) -> int | None:
        at = self._table.get("expires")
        if at is None:
            return None
        if isinstance(at, date) and not isinstance(at, datetime):
            at = datetime.combine(at, time())
        if not isinstance(at, datetime):
            self._refuse("expires", "it is a date or a time, without quotation marks, like 2026-12-31")
        return round(at.timestamp() * 1000)

    def _one_of(self, keys: tuple[str, ...], *, needed: bool) -> str:
        """Which of them is there; "" for none."""
        found = [key for key in keys if key in self._table]
        if len(found) > 1:
            self._refuse(found[1], f"a rule has only one of {', '.join(keys)}")
        if needed and not found:
            self._refuse("verdict", f"the rule needs one of {', '.join(keys)}")
        return found[0] if found else ""

    def _value(self, key: str, kind: type[int] | type[bool] | type[str], default: object) -> Any:
        """What stands under the key, as it is needed; the default where nothing does."""
        value = self._table.get(key, default)
        if key in self._table and type(value) is not kind:
            words = {int: "a number", bool: "true or false", str: "a text in quotation marks"}
            self._refuse(key, f"it is {words[kind]}")
        return value

    def _refuse(self, key: str, why: str) -> NoReturn:
        _refuse(self._text, ("rule", self._number, key), why)


def _refuse(text: str, keys: tuple[str | int, ...], why: str) -> NoReturn:
    name = ".".join(str(key + 1 if isinstance(key, int) else key) for key in keys)
    raise _refusal(f"line {line_of(text, keys)}, {name}", why)


def _refusal(where: str, why: str) -> InvalidRequest:
    return InvalidRequest(
        f"Nothing was taken: {where}", why=why, todo="Put that right, then import it again."
    )


def _dumped(rule: Rule) -> str:
    kinds = {CommandPattern: "command", PathPattern: "path", HostPattern: "host", ToolPattern: "tool"}
    lines = [
        "[[rule]]",
        f"id = {rule.id}",
        f"verdict = {_quoted(rule.verdict)}",
        f"{kinds[type(rule.pattern)]} = {_quoted(str(rule.pattern))}",
    ]
    if rule.scope.reach is not Reach.EVERYWHERE:
        lines.append(f"{rule.scope.reach} = {_quoted(rule.scope.of)}")
    if rule.expires_at_ms is not None:
        at = datetime.fromtimestamp(rule.expires_at_ms / 1000, UTC)
        lines.append(f"expires = {at.isoformat(timespec='milliseconds').replace('+00:00', 'Z')}")
    if not rule.enabled:
        lines.append("enabled = false")
    if rule.note:
        lines.append(f"note = {_quoted(rule.note)}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """As a TOML string: JSON's way of writing one, but that DEL has to be escaped too."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
