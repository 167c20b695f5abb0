"""The settings as rows: what each is, what it may be, and where that comes from. Pure."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.settings import FileSettings
from core.settings_about import About, Holds, Kind, settings_about, shown_value, value_at
from core.settings_lines import line_of
from tui.keymap import KeyAction

HIDDEN = "•••"
_SECRETS = frozenset({"host.token"})
_TITLES = {
    "": "Looks",
    "host": "Codex",
    "defaults": "New conversations",
    "knowledge": "Knowledge",
    "tools": "Tools",
    "decisions": "Decisions",
    "away": "While you are away",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One setting. `line` of the file that sets it; 0 where the default holds. `place`: where a key works."""

    about: About
    value: str
    line: int
    place: str = ""

    @property
    def shown(self) -> str:
        """The value, for the screen."""
        if self.about.name in _SECRETS and self.value:
            return HIDDEN
        return self.value or ("not set" if not self.about.default else self.about.default)

    @property
    def group(self) -> str:
        if self.place:
            return f"Keys: {self.place[:1].lower()}{self.place[1:]}"
        table = self.about.keys[0] if len(self.about.keys) > 1 else ""
        return _TITLES.get(table, table.capitalize())

    @property
    def origin(self) -> str:
        return f"line {self.line} of the file" if self.line else "the default"


def rows_of(
    text: str, settings: FileSettings, actions: Sequence[KeyAction], keys: Mapping[str, str]
) -> list[Row]:
    """Every setting, then every key. `text` is the file's, valid; `keys` are those that hold."""
    parsed = tomllib.loads(text)
    rows = [Row(about, shown_value(value_at(settings, about.keys)), 0) for about in settings_about()]
    rows += [
        Row(_key(action), keys.get(action.name, ",".join(action.keys)), 0, action.place) for action in actions
    ]
    lines = (line_of(text, row.about.keys) if _has(parsed, row.about.keys) else 0 for row in rows)
    return [replace(row, line=line) for row, line in zip(rows, lines, strict=True)]


def _key(action: KeyAction) -> About:
    words = f"{action.words} ({action.place}). Several keys with commas between: ctrl+x, f5."
    default = ",".join(action.keys)
    return About(("keys", action.name), words, Holds.AT_ONCE, Kind.TEXT, (), default)


def _has(table: object, keys: Sequence[str]) -> bool:
    for key in keys:
        if not isinstance(table, Mapping) or key not in table:
            return False
        table = table[key]
    return True
