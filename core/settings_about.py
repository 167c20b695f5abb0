"""Every setting in words: what it does, what it may be, and when a change of it holds."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal, Union, cast

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from core.settings import FileSettings
from core.settings_edit import Keys


class Holds(StrEnum):
    """From when a changed value holds."""

    AT_ONCE = "at once"
    NEW = "for conversations that are opened from now on"
    NEXT_START = "at the next start"


class Kind(StrEnum):
    """How a value is written."""

    TEXT = "text"
    CHOICE = "choice"
    SWITCH = "switch"
    NUMBER = "number"
    LIST = "list"


@dataclass(frozen=True, slots=True)
class About:
    """One setting. `choices` of a CHOICE; `default` as it is written, "" where nothing is set."""

    keys: Keys
    words: str
    holds: Holds
    kind: Kind
    choices: tuple[str, ...]
    default: str

    @property
    def name(self) -> str:
        return ".".join(self.keys)


_START, _NEW, _ONCE = Holds.NEXT_START, Holds.NEW, Holds.AT_ONCE

WORDS: dict[str, tuple[str, Holds]] = {
    "theme": ("The colours. Themes of your own go into the folder `themes` beside this file.", _ONCE),
    "host.mode": ("How Codex is reached: its own control socket, a private child, or as said below.", _START),
    "host.codex": (
        "The Codex program. Left out: the one on your PATH, else the one that came along.",
        _START,
    ),
    "host.codex_home": ("Codex's own folder (CODEX_HOME). Left out: as Codex finds it.", _START),
    "host.socket": ("The socket to reach Codex at, for the mode socket.", _START),
    "host.url": ("The address to reach Codex at, for the mode websocket.", _START),
    "host.token": ("The capability token for that address.", _START),
    "host.command": ("The command that speaks with Codex, for the mode command: its words.", _START),
    "defaults.model": ("The model of a new conversation. Left out: Codex's own setting.", _NEW),
    "defaults.effort": ("How much the model thinks. Left out: Codex's own setting.", _NEW),
    "defaults.sandbox": ("What commands may do without asking. Left out: Codex's own setting.", _NEW),
    "defaults.approvals": ("When Codex asks. Left out: Codex's own setting.", _NEW),
    "defaults.profile": ("What is allowed, asked or denied before anybody is asked.", _NEW),
    "knowledge.mode": ("Which documents go before what you say.", _START),
    "knowledge.budget_tokens": ("How many tokens they may take.", _START),
    "knowledge.forget_on_close": ("Forget a conversation's own documents when it is closed.", _START),
    "tools.off": ("Toolsets that Codex is not offered.", _START),
    "decisions.destructive": ("Commands that are asked about twice, as patterns.", _START),
    "decisions.remind_minutes": ("Minutes after which what nobody answered calls again; 0: never.", _START),
    "away.notify": ("How the terminal tells you that something happened while you are away.", _ONCE),
    "away.turn_done": ("Tell when a turn is done.", _ONCE),
    "away.needs_you": ("Tell when Codex asks something.", _ONCE),
    "away.failed": ("Tell when a turn fails.", _ONCE),
    "away.title": ("Say in the terminal's title what waits, and which conversation is open.", _ONCE),
}
"""By name. Profiles and keys are tables of one's own, and are edited in the file."""

ELSEWHERE = ("profiles", "keys")


def settings_about() -> tuple[About, ...]:
    """Every setting, in the order of the file."""
    return tuple(_of(FileSettings, ()))


def _of(model: type[BaseModel], above: Keys) -> Iterator[About]:
    for name, field in model.model_fields.items():
        keys = (*above, name)
        inside = field.annotation
        if isinstance(inside, type) and issubclass(inside, BaseModel):
            yield from _of(inside, keys)
        elif name not in ELSEWHERE:
            yield _about(keys, field)


def _about(keys: Keys, field: FieldInfo) -> About:
    words, holds = WORDS.get(".".join(keys), ("", Holds.NEXT_START))
    kind, choices = _kind(field.annotation)
    return About(keys, words, holds, kind, choices, shown_value(field.get_default(call_default_factory=True)))


def _kind(annotation: Any) -> tuple[Kind, tuple[str, ...]]:
    """How values of a type are written, and which there are."""
    origin = typing.get_origin(annotation)
    arguments = typing.get_args(annotation)
    if origin in (Union, types.UnionType):
        return _kind(next(one for one in arguments if one is not type(None)))
    if origin is Literal:
        return Kind.CHOICE, arguments
    if origin is tuple:
        return Kind.LIST, ()
    if isinstance(annotation, type) and issubclass(annotation, StrEnum):
        return Kind.CHOICE, tuple(annotation)
    if annotation is bool:
        return Kind.SWITCH, ("true", "false")
    return (Kind.NUMBER if annotation in (int, float) else Kind.TEXT), ()


def shown_value(value: object) -> str:
    """A value in a word; "" for one that is not set."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return ", ".join(map(str, cast("tuple[object, ...]", value)))
    return str(value)


def value_at(settings: BaseModel, keys: Keys) -> object:
    """What a setting is now."""
    found: object = settings
    for key in keys:
        found = getattr(found, key)
    return found


def parsed_value(about: About, text: str) -> str | int | float | bool | tuple[str, ...] | None:
    """What was typed for a setting, as it goes into the file; None for nothing. Raises ValueError."""
    text = text.strip()
    if not text and about.kind is not Kind.LIST:
        return None
    match about.kind:
        case Kind.SWITCH:
            return text == "true"
        case Kind.NUMBER:
            return float(text) if "." in text else int(text)
        case Kind.LIST:
            return tuple(part for part in (part.strip() for part in text.split(",")) if part)
        case _:
            return text
