"""One conversation on one agent (seed 002, `CodexConversation`): the handle that screens and programs use."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace

from core.access.policy import AccessContext, AccessPolicy, ProfileId
from core.agent import events as said
from core.agent.port import Agent, ThreadSpec, TurnOptions
from core.agent.requests import Answer, Request, ToolRequest
from core.conversation import boxing
from core.conversation.attachment import Attachment, Binding
from core.conversation.delivery import Delivery
from core.conversation.feed import (
    BoxesAdded,
    DiffChanged,
    Feed,
    FeedEvent,
    LiveDelta,
    LiveStarted,
    Notification,
    OutboxEntry,
    PlanChanged,
    StateChanged,
    ThreadState,
    UsageChanged,
)
from core.conversation.info import ConversationInfo
from core.conversation.notifications import PERSON, NotificationCenter
from core.conversation.ports import Binder, RecordLog
from core.conversation.runtime import ConversationRuntime
from core.conversation.tool_calls import ToolCalls
from core.errors import (
    CallRefused,
    Closed,
    CodexError,
    DeadlineElapsed,
    InvalidRequest,
    StoreError,
    Unauthorized,
)
from core.thread.boxes import ASSISTANT, ChatBox
from core.thread.state import Status

log = logging.getLogger(__name__)

TITLE_LENGTH = 80
TURN_START_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Access:
    """What a conversation's runs are bound to."""

    context: AccessContext
    profile: ProfileId
    policy: AccessPolicy


class CodexConversation:
    """Made by the engine; `start` first. It owns the pump, the sender and the tool calls, and ends them."""

    def __init__(
        self,
        info: ConversationInfo,
        binding: Binding,
        spec: ThreadSpec,
        access: Access,
        runtime: ConversationRuntime,
        agent: Agent,
        center: NotificationCenter,
        records: RecordLog,
        binder: Binder,
        feed: Feed,
    ) -> None:
        self.id = info.id
        self.writer = ""
        self._info = info
        self.runtime = runtime
        self._access = access
        self._agent = agent
        self._center = center
        self._records = records
        self._binder = binder
        self._feed = feed
        self._closed = False
        self._noted: Status | None = None
        self._noting = asyncio.Event()
        self._noter: asyncio.Task[None] | None = None
        self._tools = ToolCalls(runtime, agent)
        self._attachment = Attachment(
            binding, spec, runtime, agent, center, binder, feed, attached=self._changed
        )
        self._delivery = Delivery(
            runtime,
            agent,
            feed,
            ready=self._attachment.ready,
            options=TurnOptions,
            authorize=self._authorize,
            unsure=self._attachment.attach_soon,
        )

    @property
    def info(self) -> ConversationInfo:
        return replace(
            self._info,
            state=self.state.status.value,
            pending=len(self.notifications()),
            thread_id=self._attachment.binding.thread_id,
        )

    @property
    def thread_id(self) -> str | None:
        return self._attachment.binding.thread_id

    @property
    def state(self) -> ThreadState:
        return self.runtime.state()

    @property
    def outbox(self) -> Sequence[OutboxEntry]:
        return self.runtime.outbox()

    @property
    def usage(self) -> UsageChanged | None:
        return self.runtime.usage

    @property
    def plan(self) -> PlanChanged | None:
        return self.runtime.plan

    @property
    def diff(self) -> DiffChanged | None:
        return self.runtime.diff

    def start(self) -> None:
        """Begin to hear and to send."""
        if self.state.status is Status.RUNNING:
            try:
                self._authorize()
            except Unauthorized as error:
                log.warning("what runs in %s is not authorized now: %s", self.id, error)
        self.runtime.changed = self._changed
        self.runtime.start()
        self._delivery.start()
        self._noter = asyncio.create_task(self._note_progress(), name=f"note-{self.id}")
        self._changed()

    def _authorize(self) -> None:
        self.runtime.thread.authorize(self._access.context, self._access.profile, self._access.policy)

    async def page(self, before: int | None = None, limit: int = 200) -> tuple[ChatBox, ...]:
        """Boxes before box id `before` (None: the newest), oldest first. Raises StoreError."""
        return tuple(await self._records.tail_boxes(self.id, before, limit))

    async def live(self) -> None:
        """Tell the feed again what streams now, for a screen that just opened."""
        for item_id, live in self.runtime.streams.live.items():
            if live.item is not None and self.runtime.call_of(item_id) is None:
                self._feed.tell(LiveStarted(self.id, live.item))
            for channel, part in tuple(live.pieces):
                self._feed.tell(LiveDelta(self.id, item_id, channel, live.text(channel, part), part))

    async def send(self, text: str, key: str) -> None:
        """Accept a message: it is on disk when this returns, and goes to Codex exactly once.

        `key` is unique to the message; the same key again changes nothing. Raises InvalidRequest, Closed,
        Unauthorized, StoreError.
        """
        self._require_open()
        if not text.strip():
            raise InvalidRequest("There is nothing to send", todo="Type a message first.")
        if not key or "." in key:
            raise InvalidRequest("A message needs a key of its own", why="it may hold no dot")
        access = self._access
        await self.runtime.thread.accept_user(
            access.context, access.profile, access.policy, boxing.message_draft(key, text)
        )
        await self.runtime.publish()
        if not self._info.title:
            await self.rename(title_of(text))
        self._changed()

    async def withdraw(self, key: str) -> str:
        """Take a waiting message back and give its text. Raises TransitionError once it is on its way."""
        box = self.runtime.thread.state.withdraw(key)
        await self.runtime.publish()
        return box.contents

    async def interrupt(self) -> None:
        """Stop the turn that runs; nothing to do where none does. Raises CodexError."""
        job = self.runtime.thread.state.job
        thread_id = self._attachment.binding.thread_id
        if job is None or job.turn_id is None or thread_id is None:
            return
        try:
            await self._agent.interrupt(thread_id, job.turn_id)
        except CallRefused:
            await self._interrupt_when_it_runs(thread_id, job.turn_id)

    async def _interrupt_when_it_runs(self, thread_id: str, turn_id: str) -> None:
        """Codex gives a turn's id before it can be interrupted (seen on 0.163: "no active turn")."""
        try:
            async with asyncio.timeout(TURN_START_SECONDS):
                await self.runtime.until_heard(turn_id)
            await self._agent.interrupt(thread_id, turn_id)
        except (CallRefused, TimeoutError) as error:
            log.info("nothing was interrupted: %s", error)

    async def abort(self, seconds: float) -> None:
        """Interrupt and wait for the end of the turn. Raises DeadlineElapsed; the conversation stays usable."""
        job = self.runtime.thread.state.job
        if job is None:
            return
        interrupted: str | None = None
        try:
            async with asyncio.timeout(seconds):
                async for _ in self._states():
                    active = self.runtime.thread.state.job
                    if active is None or active.number != job.number:
                        return
                    if active.turn_id is not None and active.turn_id != interrupted:
                        interrupted = active.turn_id
                        await self.interrupt()
        except TimeoutError as error:
            raise DeadlineElapsed(
                "The turn did not end in time", why=f"{seconds:.0f} s were given", todo="Try again."
            ) from error

    async def restart(self) -> None:
        """Run a stalled job's input again. Raises NotStalled, NotRestartable, Unauthorized, StoreError."""
        self._require_open()
        access = self._access
        await self.runtime.thread.restart(access.context, access.profile, access.policy)
        await self.runtime.publish()
        self._changed()

    async def prompt(self, text: str, key: str, seconds: float | None = None) -> str:
        """Send a message and give the answer that its turn ends with.

        Raises what `send` raises, CodexError where the turn fails, DeadlineElapsed; a late turn goes on
        and the conversation stays usable.
        """
        answer = ""
        try:
            async with asyncio.timeout(seconds):
                async for event in self.prompt_stream(text, key):
                    if isinstance(event, BoxesAdded):
                        answer = next(
                            (box.contents for box in event.boxes[::-1] if box.box_type == ASSISTANT), answer
                        )
        except TimeoutError as error:
            raise DeadlineElapsed("The answer did not come in time", todo="Its turn goes on.") from error
        if self.state.status is Status.STALLED:
            raise CodexError("Codex did not answer", why=self.state.problem)
        return answer

    async def prompt_stream(self, text: str, key: str) -> AsyncIterator[FeedEvent]:
        """Send a message and give everything that happens here until nothing runs or waits any more.

        May be dropped at any point; a slow reader holds up nobody. Raises what `send` raises.
        """
        events: asyncio.Queue[FeedEvent] = asyncio.Queue()
        stop = self._feed.listen(events.put_nowait)
        try:
            await self.send(text, key)
            while True:
                event = await events.get()
                if getattr(event, "conversation_id", None) != self.id:
                    continue
                yield event
                if isinstance(event, StateChanged) and event.state.status is not Status.RUNNING:
                    return
        finally:
            stop()

    def notifications(self) -> tuple[Notification, ...]:
        """What this conversation waits on a person for, oldest first."""
        return self._center.pending(self.id)

    async def resolve_notification(self, notification_id: int, answer: Answer, shown_hash: str) -> None:
        """Decide as a person. Raises NotFound, Conflict, StoreError, CodexError."""
        self._require_open()
        await self._center.decide(notification_id, answer, PERSON, shown_hash)

    async def rename(self, title: str) -> None:
        """Here, and at Codex once it knows the thread. Raises StoreError."""
        self._info = replace(self._info, title=title)
        await self._binder.entitle(self.id, title)

    async def close(self) -> None:
        """Let go: what runs at Codex goes on. Closing twice is harmless."""
        if self._closed:
            return
        self._closed = True
        if self._noter is not None:
            self._noter.cancel()
            await asyncio.gather(self._noter, return_exceptions=True)
        await self._attachment.close()
        await self._delivery.close()
        await self._tools.close()
        await self.runtime.close()

    # What the agent tells

    def hear(self, event: said.AgentEvent) -> None:
        """An event of this conversation's thread, or of a sub-agent's below it. Never waits."""
        match event:
            case said.RequestRaised():
                self._hear_request(event.request)
            case _:
                if getattr(event, "thread_id", None) == self._attachment.binding.thread_id:
                    self.runtime.hear(event)

    def _hear_request(self, request: Request) -> None:
        self._attachment.note_raised(request.key)
        if isinstance(request, ToolRequest):
            self._tools.hear(request)
        else:
            authorization = self.runtime.thread.actions.authorization
            self._center.hear_raised(self.id, request, authorization)

    def host_ready(self, generation: str) -> None:
        self._attachment.host_ready(generation)
        self._delivery.wake()

    def host_lost(self) -> None:
        self._attachment.host_lost()

    def _changed(self) -> None:
        """Something moved that may let a message go out, or that lists show."""
        self._delivery.wake()
        self._noting.set()

    async def _note_progress(self) -> None:
        """Keep what lists show: the state, and that Codex has a rollout now."""
        while True:
            await self._noting.wait()
            self._noting.clear()
            job = self.runtime.thread.state.job
            try:
                if job is not None and job.seen:
                    await self._attachment.materialise()
                status = self.state.status
                if status is not self._noted:
                    await self._binder.note(self.id, status.value)
                    self._noted = status
            except StoreError:
                log.exception("the list entry of %s was not updated", self.id)

    async def _states(self) -> AsyncIterator[ThreadState]:
        """The state now and at each change."""
        states: asyncio.Queue[ThreadState] = asyncio.Queue()

        def hear(event: FeedEvent) -> None:
            if isinstance(event, StateChanged) and event.conversation_id == self.id:
                states.put_nowait(event.state)

        stop = self._feed.listen(hear)
        try:
            yield self.state
            while True:
                yield await states.get()
        finally:
            stop()

    def _require_open(self) -> None:
        if self._closed:
            raise Closed("This conversation is closed", todo="Open it again.")


def title_of(text: str) -> str:
    """A title from a first message: its first line, cut at a word."""
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    if len(line) <= TITLE_LENGTH:
        return line
    return line[:TITLE_LENGTH].rsplit(" ", 1)[0] + "…"
