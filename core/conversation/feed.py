"""What the engine tells its listeners, one frozen value a kind, and the feed that tells it.

The console's bridge is one listener; a headless run is another. Everything about one conversation
comes in the order it happened.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from core.agent.events import Channel, PlanStep, RateLimits, Tokens
from core.agent.items import Item
from core.agent.requests import Answer, Request
from core.conversation.choosing import Selected
from core.rows import NotificationState
from core.sessions.model import Progress
from core.thread.boxes import ChatBox
from core.thread.state import Status

log = logging.getLogger(__name__)


class Delivery(StrEnum):
    """How far a message on its way to Codex got. Once Codex has it, it is a box and no longer here.

    ACCEPTED: it goes out as soon as it can. QUEUED: it waits for the end of the turn.
    """

    ACCEPTED = "accepted"
    QUEUED = "queued"
    SENT = "sent"


@dataclass(frozen=True, slots=True)
class OutboxEntry:
    """`attachments` are paths of images: of the copies that were made of them."""

    key: str
    text: str
    delivery: Delivery
    attachments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BoxesAdded:
    conversation_id: str
    boxes: tuple[ChatBox, ...]


@dataclass(frozen=True, slots=True)
class LiveStarted:
    """An item that will be a box when it is complete has begun to stream."""

    conversation_id: str
    item: Item


@dataclass(frozen=True, slots=True)
class LiveDelta:
    conversation_id: str
    item_id: str
    channel: Channel
    text: str
    part: int = 0


@dataclass(frozen=True, slots=True)
class LiveDropped:
    """An item that had begun to stream ended with nothing in it: it gets no box."""

    conversation_id: str
    item_id: str


@dataclass(frozen=True, slots=True)
class OutboxChanged:
    conversation_id: str
    entries: tuple[OutboxEntry, ...]


@dataclass(frozen=True, slots=True)
class ThreadState:
    """`problem` says why it stalled; `restartable` whether the same input can be run again.

    `paused`: nothing failed, and what waits goes out once a person says so.
    `since`: when the turn began, in Unix seconds; None where that is not known.
    """

    status: Status
    turn_id: str | None = None
    problem: str = ""
    restartable: bool = False
    since: float | None = None
    paused: bool = False


@dataclass(frozen=True, slots=True)
class StateChanged:
    conversation_id: str
    state: ThreadState


@dataclass(frozen=True, slots=True)
class UsageChanged:
    """Tokens: `context` of `window` are filled (None: unknown)."""

    conversation_id: str
    total: int
    context: int
    window: int | None
    tokens: Tokens = field(default_factory=Tokens)


@dataclass(frozen=True, slots=True)
class PlanChanged:
    conversation_id: str
    explanation: str
    steps: tuple[PlanStep, ...]


@dataclass(frozen=True, slots=True)
class DiffChanged:
    conversation_id: str
    diff: str


@dataclass(frozen=True, slots=True)
class Notification:
    """Something that Codex waits on a person for, and what became of it.

    `shown_hash` is of exactly what is shown: a decision names it, so that what was seen is what is decided.
    `why_asked` says why no rule and no profile decided it; `profile` and `sandbox` under what it would run
    ("": not ours to say). `cautions`: what it looks like that destroys something. `unsure`: why no rule can ever
    allow it ("": one can). `snoozed`: not now, said here.
    """

    id: int
    conversation_id: str | None
    request: Request
    raised_at_ms: int
    shown_hash: str
    state: NotificationState = NotificationState.PENDING
    decided_by: str = ""
    answer: Answer | None = None
    outcome: str = ""
    why_asked: str = ""
    profile: str = ""
    sandbox: str = ""
    cautions: tuple[str, ...] = ()
    unsure: str = ""
    snoozed: bool = False


@dataclass(frozen=True, slots=True)
class NotificationChanged:
    notification: Notification


@dataclass(frozen=True, slots=True)
class ConversationsChanged:
    """The list of conversations, or something it shows of one, changed: read it again."""


@dataclass(frozen=True, slots=True)
class BoxesReverted:
    """The boxes `first` to `last` are no part of the conversation any more: read its pages again."""

    conversation_id: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Detached:
    """The conversation was let go of here: nothing more of it is told."""

    conversation_id: str


@dataclass(frozen=True, slots=True)
class SessionsChanged:
    """The list of sessions, or something in it, changed: search again. At most a few times a second."""


@dataclass(frozen=True, slots=True)
class IndexProgress:
    """How far the index of sessions is."""

    progress: Progress


class HostPhase(StrEnum):
    STARTING = "starting"
    READY = "ready"
    LOST = "lost"
    UNAVAILABLE = "unavailable"


@dataclass(frozen=True, slots=True)
class HostChanged:
    """`text` is one line for the person."""

    phase: HostPhase
    text: str


@dataclass(frozen=True, slots=True)
class AccountRead:
    signed_in: bool
    needed: bool
    label: str


@dataclass(frozen=True, slots=True)
class SelectionChanged:
    """What the conversation runs with is another."""

    conversation_id: str
    selected: Selected


@dataclass(frozen=True, slots=True)
class LimitsChanged:
    limits: RateLimits


@dataclass(frozen=True, slots=True)
class Reminder:
    """A request has waited `minutes` for a person: they are to be called again, louder, this once.

    `text` is one line that says so, with nothing in it that others wrote.
    """

    notification: Notification
    minutes: float
    text: str


@dataclass(frozen=True, slots=True)
class Told:
    """Something that the person should read once. `conversation_id` None: about no conversation."""

    level: str
    text: str
    conversation_id: str | None = None


FeedEvent = (
    BoxesAdded
    | LiveStarted
    | LiveDelta
    | LiveDropped
    | OutboxChanged
    | StateChanged
    | UsageChanged
    | PlanChanged
    | DiffChanged
    | NotificationChanged
    | ConversationsChanged
    | SelectionChanged
    | LimitsChanged
    | BoxesReverted
    | Detached
    | SessionsChanged
    | IndexProgress
    | HostChanged
    | AccountRead
    | Reminder
    | Told
)

FeedListener = Callable[[FeedEvent], None]
"""Called on the event loop, at once; it must not block."""


class Feed:
    """Tells every listener everything. A listener that raises is logged and keeps its place."""

    def __init__(self) -> None:
        self._listeners: list[FeedListener] = []

    def listen(self, listener: FeedListener) -> Callable[[], None]:
        """Hear everything from now on; the returned function stops it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener) if listener in self._listeners else None

    def tell(self, event: FeedEvent) -> None:
        for listener in tuple(self._listeners):
            try:
                listener(event)
            except Exception:
                log.exception("a listener failed on %s", type(event).__name__)
