"""A person's own keys: which actions there are, and what `[keys]` in config.toml makes of them.

Every key that may be changed has a name, the binding's id, which Textual's keymap goes by. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

from textual.binding import Binding, BindingType
from textual.keys import KEY_NAME_REPLACEMENTS, Keys

EVERYWHERE = ""
"""The part of the screen whose keys work in all the others."""

_MODIFIERS = ("ctrl", "alt", "shift", "super", "hyper", "meta")
_NAMED = frozenset(key.value for key in Keys if key.value.isalnum()) | frozenset(
    KEY_NAME_REPLACEMENTS.values()
)
_SIGNS = {
    "?": "question_mark",
    "/": "slash",
    "\\": "backslash",
    ".": "full_stop",
    ",": "comma",
    "+": "plus",
    "-": "minus",
    "[": "left_square_bracket",
    "]": "right_square_bracket",
    "esc": "escape",
    "return": "enter",
    "↑": "up",
    "↓": "down",
    "←": "left",
    "→": "right",
}
_TAKEN = {"ctrl+c": "copies", "ctrl+z": "is the terminal's"}


class KeyAction(NamedTuple):
    """An action that has a name. `keys` are those that it ships with, `part` where they work."""

    name: str
    words: str
    keys: tuple[str, ...]
    part: str


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with an entry of `[keys]`; the action keeps the keys that it has."""

    name: str
    why: str


def named(bindings: Sequence[BindingType], part: str = EVERYWHERE) -> list[BindingType]:
    """Bindings with names: that of the action, or of the words where the action is one of several alike."""
    return [_named(binding, part) if isinstance(binding, Binding) else binding for binding in bindings]


class Keyed:
    """Gives the bindings of every class below it their names. `PART` begins them: where the keys work."""

    PART: ClassVar[str] = EVERYWHERE

    def __init_subclass__(cls, **kwargs: Any) -> None:
        own: Sequence[BindingType] | None = cls.__dict__.get("BINDINGS")
        if own is not None:
            cls.BINDINGS = named(own, cls.PART)  # type: ignore[attr-defined] - of Textual's DOMNode
        super().__init_subclass__(**kwargs)


def _named(binding: Binding, part: str) -> Binding:
    if binding.id is not None:
        return binding
    action = binding.action.rpartition(".")[2]
    name = action if "(" not in action else re.sub(r"[^a-z0-9]+", "_", binding.description.lower()).strip("_")
    return replace(binding, id=f"{part}_{name}" if part else name)


def actions_of(bindings: Iterable[BindingType], part: str) -> list[KeyAction]:
    """The actions of a part of the screen; one that has several bindings is one action."""
    found: dict[str, KeyAction] = {}
    for binding in bindings:
        if isinstance(binding, Binding) and binding.id is not None and binding.description:
            keys = tuple(key.strip() for key in binding.key.split(","))
            before = found.get(binding.id)
            known = before.keys if before is not None else ()
            words = before.words if before is not None else binding.description
            found[binding.id] = KeyAction(binding.id, words, (*known, *keys), part)
    return list(found.values())


def parse_keys(
    entries: Mapping[str, str], actions: Sequence[KeyAction]
) -> tuple[dict[str, str], list[Problem]]:
    """The keymap for Textual, and what of `entries` it does not have, with the reason.

    An entry is the name of an action and its keys with commas between. Keys that another action has, there
    or everywhere, are refused; so is a letter by itself where it would keep a person from writing.
    """
    by_name = {action.name: action for action in actions}
    keymap: dict[str, str] = {}
    problems: list[Problem] = []
    for name, text in entries.items():
        action = by_name.get(name)
        if action is None:
            problems.append(Problem(name, _unknown_action(name, by_name)))
            continue
        keys = [key_of(part) for part in text.split(",")]
        if problem := _key_problem(action, text, keys):
            problems.append(Problem(name, problem))
        else:
            keymap[name] = ",".join(key for key in keys if key is not None)
    return _without_conflicts(keymap, problems, by_name)


def _without_conflicts(
    keymap: dict[str, str], problems: list[Problem], by_name: Mapping[str, KeyAction]
) -> tuple[dict[str, str], list[Problem]]:
    """What clashes is taken out until nothing does: then an action has its own keys again, which may clash too."""
    while clash := _clash(keymap, by_name):
        problems.append(clash)
        del keymap[clash.name]
    return keymap, problems


def _clash(keymap: Mapping[str, str], by_name: Mapping[str, KeyAction]) -> Problem | None:
    for name, keys in reversed(list(keymap.items())):
        mine = by_name[name]
        for other in by_name.values():
            together = EVERYWHERE in (mine.part, other.part) or mine.part == other.part
            if other.name == name or not together:
                continue
            theirs = keymap[other.name].split(",") if other.name in keymap else other.keys
            shared = [key for key in keys.split(",") if key in theirs]
            if shared:
                return Problem(name, f"{shared[0]} is the key of {other.name} ({other.words}) already")
    return None


def _unknown_action(name: str, by_name: Mapping[str, KeyAction]) -> str:
    import difflib

    close = difflib.get_close_matches(name, by_name, 1)
    return f"there is no action of this name{f'; is it {close[0]}?' if close else ''}"


def _key_problem(action: KeyAction, text: str, keys: Sequence[str | None]) -> str:
    for part, key in zip(text.split(","), keys, strict=True):
        if key is None:
            return f"{part.strip() or 'nothing'} is no key; write it as ctrl+x, f5, alt+up"
        if key in _TAKEN:
            return f"{key} {_TAKEN[key]}"
        if action.part == EVERYWHERE and (len(key) == 1 or (key in _SIGNS.values() and key not in _LONG)):
            return f"{key} by itself is for writing"
    return ""


_LONG = frozenset({"escape", "enter", "up", "down", "left", "right"})


def key_of(text: str) -> str | None:
    """A key as Textual names it, however it was written (`Ctrl+X`, `?`); None for none."""
    *modifiers, base = text.strip().lower().replace(" ", "").split("+") if text.strip() != "+" else ["+"]
    base = _SIGNS.get(base, base)
    if any(modifier not in _MODIFIERS for modifier in modifiers):
        return None
    if len(base) != 1 and base not in _NAMED and base not in _SIGNS.values():
        return None
    return "+".join([*sorted(modifiers, key=_MODIFIERS.index), base])


def with_keymap(bindings: Iterable[BindingType], keymap: Mapping[str, str]) -> list[BindingType]:
    """The bindings as they are with a keymap, for those who show keys."""
    shown: list[BindingType] = []
    done: set[str] = set()
    for binding in bindings:
        name = binding.id if isinstance(binding, Binding) else None
        if not isinstance(binding, Binding) or name is None or name not in keymap:
            shown.append(binding)
        elif name not in done:
            done.add(name)
            shown.append(replace(binding, key=keymap[name]))
    return shown


def keys_shown(bindings: Iterable[BindingType], keymap: Mapping[str, str], name: str) -> str:
    """The first key of an action, as Textual names it; "" where it has none."""
    for binding in with_keymap(bindings, keymap):
        if isinstance(binding, Binding) and binding.id == name:
            return binding.key.partition(",")[0].strip()
    return ""
