"""What went wrong or should be known, in a line above the composer that stays until it is dismissed."""

from __future__ import annotations

from typing import Literal, NamedTuple

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


class Notice(NamedTuple):
    level: Level
    text: str
    topic: str = ""


class Notices(Widget):
    """Shows the newest of the gravest; each is dismissed by a click or `dismiss`."""

    def __init__(self, *, widget_id: str) -> None:
        super().__init__(id=widget_id)
        self._notices: list[Notice] = []

    def on_mount(self) -> None:
        self.display = False

    @property
    def showing(self) -> bool:
        return bool(self._notices)

    def tell(self, text: str, level: Level = "info", *, topic: str = "") -> None:
        """Show it; the same again changes nothing. Of a topic there is one notice, the newest."""
        notice = Notice(level, safe.line(text, _LIMIT), topic)
        if notice in self._notices:
            return
        self._notices = [one for one in self._notices if not topic or one.topic != topic]
        self._notices.append(notice)
        if level == "info":
            self.set_timer(FADES_AFTER, lambda: self._drop(notice))
        self._show()

    def forget(self, topic: str) -> None:
        """What was told of a topic no longer holds."""
        if any(one.topic == topic for one in self._notices):
            self._notices = [one for one in self._notices if one.topic != topic]
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
        level, text, _ = self._shown()
        more = len(self._notices) - 1
        tail = f"  (+{more} more)" if more else ""
        return Content.assemble((f" {_MARKS[level]} ", "bold reverse"), f" {text}{tail} ", ("✕", "bold"))

    def _shown(self) -> Notice:
        return max(enumerate(self._notices), key=lambda placed: (_gravity(placed[1].level), placed[0]))[1]

    def _drop(self, notice: Notice) -> None:
        if notice in self._notices:
            self._notices.remove(notice)
        self._show()

    def _show(self) -> None:
        self.display = bool(self._notices)
        shown = self._shown().level if self._notices else None
        for level in _MARKS:
            self.set_class(level == shown, f"-{level}")
        self.refresh(layout=True)
        self.refresh_bindings()


def error_words(error: QuarterdeckError) -> str:
    """What happened, why, and what to do, as sentences of one line."""
    happened = f"{error.what.rstrip('.')}: {error.why}" if error.why else error.what
    return f"{happened.rstrip('.')}. {error.todo}".rstrip()


def _gravity(level: Level) -> int:
    return list(_MARKS).index(level)
