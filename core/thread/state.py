"""The thread's state machine (DESIGN, The thread's state machine; seed 000).

    status    what holds                            commands that move it
    --------  ------------------------------------  --------------------------------------------------
    Idle      no job, nothing waits                 accept -> Running
    Running   a job is active, or input waits       begin, prepare_stage, steer, see -> Running
                                                    complete -> Running if input waits, else Idle
                                                    fail -> Stalled
    Stalled   the last job failed                   restart -> Running (the same input waits again)
                                                    accept -> Running (the failed input goes along
                                                    unless Codex has it)
    any but Running                                 begin_revert: nothing begins until finish_revert, which
                                                    takes boxes out, or drop_revert

Every command checks first and changes nothing when it raises. What it does is a list of records, put
in by the fold that recovery uses too: the live state is always the fold of the log.

An arrival is in the log from the moment it is accepted, but gets its place and its box number when
Codex has seen it or when the next job takes it. Tool returns are placed at once, not among the
arrivals: Codex has them already, so nothing has to hand them over.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from core.errors import (
    InvalidRequest,
    NotRestartable,
    NotStalled,
    StaleSteer,
    TransitionError,
    UnknownCall,
    WrongJob,
)
from core.thread import fold, log
from core.thread.boxes import (
    TOOL_MESSAGE,
    TOOL_RETURN,
    USER,
    BoxDraft,
    BoxId,
    ChatBox,
    InputMeta,
    MessageMeta,
    ResultMeta,
    ToolCallId,
    draft,
    hidden_of,
)
from core.thread.codec import Call, History, Note, PreparedCall, PreparedSteer, Start, value_of
from core.thread.queries import Status, ThreadQueries
from core.thread.records import BoxRecord, EventRecord, Record
from core.thread.thread import Arrival, Job, Reverting, Stall, Thread
from core.thread.thread import Call as RecordedCall


class ConversationState(ThreadQueries):
    """One conversation's machine. Pure: the caller persists what `drain` gives."""

    def __init__(self) -> None:
        super().__init__(Thread())
        self._new: list[Record] = []

    @classmethod
    def recover(cls, records: Iterable[Record]) -> ConversationState:
        """The state that a log says. Raises InvalidState where the log contradicts itself."""
        state = cls()
        for record in records:
            fold.apply(state._thread, record)
        return state

    def drain(self) -> list[Record]:
        """The records since the last call, oldest first."""
        new, self._new = self._new, []
        return new

    def accept(self, box: BoxDraft) -> str:
        """Put a box in, or, while a job is active, among the arrivals. Returns its key ("" for none).

        A message whose key is known was accepted before: that changes nothing, so a sender who saw the
        write fail may simply send again.
        """
        meta = hidden_of(box)
        key = meta.key if isinstance(meta, InputMeta) else ""
        if key and self.knows_key(key):
            return key
        if self._thread.job is None:
            if box.box_type == USER:
                self._place_arrivals()
            self._place(box)
            return key
        key = key or f"arrival-{self._thread.jobs}-{len(self._thread.keys)}"
        self._event(
            log.Arrived(
                key=key,
                box_type=box.box_type,
                contents=box.contents,
                hidden_type=box.hidden_type,
                hidden_contents=box.hidden_contents,
            )
        )
        return key

    def withdraw(self, key: str) -> BoxDraft:
        """Take an arrival back. Raises TransitionError once it was sent or placed."""
        arrival = self._thread.arrivals.get(key)
        if arrival is None or arrival.steer is not None:
            raise TransitionError("This message cannot be taken back", why="it is on its way to Codex")
        self._event(log.Withdrawn(key=key))
        return arrival.draft

    def reorder(self, keys: Sequence[str]) -> None:
        """Put the unsent arrivals into this order. Raises InvalidRequest unless `keys` are exactly those."""
        if sorted(keys) != sorted(arrival.key for arrival in self._unsent()):
            raise InvalidRequest("These are not the waiting messages", todo="Look again and repeat.")
        self._event(log.Reordered(keys=tuple(keys)))

    def begin(self) -> Start | None:
        """Take what waits and start a job with it, or nothing. Raises TransitionError while one is active."""
        self._require_no_job()
        if self.status is not Status.RUNNING or self._thread.reverting is not None:
            return None
        thread = self._thread
        self._place_arrivals()
        failed = thread.stall.boxes if thread.stall and not thread.stall.seen else ()
        held = thread.stall.held if thread.stall else ()
        waiting = (*failed, *held, *thread.waiting)
        # What Codex has from a failed job is not said again; where nothing else waits it is asked again.
        fresh = tuple(box for box in waiting if box not in thread.again)
        again, boxes = not fresh, fresh or waiting
        job = thread.jobs + 1
        self._event(log.Begun(job=job, key=self._key_of(boxes, again), boxes=boxes, again=again))
        values = tuple(value_of(thread.boxes[box - 1]) for box in boxes)
        active = self._active(job)
        return Start(job, active.key, values, boxes, again)

    def begin_elsewhere(self) -> int:
        """Start a job for a turn that another client began. Raises TransitionError while one is active."""
        self._require_no_job()
        self._event(log.Begun(job=self._thread.jobs + 1, key="", boxes=()))
        return self._thread.jobs

    def bind_turn(self, job: int, turn_id: str) -> None:
        """Codex runs the job as this turn. Telling it twice changes nothing."""
        if self._active(job).turn_id != turn_id:
            self._event(log.TurnBound(job=job, turn_id=turn_id))

    def see(self, key: str, item_id: str) -> bool:
        """A user message item with this key came. False where that says nothing new.

        It may come late: after its job ended without it, what it carried no longer waits.
        """
        thread = self._thread
        steered = [arrival for arrival in self.arrivals if arrival.steer == key]
        first = thread.job is not None and thread.job.key == key and not thread.job.seen
        failed = thread.stall is not None and thread.stall.key == key and not thread.stall.seen
        late = any(box in thread.waiting and box not in thread.again for box in thread.sent.get(key, ()))
        if not (steered or first or failed or late):
            return False
        self._event(log.InputSeen(key=key, item_id=item_id))
        for arrival in steered:
            self._place_arrival(arrival)
        return True

    def lose(self, job: int, kept: Container[str]) -> None:
        """The job's host died, and of the keys it had shown as taken only `kept` are on its disk.

        The rest waits again: it never reached Codex.
        """
        active = self._active(job)
        first = (active.key,) if active.boxes and active.seen and not active.again else ()
        for key in (*first, *active.steers):
            if key not in kept:
                self._event(log.InputLost(key=key))

    def prepare_stage(
        self, job: int | None, said: BoxDraft | None, values: Sequence[Call | Note]
    ) -> list[PreparedCall]:
        """Record text and calls that the model put out together, before any call starts.

        `job` None: Codex told it after the end of its turn, and none runs now.
        """
        if job is None:
            self._require_no_job()
        else:
            self._active(job)
        if said is not None:
            self._place(said)
        prepared: list[PreparedCall] = []
        for value in values:
            if isinstance(value, Note):
                self._place(value.box)
                continue
            box = self._place(value.draft())
            prepared.append(PreparedCall(ToolCallId(box), value.name, value.arguments))
        return prepared

    def launch(self, call: ToolCallId) -> None:
        """A call of ours is about to start. Raises UnknownCall, or TransitionError where it was started before."""
        found = self._call(call)
        if found.launched or found.result is not None:
            raise TransitionError(f"Tool call {call} is not started again", why="it was started before")
        self._event(log.Launched(call=call))

    def accept_tool_message(self, call: ToolCallId, contents: str) -> None:
        """Progress of a call. Raises UnknownCall."""
        self._call(call)
        self._place(draft(TOOL_MESSAGE, contents, MessageMeta(tool_call_id=call)))

    def accept_tool_return(
        self,
        call: ToolCallId,
        success: bool,
        contents: str,
        metadata_type: str = "",
        metadata_contents: str = "",
    ) -> bool:
        """The end of a call; False (and nothing changed) where it returned before. Raises UnknownCall."""
        if self._call(call).result is not None:
            return False
        meta = ResultMeta(
            tool_call_id=call,
            success=success,
            metadata_type=metadata_type,
            metadata_contents=metadata_contents,
        )
        self._place(draft(TOOL_RETURN, contents, meta))
        return True

    def flush_active_arrivals(self, job: int) -> int:
        """Give every unsent arrival its place now; they wait for the next job. Returns how many."""
        self._active(job)
        unsent = self._unsent()
        for arrival in unsent:
            self._place_arrival(arrival)
        return len(unsent)

    def prepare_steer(self, job: int) -> PreparedSteer | None:
        """What could be handed to the running turn now; None where nothing waits. Changes nothing."""
        self._active(job)
        steerable = self._steerable()
        if not steerable:
            return None
        keys = tuple(arrival.key for arrival in steerable)
        values = tuple(History(arrival.draft.contents) for arrival in steerable)
        return PreparedSteer(job, keys, self.watermark, values)

    def validate_steer(self, prepared: PreparedSteer) -> None:
        """Raises WrongJob or StaleSteer where job, arrivals or watermark moved since it was prepared."""
        self._active(prepared.job)
        keys = tuple(arrival.key for arrival in self._steerable())
        if prepared.arrivals != keys or prepared.watermark != self.watermark:
            raise StaleSteer("The steer is out of date", why="what waits changed meanwhile")

    def commit_steer(self, prepared: PreparedSteer) -> None:
        """It is about to be sent: record that, so that a crash knows to ask Codex for it."""
        self.validate_steer(prepared)
        self._event(log.Steered(job=prepared.job, key=prepared.key, arrivals=prepared.arrivals))

    def refuse_steer(self, key: str) -> None:
        """Codex did not take the steer: its messages wait again. Nothing to do where it was seen."""
        if any(arrival.steer == key for arrival in self.arrivals):
            self._event(log.SteerRefused(key=key))

    def complete(self, job: int) -> bool:
        """End the job. True where input waits: begin again."""
        active = self._active(job)
        self._place_notes()
        waits = bool(self._thread.waiting or self._thread.arrivals)
        resume = waits or not active.seen
        self._event(log.Completed(resume=resume))
        return resume

    def fail(self, job: int, error: str, restartable: bool) -> None:
        """Stall. Not restartable once Codex accepted an action in the job."""
        active = self._active(job)
        self._place_notes()
        self._event(log.Failed(job=job, error=error, restartable=restartable and not active.acted))

    def restart(self) -> None:
        """The same input waits again, under a new number. Raises NotStalled or NotRestartable."""
        stall = self._stalled()
        if not stall.restartable or not stall.boxes:
            raise NotRestartable(
                "The failed job cannot be run again as it was",
                why="Codex already acted in it, and would do so twice",
                todo="Say how to go on in a new message.",
            )
        self._event(log.Restarted(job=stall.job))

    def ask_again(self) -> None:
        """Ask Codex once more from where it stands, also after it acted: it has the input, and is told no more.

        Raises NotStalled; NotRestartable where Codex never had the input (`restart` sends that).
        """
        stall = self._stalled()
        if not stall.seen or not stall.boxes:
            raise NotRestartable("Codex has nothing to go on from", todo="Run it again, or say how to go on.")
        self._event(log.Restarted(job=stall.job))

    def go_on(self) -> bool:
        """Let what waits behind a stalled job run without it. False where nothing waits.

        Raises NotStalled.
        """
        stall = self._stalled()
        if not self._thread.arrivals and not stall.held:
            return False
        self._event(log.WentOn(job=stall.job))
        return True

    def begin_revert(self, turn_id: str, first: int) -> None:
        """The boxes from `first` on are about to be taken back at Codex, which has them from turn `turn_id` on.

        Raises TransitionError while a job is active, input waits, or something is being taken back already;
        InvalidRequest where there is no such box.
        """
        self._require_no_job()
        if self.status is Status.RUNNING or self._thread.arrivals:
            raise TransitionError(
                "Nothing was taken back", why="messages wait", todo="Take them back first, then try again."
            )
        if self._thread.reverting is not None:
            raise TransitionError("Nothing was taken back", why="something is being taken back already")
        if not 1 <= first <= len(self._thread.boxes):
            raise InvalidRequest("Nothing was taken back", why=f"there is no entry {first}")
        self._event(log.RevertBegun(turn_id=turn_id, first=first, last=len(self._thread.boxes)))

    def finish_revert(self) -> None:
        """Codex took them back. Raises TransitionError where nothing was being taken back."""
        span = self._reverting().span
        self._event(log.Reverted(first=span.first, last=span.last))

    def drop_revert(self) -> None:
        """Codex refused. Raises TransitionError where nothing was being taken back."""
        self._reverting()
        self._event(log.RevertDropped())

    def _reverting(self) -> Reverting:
        if self._thread.reverting is None:
            raise TransitionError("Nothing is being taken back")
        return self._thread.reverting

    def _stalled(self) -> Stall:
        stall = self._thread.stall
        if stall is None or self.status is not Status.STALLED:
            raise NotStalled("There is nothing to run again", why="the last job did not fail")
        return stall

    def _require_no_job(self) -> None:
        if self._thread.job is not None:
            raise TransitionError("A job is already active", why=f"it has number {self._thread.job.number}")

    def _active(self, job: int) -> Job:
        active = self._thread.job
        if active is None or active.number != job:
            found = "none is active" if active is None else f"job {active.number} is active"
            raise WrongJob(f"Job {job} is not the active one", why=found)
        return active

    def _call(self, call: ToolCallId) -> RecordedCall:
        found = self._thread.calls.get(call)
        if found is None:
            raise UnknownCall(f"There is no tool call {call}")
        return found

    def _unsent(self) -> list[Arrival]:
        return [arrival for arrival in self.arrivals if arrival.steer is None]

    def _steerable(self) -> list[Arrival]:
        return [arrival for arrival in self._unsent() if _steers(arrival)]

    def _key_of(self, boxes: Sequence[BoxId], again: bool) -> str:
        """The key a job's input is sent under: its first message's, numbered when it is sent again."""
        job = self._thread.jobs + 1
        for box_id in boxes:
            meta = hidden_of(self._thread.boxes[box_id - 1])
            if isinstance(meta, InputMeta):
                return f"{meta.key}.{job}" if again else meta.key
        return f"job-{job}"

    def _place_arrivals(self) -> None:
        for arrival in self.arrivals:
            self._place_arrival(arrival)

    def _place_notes(self) -> None:
        """What arrived without being input has nothing to wait for."""
        for arrival in self._unsent():
            if arrival.draft.box_type != USER:
                self._place_arrival(arrival)

    def _place_arrival(self, arrival: Arrival) -> None:
        self._event(log.Placed(key=arrival.key))
        self._place(arrival.draft)

    def _place(self, box: BoxDraft) -> BoxId:
        box_id = BoxId(len(self._thread.boxes) + 1)
        placed = ChatBox(box_id, box.box_type, box.contents, box.hidden_type, box.hidden_contents)
        self._emit(BoxRecord(placed))
        return box_id

    def _event(self, event: log.LogEvent) -> None:
        thread = self._thread
        record = EventRecord(thread.anchor, thread.event_index + 1, event.kind, event.model_dump_json())
        self._emit(record)

    def _emit(self, record: Record) -> None:
        fold.apply(self._thread, record)
        self._new.append(record)


def _steers(arrival: Arrival) -> bool:
    if arrival.draft.box_type != USER:
        return False
    meta = hidden_of(arrival.draft)
    return not isinstance(meta, InputMeta) or meta.steer
