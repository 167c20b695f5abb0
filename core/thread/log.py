"""The events of a conversation's log, typed. With the boxes they are all that the state is made of.

`kind` and the JSON of each are what is stored; an event of a kind this version does not know is kept
in the log and changes nothing.
"""

from __future__ import annotations

from typing import ClassVar

from core.agent.items import Frozen
from core.errors import InvalidState
from core.thread.boxes import BoxDraft


class LogEvent(Frozen):
    kind: ClassVar[str]


class Arrived(LogEvent):
    """A box was accepted. It has no number until it is put in its place."""

    kind: ClassVar[str] = "arrived"
    key: str
    box_type: str
    contents: str
    hidden_type: str
    hidden_contents: str

    def draft(self) -> BoxDraft:
        return BoxDraft(self.box_type, self.contents, self.hidden_type, self.hidden_contents)


class Refused(LogEvent):
    """An arrival that could not be written when it was offered: whoever offered it has it still. It never counted."""

    kind: ClassVar[str] = "arrival_refused"
    key: str


class Withdrawn(LogEvent):
    """The person took an arrival back before it was sent."""

    kind: ClassVar[str] = "arrival_withdrawn"
    key: str


class Reordered(LogEvent):
    """The person put the arrivals that were not sent yet into another order."""

    kind: ClassVar[str] = "arrivals_reordered"
    keys: tuple[str, ...]


class Placed(LogEvent):
    """The next box in the log is this arrival, now in its place."""

    kind: ClassVar[str] = "arrival_placed"
    key: str


class Begun(LogEvent):
    """A job took its input. Recorded before Codex is asked, so a crash knows what may have been sent.

    `key` is the clientUserMessageId of the request; "" for a turn that another client began.
    `again` is set where Codex already has the input from the job that failed.
    """

    kind: ClassVar[str] = "job_begun"
    job: int
    key: str
    boxes: tuple[int, ...]
    again: bool = False


class TurnBound(LogEvent):
    """Codex gave the running job's turn id."""

    kind: ClassVar[str] = "turn_started"
    job: int
    turn_id: str


class InputSeen(LogEvent):
    """A user message item with this key came: Codex has it, for good."""

    kind: ClassVar[str] = "input_seen"
    key: str
    item_id: str


class InputLost(LogEvent):
    """A host died before what it had shown us was on its disk: Codex does not have this input after all."""

    kind: ClassVar[str] = "input_lost"
    key: str


class Steered(LogEvent):
    """Arrivals were committed to the running turn under one key. Recorded before they are sent."""

    kind: ClassVar[str] = "steered"
    job: int
    key: str
    arrivals: tuple[str, ...]


class SteerRefused(LogEvent):
    """Codex did not take a steer: its arrivals wait again."""

    kind: ClassVar[str] = "steer_refused"
    key: str


class Launched(LogEvent):
    """A call of ours was started. One that has no return is never started again: nobody knows how far it got."""

    kind: ClassVar[str] = "call_launched"
    call: int


class Completed(LogEvent):
    """The model is done; `resume` says that input waits (seed 000, `llm_done`)."""

    kind: ClassVar[str] = "llm_done"
    resume: bool


class Failed(LogEvent):
    kind: ClassVar[str] = "job_failed"
    job: int
    error: str
    restartable: bool


class Paused(LogEvent):
    """The job is over, by a word that was not said here: what waits behind it waits for one that is."""

    kind: ClassVar[str] = "paused"
    job: int
    reason: str


class Restarted(LogEvent):
    """The stalled job's input waits again."""

    kind: ClassVar[str] = "restarted"
    job: int


class WentOn(LogEvent):
    """What waited behind the stalled job runs without it."""

    kind: ClassVar[str] = "went_on"
    job: int


class RevertBegun(LogEvent):
    """The person had a turn and all after it taken back. Recorded before Codex is asked.

    `turn_id` is the first turn that goes ("" where Codex has none of it); the boxes `first` to `last` go with it.
    """

    kind: ClassVar[str] = "revert_begun"
    turn_id: str
    first: int
    last: int


class Reverted(LogEvent):
    """Codex took them back: these boxes are no part of the conversation any more. They stay in the log."""

    kind: ClassVar[str] = "reverted"
    first: int
    last: int


class RevertDropped(LogEvent):
    """Codex refused to take them back: everything stands as it was."""

    kind: ClassVar[str] = "revert_dropped"


class TurnSpan(Frozen):
    """The boxes of a turn, `first` to `last`."""

    turn_id: str
    first: int
    last: int


class Forked(LogEvent):
    """The boxes so far were copied from another conversation, with its turns: Codex has them already."""

    kind: ClassVar[str] = "forked"
    origin: str
    turns: tuple[TurnSpan, ...]
    reverted: tuple[tuple[int, int], ...] = ()


_EVENTS: dict[str, type[LogEvent]] = {
    event.kind: event
    for event in (
        Arrived,
        Refused,
        Withdrawn,
        Reordered,
        Placed,
        Begun,
        TurnBound,
        InputSeen,
        InputLost,
        Steered,
        SteerRefused,
        Launched,
        Completed,
        Failed,
        Paused,
        Restarted,
        WentOn,
        RevertBegun,
        Reverted,
        RevertDropped,
        Forked,
    )
}


def parse_event(kind: str, data: str) -> LogEvent | None:
    """The typed event; None for a kind this version does not know. Raises InvalidState for bad data."""
    model = _EVENTS.get(kind)
    if model is None:
        return None
    try:
        return model.model_validate_json(data)
    except ValueError as error:
        raise InvalidState(
            f"A {kind} event in the log cannot be read", why=str(error), todo="Run `quarterdeck doctor`."
        ) from error
