"""A screen with the engine behind it: opening it, hearing it, and what a person asks of it.

What things look like is the subclass's; nothing here knows a widget. Every failure that was foreseen becomes one
line for the person (`tell_error`).
"""

from __future__ import annotations

import asyncio
import gc
import importlib
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from textual.message import Message
from textual.screen import Screen
from textual.worker import Worker, WorkerError

from core.errors import NotFound, QuarterdeckError
from tui.launch import Launch
from tui.widgets.writing import Outgoing, Writing

if TYPE_CHECKING:
    from tui.desk import Desk
    from tui.hearing import Heard
    from tui.place import Place
    from tui.startup import Session

Opener = Callable[[Launch], Awaitable["Session"]]

GC_THRESHOLDS = (20_000, 20, 50)
WANTED_NEXT = ("tui.transcript.drawing", "tui.prompts.kinds")
"""Loaded as soon as all is up: the first message and the first request would else wait for half a second."""

GONE = "its conversation was put away or deleted meanwhile"

LIST_PAUSE = 0.3
"""Seconds between two readings of the list, at least."""


class EngineScreen(Screen[None]):
    """Owns the session and the desk from `start` to `close`."""

    class FeedWaiting(Message):
        """The engine told something."""

    def __init__(self, launch: Launch, opener: Opener | None) -> None:
        super().__init__()
        self.launch = launch
        self.session: Session | None = None
        self.desk: Desk | None = None
        self.failed_to_open = False
        self._opener = opener
        self._opening: Worker[None] | None = None
        self._listing_wanted = asyncio.Event()

    # What a subclass shows.

    def tell_error(self, error: QuarterdeckError) -> None:
        raise NotImplementedError

    def opened(self) -> None:
        """The engine is there; nothing is open yet."""
        raise NotImplementedError

    def not_opened(self, error: QuarterdeckError) -> None:
        """The engine did not come up; `start` tries again."""
        raise NotImplementedError

    def show_place(self) -> None:
        """Another conversation is the current one."""
        raise NotImplementedError

    def show_heard(self, heard: Heard) -> None:
        """The engine told something."""
        raise NotImplementedError

    def show_listing(self) -> None:
        """The list of conversations was read."""
        raise NotImplementedError

    # Beginning and end.

    def start(self, writing: Writing) -> None:
        """Bring the engine up, after what is on the screen now was painted."""
        self.failed_to_open = False
        self._opening = self.run_worker(self._open(writing), group="open", exclusive=True)

    async def _open(self, writing: Writing) -> None:
        startup = await asyncio.to_thread(importlib.import_module, "tui.startup")
        opener: Opener = self._opener or startup.open_session
        try:
            session = await opener(self.launch)
        except QuarterdeckError as error:
            self.failed_to_open = True
            self.not_opened(error)
            _settle_memory()
            return
        self.session = session
        self.desk = startup.Desk(
            session.engine,
            session.folder,
            writing,
            wake=lambda: self.post_message(self.FeedWaiting()),
            failed=self.tell_error,
        )
        self.opened()
        await self._open_first(writing)
        if self.launch.over:
            self.call_later(self.run_action, f"over({self.launch.over!r})")
        self.run_worker(self._keep_listing(), group="listing")
        for module in WANTED_NEXT:
            await asyncio.to_thread(importlib.import_module, module)
        _settle_memory()

    async def _open_first(self, writing: Writing) -> None:
        """The conversation to start with, then what was written before it was there."""
        desk = self.desk
        assert desk is not None
        try:
            latest = await desk.latest() if self.launch.latest else None
            if latest is not None:
                await desk.open(latest.id, writing)
            else:
                await desk.begin(desk.folder, writing)
        except QuarterdeckError as error:
            self.tell_error(error)
            if self.launch.latest:
                await self.attempt(desk.begin(desk.folder, writing))
        self.show_place()
        for message in writing.outgoing:
            self.send(writing, message)
        self.want_listing()

    async def close(self) -> str:
        """Let go of everything. What goes on, or could not be kept, is said in what is returned."""
        if self._opening is not None:
            self._opening.cancel()
            with suppress(WorkerError):
                await self._opening.wait()
        if self.desk is None or self.session is None:
            return ""
        await self.desk.close()
        return await self.session.close()

    # What the engine tells.

    def on_engine_screen_feed_waiting(self) -> None:
        if self.desk is None:
            return
        heard = self.desk.take()
        if heard.listing:
            self.want_listing()
        self.show_heard(heard)
        if heard.left:
            self.run_worker(self._leave(self.desk, self.desk.current), group="go", exclusive=True)
        elif heard.reread and self.desk.current.id is not None:
            self.go_to(self.desk.current.id)

    def want_listing(self) -> None:
        """Read the list again soon."""
        self._listing_wanted.set()

    async def _keep_listing(self) -> None:
        while self.desk is not None:
            await self._listing_wanted.wait()
            self._listing_wanted.clear()
            await self.attempt(self.desk.reload())
            self.show_listing()
            await asyncio.sleep(LIST_PAUSE)

    async def _leave(self, desk: Desk, gone: Place) -> None:
        """The current conversation was put away or deleted: what was written there can be had again."""
        await self.arrive(desk.begin(gone.path))
        text = gone.writing.parts.expand(gone.writing.text)[0]
        if desk.current is not gone and text.strip():
            desk.current.writing.heard([text])
            self.tell_left()

    def tell_left(self) -> None:
        """What was written where the person is no more can be recalled."""
        raise NotImplementedError

    # What a person wants.

    def send(self, writing: Writing, message: Outgoing) -> None:
        """Hand a message to the engine; without one it waits until there is."""
        if self.desk is not None:
            place = self.desk.place_of(writing)
            if place is None:
                self.refused(writing, message, NotFound("The message was not sent", why=GONE))
            else:
                self.run_worker(self._send(self.desk, place, message), group="send")

    async def _send(self, desk: Desk, place: Place, message: Outgoing) -> None:
        fresh = place.id is None
        try:
            await desk.send(place, message)
        except QuarterdeckError as error:
            self.refused(place.writing, message, error)
            return
        self.taken(place.writing, message)
        if fresh and place is desk.current:
            self.show_place()
        self.want_listing()

    def taken(self, writing: Writing, message: Outgoing) -> None:
        """The engine has a message on disk."""
        raise NotImplementedError

    def refused(self, writing: Writing, message: Outgoing, error: QuarterdeckError) -> None:
        """The engine could not take a message."""
        raise NotImplementedError

    def go_to(self, conversation_id: str) -> None:
        """Make a conversation the current one."""
        if self.desk is not None:
            self.run_worker(self.arrive(self.desk.open(conversation_id)), group="go", exclusive=True)

    def go_new(self) -> None:
        """Begin another conversation in the folder of the current one."""
        if self.desk is not None:
            self.run_worker(self.arrive(self.desk.begin(self.desk.current.path)), group="go", exclusive=True)

    async def arrive(self, going: Awaitable[object]) -> None:
        """Make the place that `going` leads to the current one; a failure is told."""
        if await self.attempt(going):
            self.show_place()
            self.want_listing()

    def ask(self, work: Awaitable[Any]) -> None:
        """Have the engine do something whose end needs no word."""
        self.run_worker(self.attempt(work), group="ask")

    async def attempt(self, work: Awaitable[Any]) -> bool:
        """Do it; a foreseen failure is told. True where it worked."""
        try:
            await work
        except QuarterdeckError as error:
            self.tell_error(error)
            return False
        return True


def _settle_memory() -> None:
    """What is loaded now stays: looking through all of it again and again is the longest stall there is.

    The collector was off since the command was given.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    gc.enable()
