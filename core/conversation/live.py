"""One open conversation on one agent: its pump, its sender, its thread, and what a screen does with it."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.agent import events as said
from core.agent.port import Agent, Orphan, ThreadSpec, TurnOptions
from core.agent.requests import Request, ToolRequest
from core.conversation.attachment import Attachment, Binding
from core.conversation.authority import Authority
from core.conversation.choosing import Selected, Selector
from core.conversation.delivery import Delivery
from core.conversation.feed import (
    Detached,
    DiffChanged,
    Feed,
    OutboxEntry,
    PlanChanged,
    ThreadState,
    UsageChanged,
)
from core.conversation.guard import Guard
from core.conversation.hierarchy import Level
from core.conversation.info import NO_DRAFTS, ConversationInfo
from core.conversation.interrupting import Interrupter
from core.conversation.messages import Messages
from core.conversation.notifications import NotificationCenter
from core.conversation.noting import ListEntry
from core.conversation.pages import visible_page
from core.conversation.ports import Catalog, ImageStore, Knowledge, RecordLog, Rendered
from core.conversation.reverting import notice_revert, take_back
from core.conversation.runtime import ConversationRuntime
from core.conversation.switching import Switching
from core.conversation.titles import title_of
from core.conversation.tool_calls import ToolCalls
from core.conversation.workspace import Choices
from core.errors import ConnectionLost, InvalidRequest, QuarterdeckError
from core.thread.boxes import ChatBox

log = logging.getLogger(__name__)


class LiveConversation:
    """Implements `core.conversation.info.Conversation`, where its methods are described; what writes raises Closed too.

    `start` it first. It owns the pump, the sender, the list's entry and the tool calls, and ends them.
    """

    def __init__(
        self,
        info: ConversationInfo,
        binding: Binding,
        spec: ThreadSpec,
        selector: Selector,
        runtime: ConversationRuntime,
        level: Level,
        agent: Agent,
        center: NotificationCenter,
        records: RecordLog,
        catalog: Catalog,
        knowledge: Knowledge,
        images: ImageStore,
        workspace_id: str,
        feed: Feed,
        writer: str = "",
    ) -> None:
        """`writer`: who else writes its thread; it is only read here then."""
        self.id = info.id
        self._info = info
        self.runtime = runtime
        self.level = level
        self._guard = Guard(level, feed, writer)
        self._switching = Switching(info.id, selector, agent, catalog, feed)
        self._agent = agent
        self._center = center
        self._records = records
        self._catalog = catalog
        self._feed = feed
        self._messages = Messages(runtime, self._switching, knowledge, images, workspace_id)
        self._tools = ToolCalls(runtime, agent, feed)
        self._attachment = Attachment(
            binding,
            spec,
            self._switching,
            runtime,
            agent,
            center,
            catalog,
            feed,
            attached=self._changed,
            elsewhere=self._guard.written_elsewhere,
        )
        self._interrupter = Interrupter(runtime, self._attachment, agent, feed, self._guard)
        self._entry = ListEntry(runtime, self._attachment, self._switching, catalog)
        self._authority = Authority(info.id, runtime.thread, self._switching)
        self._delivery = Delivery(
            runtime,
            agent,
            feed,
            ready=self._attachment.ready,
            authority=self._authority,
            unsure=self._attachment.attach_soon,
        )

    @property
    def info(self) -> ConversationInfo:
        return replace(
            self._info,
            state=self.state.status.value,
            pending=len(self._center.pending(self.id)),
            thread_id=self._attachment.binding.thread_id,
        )

    @property
    def writer(self) -> str:
        return self._guard.writer

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
        self.runtime.changed = self._changed
        self.runtime.items.declined = self._center.declined
        self.runtime.turns.stopped_by_answer = self._center.stopped
        self.runtime.reverted = self._notice_revert
        self.runtime.start()
        self._delivery.start()
        self._entry.start()
        self._changed()

    @property
    def selection(self) -> Selected:
        return self._switching.selected

    async def select(self, change: Choices) -> None:
        self._guard.require_open()
        await self._switching.select(change)

    async def page(self, before: int | None = None, limit: int = 200) -> tuple[ChatBox, ...]:
        reverted = self.runtime.thread.state.reverted
        return await visible_page(self._records, self.id, before, limit, reverted)

    async def live(self) -> None:
        self.runtime.tell_live()

    async def send(
        self,
        text: str,
        key: str,
        options: TurnOptions | None = None,
        rendered: Rendered | None = None,
        *,
        queue: bool = False,
        attachments: Sequence[str] = (),
        drafts: Mapping[str, str] = NO_DRAFTS,
    ) -> None:
        """Accept a message: it is on disk when this returns, and goes to Codex exactly once.

        `key` is unique to the message; the same key again changes nothing. With `options`, or to
        `queue`, it waits for the end of the turn. `rendered`: what is known was put before it already.
        `attachments` are paths of images, which are copied. `drafts`, what stays in composers by their keys, is saved in the same
        write. Raises InvalidRequest, Closed, Unauthorized, StoreError.
        """
        self._guard.require_open()
        await self._messages.accept(
            text, key, options, rendered, queue=queue, attachments=attachments, drafts=drafts
        )
        self._changed()
        if not self._info.title:
            await self._entitle(text)

    async def _entitle(self, text: str) -> None:
        """By what was said first. The message is on its way by now: where this fails, the next one does it."""
        first = self._messages.first()
        try:
            await self.rename(title_of(text if first is None else first))
        except QuarterdeckError as error:
            log.warning("conversation %s has no title yet: %s", self.id, error)

    async def withdraw(self, *keys: str, drafts: Mapping[str, str] = NO_DRAFTS) -> list[str]:
        self._guard.require_writer()
        return await self._messages.withdraw(*keys, drafts=drafts)

    async def interrupt(self) -> None:
        await self._interrupter.interrupt()

    async def abort(self) -> None:
        """Interrupt the turn that runs, and return when its job is over. The caller bounds the time."""
        await self._interrupter.abort()

    async def restart(self) -> None:
        self._guard.require_open()
        await self._messages.restart()
        self._changed()

    async def cancel_tools(self) -> None:
        """End the tool calls of ours that run; each is recorded, and is not run again."""
        await self._tools.close()

    async def ask_again(self) -> None:
        self._guard.require_open()
        await self._messages.ask_again()
        self._changed()

    async def reorder(self, keys: Sequence[str]) -> None:
        self._guard.require_writer()
        await self._messages.reorder(keys)

    @property
    def orphans(self) -> Sequence[Orphan]:
        return self._attachment.orphans

    async def end_orphans(self) -> None:
        await self._attachment.end_orphans()

    async def rename(self, title: str) -> None:
        """Raises StoreError. What Codex calls its thread is `engine.operations.rename`'s."""
        await self._catalog.entitle(self.id, title)
        self._info = replace(self._info, title=title)

    async def attached(self, *, begin: bool = False, enforced: bool = False) -> str:
        """The id of its thread, loaded and heard; with `begin` one is started where there is none.

        `enforced`: Codex uses what is chosen, as for a turn that is begun without a message. Raises
        InvalidRequest where Codex has nothing of it yet, Unauthorized, ConnectionLost, CodexError, StoreError.
        """
        self._guard.require_open()
        if self.thread_id is None and not begin:
            raise InvalidRequest("Codex has nothing of this conversation yet", todo="Send a message first.")
        thread_id = await self._attachment.ready()
        if thread_id is None:
            raise ConnectionLost("Codex is away", todo="Try again when it is back.")
        if enforced:
            await self._switching.enforce(thread_id)
        return thread_id

    def attach_again(self) -> None:
        """Codex unloaded the thread. Never waits."""
        self._attachment.attach_soon()

    async def take_back(self, turn_id: str, first: int) -> None:
        """Take the boxes from `first` on back, which Codex has from turn `turn_id` on ("": it has none of them).

        Recorded, then done, then recorded as done; what is cut off in between is finished at the next attach.
        Raises TransitionError, InvalidRequest, InvalidState where Codex refuses, CodexError, StoreError.
        """
        self._guard.require_open()
        thread_id = await self.attached() if turn_id else None
        await take_back(self.runtime, self._agent, thread_id, turn_id, first)
        self._changed()

    async def _notice_revert(self) -> None:
        if self.thread_id is not None:
            await notice_revert(self.runtime, self._agent, self.thread_id, told=True)

    async def detach(self) -> None:
        """Let go: what runs at Codex goes on. Twice does no harm."""
        if self._guard.detached:
            return
        self._guard.detached = True
        await self._entry.close()
        await self._delivery.close()
        await self._attachment.close()
        await self.cancel_tools()
        await self.runtime.close()
        self._feed.tell(Detached(self.id))

    def hear(self, event: said.AgentEvent) -> None:
        """An event of this conversation's thread, or of a sub-agent's below it. Never waits."""
        match event:
            case said.RequestRaised():
                self._hear_request(event.request)
            case _ if getattr(event, "thread_id", None) == self._attachment.binding.thread_id:
                self.runtime.hear(event)
                if isinstance(event, said.SettingsChanged):
                    self._switching.hear(event.settings)
                    self._entry.changed()
                if isinstance(event, said.TurnEnded):
                    self._tools.end_turn(event.turn_id)
            case _:
                pass

    def _hear_request(self, request: Request) -> None:
        self._attachment.note_raised(request.key)
        if isinstance(request, ToolRequest):
            # In another program's turn a tool that we do not offer is that program's to run.
            if self.runtime.thread.state.ours or self.runtime.thread.actions.offers(request.tool):
                self._tools.hear(request)
        else:
            authorized = self._authority.among(self.runtime.once_reached, request, self.thread_id)
            self._center.hear_raised(self.id, request, authorized, self.selection.sandbox)

    def host_ready(self, generation: str) -> None:
        self._attachment.host_ready(generation)
        self._delivery.wake()

    def host_lost(self, event: said.HostLost) -> None:
        self._attachment.host_lost()
        self.runtime.hear(event)

    def _changed(self) -> None:
        """Something moved that may let a message go out, or that lists show."""
        self._authority.look()
        self._delivery.wake()
        self._entry.changed()
