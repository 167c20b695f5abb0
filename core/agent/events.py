"""What an agent tells us, one frozen value a kind. Dataclasses: deltas come by the hundred a second."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from core.agent.items import Item
from core.agent.requests import Request, RequestKey


class Channel(StrEnum):
    """What a delta belongs to."""

    MESSAGE = "message"
    PLAN = "plan"
    SUMMARY = "summary"
    REASONING = "reasoning"
    OUTPUT = "output"
    STDIN = "stdin"
    PROGRESS = "progress"


class TurnStatus(StrEnum):
    COMPLETED = "completed"
    INTERRUPTED = "interrupted"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class TurnFailure:
    """`code` is Codex's own word (usageLimitExceeded, serverOverloaded, …) or "other"."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class TurnStarted:
    thread_id: str
    turn_id: str


@dataclass(frozen=True, slots=True)
class TurnEnded:
    thread_id: str
    turn_id: str
    status: TurnStatus
    failure: TurnFailure | None = None
    duration_ms: int | None = None


@dataclass(frozen=True, slots=True)
class ItemStarted:
    thread_id: str
    turn_id: str
    item: Item


@dataclass(frozen=True, slots=True)
class ItemCompleted:
    thread_id: str
    turn_id: str
    item: Item


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of an item's text. `part` numbers the summary or content part it belongs to."""

    thread_id: str
    turn_id: str
    item_id: str
    channel: Channel
    text: str
    part: int = 0


@dataclass(frozen=True, slots=True)
class PlanStep:
    step: str
    status: str


@dataclass(frozen=True, slots=True)
class PlanUpdated:
    thread_id: str
    turn_id: str
    explanation: str
    steps: tuple[PlanStep, ...]


@dataclass(frozen=True, slots=True)
class DiffUpdated:
    """The whole diff of the turn so far; comes repeatedly, often unchanged (PROTOCOL, Items)."""

    thread_id: str
    turn_id: str
    diff: str


@dataclass(frozen=True, slots=True)
class Tokens:
    """What a thread used so far. `cached` is part of `sent`, `reasoning` part of `received`."""

    sent: int = 0
    cached: int = 0
    received: int = 0
    reasoning: int = 0


@dataclass(frozen=True, slots=True)
class UsageUpdated:
    """Tokens. `context` is what the last request filled of `window` (None: unknown)."""

    thread_id: str
    total: int
    context: int
    window: int | None
    tokens: Tokens = Tokens()


@dataclass(frozen=True, slots=True)
class RunSettings:
    """What a thread runs with, in Codex's own words. `effort` None: the model's own default.

    `planning`: Codex plans before it changes anything. It keeps that with the thread (seen on 0.163: also through
    an end of the host).
    """

    model: str
    effort: str | None
    sandbox: str | None
    approvals: str | None
    planning: bool = False


@dataclass(frozen=True, slots=True)
class SettingsChanged:
    """Comes as soon as a turn, or another client, changes them (seen on 0.163)."""

    thread_id: str
    settings: RunSettings


@dataclass(frozen=True, slots=True)
class LimitWindow:
    """How much of a limit is used. `minutes` is the window's length, `resets_at` in Unix seconds."""

    used_percent: int
    minutes: int | None = None
    resets_at: int | None = None


@dataclass(frozen=True, slots=True)
class RateLimits:
    """The account's limits, the shorter window first; `plan` in Codex's word, "" where it says none."""

    windows: tuple[LimitWindow, ...] = ()
    plan: str = ""


@dataclass(frozen=True, slots=True)
class LimitsUpdated:
    """What is known anew; a field that is empty says nothing (the schema: sparse updates)."""

    limits: RateLimits


@dataclass(frozen=True, slots=True)
class ThreadStatusChanged:
    """Comes for every thread on the host, subscribed or not. `waiting` says on what, if on anything."""

    thread_id: str
    active: bool
    waiting: frozenset[str] = field(default_factory=frozenset[str])


@dataclass(frozen=True, slots=True)
class ThreadAppeared:
    """A thread was started on the host, by us or by another client."""

    thread_id: str
    cwd: str
    preview: str


@dataclass(frozen=True, slots=True)
class ThreadRenamed:
    thread_id: str
    name: str


@dataclass(frozen=True, slots=True)
class RequestRaised:
    request: Request


@dataclass(frozen=True, slots=True)
class RequestSettled:
    """Somebody answered, or the turn ended under it."""

    thread_id: str
    key: RequestKey


@dataclass(frozen=True, slots=True)
class Notice:
    """A warning or error in Codex's own words. `thread_id` None: about the host."""

    thread_id: str | None
    level: str
    text: str


@dataclass(frozen=True, slots=True)
class LoginCompleted:
    success: bool
    error: str = ""


@dataclass(frozen=True, slots=True)
class AccountChanged:
    """Signed in, out or as somebody else: ask `account()` again."""


@dataclass(frozen=True, slots=True)
class HostLost:
    """The connection is gone and every pending call has failed. `reason` is for the person."""

    generation: str
    reason: str


@dataclass(frozen=True, slots=True)
class HostReady:
    """Connected. A generation is one host process: a reconnect to the same one keeps it."""

    generation: str
    version: str
    started_by_us: bool


@dataclass(frozen=True, slots=True)
class ExecSaid:
    """A command that we run ourselves said something. `cut`: nothing more of this stream is passed on."""

    command_id: str
    stream: str
    data: bytes
    cut: bool = False


@dataclass(frozen=True, slots=True)
class UnknownEvent:
    """A method this version does not know; shown in the log screen, never an error."""

    method: str
    raw: str


@dataclass(frozen=True, slots=True)
class ThreadShelved:
    """A thread was archived or brought back, by us or by another client."""

    thread_id: str
    archived: bool


@dataclass(frozen=True, slots=True)
class ThreadDeleted:
    """A thread was deleted, by us or by another client."""

    thread_id: str


@dataclass(frozen=True, slots=True)
class ThreadReverted:
    """Turns of a thread were taken back, by us or by another client; which ones is not said (seen on 0.163)."""

    thread_id: str


AgentEvent = (
    TurnStarted
    | TurnEnded
    | ItemStarted
    | ItemCompleted
    | Delta
    | PlanUpdated
    | DiffUpdated
    | UsageUpdated
    | SettingsChanged
    | LimitsUpdated
    | ThreadStatusChanged
    | ThreadAppeared
    | ThreadRenamed
    | ThreadShelved
    | ThreadDeleted
    | ThreadReverted
    | RequestRaised
    | RequestSettled
    | Notice
    | LoginCompleted
    | AccountChanged
    | HostLost
    | HostReady
    | ExecSaid
    | UnknownEvent
)
