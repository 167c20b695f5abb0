"""What the keys do in the composer, in one line below it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from textual.content import Content
from textual.widget import Widget

from tui.widgets.key_names import short_name

NO_KEYS: Mapping[str, str] = MappingProxyType({})
Words = tuple[tuple[str, str], ...]

IDLE: Words = (
    ("Enter", "sends"),
    ("^J", "new line (or Shift+Enter, Alt+Enter)"),
    ("@", "files"),
    ("/", "commands"),
    ("$", "skills"),
    ("!", "runs a command"),
    ("^R", "what you said"),
    ("^G", "editor"),
)
RUNNING: Words = (
    ("Enter", "steers"),
    ("Tab", "queues for after the turn"),
    ("^J", "new line (or Shift+Enter, Alt+Enter)"),
    ("@", "files"),
    ("/", "commands"),
)
SHELL: Words = (("Enter", "runs it in the sandbox"), ("Space", "before it makes it a message"))
CHOOSING: Words = (("↑↓", "choose"), ("Enter", "takes it"), ("Tab", "takes it to go on"), ("Esc", "closes"))
PLACEHOLDER: Words = (("Alt+E", "writes it out"), ("Backspace", "removes it"))
IMAGE: Words = (("Backspace", "removes the image"),)

_SEPARATOR = " · "
_BARE = {"new line (or Shift+Enter, Alt+Enter)": "new line", "queues for after the turn": "queues for later"}


_ACTIONS = {
    "sends": "composer_send",
    "steers": "composer_send",
    "runs it in the sandbox": "composer_send",
    "queues for after the turn": "composer_queue",
    "new line (or Shift+Enter, Alt+Enter)": "composer_newline",
    "writes it out": "composer_expand",
    "what you said": "recall",
    "editor": "edit",
}
"""Whose key a person may have changed."""


class ComposerHint(Widget):
    """Shows as much of its words as there is room for."""

    def __init__(self, *, widget_id: str) -> None:
        super().__init__(id=widget_id)
        self._words: Words = IDLE

    def show(self, words: Words) -> None:
        """Say these from now on."""
        if words != self._words:
            self._words = words
            self.refresh()

    def render(self) -> Content:
        return hint(self._words, self.size.width, getattr(self.app, "keys", NO_KEYS))


def hint(words: Words, width: int, keys: Mapping[str, str] = NO_KEYS) -> Content:
    """As much of it as fits into `width` cells; `keys` are a person's own, by the names of the actions."""
    words = tuple(_own(key, what, keys) for key, what in words)
    if _width(words) > width:
        words = tuple((key, _BARE.get(what, what)) for key, what in words)
    while len(words) > 1 and _width(words) > width:
        words = words[:-1]
    parts = [Content.assemble((key, "$accent"), " ", (what, "$foreground 60%")) for key, what in words]
    return Content.styled(_SEPARATOR, "$foreground 60%").join(parts)


def _own(key: str, what: str, keys: Mapping[str, str]) -> tuple[str, str]:
    own = keys.get(_ACTIONS.get(what, ""))
    return (key, what) if own is None else (short_name(own.partition(",")[0]), _BARE.get(what, what))


def _width(words: Words) -> int:
    return len(_SEPARATOR.join(f"{key} {what}" for key, what in words))
