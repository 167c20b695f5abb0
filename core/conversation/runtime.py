"""The turn pump of one conversation: what its agent says, in order, onto the durable thread.

One task takes events from an inbox that the agent's reader fills without waiting; everything is on
disk before the feed tells it. The other direction (begin, steer) is `delivery.py`'s.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence

from core.agent import events as said
from core.agent.items import (
    Action,
    AgentMessage,
    CommandRun,
    FileChange,
    Item,
    Plan,
    Reasoning,
    Status,
    SubAgentCall,
    ToolCall,
    UserMessage,
    load_item,
)
from core.conversation import boxing
from core.conversation.feed import (
    BoxesAdded,
    Delivery,
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
from core.conversation.streams import StreamRecorder
from core.errors import QuarterdeckError
from core.thread.boxes import CallMeta, ChatBox, InputMeta, ItemMeta, ResultMeta, ToolCallId, hidden_of
from core.thread.codec import Note
from core.thread.durable import DurableThread
from core.thread.state import Status as ThreadStatus

log = logging.getLogger(__name__)

_RETRYABLE = frozenset(
    {
        "usageLimitExceeded",
        "serverOverloaded",
        "internalServerError",
        "httpConnectionFailed",
        "responseStreamConnectionFailed",
        "responseStreamDisconnected",
        "responseTooManyFailedAttempts",
        "unauthorized",
        "other",
    }
)
"""Failures (PROTOCOL, Turns: codexErrorInfo) after which the same input may well succeed."""

CODEX_KEEPS = 1_000_000
"""Characters of output from which on Codex's own copy may be cut (PROTOCOL: near 1 MiB). Below that it is
the whole one: what a command puts out in its first tenth of a second may not be streamed at all."""


class ConversationRuntime:
    """Owns the pump task. Set `changed` before `start`: it is called when a message may be able to go out."""

    def __init__(
        self,
        conversation_id: str,
        thread: DurableThread,
        streams: StreamRecorder,
        feed: Feed,
    ) -> None:
        self.conversation_id = conversation_id
        self.thread = thread
        self.streams = streams
        self.usage: UsageChanged | None = None
        self.plan: PlanChanged | None = None
        self.diff: DiffChanged | None = None
        self._feed = feed
        self.changed: Callable[[], None] = lambda: None
        self._inbox: asyncio.Queue[said.AgentEvent] = asyncio.Queue()
        self._calls: dict[str, ToolCallId] = {item: call for call, item in thread.state.open_calls()}
        self._done: set[str] = _done_items(thread.boxes)
        self._pump: asyncio.Task[None] | None = None
        self.turnstile = asyncio.Lock()
        """Held while an event is put in; whoever feeds items by another way than `hear` holds it too."""
        self._heard_turn: str | None = None
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
            finally:
                self._inbox.task_done()

    async def _handle(self, event: said.AgentEvent) -> None:
        match event:
            case said.Delta():
                self._delta(event)
                return
            case said.TurnStarted():
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
                self.usage = UsageChanged(self.conversation_id, event.total, event.context, event.window)
                self._feed.tell(self.usage)
            case said.PlanUpdated():
                self.plan = PlanChanged(self.conversation_id, event.explanation, event.steps)
                self._feed.tell(self.plan)
            case said.DiffUpdated() if self.diff is None or self.diff.diff != event.diff:
                self.diff = DiffChanged(self.conversation_id, event.diff)
                self._feed.tell(self.diff)
            case said.Notice():
                await self.put_notice(event.level, event.text)
            case _:
                pass
        self.changed()

    def _delta(self, delta: said.Delta) -> None:
        if delta.item_id in self._done:
            return
        if delta.channel is said.Channel.MESSAGE and delta.item_id not in self.streams.live:
            # We came in the middle of it: its beginning arrives with the completed item.
            item = AgentMessage(id=delta.item_id, text="")
            self.streams.start(item, delta.turn_id)
            self._feed.tell(LiveStarted(self.conversation_id, item))
        self.streams.add(delta)
        self._feed.tell(LiveDelta(self.conversation_id, delta.item_id, delta.channel, delta.text, delta.part))

    async def until_heard(self, turn_id: str) -> None:
        """Return when Codex has said that this turn runs; its id is known a moment earlier."""
        async with self._turn_heard:
            await self._turn_heard.wait_for(lambda: self._heard_turn == turn_id)

    async def turn_started(self, turn_id: str) -> None:
        """A turn runs: ours, or one that another client began."""
        state = self.thread.state
        if turn_id in state.ended_turns():
            return
        job = state.job
        if job is not None and job.turn_id not in (None, turn_id):
            await self._end_job(job.number, interrupted=True)
            job = None
        number = job.number if job is not None else state.begin_elsewhere()
        state.bind_turn(number, turn_id)
        await self.publish()

    async def item_started(self, item: Item, turn_id: str) -> None:
        if item.id in self._done or item.id in self._calls:
            return
        if isinstance(item, AgentMessage | Reasoning | Plan):
            self.streams.start(item, turn_id)
            self._feed.tell(LiveStarted(self.conversation_id, item))
        elif isinstance(item, CommandRun | FileChange | ToolCall | SubAgentCall):
            await self._call_started(item, turn_id)

    async def _call_started(self, item: Action, turn_id: str) -> ToolCallId:
        """Record the call; when this returns it is on disk."""
        job = await self._job_for(turn_id)
        call = self.thread.state.prepare_stage(job, None, [boxing.call_of(item, turn_id)])[0]
        self._calls[item.id] = call.id
        self.streams.start(item, turn_id)
        await self.publish()
        return call.id

    async def item_completed(self, item: Item, turn_id: str) -> None:
        """Put the item in its place. An item that is there already changes nothing."""
        if item.id in self._done:
            return
        if isinstance(item, CommandRun | FileChange | ToolCall | SubAgentCall):
            if item.status is Status.RUNNING:
                await self.item_started(item, turn_id)
                return
            await self._call_ended(item, turn_id)
        elif isinstance(item, UserMessage):
            await self._user_message(item, turn_id)
        else:
            self.streams.finish(item.id)
            await self._note(boxing.note_of(item, turn_id), turn_id)
        self._done.add(item.id)
        await self.publish()

    async def _call_ended(self, item: Action, turn_id: str) -> None:
        call = self._calls.get(item.id)
        if call is None:
            call = await self._call_started(item, turn_id)
        live = self.streams.finish(item.id)
        output = boxing.output_of(item)
        if live is not None and isinstance(item, CommandRun) and len(output) >= CODEX_KEEPS:
            streamed = live.text(said.Channel.OUTPUT)
            output = max(output, streamed, key=len)
        self.thread.state.accept_tool_return(
            call,
            item.status is Status.DONE,
            output,
            "item",
            boxing.dump_item(boxing.without_output(item)),
        )
        del self._calls[item.id]

    async def _user_message(self, item: UserMessage, turn_id: str) -> None:
        state = self.thread.state
        # Codex drops the answer that a steer breaks into (PROTOCOL, Turns): what was seen of it stays.
        await self._cut_streams(turn_id)
        if item.client_id is not None and state.see(item.client_id, item.id):
            return
        if item.client_id is None or not self._is_ours(item.client_id):
            await self._note(boxing.note_of(item, turn_id), turn_id)

    def _is_ours(self, client_id: str) -> bool:
        return self.thread.state.knows_key(client_id.partition(".")[0])

    async def _note(self, note: Note, turn_id: str) -> None:
        job = await self._job_for(turn_id)
        self.thread.state.prepare_stage(job, None, [note])

    async def _job_for(self, turn_id: str) -> int:
        """The job that this turn runs as; late items of a turn that is over go to the one that runs now."""
        state = self.thread.state
        if state.job is None or (state.job.turn_id is None and turn_id not in state.ended_turns()):
            await self.turn_started(turn_id)
        if state.job is None:
            return state.begin_elsewhere()
        return state.job.number

    async def put_notice(self, level: str, text: str, code: str = "", detail: str = "") -> None:
        """A sentence in the conversation, now and for good."""
        state = self.thread.state
        box = boxing.notice(level, text, code, detail)
        if state.job is None:
            state.accept(box)
        else:
            state.prepare_stage(state.job.number, None, [Note(box)])
        await self.publish()

    async def turn_ended(self, ended: said.TurnEnded) -> None:
        """Close what is still open in the turn, then complete or fail the job."""
        job = self.thread.state.job
        if job is None or job.turn_id != ended.turn_id:
            return
        await self._close_open(ended.turn_id)
        if ended.status is said.TurnStatus.FAILED:
            failure = ended.failure or said.TurnFailure("other", "Codex did not say why.")
            await self.fail(failure.message, failure.code in _RETRYABLE)
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
                await self._close_open(active.turn_id)
        if not self.thread.state.complete(job):
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
            await self._close_open(job.turn_id)
        box = boxing.notice("error", problem, code="failed")
        self.thread.state.prepare_stage(job.number, None, [Note(box)])
        self.thread.state.fail(job.number, problem, restartable)
        self.thread.clear_authorization()
        await self.publish()

    async def _close_open(self, turn_id: str) -> None:
        """Items without an end get none from Codex (PROTOCOL, Turns): what came of them is kept as cut."""
        self._done.update(await self._cut_streams(turn_id))
        for item_id, call in list(self._calls.items()):
            started = self._started_item(call)
            if isinstance(started, SubAgentCall):
                continue
            await self.cut_call(item_id, call, started)
        await self.publish()

    async def _cut_streams(self, turn_id: str) -> list[str]:
        """Keep what came of the texts that were streaming, as cut. Returns their item ids."""
        cut = [item_id for item_id in self.streams.of_turn(turn_id) if item_id not in self._calls]
        for item_id in cut:
            live = self.streams.finish(item_id)
            if live is not None and live.item is not None and live.pieces:
                texts = live.parts(said.Channel.MESSAGE, said.Channel.PLAN, said.Channel.SUMMARY)
                await self._note(boxing.note_of(boxing.cut_item(live.item, texts), turn_id), turn_id)
        return cut

    async def cut_call(self, item_id: str, call: ToolCallId, started: Item | None) -> None:
        """Record that nobody saw how this call ended."""
        live = self.streams.finish(item_id)
        output = live.text(said.Channel.OUTPUT) if live is not None else ""
        metadata = ""
        if isinstance(started, CommandRun | FileChange | ToolCall | SubAgentCall):
            metadata = boxing.dump_item(boxing.cut_action(started))
        self.thread.state.accept_tool_return(call, False, output, "item" if metadata else "", metadata)
        self._calls.pop(item_id, None)
        self._done.add(item_id)

    def _started_item(self, call: ToolCallId) -> Item | None:
        meta = hidden_of(self.thread.boxes[call - 1])
        return load_item(meta.item_json) if isinstance(meta, CallMeta) and meta.item_json else None

    def call_of(self, item_id: str) -> ToolCallId | None:
        """The open call with Codex's item id."""
        return self._calls.get(item_id)

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

    def outbox(self) -> tuple[OutboxEntry, ...]:
        """What was accepted and has no place in the conversation yet."""
        return tuple(
            OutboxEntry(
                arrival.key,
                arrival.draft.contents,
                Delivery.ACCEPTED if arrival.steer is None else Delivery.SENT,
            )
            for arrival in self.thread.state.arrivals
        )

    def state(self) -> ThreadState:
        state = self.thread.state
        if state.status is ThreadStatus.STALLED and state.stall is not None:
            return ThreadState(state.status, None, state.stall.error, state.stall.restartable)
        return ThreadState(state.status, state.job.turn_id if state.job else None)


def _done_items(boxes: Sequence[ChatBox]) -> set[str]:
    """Codex's ids of the items that are recorded to their end."""
    done: set[str] = set()
    calls: dict[int, str] = {}
    for box in boxes:
        match hidden_of(box):
            case ItemMeta(item_id=item_id):
                done.add(item_id)
            case CallMeta(item_id=item_id):
                calls[box.id] = item_id
            case ResultMeta(tool_call_id=call) if call in calls:
                done.add(calls[call])
            case InputMeta(key=key, elsewhere=True):
                done.add(key)
            case _:
                pass
    return done
