"""When a key or click counts as a decision (DESIGN, Deciding). Pure: times come from outside.

A prompt is decided only on purpose: it was entered by a deliberate act, a quiet period passed since it
appeared, since it was entered and since a decision was last refused for haste (so a key that is held
down or a burst of typing never gets through), and, to accept, everything that is to be judged was seen.
"""

from __future__ import annotations

QUIET = 0.5
"""Seconds without a decision after a prompt appears, is entered or changes."""

TOO_SOON = "Too soon: look first, then press again"
UNSEEN = "Scroll to the end first: there is more to see"


class Gate:
    """Times are seconds of one clock that only grows: the clock of key events (`event.time`)."""

    def __init__(self, appeared: float) -> None:
        self._quiet_since = appeared
        self._entered = False
        self._seen = False
        self._pressed = ""

    @property
    def entered(self) -> bool:
        return self._entered

    @property
    def seen(self) -> bool:
        return self._seen

    def enter(self, now: float) -> None:
        """The person went into the prompt."""
        if not self._entered:
            self._entered = True
            self._quiet_since = max(self._quiet_since, now)

    def leave(self) -> None:
        """The person went out of it."""
        self._entered = False
        self._pressed = ""

    def change(self, now: float) -> None:
        """What is asked changed: it has to be looked at again."""
        self._quiet_since = max(self._quiet_since, now)
        self._seen = False
        self._pressed = ""

    def see(self, whole: bool) -> None:
        """Was everything on the screen at some time? Asked again whenever it is laid out or scrolled."""
        self._seen = whole

    def quiet_ends(self) -> float:
        """When the quiet period will be over."""
        return self._quiet_since + QUIET

    def refuse(self, now: float, *, accepts: bool) -> str:
        """Why a decision made now does not count, for the person; "" where it counts.

        A decision within the quiet period starts the period again.
        """
        if not self._entered:
            return "Go into this prompt first"
        if now < self.quiet_ends():
            self._quiet_since = max(self._quiet_since, now)
            return TOO_SOON
        if accepts and not self._seen:
            return UNSEEN
        return ""

    def twice(self, choice: str, now: float) -> bool:
        """Was this choice made before? The first time starts the quiet period again, so that a person looks."""
        if self._pressed == choice:
            return True
        self._pressed = choice
        self._quiet_since = max(self._quiet_since, now)
        return False
