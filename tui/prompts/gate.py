"""Is a person in it, and is it quiet? (DESIGN, Deciding). Pure: times come from outside.

The quiet period runs from when it appeared, was entered, changed, and from every key that came within it:
one that is held down, or a burst of typing, never gets through.
"""

from __future__ import annotations

QUIET = 0.5
"""Seconds without a decision after a prompt appears, is entered or changes."""


class Gate:
    """Times are seconds of one clock that only grows: the clock of key events (`event.time`)."""

    def __init__(self, appeared: float) -> None:
        self._quiet_since = appeared
        self._entered = False
        self._pressed = ""

    @property
    def entered(self) -> bool:
        return self._entered

    def enter(self, now: float) -> None:
        """The person went in."""
        if not self._entered:
            self._entered = True
            self._begin_quiet(now)

    def leave(self) -> None:
        """The person went out."""
        self._entered = False
        self._pressed = ""

    def change(self, now: float) -> None:
        """What is asked changed: it has to be looked at again."""
        self._begin_quiet(now)
        self._pressed = ""

    def quiet_ends(self) -> float:
        """When the quiet period will be over."""
        return self._quiet_since + QUIET

    def hasty(self, now: float) -> bool:
        """Is this moment within the quiet period? If so the period starts again."""
        if now >= self.quiet_ends():
            return False
        self._begin_quiet(now)
        return True

    def twice(self, choice: str, now: float) -> bool:
        """Was this choice made before? The first time starts the quiet period again, so that a person looks."""
        if self._pressed == choice:
            return True
        self._pressed = choice
        self._begin_quiet(now)
        return False

    def _begin_quiet(self, now: float) -> None:
        """A key may be older than what it is held against: the period never ends sooner for that."""
        self._quiet_since = max(self._quiet_since, now)
