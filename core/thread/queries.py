"""What a thread is, for whoever asks: everything that a `Thread` says, read and never changed."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from core.errors import InvalidRequest, TransitionError, WrongJob
from core.thread.boxes import BoxId, ChatBox, ToolCallId
from core.thread.log import TurnSpan
from core.thread.thread import Arrival, Job, Reverting, Span, Stall, Thread


class Status(StrEnum):
    IDLE = "idle"
    RUNNING = "running"
    STALLED = "stalled"


class Place(StrEnum):
    """Where a message is: it waits, the active job has it, or its job is over."""

    WAITING = "waiting"
    RUNNING = "running"
    OVER = "over"


class ThreadQueries:
    """The reading half of `ConversationState`."""

    def __init__(self, thread: Thread) -> None:
        self._thread = thread
        self._offered: set[str] = set()

    @property
    def boxes(self) -> Sequence[ChatBox]:
        return self._thread.boxes

    @property
    def status(self) -> Status:
        thread = self._thread
        if thread.job is not None or thread.waiting:
            return Status.RUNNING
        if thread.stall is not None:
            return Status.STALLED
        return Status.RUNNING if self.arrivals else Status.IDLE

    @property
    def job(self) -> Job | None:
        return self._thread.job

    @property
    def ours(self) -> bool:
        """Does a job run that was begun here, or that a message of ours was seen in? Another program's is not."""
        job = self._thread.job
        return job is not None and (job.again or bool(job.boxes or job.steers))

    @property
    def stall(self) -> Stall | None:
        return self._thread.stall

    @property
    def arrivals(self) -> tuple[Arrival, ...]:
        """What was accepted and has no place yet; what is only offered does not count."""
        return tuple(one for one in self._thread.arrivals.values() if one.key not in self._offered)

    @property
    def waiting(self) -> tuple[BoxId, ...]:
        """Boxes that the next job takes, arrivals not counted."""
        return tuple(self._thread.waiting)

    @property
    def waits(self) -> bool:
        """Is there something for a job behind the active or the stalled one?"""
        stall = self._thread.stall
        return bool(self._thread.waiting or self.arrivals or (stall is not None and stall.held))

    @property
    def watermark(self) -> int:
        """How many boxes stood when input was last handed to the model."""
        return self._thread.watermark

    @property
    def reverting(self) -> Reverting | None:
        """What is being taken back at Codex; nothing goes out meanwhile."""
        return self._thread.reverting

    @property
    def reverted(self) -> tuple[Span, ...]:
        """Boxes that are no part of the conversation any more, oldest first."""
        return tuple(self._thread.reverted)

    def turns(self) -> tuple[TurnSpan, ...]:
        """The turns that are over, with their boxes, oldest first; those that were taken back are left out."""
        thread = self._thread
        found = sorted((job, turn) for turn, job in thread.turns.items() if job in thread.spans)
        return tuple(
            TurnSpan(turn_id=turn, first=thread.spans[job].first, last=thread.spans[job].last)
            for job, turn in found
        )

    def require_no_job(self) -> None:
        """Raises TransitionError while a job is active."""
        if self._thread.job is not None:
            raise TransitionError("A job is already active", why=f"it has number {self._thread.job.number}")

    def active(self, job: int) -> Job:
        """The active job. Raises WrongJob unless it has this number."""
        active = self._thread.job
        if active is None or active.number != job:
            found = "none is active" if active is None else f"job {active.number} is active"
            raise WrongJob(f"Job {job} is not the active one", why=found)
        return active

    def knows_key(self, key: str) -> bool:
        """Whether a message with this key was ever accepted here."""
        return key in self._thread.keys

    def awaits(self, key: str) -> bool:
        """Whether a user message item with this key would say something new."""
        thread = self._thread
        steered = any(arrival.steer == key for arrival in self.arrivals)
        first = thread.job is not None and thread.job.key == key and not thread.job.seen
        failed = thread.stall is not None and thread.stall.key == key and not thread.stall.seen
        late = any(box in thread.waiting and box not in thread.again for box in thread.sent.get(key, ()))
        return steered or first or failed or late

    def ended_turns(self) -> frozenset[str]:
        """Codex's ids of the turns that are over."""
        active = self._thread.job.number if self._thread.job else 0
        return frozenset(turn for turn, job in self._thread.turns.items() if job != active)

    def place_of(self, key: str) -> Place:
        """Where the message with this key is now. Raises InvalidRequest for a key that was never accepted."""
        thread = self._thread
        if not self.knows_key(key):
            raise InvalidRequest("There is no such message", why=f"its key {key} was never accepted")
        boxes = thread.placed.get(key)
        if key in thread.arrivals or boxes in thread.waiting:
            steered = key in thread.arrivals and thread.arrivals[key].steer is not None
            return Place.RUNNING if steered else Place.WAITING
        running = thread.job is not None and thread.took.get(key) == thread.job.number
        return Place.RUNNING if running else Place.OVER

    def open_calls(self) -> tuple[tuple[ToolCallId, str], ...]:
        """(call, Codex's item id) of every call that has not returned."""
        calls = self._thread.calls.items()
        return tuple((call_id, call.item_id) for call_id, call in calls if call.result is None)
