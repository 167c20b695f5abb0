"""The turn pump of one conversation: what its agent says, in order, onto the durable thread.

One task takes events from an inbox that the agent's reader fills without waiting; everything is on
disk before the feed tells it. The other direction (begin, steer) is `delivery.py`'s.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from time import time

from core.agent import events as said
from core.agent.items import Item, Marker
from core.conversation import boxing
from core.conversation.failures import may_succeed_again
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
from core.errors import QuarterdeckError
from core.thread.codec import Note
from core.thread.durable import DurableThread
from core.thread.state import Status as ThreadStatus
from core.thread.thread import Span

log = logging.getLogger(__name__)

REVIEW_ENTERED = "review_entered"


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
        self.usage: UsageChanged | None = None
        self.plan: PlanChanged | None = None
        self.diff: DiffChanged | None = None
        self._feed = feed
        self.changed: Callable[[], None] = lambda: None
        self.reverted: Callable[[], Awaitable[None]] | None = None
        """Looks for what Codex has no more; the turnstile is held meanwhile."""
        self._inbox: asyncio.Queue[said.AgentEvent] = asyncio.Queue()
        self._pump: asyncio.Task[None] | None = None
        self.turnstile = asyncio.Lock()
        """Held while an event is put in; whoever feeds items by another way than `hear` holds it too."""
        self.handover = asyncio.Lock()
        """Held while input is on its way to Codex, and while it is found out what Codex has: never both at once."""
        self._heard_turn: str | None = None
        self._since = ("", 0.0)
        """The turn that runs and when it began, in Unix seconds."""
        self.reviewer_turn: str | None = None
        """The turn of the reviewer within the turn of a review: what interrupts has to name that one."""
        self._review: str | None = None
        self._turn_heard = asyncio.Condition()
        self._told_boxes = len(thread.boxes)
        self._last_state: ThreadState | None = None
        self._last_outbox: tuple[OutboxEntry, ...] = ()

    def start(self) -> None:
        self._pump = asyncio.create_task(self._run(), name=f"pump-{self.conversation_id}")

    async def close(self) -> None:
        """End the pump after the event it is at, and write what streamed."""
        if self._pump is not None:
            self._pump.cancel()
            await asyncio.gather(self._pump, return_exceptions=True)
        await self.streams.close()
        await self.thread.close()

    def hear(self, event: said.AgentEvent) -> None:
        """Take an event. Never waits."""
        self._inbox.put_nowait(event)

    async def drained(self) -> None:
        """Return when every event heard so far was handled."""
        await self._inbox.join()

    async def _run(self) -> None:
        while True:
            event = await self._inbox.get()
            try:
                async with self.turnstile:
                    await self._handle(event)
            except QuarterdeckError as error:
                log.exception("an event could not be recorded")
                self._feed.tell(Told("error", str(error), self.conversation_id))
            except Exception as error:
                # A fault of ours in one event must not silence the conversation for good.
                log.exception("an event could not be handled")
                self._feed.tell(
                    Told("error", f"A fault of Quarterdeck's own: {error!r}", self.conversation_id)
                )
            finally:
                self._inbox.task_done()

    async def _handle(self, event: said.AgentEvent) -> None:
        match event:
            case said.Delta():
                self.items.delta(event)
                return
            case said.TurnStarted() if self._review not in (None, event.turn_id):
                # A review is a turn in which the reviewer has one of its own, with no end (seen on 0.163).
                self.reviewer_turn = event.turn_id
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
                await self.turn_ended(event)
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
                await self.put_notice(event.level, event.text)
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
        state = self.thread.state
        if turn_id in state.ended_turns():
            return
        if self._since[0] != turn_id:
            self._since = turn_id, time() if since is None else since
        job = state.job
        if job is not None and job.turn_id not in (None, turn_id):
            await self._end_job(job.number, interrupted=True)
            job = None
        number = job.number if job is not None else state.begin_elsewhere()
        state.bind_turn(number, turn_id)
        await self.publish()

    async def item_started(self, item: Item, turn_id: str) -> None:
        """When this returns, a call is on disk."""
        self._note_review(item, turn_id)
        self.items.started(item, turn_id, await self._job_for(turn_id))
        await self.publish()

    async def item_completed(self, item: Item, turn_id: str) -> None:
        """An item that is in its place already changes nothing."""
        self._note_review(item, turn_id)
        self.items.completed(item, turn_id, await self._job_for(turn_id))
        await self.publish()

    def _note_review(self, item: Item, turn_id: str) -> None:
        if isinstance(item, Marker) and item.name == REVIEW_ENTERED:
            self._review = turn_id

    async def _job_for(self, turn_id: str) -> int | None:
        """The job that this turn runs as. What comes late, of a turn that is over, goes to none or to the next."""
        state = self.thread.state
        unbound = state.job is None or state.job.turn_id is None
        if unbound and turn_id and turn_id not in state.ended_turns():
            await self.turn_started(turn_id)
        return state.job.number if state.job is not None else None

    async def put_notice(self, level: str, text: str, code: str = "", detail: str = "") -> None:
        """A sentence in the conversation, now and for good."""
        job = self.thread.state.job
        box = boxing.notice(level, text, code, detail)
        self.thread.state.prepare_stage(job.number if job else None, None, [Note(box)])
        await self.publish()

    async def turn_ended(self, ended: said.TurnEnded) -> None:
        """Close what is still open in the turn, then complete or fail the job."""
        if ended.turn_id == self._review:
            self._review = self.reviewer_turn = None
        job = self.thread.state.job
        if job is None or job.turn_id != ended.turn_id:
            return
        self.items.close_open(ended.turn_id, job.number)
        if ended.status is said.TurnStatus.FAILED:
            failure = ended.failure or said.TurnFailure("other", "Codex did not say why.")
            await self.fail(failure.message, may_succeed_again(failure))
            return
        if ended.status is said.TurnStatus.INTERRUPTED and not job.seen:
            # Sending it anyway would undo the interruption: it waits for a word of the person's.
            await self.fail("This was interrupted before Codex had the message.", restartable=True)
            return
        if ended.status is said.TurnStatus.INTERRUPTED:
            await self.put_notice("warning", "This turn was interrupted.", code="interrupted")
        await self._end_job(job.number)

    async def _end_job(self, job: int, interrupted: bool = False) -> None:
        if interrupted:
            active = self.thread.state.job
            if active is not None and active.turn_id is not None:
                self.items.close_open(active.turn_id, active.number)
        self.thread.state.complete(job)
        self.thread.clear_authorization()
        await self.publish()
        self.changed()

    async def end_unseen(self) -> None:
        """End a job whose input Codex does not have: it waits again."""
        job = self.thread.state.job
        if job is not None:
            await self._end_job(job.number, interrupted=True)

    async def fail(self, problem: str, restartable: bool) -> None:
        """Stall the active job, with its reason in the conversation."""
        job = self.thread.state.job
        if job is None:
            return
        if job.turn_id is not None:
            self.items.close_open(job.turn_id, job.number)
        box = boxing.notice("error", problem, code="failed")
        self.thread.state.prepare_stage(job.number, None, [Note(box)])
        self.thread.state.fail(job.number, problem, restartable)
        self.thread.clear_authorization()
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
            return ThreadState(state.status, None, state.stall.error, state.stall.restartable)
        turn_id = state.job.turn_id if state.job else None
        return ThreadState(state.status, turn_id, since=self._since[1] if turn_id == self._since[0] else None)
