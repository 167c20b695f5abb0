"""The thread's state machine (DESIGN, The thread's state machine; seed 000).

    status    what holds                            commands that move it
    --------  ------------------------------------  --------------------------------------------------
    Idle      no job, nothing waits                 accept -> Running
    Running   a job is active, or input waits       begin, prepare_stage, steer, see -> Running
                                                    complete -> Running if input waits, else Idle
                                                    fail, pause -> Stalled
    Stalled   the last job failed                   restart -> Running (the same input waits again)
                                                    accept -> Running (the failed input goes along,
                                                    or before what is queued, unless Codex has it)
    any but Running                                 reverts.begin: nothing begins until reverts.finish,
                                                    which takes boxes out, or reverts.drop

Every command checks first and changes nothing when it raises. What it does is a list of records, put
in by the fold that recovery uses too: the live state is always the fold of the log. The commands on tool
calls that were recorded are in `calls.py`, those that take boxes back in `reverts.py`; how a message is accepted
is in `offers.py`, what of the arrivals gets its place when in `placing.py`.

An arrival is in the log from the moment it is accepted, but gets its place and its box number when
Codex has seen it or when the next job takes it; a queued message waits for a job of its own. Tool returns
are placed at once, not among the arrivals: Codex has them already, so nothing has to hand them over.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from core.errors import InvalidRequest, NotRestartable, NotStalled, StaleSteer, TransitionError
from core.thread import fold, log
from core.thread.boxes import BoxDraft, BoxId, InputMeta, ToolCallId, hidden_of
from core.thread.calls import Calls
from core.thread.codec import Call, History, Note, PreparedCall, PreparedSteer, Start, value_of
from core.thread.offers import Offers, key_of
from core.thread.placing import Placing
from core.thread.queries import Status, ThreadQueries
from core.thread.recorder import Recorder
from core.thread.records import Record
from core.thread.reverts import Reverts
from core.thread.thread import Stall, Thread


class ConversationState(ThreadQueries):
    """One conversation's machine. Pure: the caller persists what `drain` gives."""

    def __init__(self) -> None:
        super().__init__(Thread())
        self._recorder = Recorder(self._thread)
        self.calls = Calls(self._thread, self._recorder)
        self.reverts = Reverts(self, self._recorder)
        self._placing = Placing(self._thread, self._recorder, self._offered)
        self.offers = Offers(self._thread, self, self._recorder, self._placing, self._offered)

    @classmethod
    def recover(cls, records: Iterable[Record]) -> ConversationState:
        """The state that a log says. Raises InvalidState where the log contradicts itself."""
        state = cls()
        for record in records:
            fold.apply(state._thread, record)
        return state

    def drain(self) -> list[Record]:
        """The records since the last call, oldest first."""
        return self._recorder.drain()

    def accept(self, box: BoxDraft) -> str:
        """Put a box in, or, while a job is active, among the arrivals. Returns its key.

        A message whose key is known was accepted before: that changes nothing, so a sender who is not sure may
        simply send again. What counts only once it is on disk is offered first (`offers`).
        """
        key = key_of(box)
        if not (key and self.knows_key(key)):
            key = self.offers.make(box)
            self.offers.admit(key)
        return key

    def withdraw(self, *keys: str) -> list[BoxDraft]:
        """Take arrivals back, all or none. Raises TransitionError once one of them was sent or placed."""
        unsent = {arrival.key: arrival.draft for arrival in self._placing.unsent()}
        if not all(key in unsent for key in keys):
            raise TransitionError("This message cannot be taken back", why="it is on its way to Codex")
        for key in keys:
            self._recorder.event(log.Withdrawn(key=key))
        stall = self._thread.stall
        if stall is not None and stall.paused and self.status is Status.STALLED and not self.waits:
            self._recorder.event(log.WentOn(job=stall.job))
        return [unsent[key] for key in keys]

    def reorder(self, keys: Sequence[str]) -> None:
        """Put the unsent arrivals into this order. Raises InvalidRequest unless `keys` are exactly those."""
        if sorted(keys) != sorted(arrival.key for arrival in self._placing.unsent()):
            raise InvalidRequest("These are not the waiting messages", todo="Look again and repeat.")
        offered = (key for key in self._thread.arrivals if key in self._offered)
        self._recorder.event(log.Reordered(keys=(*keys, *offered)))

    def begin(self) -> Start | None:
        """Take what waits and start a job with it, or nothing. Raises TransitionError while one is active."""
        self.require_no_job()
        if self.status is not Status.RUNNING or self._thread.reverting is not None:
            return None
        thread = self._thread
        self._placing.place_next()
        failed = thread.stall.boxes if thread.stall and not thread.stall.seen else ()
        held = thread.stall.held if thread.stall else ()
        waiting = (*failed, *held, *thread.waiting)
        # What Codex has from a failed job is not said again; where nothing else waits it is asked again.
        fresh = tuple(box for box in waiting if box not in thread.again)
        again, boxes = not fresh, fresh or waiting
        job = thread.jobs + 1
        self._recorder.event(log.Begun(job=job, key=self._key_of(boxes, again), boxes=boxes, again=again))
        values = tuple(value_of(thread.boxes[box - 1]) for box in boxes)
        active = self.active(job)
        return Start(job, active.key, values, boxes, again)

    def begin_elsewhere(self) -> int:
        """Start a job for a turn that another client began. Raises TransitionError while one is active."""
        self.require_no_job()
        self._recorder.event(log.Begun(job=self._thread.jobs + 1, key="", boxes=()))
        return self._thread.jobs

    def bind_turn(self, job: int, turn_id: str) -> None:
        """Codex runs the job as this turn. Telling it twice changes nothing."""
        if self.active(job).turn_id != turn_id:
            self._recorder.event(log.TurnBound(job=job, turn_id=turn_id))

    def see(self, key: str, item_id: str) -> bool:
        """A user message item with this key came. False where that says nothing new.

        It may come late: after its job ended without it, what it carried no longer waits.
        """
        if not self.awaits(key):
            return False
        steered = [arrival for arrival in self.arrivals if arrival.steer == key]
        self._recorder.event(log.InputSeen(key=key, item_id=item_id))
        for arrival in steered:
            self._recorder.place_arrival(arrival)
        return True

    def lose(self, job: int, kept: Container[str]) -> None:
        """The job's host died, and of the keys it had shown as taken only `kept` are on its disk.

        The rest waits again: it never reached Codex.
        """
        active = self.active(job)
        first = (active.key,) if active.boxes and active.seen and not active.again else ()
        for key in (*first, *active.steers):
            if key not in kept:
                self._recorder.event(log.InputLost(key=key))

    def prepare_stage(
        self, job: int | None, said: BoxDraft | None, values: Sequence[Call | Note]
    ) -> list[PreparedCall]:
        """Record text and calls that the model put out together, before any call starts.

        `job` None: Codex told it after the end of its turn, and none runs now.
        """
        if job is None:
            self.require_no_job()
        else:
            self.active(job)
        if said is not None:
            self._recorder.place(said)
        prepared: list[PreparedCall] = []
        for value in values:
            if isinstance(value, Note):
                self._recorder.place(value.box)
                continue
            box = self._recorder.place(value.draft())
            prepared.append(PreparedCall(ToolCallId(box), value.name, value.arguments))
        return prepared

    def flush_active_arrivals(self, job: int) -> int:
        """Give every unsent arrival its place now; they wait for the next job. Returns how many."""
        self.active(job)
        return self._placing.place_unsent()

    def prepare_steer(self, job: int) -> PreparedSteer | None:
        """What could be handed to the running turn now; None where nothing waits. Changes nothing."""
        self.active(job)
        steerable = self._placing.steerable()
        if not steerable:
            return None
        keys = tuple(arrival.key for arrival in steerable)
        values = tuple(History(arrival.draft.contents) for arrival in steerable)
        return PreparedSteer(job, keys, self.watermark, values)

    def validate_steer(self, prepared: PreparedSteer) -> None:
        """Raises WrongJob or StaleSteer where job, arrivals or watermark moved since it was prepared."""
        self.active(prepared.job)
        keys = tuple(arrival.key for arrival in self._placing.steerable())
        if prepared.arrivals != keys or prepared.watermark != self.watermark:
            raise StaleSteer("The steer is out of date", why="what waits changed meanwhile")

    def commit_steer(self, prepared: PreparedSteer) -> None:
        """It is about to be sent: record that, so that a crash knows to ask Codex for it."""
        self.validate_steer(prepared)
        self._recorder.event(log.Steered(job=prepared.job, key=prepared.key, arrivals=prepared.arrivals))

    def refuse_steer(self, key: str) -> None:
        """Codex did not take the steer: its messages wait again. Nothing to do where it was seen."""
        if any(arrival.steer == key for arrival in self.arrivals):
            self._recorder.event(log.SteerRefused(key=key))

    def complete(self, job: int) -> bool:
        """End the job. True where input waits: begin again."""
        active = self.active(job)
        self._placing.place_notes()
        resume = self.waits or not active.seen
        self._recorder.event(log.Completed(resume=resume))
        return resume

    def fail(self, job: int, error: str, restartable: bool) -> None:
        """Stall. Not restartable once Codex accepted an action in the job."""
        active = self.active(job)
        self._placing.place_notes()
        self._recorder.event(log.Failed(job=job, error=error, restartable=restartable and not active.acted))

    def pause(self, job: int, reason: str) -> None:
        """End a job that Codex has the input of, and have what waits behind it wait for `go_on`."""
        self.active(job)
        self._placing.place_notes()
        self._recorder.event(log.Paused(job=job, reason=reason))

    def restart(self) -> None:
        """The same input waits again, under a new number. Raises NotStalled or NotRestartable."""
        stall = self._stalled()
        if not stall.restartable or not stall.boxes:
            raise NotRestartable(
                "The failed job cannot be run again as it was",
                why="Codex already acted in it, and would do so twice",
                todo="Say how to go on in a new message.",
            )
        self._recorder.event(log.Restarted(job=stall.job))

    def ask_again(self) -> None:
        """Ask Codex once more from where it stands, also after it acted: it has the input, and is told no more.

        Raises NotStalled; NotRestartable where Codex never had the input (`restart` sends that).
        """
        stall = self._stalled()
        if not stall.seen or not stall.boxes:
            raise NotRestartable("Codex has nothing to go on from", todo="Run it again, or say how to go on.")
        self._recorder.event(log.Restarted(job=stall.job))

    def go_on(self) -> bool:
        """Let what waits behind a stalled job run without it. False where nothing waits.

        Raises NotStalled.
        """
        stall = self._stalled()
        if not self.waits:
            return False
        self._recorder.event(log.WentOn(job=stall.job))
        return True

    def _stalled(self) -> Stall:
        stall = self._thread.stall
        if stall is None or self.status is not Status.STALLED:
            raise NotStalled("There is nothing to run again", why="the last job did not fail")
        return stall

    def _key_of(self, boxes: Sequence[BoxId], again: bool) -> str:
        """The key a job's input is sent under: its first message's, numbered when it is sent again."""
        job = self._thread.jobs + 1
        for box_id in boxes:
            meta = hidden_of(self._thread.boxes[box_id - 1])
            if isinstance(meta, InputMeta):
                return f"{meta.key}.{job}" if again else meta.key
        return f"job-{job}"
