"""How keys are written for a person. Pure."""

from __future__ import annotations

_NAMES = {
    "question_mark": "?",
    "pageup": "PageUp",
    "pagedown": "PageDown",
    "escape": "Esc",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
}


def key_name(key: str) -> str:
    """As on a keyboard: `Ctrl+PageUp`, `F1`, `j`."""
    parts = key.strip().split("+")
    return "+".join(_part(part, alone=len(parts) == 1) for part in parts)


def key_shown(app: object, action: str, shipped: str, *, short: bool = False) -> str:
    """The key of an action as a person reads it: their own, or the one that it ships with."""
    key = key_of(app, action, shipped)
    return short_name(key) if short else key_name(key)


def key_of(app: object, action: str, shipped: str) -> str:
    """The key of an action as Textual names it: the person's own, or the one that it ships with."""
    own: dict[str, str] = getattr(app, "keys", {})
    return own.get(action, shipped).partition(",")[0].strip()


def key_names(keys: str) -> str:
    """Of a binding's list of keys."""
    return ", ".join(map(key_name, keys.split(",")))


def short_name(key: str) -> str:
    """As short as it is still understood: `^N`."""
    return key_name(key).replace("Ctrl+", "^")


def _part(part: str, *, alone: bool) -> str:
    if part in _NAMES:
        return _NAMES[part]
    if len(part) == 1:
        return part if alone else part.upper()
    return part.capitalize()
