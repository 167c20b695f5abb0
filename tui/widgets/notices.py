"""What went wrong or should be known, in a line above the composer that stays until it is dismissed."""

from __future__ import annotations

from typing import Literal

from textual import events
from textual.content import Content
from textual.widget import Widget

from core.errors import QuarterdeckError
from tui.transcript import safe

Level = Literal["info", "warning", "error"]

FADES_AFTER = 12.0
"""Seconds after which what is only for information goes by itself."""

_MARKS: dict[Level, str] = {"info": "i", "warning": "!", "error": "✗"}
_LIMIT = 600


class Notices(Widget):
    """Shows the newest of the gravest; each is dismissed by a click or `dismiss`."""

    def __init__(self, *, widget_id: str) -> None:
        super().__init__(id=widget_id)
        self._notices: list[tuple[Level, str]] = []

    def on_mount(self) -> None:
        self.display = False

    @property
    def showing(self) -> bool:
        return bool(self._notices)

    def tell(self, text: str, level: Level = "info") -> None:
        """Show it. The same text again changes nothing."""
        notice = (level, safe.line(text, _LIMIT))
        if notice in self._notices:
            return
        self._notices.append(notice)
        if level == "info":
            self.set_timer(FADES_AFTER, lambda: self._drop(notice))
        self._show()

    def dismiss(self) -> None:
        """Take away what is shown."""
        if self._notices:
            self._drop(self._shown())

    def clear(self) -> None:
        """Take everything away."""
        self._notices.clear()
        self._show()

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.dismiss()

    def render(self) -> Content:
        if not self._notices:
            return Content("")
        level, text = self._shown()
        more = len(self._notices) - 1
        tail = f"  (+{more} more)" if more else ""
        return Content.assemble((f" {_MARKS[level]} ", "bold reverse"), f" {text}{tail} ", ("✕", "bold"))

    def _shown(self) -> tuple[Level, str]:
        return max(enumerate(self._notices), key=lambda placed: (_gravity(placed[1][0]), placed[0]))[1]

    def _drop(self, notice: tuple[Level, str]) -> None:
        if notice in self._notices:
            self._notices.remove(notice)
        self._show()

    def _show(self) -> None:
        self.display = bool(self._notices)
        shown = self._shown()[0] if self._notices else None
        for level in _MARKS:
            self.set_class(level == shown, f"-{level}")
        self.refresh(layout=True)


def error_words(error: QuarterdeckError) -> str:
    """What happened, why, and what to do, as sentences of one line."""
    happened = f"{error.what.rstrip('.')}: {error.why}" if error.why else error.what
    return f"{happened.rstrip('.')}. {error.todo}".rstrip()


def _gravity(level: Level) -> int:
    return list(_MARKS).index(level)
