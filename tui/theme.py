"""The themes: those of `styles/themes.toml`, and a person's own.

A file of themes has a table for each: `[name]` with `dark` and colours by the words that Textual uses (primary,
background, …). What a theme leaves out, Textual finds by itself.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from textual.color import Color, ColorParseError
from textual.theme import BUILTIN_THEMES, Theme

from core.errors import SettingsError
from core.settings_lines import line_of

STYLES = Path(__file__).parent.parent / "styles"
PLAIN = "quarterdeck-ansi"
"""The theme without colours of its own: the one for NO_COLOR."""

DEFAULT = "quarterdeck-dark"
_KNOWN = {field.name: str(field.type) for field in fields(Theme) if field.name not in ("name", "variables")}
_COLOURS = frozenset(name for name, kind in _KNOWN.items() if "str" in kind)
_NAME = re.compile(r"[a-z][a-z0-9_-]*")


def load_themes() -> tuple[Theme, ...]:
    """The themes that ship; their names are the file's tables."""
    return read_themes(STYLES / "themes.toml")


def own_themes(folder: Path) -> tuple[tuple[Theme, ...], tuple[SettingsError, ...]]:
    """The themes in a person's folder, and what is wrong with the files that cannot be used."""
    themes: list[Theme] = []
    errors: list[SettingsError] = []
    for path in sorted(folder.glob("*.toml")):
        try:
            themes.extend(read_themes(path, taken={theme.name for theme in themes}))
        except SettingsError as error:
            errors.append(error)
    return tuple(themes), tuple(errors)


def read_themes(path: Path, taken: Iterable[str] = ()) -> tuple[Theme, ...]:
    """The themes of a file. Raises SettingsError that names the line; nothing of the file is used then."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path} is not valid TOML", why=str(error), todo="Mend that line.") from error
    except (OSError, UnicodeDecodeError, RecursionError) as error:
        raise SettingsError(f"{path} cannot be read", why=str(error), todo="Mend or move it.") from error
    taken = set(taken)
    return tuple(_theme(path, text, name, colours, name in taken) for name, colours in tables.items())


def _theme(path: Path, text: str, name: str, table: Any, taken: bool) -> Theme:
    if not _NAME.fullmatch(name):
        raise _error(path, text, (name,), "a theme's name is of small letters, digits, - and _")
    if taken:
        raise _error(path, text, (name,), "another file has a theme of this name")
    if not isinstance(table, Mapping):
        raise _error(path, text, (name,), "a theme is a table of colours")
    for key, value in table.items():
        if problem := _problem(key, value):
            raise _error(path, text, (name, key), problem)
    if "primary" not in table:
        raise _error(path, text, (name,), "a theme needs at least the colour primary")
    theme = Theme(name, **table)
    if theme.ansi:
        theme.variables = dict(BUILTIN_THEMES["ansi-dark" if theme.dark else "ansi-light"].variables)
    return theme


def _problem(key: str, value: object) -> str:
    if key not in _KNOWN:
        return f"there is no colour of this name; known are {', '.join(sorted(_COLOURS))}"
    if key in _COLOURS:
        return (
            "" if isinstance(value, str) and _is_colour(value) else f"{value} is no colour, such as #74acd0"
        )
    wanted: tuple[type, ...] = (bool,) if _KNOWN[key] == "bool" else (int, float)
    return "" if isinstance(value, wanted) else f"{value} cannot be used here"


def _is_colour(value: str) -> bool:
    try:
        Color.parse(value)
    except ColorParseError:
        return False
    return True


def _error(path: Path, text: str, keys: tuple[str, ...], why: str) -> SettingsError:
    where = f"line {line_of(text, keys)}: {'.'.join(keys)}"
    return SettingsError(f"{path} is not used", why=f"{where}: {why}", todo="Mend that line.")
