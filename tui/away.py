"""Telling a person who is not looking: a notification of the terminal's, and its title.

Nothing that Codex or anybody wrote steers the terminal here: every text goes through `safe` first.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Mapping
from enum import StrEnum
from time import monotonic
from typing import TYPE_CHECKING

from tui.transcript import safe

if TYPE_CHECKING:
    from core.settings import AwaySettings

GATHER = 0.5
"""Seconds in which news is gathered, so that what comes together is told as one."""

PAUSE = 5.0
"""Seconds between two notifications, at least."""

PRESENT = 20.0
"""Seconds after a key in which somebody is there, where the terminal does not say whether it is looked at."""

LONGEST = 160
NAME = "Quarterdeck"
PUSH_TITLE, POP_TITLE = "\x1b[22;2t", "\x1b[23;2t"
"""The terminal keeps its title and has it back (XTWINOPS)."""

_OSC9 = frozenset({"iTerm.app", "WezTerm", "ghostty", "WarpTerminal"})
_OSC777 = ("foot", "rxvt", "contour")

_COMMAND = re.compile(r"\d+;")


class News(StrEnum):
    """What is worth a word, as it is said of one and of several."""

    NEEDS_YOU = "needs you"
    FAILED = "failed"
    DONE = "done"


_SEVERAL = {News.NEEDS_YOU: "need you", News.FAILED: "failed", News.DONE: "done"}


def way_of(environment: Mapping[str, str]) -> str:
    """How this terminal notifies: osc9, osc777 or bell. Inside tmux and screen only the bell comes through."""
    if environment.get("TMUX") or environment.get("STY"):
        return "bell"
    term = environment.get("TERM", "")
    if environment.get("TERM_PROGRAM", "") in _OSC9 or term in ("xterm-kitty", "xterm-ghostty"):
        return "osc9"
    return "osc777" if term.startswith(_OSC777) else "bell"


def notification(way: str, text: str) -> str:
    """What is sent to the terminal; "" for nothing. `text` may be anybody's."""
    shown = safe.line(text, LONGEST)
    match way:
        case "osc9":
            # A number that stands alone in front is another command (9;4 is a progress bar).
            return f"\x1b]9;{NAME}: {shown}\x1b\\" if _COMMAND.match(shown) else f"\x1b]9;{shown}\x1b\\"
        case "osc777":
            return f"\x1b]777;notify;{NAME};{shown.replace(';', ',')}\x1b\\"
        case "bell":
            return "\a"
        case _:
            return ""


def title(waiting: int, current: str) -> str:
    """The terminal's title: how many requests wait, and the conversation."""
    count = f"({waiting}) " if waiting else ""
    name = safe.line(current, LONGEST)
    return f"{count}{NAME}{f': {name}' if name else ''}"


class Away:
    """Gathers news and tells it through `write`. `focused` None: the terminal does not say."""

    def __init__(
        self,
        environment: Mapping[str, str],
        write: Callable[[str], None],
        *,
        clock: Callable[[], float] = monotonic,
        gather: float = GATHER,
        pause: float = PAUSE,
    ) -> None:
        self._auto = way_of(environment)
        self._write = write
        self._clock = clock
        self._gather = gather
        self._pause = pause
        self.focused: bool | None = None
        self._pressed = float("-inf")
        self._settings: AwaySettings | None = None
        self._news: list[tuple[News, str]] = []
        self._timer: asyncio.TimerHandle | None = None
        self._next = 0.0
        self._title = ""

    def use(self, settings: AwaySettings) -> None:
        """Hold to these from now on."""
        self._settings = settings
        if not settings.title:
            self.restore_title()

    def pressed(self) -> None:
        """A key was pressed: somebody is there."""
        self._pressed = self._clock()

    def tell(self, news: News, text: str) -> None:
        """Something happened. It is told soon, if nobody looks then."""
        if self._wanted(news):
            self._news.append((news, text))
            if self._timer is None:
                wait = max(self._gather, self._next - self._clock())
                self._timer = asyncio.get_running_loop().call_later(wait, self._notify)

    def show_title(self, waiting: int, current: str) -> None:
        """Have the terminal's title say what waits, and where one is."""
        if self._settings is None or not self._settings.title:
            return
        shown = title(waiting, current)
        if shown != self._title:
            self._write(("" if self._title else PUSH_TITLE) + f"\x1b]2;{shown}\x1b\\")
            self._title = shown

    def restore_title(self) -> None:
        """The title that the terminal had before."""
        if self._title:
            self._title = ""
            self._write(POP_TITLE)

    def close(self) -> None:
        """Tell no more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self.restore_title()

    def _wanted(self, news: News) -> bool:
        settings = self._settings
        if settings is None or settings.notify == "off":
            return False
        wanted = {
            News.DONE: settings.turn_done,
            News.NEEDS_YOU: settings.needs_you,
            News.FAILED: settings.failed,
        }
        return wanted[news]

    def _looked_at(self) -> bool:
        if self.focused is None:
            return self._clock() - self._pressed < PRESENT
        return self.focused

    def _notify(self) -> None:
        self._timer = None
        news, self._news = self._news, []
        if self._settings is None or self._looked_at():
            return
        self._next = self._clock() + self._pause
        way = self._auto if self._settings.notify == "auto" else self._settings.notify
        self._write(notification(way, _words(news)))


def _words(news: list[tuple[News, str]]) -> str:
    """One is named; of several it is said how many."""
    if len(news) == 1:
        ((kind, text),) = news
        return f"{text or NAME}: {kind}"
    counts = Counter(kind for kind, _ in news)
    return ", ".join(
        f"{counts[kind]} {kind if counts[kind] == 1 else _SEVERAL[kind]}" for kind in News if counts[kind]
    )
