"""One conversation as the console has it open: what it shows, what is written in it, what it does."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path
from time import monotonic, time

from core.conversation.boxing import typed_of
from core.conversation.choosing import Selected
from core.conversation.feed import (
    Delivery,
    LiveDelta,
    LiveStarted,
    Notification,
    OutboxEntry,
    StateChanged,
    ThreadState,
    UsageChanged,
)
from core.conversation.info import Conversation
from core.conversation.workspace import Choices
from core.thread.boxes import USER, ChatBox
from core.thread.state import Status
from tui.transcript.document import Document
from tui.widgets.writing import Writing

IDLE = ThreadState(Status.IDLE)


class Place:
    """`conversation` None: a folder in which the next message begins a conversation.

    While it is `loading`, boxes are kept until its first page is there, and what streams is not heard:
    the engine tells all of it again afterwards.
    """

    def __init__(self, path: Path, writing: Writing, conversation: Conversation | None = None) -> None:
        self.path = path
        self.writing = writing
        self.conversation = conversation
        self.document = Document()
        self.state = IDLE
        self.since = monotonic()
        """When what it does began, on the clock that only goes on."""
        if conversation is not None:
            self._do(conversation.state)
        self.usage: UsageChanged | None = conversation.usage if conversation is not None else None
        self.loading = conversation is not None
        self.sending = asyncio.Lock()
        self.complete = conversation is None
        self.stale = False
        """What it shows is no longer what stands there."""
        self.paging = asyncio.Lock()
        self.choices = Choices()
        self.beginning: Selected | None = None
        """Before there is a conversation: what was chosen for it, and what it would run with."""
        self.waiting: tuple[OutboxEntry, ...] = ()
        """Messages that can still be taken back."""
        self.outlived_drafts: dict[str, str] = {}
        """What is to be saved with the first message: the folder's draft goes over to the conversation."""
        self._kept: list[ChatBox] = []
        writing.draft_key = self.draft_key

    @property
    def id(self) -> str | None:
        return self.conversation.id if self.conversation is not None else None

    @property
    def parent(self) -> str | None:
        """The conversation whose sub-agent it shows."""
        return self.conversation.info.parent_id if self.conversation is not None else None

    @property
    def selected(self) -> Selected | None:
        """What the next turn runs with; None while that is not known."""
        return self.conversation.selection if self.conversation is not None else self.beginning

    @property
    def draft_key(self) -> str:
        """Under which its draft is kept: a conversation's id, or a folder before there is one."""
        return self.id or str(self.path)

    @property
    def writer(self) -> str:
        """Who else writes it, "" where we do."""
        return self.conversation.writer if self.conversation is not None else ""

    @property
    def empty(self) -> bool:
        return not self.loading and not len(self.document)

    @property
    def running(self) -> bool:
        return self.state.status is Status.RUNNING

    @property
    def stalled(self) -> bool:
        return self.state.status is Status.STALLED

    def begin(self, conversation: Conversation) -> None:
        """The conversation that the first message made."""
        self.outlived_drafts = {self.draft_key: ""}
        self.conversation = conversation
        self.writing.draft_key = self.draft_key
        self._do(conversation.state)

    def forget_boxes(self) -> None:
        """Its pages are read again."""
        self.document = Document()
        self._kept = []
        self.loading, self.stale, self.complete = True, False, False

    def loaded(self, page: Sequence[ChatBox], limit: int) -> None:
        """The newest page, which was asked for with `limit`."""
        self.loading = False
        self.complete = len(page) < limit
        self.add(page)
        kept, self._kept = self._kept, []
        self.add(kept)
        if self.conversation is not None:
            self._do(self.conversation.state)
            self.usage = self.conversation.usage
            self.set_outbox(self.conversation.outbox)

    def add(self, boxes: Sequence[ChatBox]) -> None:
        """Newer boxes."""
        if self.loading:
            self._kept.extend(boxes)
            return
        newest = self.document.last_box_id
        self.document.add_boxes(boxes)
        self.writing.heard(_said(box for box in boxes if box.id > newest))

    def prepend(self, page: Sequence[ChatBox], limit: int) -> None:
        """The page before the oldest box."""
        self.complete = len(page) < limit
        self.document.prepend_boxes(page)
        self.writing.heard_before(_said(page))

    def stream(self, event: LiveStarted | LiveDelta) -> None:
        if self.loading:
            return
        if isinstance(event, LiveStarted):
            self.document.item_started(event.item)
        else:
            self.document.delta(event.item_id, event.channel, event.text, event.part)

    def set_outbox(self, entries: Iterable[OutboxEntry]) -> None:
        entries = tuple(entries)
        self.waiting = waiting_of(entries)
        self.document.set_outbox([(entry.key, entry.text, entry.delivery.value) for entry in entries])

    def set_asked(self, pending: Iterable[Notification]) -> None:
        """All that waits for a person, whatever asked: what it is about says so. A command that is only to be
        written to runs already.
        """
        about = (one.request for one in pending if not (one.request.kind == "command" and one.request.stdin))
        self.document.set_asked(frozenset(request.item_id for request in about if request.item_id))

    def change(self, event: StateChanged) -> None:
        self._do(event.state)

    def _do(self, state: ThreadState) -> None:
        before, self.state = self.state, state
        if (state.status, state.turn_id, state.since) != (before.status, before.turn_id, before.since):
            gone = 0.0 if state.since is None else max(0.0, time() - state.since)
            self.since = monotonic() - gone


def waiting_of(entries: Iterable[OutboxEntry]) -> tuple[OutboxEntry, ...]:
    """Those that can still be taken back."""
    return tuple(entry for entry in entries if entry.delivery is not Delivery.SENT)


def _said(boxes: Iterable[ChatBox]) -> list[str]:
    return [typed_of(box) for box in boxes if box.box_type == USER]
