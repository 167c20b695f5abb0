"""The line below the composer: what the thread does and for how long, and where everything stands."""

from __future__ import annotations

from time import monotonic

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.timer import Timer
from textual.widget import Widget

from tui.widgets.status_text import StatusFacts, clock_words, status_text

FRAMES = "◐◓◑◒"
RATE = 4
"""Pictures of the spinner a second: each costs about a thousandth of a core."""

WAITS = "needs you"
"""What a turn does that goes on when somebody decides: nothing turns meanwhile."""


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
        for looks in ("running", "stalled", "needs you", "not up"):
            self.set_class(words == looks, f"-{looks.replace(' ', '-')}")
        self.refresh()

    def render(self) -> Content:
        if self._since is None:
            mark = {"stalled": "!", "not up": "!", "starting": "…", "leaving": "…"}.get(self._words, "●")
            return Content(f"{mark} {self._words}")
        now = monotonic()
        frame = "?" if self._words == WAITS else FRAMES[int(now * RATE) % len(FRAMES)]
        return Content(f"{frame} {self._words} {clock_words(now - self._since)}")


class StatusText(Widget):
    """The rest of the line."""

    def __init__(self) -> None:
        super().__init__()
        self.facts = StatusFacts()

    def render(self) -> Content:
        return Content(status_text(self.facts, self.size.width))


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
