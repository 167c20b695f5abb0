"""What stands where a conversation will be: what this is, and what to do."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple

from textual import events
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widget import Widget

from tui.transcript import cells, safe
from tui.widgets.ages import age_words
from tui.widgets.key_names import key_shown
from tui.widgets.status_text import home_short

if TYPE_CHECKING:
    from core.conversation.info import ConversationInfo

_KEYS = (
    ("composer_send", "enter", "sends the message"),
    ("composer_newline", "ctrl+j", "begins a new line in it"),
    ("listing", "ctrl+b", "shows your conversations"),
    ("help", "f1", "shows every key"),
)
"""The name of each action, the key that it ships with, and what it does."""

_DEMO = (
    "This is the real Codex on a scripted model: offline, in a scratch folder. Try a word:",
    "tour · edit · approval · question · plan · stream · permissions · form · fail",
)


RECENT = 5
TITLE_WIDTH = 44
ROOM = 16
"""Rows from which there is room for recent sessions."""


class Recent(NamedTuple):
    """A session that was used lately. `folder` is its name where it is another's; `ago_ms` since the last change."""

    conversation_id: str
    title: str
    folder: str
    ago_ms: int


def recent_of(infos: Sequence[ConversationInfo], here: str, now_ms: int) -> tuple[Recent, ...]:
    """The sessions that were used last."""
    return tuple(
        Recent(
            info.id,
            info.title,
            "" if info.path == here else PurePath(info.path).name,
            now_ms - info.updated_at_ms,
        )
        for info in infos[:RECENT]
    )


class Welcome(Widget):
    """An empty conversation, with the sessions that were used last: a click opens one."""

    class Chosen(Message):
        """The person wants this conversation."""

        def __init__(self, conversation_id: str) -> None:
            super().__init__()
            self.conversation_id = conversation_id

    def __init__(self, *, widget_id: str) -> None:
        super().__init__(id=widget_id)
        self._folder = ""
        self._demo = False
        self._words = ""
        self._recent: tuple[Recent, ...] = ()

    def show_recent(self, recent: tuple[Recent, ...]) -> None:
        """The newest first."""
        if recent[:RECENT] != self._recent:
            self._recent = recent[:RECENT]
            self.refresh(layout=True)

    def on_click(self, event: events.Click) -> None:
        conversation_id = event.style.meta.get("recent")
        if isinstance(conversation_id, str):
            self.post_message(self.Chosen(conversation_id))

    def show(self, folder: str, home: str, *, demo: bool = False, words: str = "") -> None:
        """`words`: instead of the invitation to write."""
        self._folder = home_short(folder, home)
        self._demo = demo
        self._words = words
        self.refresh(layout=True)

    def render(self) -> Content:
        lines: list[Content] = [Content.styled("Quarterdeck", "bold $primary")]
        if self._words:
            lines.append(Content(safe.line(self._words)))
        else:
            folder = (safe.line(self._folder), "$primary")
            lines.append(Content.assemble("Write a message below; Codex works in ", folder, "."))
        if self._demo:
            lines += [Content(""), *map(Content, _DEMO)]
        lines += self._recent_lines()
        lines.append(Content(""))
        for action, shipped, words in _KEYS:
            key = key_shown(self.app, action, shipped)
            lines.append(Content.assemble((f"{key:<8}", "bold $accent"), f" {words}"))
        return Content("\n").join(lines)

    def _recent_lines(self) -> list[Content]:
        if not self._recent or self.size.height < ROOM + (len(_DEMO) if self._demo else 0):
            return []
        all_of_them = key_shown(self.app, "sessions", "f3")
        lines = [
            Content(""),
            Content.assemble(("Recent", "bold $primary"), f"   {all_of_them} shows all sessions"),
        ]
        for one in self._recent:
            title = cells.cut(safe.line(one.title, 200), TITLE_WIDTH) or "Untitled"
            pad = " " * (TITLE_WIDTH - cells.width_of(title))
            folder = cells.cut(safe.line(one.folder, 60), 16)
            line = Content.assemble(
                (title + pad, "$foreground"), (f" {age_words(one.ago_ms):>4}  {folder}", "$foreground 55%")
            )
            lines.append(line.stylize(Style.from_meta({"recent": one.conversation_id})))
        return lines
