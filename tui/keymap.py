"""A person's own keys: which actions there are, and what `[keys]` in config.toml makes of them.

Every key that may be changed has a name, the binding's id, which Textual's keymap goes by. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from textual.binding import Binding, BindingType
from textual.keys import KEY_NAME_REPLACEMENTS, Keys

EVERYWHERE = ""
"""The part of the console whose keys work in all the others of it."""

STAYS = "-"
"""The id of a binding whose key nobody can change."""

NOTHING_FIXED: Mapping[str, str] = MappingProxyType({})

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
_TAKEN = {"ctrl+c": "copies", "ctrl+z": "undoes"}


class KeyAction(NamedTuple):
    """An action that has a name. `keys` are those that it ships with, `place` the first where they work.

    `writes`: one may be writing where they work, so that no letter by itself can be one of them.
    """

    name: str
    words: str
    keys: tuple[str, ...]
    place: str
    writes: bool


class Group(NamedTuple):
    """The bindings of a class. `writes`: one writes in it."""

    bindings: Sequence[BindingType]
    writes: bool = False


class Place(NamedTuple):
    """Where the keys of these groups work at the same time. `title` is for a person.

    `fixed` are keys that no binding has and nobody can change, each with what it does.
    """

    title: str
    groups: tuple[Group, ...]
    fixed: Mapping[str, str] = NOTHING_FIXED


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with an entry of `[keys]`; the action keeps the keys that it has."""

    name: str
    why: str


def named(bindings: Sequence[BindingType], part: str = EVERYWHERE) -> list[BindingType]:
    """Bindings with names: that of the action, or of the words where the action is one of several alike."""
    return [_named(binding, part) if isinstance(binding, Binding) else binding for binding in bindings]


class Keyed:
    """Gives the bindings of every class below it their names. `PART` begins them: where the keys work.

    `WRITES`: one writes in it, or the keys work while one writes somewhere in it.
    """

    PART: ClassVar[str] = EVERYWHERE
    WRITES: ClassVar[bool] = False

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


def group_of(*classes: type[Keyed]) -> Group:
    """The bindings of a class, or of several that are one widget."""
    bindings = [binding for one in classes for binding in getattr(one, "BINDINGS", ())]
    return Group(bindings, any(one.WRITES for one in classes))


def actions_in(places: Iterable[Place]) -> tuple[KeyAction, ...]:
    """Every action that has a name; one that has several bindings, or works in several places, is one action."""
    found: dict[str, KeyAction] = {}
    for place in places:
        for group in place.groups:
            for binding in _named_ones(group):
                name = binding.id or ""
                writes = group.writes or binding.priority
                action = found.get(name) or KeyAction(name, binding.description, (), place.title, writes)
                keys = tuple(dict.fromkeys((*action.keys, *keys_in(binding.key))))
                found[name] = action._replace(keys=keys, writes=action.writes or writes)
    return tuple(found.values())


def keys_in(keys: str) -> tuple[str, ...]:
    """Of a binding's text, as Textual names them."""
    return tuple(key.strip() for key in keys.split(","))


def _named_ones(group: Group) -> Iterable[Binding]:
    for binding in group.bindings:
        if isinstance(binding, Binding) and binding.id not in (None, STAYS) and binding.description:
            yield binding


def parse_keys(entries: Mapping[str, str], places: Sequence[Place]) -> tuple[dict[str, str], list[Problem]]:
    """The keymap for Textual, and what of `entries` it does not have, with the reason.

    An entry is the name of an action and its keys with commas between. Keys that another action has in a place
    where both work are refused; so is a letter by itself where it would keep a person from writing.
    """
    by_name = {action.name: action for action in actions_in(places)}
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
        elif tuple(keys) != action.keys:
            keymap[name] = ",".join(key for key in keys if key is not None)
    return _without_conflicts(keymap, problems, by_name, places)


def _without_conflicts(
    keymap: dict[str, str],
    problems: list[Problem],
    by_name: Mapping[str, KeyAction],
    places: Sequence[Place],
) -> tuple[dict[str, str], list[Problem]]:
    """What clashes is taken out until nothing does: then an action has its own keys again, which may clash too."""
    while clash := _clash(keymap, by_name, places):
        problems.append(clash)
        del keymap[clash.name]
    return keymap, problems


def _clash(
    keymap: Mapping[str, str], by_name: Mapping[str, KeyAction], places: Sequence[Place]
) -> Problem | None:
    """The last entry that has a key of another action in one of its places, if there is any."""
    for name, keys in reversed(list(keymap.items())):
        for place in places:
            taken = _taken(place, keymap, by_name, by_name[name])
            clashing = (f"{key} {taken[key]}" for key in keys_in(keys) if key in taken)
            if why := next(clashing, ""):
                return Problem(name, why)
    return None


def _taken(
    place: Place, keymap: Mapping[str, str], by_name: Mapping[str, KeyAction], mine: KeyAction
) -> dict[str, str]:
    """The keys that an action cannot have in a place, and what each is. What both have as they ship is no clash:
    there one of them is in what has the focus, and comes first.
    """
    there = keys_of_place(place, keymap)
    if mine.name not in there:
        return {}
    taken = {key: f"{what}, and that stays" for key, what in place.fixed.items() if key not in mine.keys}
    for other, theirs in there.items():
        if other == mine.name:
            continue
        shared = set(mine.keys) & set(by_name[other].keys)
        told = f"is the key of {other} ({by_name[other].words}) already"
        taken.update((key, told) for key in theirs if key not in shared)
    return taken


def keys_of_place(place: Place, keymap: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """The keys of each action that has a name there, with a person's own."""
    found: dict[str, tuple[str, ...]] = {}
    for group in place.groups:
        for binding in _named_ones(group):
            name = binding.id or ""
            own = keymap.get(name)
            keys = keys_in(binding.key) if own is None else keys_in(own)
            found[name] = tuple(dict.fromkeys((*found.get(name, ()), *keys)))
    return found


_DECIDING = frozenset(
    {"accept", "decline", "always", "snooze", "cancel", "allow", "deny", "approve", "reject"}
)


def _unknown_action(name: str, by_name: Mapping[str, KeyAction]) -> str:
    import difflib

    if name.startswith("prompt") or name in _DECIDING:
        return "the letters that decide in a prompt stay as they are, for everybody"
    close = difflib.get_close_matches(name, by_name, 1)
    return f"there is no action of this name{f'; is it {close[0]}?' if close else ''}"


def _key_problem(action: KeyAction, text: str, keys: Sequence[str | None]) -> str:
    for part, key in zip(text.split(","), keys, strict=True):
        if key is None:
            return f"{part.strip() or 'nothing'} is no key; write it as ctrl+x, f5, alt+up"
        if key in _TAKEN:
            return f"{key} {_TAKEN[key]}"
        if action.writes and (len(key) == 1 or key in _WRITING):
            return f"{key} by itself is for writing"
    return ""


_LONG = frozenset({"escape", "enter", "up", "down", "left", "right"})
_WRITING = frozenset({*_SIGNS.values(), "space", "backspace"}) - _LONG
"""Keys with a long name that write."""


def key_of(text: str) -> str | None:
    """A key as Textual names it, however it was written (`Ctrl+X`, `?`); None for none."""
    *modifiers, base = text.strip().lower().replace(" ", "").split("+") if text.strip() != "+" else ["+"]
    base = _SIGNS.get(base, base)
    if not modifiers and len(text.strip()) == 1 and text.strip().isalpha():
        return text.strip()
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
