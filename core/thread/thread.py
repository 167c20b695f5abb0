"""A thread: what the log of a conversation amounts to. `fold.py` alone computes it."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.thread.boxes import BoxDraft, BoxId, ChatBox, ResultMeta, ToolCallId


@dataclass(frozen=True, slots=True)
class Job:
    """The active run. `seen`: Codex has its input. `acted`: Codex accepted an action in it.

    `steers` are the keys of what was sent into it and seen there.
    """

    number: int
    key: str
    boxes: tuple[BoxId, ...]
    turn_id: str | None = None
    again: bool = False
    seen: bool = False
    acted: bool = False
    steers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stall:
    """Why nothing goes on by itself after the last job: it failed, or was stopped (`paused`); what would run again.

    `restartable` is already False where an action was accepted in it. `boxes` was its input, `held`
    what had its place behind it and waits with it. `seen`: Codex has the input.
    """

    job: int
    key: str
    error: str
    restartable: bool
    boxes: tuple[BoxId, ...]
    held: tuple[BoxId, ...]
    seen: bool
    paused: bool = False


@dataclass(frozen=True, slots=True)
class Arrival:
    """Accepted, and not in its place yet. `steer` is the key it was sent under, until refused or forgotten.

    `resumes`: it was said while the thread was stalled, so that goes on with it.
    """

    key: str
    draft: BoxDraft
    steer: str | None = None
    delivered: bool = False
    resumes: bool = False


@dataclass(slots=True)
class Call:
    """A recorded tool call; `launched` where we started it ourselves; `result` once it returned."""

    item_id: str
    launched: bool = False
    result: ResultMeta | None = None


@dataclass(frozen=True, slots=True)
class Span:
    """Boxes, `first` to `last`; none of them yet where `last` is before `first`."""

    first: int
    last: int

    def __contains__(self, box: int) -> bool:
        return self.first <= box <= self.last


@dataclass(frozen=True, slots=True)
class Reverting:
    """What is being taken back at Codex, from turn `turn_id` on ("" where Codex has none of it)."""

    turn_id: str
    span: Span


@dataclass(slots=True)
class Thread:
    """What a log amounts to.

    `waiting` are placed boxes that the next job takes; `watermark` is how many boxes stood when input
    was last handed to the model; `placing` is the arrival whose box comes next in the log; `turns` are
    Codex's ids of the turns that ran here, with their jobs; `sent` are the boxes that went out under a key;
    `placed` says which box a message became, `took` which job took it; `again` are the waiting boxes that
    Codex has already, from a job that is to run again. `spans` are the boxes of the jobs that are over and
    were not taken back, `opened` the first box of the active one; `reverted` are boxes that are no part of
    the conversation any more, `reverting` what is being taken back. `anchor` is the last box of the log,
    `event_index` how many events follow it.
    """

    boxes: list[ChatBox] = field(default_factory=list[ChatBox])
    arrivals: dict[str, Arrival] = field(default_factory=dict[str, Arrival])
    waiting: list[BoxId] = field(default_factory=list[BoxId])
    calls: dict[ToolCallId, Call] = field(default_factory=dict[ToolCallId, Call])
    keys: set[str] = field(default_factory=set[str])
    turns: dict[str, int] = field(default_factory=dict[str, int])
    sent: dict[str, tuple[BoxId, ...]] = field(default_factory=dict[str, tuple[BoxId, ...]])
    placed: dict[str, BoxId] = field(default_factory=dict[str, BoxId])
    took: dict[str, int] = field(default_factory=dict[str, int])
    again: tuple[BoxId, ...] = ()
    watermark: int = 0
    jobs: int = 0
    job: Job | None = None
    stall: Stall | None = None
    placing: str | None = None
    spans: dict[int, Span] = field(default_factory=dict[int, Span])
    opened: int = 0
    reverted: list[Span] = field(default_factory=list[Span])
    reverting: Reverting | None = None
    anchor: int = 0
    event_index: int = 0
