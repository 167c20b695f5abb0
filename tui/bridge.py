"""The only listener to the engine: what it tells, joined, for a screen that takes it at its own pace.

The engine tells by the hundred a second; the screen is woken at most `FRAMES` times a second, and not
again before it took what it was woken for. Between two wakes everything is kept, in order, and the deltas
of one text are joined. When nothing was told for a while the first word goes through at once, and so does
always what Codex asks a person: while many conversations stream it is else the one thing that waits.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from core.conversation.feed import Feed, FeedEvent, LiveDelta, NotificationChanged

FRAMES = 30
"""Wakes a second at most."""

_Text = tuple[str, str, int]
"""Which text of a conversation a delta belongs to: item, channel, part."""


class Bridge:
    """Belongs to one screen. `wake` is called on the event loop; it is to have `take` called soon."""

    def __init__(
        self, feed: Feed, wake: Callable[[], None], *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._wake = wake
        self._clock = clock
        self._waiting: list[FeedEvent | _Joined] = []
        self._open: dict[str, dict[_Text, _Joined]] = {}
        self._awake = False
        self._next_wake = 0.0
        self._timer: asyncio.Handle | None = None
        self._stop = feed.listen(self._hear)

    def close(self) -> None:
        """Hear no more. What was not taken yet can still be taken."""
        self._stop()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def take(self) -> tuple[FeedEvent, ...]:
        """Everything since the last call, oldest first, the deltas of one text joined to one."""
        waiting, self._waiting = self._waiting, []
        self._open.clear()
        self._awake = False
        return tuple(entry.whole() if isinstance(entry, _Joined) else entry for entry in waiting)

    def _hear(self, event: FeedEvent) -> None:
        if isinstance(event, LiveDelta):
            self._join(event)
        else:
            self._part(getattr(event, "conversation_id", None))
            self._waiting.append(event)
        self._schedule(at_once=isinstance(event, NotificationChanged))

    def _part(self, conversation_id: str | None) -> None:
        """Nothing that comes now is joined to a delta from before this event."""
        if conversation_id is None:
            self._open.clear()
        else:
            self._open.pop(conversation_id, None)

    def _join(self, delta: LiveDelta) -> None:
        texts = self._open.setdefault(delta.conversation_id, {})
        name = (delta.item_id, delta.channel.value, delta.part)
        joined = texts.get(name)
        if joined is None:
            joined = texts[name] = _Joined(delta)
            self._waiting.append(joined)
        joined.pieces.append(delta.text)

    def _schedule(self, *, at_once: bool) -> None:
        if self._awake or (self._timer is not None and not at_once):
            return
        if self._timer is not None:
            self._timer.cancel()
        loop = asyncio.get_running_loop()
        wait = 0.0 if at_once else self._next_wake - self._clock()
        self._timer = loop.call_later(wait, self._rouse) if wait > 0 else loop.call_soon(self._rouse)

    def _rouse(self) -> None:
        self._timer = None
        self._awake = True
        self._next_wake = self._clock() + 1 / FRAMES
        self._wake()


class _Joined:
    """Deltas of one text, joined only when they are taken."""

    __slots__ = ("first", "pieces")

    def __init__(self, first: LiveDelta) -> None:
        self.first = first
        self.pieces: list[str] = []

    def whole(self) -> LiveDelta:
        first = self.first
        return LiveDelta(
            first.conversation_id, first.item_id, first.channel, "".join(self.pieces), first.part
        )
