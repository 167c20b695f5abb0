"""What stands where a conversation will be: what this is, and what to do."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget

from tui.transcript import safe
from tui.widgets.status_text import home_short

_KEYS = (
    ("Enter", "sends the message"),
    ("Ctrl+J", "begins a new line in it"),
    ("Ctrl+B", "shows your conversations"),
    ("F1", "shows every key"),
)
_DEMO = (
    "This is the real Codex on a scripted model: offline, in a scratch folder. Try a word:",
    "tour · edit · approval · question · plan · stream · permissions · form · fail",
)


class Welcome(Widget):
    """An empty conversation."""

    def __init__(self, *, widget_id: str) -> None:
        super().__init__(id=widget_id)
        self._folder = ""
        self._demo = False
        self._words = ""

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
        lines.append(Content(""))
        lines += [Content.assemble((f"{key:<8}", "bold $accent"), f" {words}") for key, words in _KEYS]
        return Content("\n").join(lines)
