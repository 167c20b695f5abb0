"""The line below the composer: what the thread does and for how long, and where everything stands."""

from __future__ import annotations

from time import monotonic

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget

from tui.transcript import cells
from tui.widgets.status_text import FULL, StatusFacts, clock_words, percent_of, status_parts

FRAMES = "◐◓◑◒"
RATE = 2
"""Pictures of the spinner a second: each costs more than a thousandth of a core."""

WAITS = "needs you"
"""What a turn does that goes on when somebody decides: nothing turns meanwhile."""


AWAITS_HOST = "waits for Codex"
"""What a message does that cannot go out, as there is no host to take it."""


class ThreadClock(Widget):
    """What the thread does. Its width is fixed, so that a tick paints these few cells and lays out nothing."""

    def __init__(self) -> None:
        super().__init__()
        self._words = "starting"
        self._since: float | None = None
        self._timer: Timer | None = None

    def on_mount(self) -> None:
        self._timer = self.set_interval(1 / RATE, self.refresh, pause=True)

    def show(self, words: str, since: float | None = None) -> None:
        """`since` (monotonic seconds): it runs since then, and the clock goes."""
        self._words, self._since = words, since
        if self._timer is not None:
            if since is None:
                self._timer.pause()
            else:
                self._timer.resume()
        for looks in ("running", "stalled", "needs you", "not up", AWAITS_HOST):
            self.set_class(words == looks, f"-{looks.replace(' ', '-')}")
        self.refresh()

    def render(self) -> Content:
        if self._since is None:
            if self._words == AWAITS_HOST:
                return Content(f"⧗ {self._words}")
            mark = {"stalled": "!", "not up": "!", "starting": "…", "leaving": "…"}.get(self._words, "●")
            return Content(f"{mark} {self._words}")
        now = monotonic()
        frame = "?" if self._words == WAITS else FRAMES[int(now * RATE) % len(FRAMES)]
        return Content(f"{frame} {self._words} {clock_words(now - self._since)}")


class StatusText(Widget):
    """The rest of the line. A click on a part of it is about that part."""

    class Clicked(Message):
        """`name` is the part's: model, effort, profile, sandbox, approvals, context, folder, branch, …"""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def __init__(self) -> None:
        super().__init__()
        self.facts = StatusFacts()
        self._places: list[tuple[int, int, str]] = []

    def render(self) -> Content:
        shown = status_parts(self.facts, self.size.width)
        line = Content("").join(
            Content.assemble((part.before, "$foreground 25%"), (part.text, self._style(part.name)))
            for part in shown
        )
        right = self.size.width
        self._places = []
        for part in reversed(shown):
            left = right - cells.width_of(part.text)
            self._places.append((left, right, part.name))
            right = left - cells.width_of(part.before)
        return line

    def on_click(self, event: events.Click) -> None:
        for left, right, name in self._places:
            if left <= event.x < right:
                self.post_message(self.Clicked(name))

    def _style(self, name: str) -> str:
        if name in ("waiting", "writer") or (name == "host" and not self.facts.host_ready):
            return "$warning"
        if name == "context" and (percent_of(self.facts.context, self.facts.window) or 0) >= FULL:
            return "$warning"
        if self.facts.selected is not None and name in self.facts.selected.coming:
            return "$accent"
        return ""


class StatusLine(Horizontal):
    """`show` has no effect on layout."""

    def __init__(self, *, widget_id: str) -> None:
        super().__init__(id=widget_id)
        self._clock = ThreadClock()
        self._text = StatusText()

    def compose(self) -> ComposeResult:
        yield self._clock
        yield self._text

    def show_thread(self, words: str, since: float | None = None) -> None:
        self._clock.show(words, since)

    def show(self, facts: StatusFacts) -> None:
        if facts != self._text.facts:
            self._text.facts = facts
            self._text.refresh()
