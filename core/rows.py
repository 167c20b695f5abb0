"""The rows that the store gives back, frozen. Pure, and light to import. Times are Unix milliseconds.

What is JSON stays text here: the layer above knows what it is of.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypedDict


@dataclass(frozen=True, slots=True)
class WorkspaceRow:
    """A folder. `revision` starts at 1 and goes up with each change of `defaults` or `policy` (JSON)."""

    id: str
    path: str
    revision: int
    defaults: str
    policy: str


class Lifecycle(StrEnum):
    OPEN = "open"
    CLOSING = "closing"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class ConversationRow:
    """A conversation without its log.

    `recency` grows with every change and every append, over all conversations: the order of listings.
    `thread_id` is the binding to Codex, `materialised` once Codex has a rollout of it. `defaults` and
    `selection` are JSON; `last_state` is the thread's last state in a word (idle, running, stalled). `parent_id` is
    the conversation whose sub-agent it shows, `forked_from` the one it was copied from.
    """

    id: str
    workspace_id: str
    workspace_revision: int
    title: str
    created_at_ms: int
    updated_at_ms: int
    recency: int
    thread_id: str | None
    materialised: bool
    defaults: str
    selection: str | None
    lifecycle: Lifecycle
    last_state: str
    archived: bool = False
    parent_id: str | None = None
    forked_from: str | None = None


class ConversationChange(TypedDict, total=False):
    """What may change of a conversation; as in `ConversationRow`."""

    workspace_revision: int
    title: str
    thread_id: str | None
    materialised: bool
    defaults: str
    selection: str | None
    lifecycle: Lifecycle
    last_state: str
    archived: bool
    parent_id: str | None


@dataclass(frozen=True, slots=True)
class OperationRow:
    """Something that was begun with a conversation and has not ended. `data` is JSON, by `kind`."""

    id: int
    at_ms: int
    conversation_id: str
    kind: str
    data: str


@dataclass(frozen=True, slots=True)
class ForkDraft:
    """A copy of a conversation as it is to be."""

    id: str
    origin_id: str
    title: str
    thread_id: str


@dataclass(frozen=True, slots=True)
class ChunkDraft:
    """A piece of streamed text. `channel` and `part` as in `core.agent.events.Delta`."""

    conversation_id: str
    item_id: str
    channel: str
    part: int
    text: str


@dataclass(frozen=True, slots=True)
class Chunk:
    """A recorded piece. `seq` counts 1, 2, 3… within conversation, item, channel and part."""

    conversation_id: str
    item_id: str
    channel: str
    part: int
    seq: int
    text: str


class NotificationState(StrEnum):
    """pending → decided → sent → delivered; from each of the first three also withdrawn or died.

    Withdrawn: somebody else answered, or the turn ended under it. Died: its host did.
    """

    PENDING = "pending"
    DECIDED = "decided"
    SENT = "sent"
    DELIVERED = "delivered"
    WITHDRAWN = "withdrawn"
    DIED = "died"


@dataclass(frozen=True, slots=True)
class NotificationDraft:
    """A request as it is raised. `generation` and `request_id` (JSON: a number or a string) are its identity.

    `request` is JSON of all that is needed to judge it. `conversation_id` None: a thread that is nobody's
    conversation here. `grounds` is JSON of why a person is asked, and under what it runs.
    """

    conversation_id: str | None
    thread_id: str
    generation: str
    request_id: str
    kind: str
    request: str
    grounds: str = "{}"


@dataclass(frozen=True, slots=True)
class NotificationRow:
    """A request and how far it got. What belongs to a decision is None until there is one.

    `shown_hash` is of exactly what was shown; `decision_id` its row in the ledger; `outcome` what the last
    move said, for the person.
    """

    id: int
    conversation_id: str | None
    thread_id: str
    generation: str
    request_id: str
    kind: str
    request: str
    raised_at_ms: int
    state: NotificationState
    decided_by: str | None
    answer: str | None
    shown_hash: str | None
    decided_at_ms: int | None
    decision_id: int | None
    outcome: str
    grounds: str = "{}"


@dataclass(frozen=True, slots=True)
class DecisionDraft:
    """A decision to be recorded. `decided_by`: a person, or the name of the rule or profile.

    `content` is exactly what was decided on (JSON), `content_hash` the hash of exactly what was shown of
    it, `answer` the decision (JSON).
    """

    conversation_id: str | None
    decided_by: str
    kind: str
    content: str
    content_hash: str
    answer: str


@dataclass(frozen=True, slots=True)
class OutcomeRow:
    """What became of a decision, later."""

    at_ms: int
    outcome: str


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """A recorded decision with its outcomes so far, in order."""

    id: int
    at_ms: int
    conversation_id: str | None
    decided_by: str
    kind: str
    content: str
    content_hash: str
    answer: str
    outcomes: tuple[OutcomeRow, ...]


@dataclass(frozen=True, slots=True)
class LedgerPage:
    """Newest first. `cursor` asks for the page after this one; None on the last."""

    entries: tuple[LedgerEntry, ...]
    cursor: int | None


@dataclass(frozen=True, slots=True)
class LedgerCount:
    """`newest`: the highest id among them, 0 for none."""

    count: int
    newest: int


@dataclass(frozen=True, slots=True)
class LedgerSummary:
    """A decision as a list shows it. `headline`: the beginning of what was decided on, as it came.

    `decided` and `fate` are values of `core.access.ledger.Decided` and `Fate`.
    """

    id: int
    at_ms: int
    conversation_id: str | None
    decided_by: str
    kind: str
    decided: str
    fate: str
    headline: str
    outcomes: tuple[OutcomeRow, ...]


@dataclass(frozen=True, slots=True)
class SaidRow:
    """A message of a person's. `title` and `path`: of its conversation and of that one's folder."""

    text: str
    at_ms: int
    conversation_id: str
    title: str
    path: str


@dataclass(frozen=True, slots=True)
class KeptImage:
    """An image of a message. `name` is what the person calls it, often its path; `path` that of our copy."""

    name: str
    path: str
