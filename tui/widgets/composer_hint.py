"""What the keys do in the composer, in one line below it."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget

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
CHOOSING: Words = (("↑↓", "choose"), ("Enter", "takes it"), ("Tab", "takes it to go on"), ("Esc", "closes"))
PLACEHOLDER: Words = (("Alt+E", "writes it out"), ("Backspace", "removes it"))
IMAGE: Words = (("Backspace", "removes the image"),)

_SEPARATOR = " · "
_BARE = {"new line (or Shift+Enter, Alt+Enter)": "new line"}


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
        return hint(self._words, self.size.width)


def hint(words: Words, width: int) -> Content:
    """As much of it as fits into `width` cells."""
    if _width(words) > width:
        words = tuple((key, _BARE.get(what, what)) for key, what in words)
    while len(words) > 1 and _width(words) > width:
        words = words[:-1]
    parts = [Content.assemble((key, "$accent"), " ", (what, "$foreground 60%")) for key, what in words]
    return Content.styled(_SEPARATOR, "$foreground 60%").join(parts)


def _width(words: Words) -> int:
    return len(_SEPARATOR.join(f"{key} {what}" for key, what in words))
