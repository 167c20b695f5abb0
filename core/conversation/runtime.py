"""The turn pump of one conversation: what its agent says, in order, onto the durable thread.

One task takes events from an inbox that the agent's reader fills without waiting; everything is on
disk before the feed tells it. The other direction (begin, steer) is `delivery.py`'s.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from core.agent import events as said
from core.agent.items import Item
from core.conversation import boxing
from core.conversation.feed import (
    BoxesAdded,
    BoxesReverted,
    DiffChanged,
    Feed,
    LiveDelta,
    LiveStarted,
    OutboxChanged,
    OutboxEntry,
    PlanChanged,
    StateChanged,
    ThreadState,
    Told,
    UsageChanged,
)
from core.conversation.items import ItemRecorder
from core.conversation.streams import StreamRecorder
from core.conversation.turns import TurnRecorder
from core.errors import QuarterdeckError, StoreError
from core.thread.durable import DurableThread
from core.thread.state import Status as ThreadStatus
from core.thread.thread import Span

log = logging.getLogger(__name__)


T = TypeVar("T")

WRITE_AGAIN_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Write:
    """In the inbox: write what could not be written."""


@dataclass(frozen=True, slots=True)
class Decided:
    """In the inbox: what was decided, to be kept in the conversation."""

    trace: str


@dataclass(frozen=True, slots=True)
class Reached:
    """In the inbox: whoever wants to know how things stand here is told."""

    look: Callable[[], None]


Heard = said.AgentEvent | Write | Decided | Reached


class ConversationRuntime:
    """Owns the pump task. Set `changed` before `start`: it is called when a message may be able to go out.

    `reverted`, where it is set, is called when turns were taken back at Codex.
    """

    def __init__(
        self, conversation_id: str, thread: DurableThread, streams: StreamRecorder, feed: Feed
    ) -> None:
        self.conversation_id = conversation_id
        self.thread = thread
        self.streams = streams
        self.items = ItemRecorder(conversation_id, thread.state, streams, feed)
        self.turns = TurnRecorder(thread, self.items)
        self.usage: UsageChanged | None = None
        self.plan: PlanChanged | None = None
        self.diff: DiffChanged | None = None
        self._feed = feed
        self.changed: Callable[[], None] = lambda: None
        self.reverted: Callable[[], Awaitable[None]] | None = None
        """Looks for what Codex has no more; the turnstile is held meanwhile."""
        self._inbox: asyncio.Queue[Heard] = asyncio.Queue()
        self._trouble = ""
        self._again: asyncio.TimerHandle | None = None
        self._pump: asyncio.Task[None] | None = None
        self.turnstile = asyncio.Lock()
        """Held while an event is put in; whoever feeds items by another way than `hear` holds it too."""
        self.handover = asyncio.Lock()
        """Held while input is on its way to Codex, and while it is found out what Codex has: never both at once."""
        self._heard_turn: str | None = None
        self._turn_heard = asyncio.Condition()
        self._told_boxes = len(thread.durable_boxes)
        self._last_state: ThreadState | None = None
        self._last_outbox: tuple[OutboxEntry, ...] = ()

    def start(self) -> None:
        self._pump = asyncio.create_task(self._run(), name=f"pump-{self.conversation_id}")

    async def close(self) -> None:
        """End the pump after the event it is at, and write what streamed."""
        if self._pump is not None:
            self._pump.cancel()
            await asyncio.gather(self._pump, return_exceptions=True)
        if self._again is not None:
            self._again.cancel()
        await self.streams.close()
        await self.thread.close()

    def hear(self, event: said.AgentEvent | Decided) -> None:
        """Take an event. Never waits."""
        self._inbox.put_nowait(event)

    async def drained(self) -> None:
        """Return when every event heard so far was handled."""
        await self._inbox.join()

    def once_reached(self, look: Callable[[], T]) -> asyncio.Future[T]:
        """What `look` returns once every event heard before this was handled, and none heard after it. Never waits."""
        found: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        def reached() -> None:
            if not found.done():
                found.set_result(look())

        self._inbox.put_nowait(Reached(reached))
        return found

    async def _run(self) -> None:
        while True:
            event = await self._inbox.get()
            try:
                async with self.turnstile:
                    await self._handle(event)
                self._trouble = ""
            except QuarterdeckError as error:
                self._write_later(error)
            except Exception as error:
                # A fault of ours in one event must not silence the conversation for good.
                log.exception("an event could not be handled")
                self._feed.tell(
                    Told("error", f"A fault of Quarterdeck's own: {error!r}", self.conversation_id)
                )
            finally:
                self._inbox.task_done()

    def _write_later(self, error: QuarterdeckError) -> None:
        """What an event meant stands in memory, and is written by itself; the reason that it was not is told once."""
        if str(error) != self._trouble:
            self._trouble = str(error)
            log.warning("an event could not be recorded: %s", error)
            self._feed.tell(Told("error", self._trouble, self.conversation_id))
        self.write_again()

    def write_again(self, after: float | None = None) -> None:
        """Have what is in memory alone written and told, in so many seconds. Never waits."""
        if self._again is not None:
            self._again.cancel()
        loop = asyncio.get_running_loop()
        seconds = WRITE_AGAIN_SECONDS if after is None else after
        self._again = loop.call_later(seconds, self._inbox.put_nowait, Write())

    async def _handle(self, event: Heard) -> None:
        match event:
            case said.Delta():
                self.items.delta(event)
                return
            case Reached():
                event.look()
                return
            case Write():
                await self.publish()
            case Decided():
                await self.put_notice("info", event.trace, code="decided")
            case said.TurnStarted() if self.turns.in_review(event.turn_id):
                pass
            case said.TurnStarted():
                if self.diff is not None and self.diff.diff and event.turn_id != self._heard_turn:
                    # Codex tells a diff only of a turn that changes something: the last turn's is not this one's.
                    self.diff = DiffChanged(self.conversation_id, "")
                    self._feed.tell(self.diff)
                await self.turn_started(event.turn_id)
                async with self._turn_heard:
                    self._heard_turn = event.turn_id
                    self._turn_heard.notify_all()
            case said.ItemStarted():
                await self.item_started(event.item, event.turn_id)
            case said.ItemCompleted():
                await self.item_completed(event.item, event.turn_id)
            case said.TurnEnded():
                await self.turn_ended(event, watched=True)
            case said.UsageUpdated():
                self.usage = UsageChanged(
                    self.conversation_id, event.total, event.context, event.window, event.tokens
                )
                self._feed.tell(self.usage)
            case said.PlanUpdated():
                self.plan = PlanChanged(self.conversation_id, event.explanation, event.steps)
                self._feed.tell(self.plan)
            case said.DiffUpdated() if self.diff is None or self.diff.diff != event.diff:
                self.diff = DiffChanged(self.conversation_id, event.diff)
                self._feed.tell(self.diff)
            case said.ThreadReverted() if self.reverted is not None:
                await self.reverted()
            case said.Notice():
                self.turns.warn(event.level, event.text)
                await self.publish()
            case said.HostLost():
                self.streams.miss()
            case _:
                pass
        self.changed()

    async def until_heard(self, turn_id: str) -> None:
        """Return when Codex has said that this turn runs; its id is known a moment earlier."""
        async with self._turn_heard:
            await self._turn_heard.wait_for(lambda: self._heard_turn == turn_id)

    async def turn_started(self, turn_id: str, since: float | None = None) -> None:
        """A turn runs: ours, or one that another client began. `since`: Unix seconds; None: it begins now."""
        self.turns.started(turn_id, since)
        await self.publish()

    async def item_started(self, item: Item, turn_id: str) -> None:
        """When this returns, a call is on disk."""
        self.turns.item_started(item, turn_id)
        await self.publish()

    async def item_completed(self, item: Item, turn_id: str) -> None:
        """An item that is in its place already changes nothing."""
        self.turns.item_completed(item, turn_id)
        await self.publish()

    async def put_notice(self, level: str, text: str, code: str = "", detail: str = "") -> None:
        """A sentence in the conversation, now and for good."""
        self.turns.note(level, text, code, detail)
        await self.publish()

    async def turn_ended(self, ended: said.TurnEnded, *, watched: bool = False) -> None:
        """The job is completed, or stalls; whoever waits for that finds all of its boxes told.

        `watched`: it is told as it happens, not found afterwards.
        """
        self.turns.close(ended, watched=watched)
        try:
            await self.publish()
        except StoreError:
            self.turns.ended(ended, watched=watched)
            raise
        self.turns.ended(ended, watched=watched)
        await self.publish()
        self.changed()

    async def end_unseen(self) -> None:
        """End a job whose input Codex does not have: it waits again."""
        self.turns.end()
        await self.publish()
        self.changed()

    async def fail(self, problem: str, restartable: bool) -> None:
        """Stall the active job, with its reason in the conversation."""
        self.turns.fail(problem, restartable)
        await self.publish()

    async def publish(self) -> None:
        """Write what is new, then tell it."""
        await self.thread.checkpoint()
        durable = self.thread.durable_boxes
        boxes, self._told_boxes = tuple(durable[self._told_boxes :]), len(durable)
        if boxes:
            self._feed.tell(BoxesAdded(self.conversation_id, boxes))
        outbox = self.outbox()
        if outbox != self._last_outbox:
            self._last_outbox = outbox
            self._feed.tell(OutboxChanged(self.conversation_id, outbox))
        state = self.state()
        if state != self._last_state:
            self._last_state = state
            self._feed.tell(StateChanged(self.conversation_id, state))

    async def publish_sometime(self) -> None:
        """`publish` for what nobody is to hear a failure of: it is told once, and done again by itself."""
        try:
            await self.publish()
        except QuarterdeckError as error:
            self._write_later(error)

    def tell_live(self) -> None:
        """Tell the feed again what streams now."""
        for item_id, live in self.streams.live.items():
            if live.item is not None and self.items.call_of(item_id) is None:
                self._feed.tell(LiveStarted(self.conversation_id, live.item))
            for channel, part in tuple(live.pieces):
                text = live.text(channel, part)
                self._feed.tell(LiveDelta(self.conversation_id, item_id, channel, text, part))

    def tell_reverted(self, span: Span) -> None:
        """These boxes are no part of the conversation any more."""
        self._feed.tell(BoxesReverted(self.conversation_id, span.first, span.last))

    def outbox(self) -> tuple[OutboxEntry, ...]:
        """What was accepted and has no place in the conversation yet."""
        return tuple(boxing.waiting(arrival) for arrival in self.thread.state.arrivals)

    def state(self) -> ThreadState:
        state = self.thread.state
        if state.status is ThreadStatus.STALLED and state.stall is not None:
            stall = state.stall
            return ThreadState(state.status, None, stall.error, stall.restartable, paused=stall.paused)
        turn_id = state.job.turn_id if state.job else None
        return ThreadState(state.status, turn_id, since=self.turns.since(turn_id))
