"""Random command sequences against the thread's state machine, recovered after every one of them."""

from __future__ import annotations

import copy

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from core.errors import (
    InvalidRequest,
    NotRestartable,
    NotStalled,
    StaleSteer,
    TransitionError,
    UnknownCall,
    WrongJob,
)
from core.thread.boxes import ASSISTANT, NOTICE, TOOL_RETURN, USER, InputMeta, ToolCallId, draft, hidden_of
from core.thread.codec import Call, Note
from core.thread.records import BoxRecord, EventRecord, Record
from core.thread.state import ConversationState, PreparedSteer, Status


def message(key: str, text: str, *, queue: bool = False) -> object:
    return draft(USER, text, InputMeta(key=key, steer=not queue))


class Machine(RuleBasedStateMachine):
    """The model is a set of messages: each accepted one must be in exactly one place until Codex has it."""

    def __init__(self) -> None:
        super().__init__()
        self.state = ConversationState()
        self.log: list[Record] = []
        self.accepted: list[str] = []
        self.queued: set[str] = set()
        self.flushed: set[str] = set()
        self.withdrawn: set[str] = set()
        self.seen: set[str] = set()
        self.sent: dict[str, tuple[str, ...]] = {}
        self.prepared: PreparedSteer | None = None
        self.offered: dict[str, bool] = {}
        self.last_job = 0
        self.acted = False

    def keys_of(self, boxes: tuple[int, ...]) -> tuple[str, ...]:
        metas = [hidden_of(self.state.boxes[box - 1]) for box in boxes]
        return tuple(meta.key for meta in metas if isinstance(meta, InputMeta))

    def refused(self, error: type[Exception], command: object, *args: object) -> None:
        before = copy.deepcopy(self.state._thread)
        with pytest.raises(error):
            command(*args)  # type: ignore[operator]
        assert self.state._thread == before

    @rule(text=st.text(max_size=8), queue=st.booleans())
    def accept(self, text: str, queue: bool) -> None:
        key = f"m{len(self.accepted) + len(self.offered)}"
        if self.state.knows_key(key):
            return
        assert self.state.accept(message(key, text, queue=queue)) == key  # type: ignore[arg-type]
        self.accepted.append(key)
        if queue:
            self.queued.add(key)
        assert self.state.status is Status.RUNNING

    @precondition(lambda self: self.accepted)
    @rule(data=st.data())
    def accepting_a_known_message_changes_nothing(self, data: st.DataObject) -> None:
        before = copy.deepcopy(self.state._thread)
        self.state.accept(message(data.draw(st.sampled_from(self.accepted)), "again"))  # type: ignore[arg-type]
        assert self.state._thread == before

    @rule(text=st.text(max_size=8), queue=st.booleans())
    def offer(self, text: str, queue: bool) -> None:
        key = f"m{len(self.accepted) + len(self.offered)}"
        if self.state.knows_key(key):
            return
        status = self.state.status
        assert self.state.offers.make(message(key, text, queue=queue)) == key  # type: ignore[arg-type]
        self.offered[key] = queue
        assert self.state.status is status, "what is only offered counts already"

    @precondition(lambda self: self.offered)
    @rule(data=st.data(), written=st.booleans())
    def settle(self, data: st.DataObject, written: bool) -> None:
        key = data.draw(st.sampled_from(sorted(self.offered)))
        queue = self.offered.pop(key)
        if not written:
            status = self.state.status
            self.state.offers.refuse(key)
            assert self.state.status is status and not self.state.knows_key(key)
            return
        self.state.offers.admit(key)
        self.accepted.append(key)
        if queue:
            self.queued.add(key)
        assert self.state.status is Status.RUNNING

    @rule(text=st.text(max_size=5))
    def accept_notice(self, text: str) -> None:
        self.state.accept(draft(NOTICE, text))

    @rule()
    def begin(self) -> None:
        if self.state.job is not None:
            self.refused(TransitionError, self.state.begin)
            return
        status = self.state.status
        start = self.state.begin()
        assert (start is not None) == (status is Status.RUNNING)
        if start is None:
            return
        assert start.job > self.last_job
        self.last_job, self.acted = start.job, False
        keys = self.keys_of(start.boxes)
        assert keys, "a job without input"
        assert len(self.queued.intersection(keys) - self.flushed) <= 1, "two queued messages in one job"
        assert start.again or not set(keys) & self.seen, "Codex would get a message twice"
        self.sent[start.key] = keys
        if start.again:
            self.seen.update(keys)

    @precondition(lambda self: self.state.job is None)
    @rule()
    def begin_elsewhere(self) -> None:
        self.last_job = self.state.begin_elsewhere()
        self.acted = False

    @precondition(lambda self: self.state.job is not None)
    @rule()
    def bind_turn(self) -> None:
        self.state.bind_turn(self.last_job, f"t{self.last_job}")
        assert self.state.job is not None
        assert self.state.job.turn_id == f"t{self.last_job}"

    @precondition(lambda self: self.state.job is not None)
    @rule(text=st.text(max_size=5), calls=st.integers(0, 2))
    def stage(self, text: str, calls: int) -> None:
        made = self.state.prepare_stage(
            self.last_job,
            draft(ASSISTANT, text),
            [Note(draft(NOTICE, "n")), *(Call("tool", str(n)) for n in range(calls))],
        )
        assert len(made) == calls
        self.acted = self.acted or calls > 0

    @rule()
    def what_comes_late_is_recorded_without_a_job(self) -> None:
        values = [Note(draft(NOTICE, "late")), Call("tool", "late")]
        if self.state.job is not None:
            self.refused(TransitionError, self.state.prepare_stage, None, None, values)
            return
        status = self.state.status
        assert len(self.state.prepare_stage(None, None, values)) == 1
        assert self.state.status is status

    @rule(job=st.integers(-3, 50))
    def a_wrong_job_number_changes_nothing(self, job: int) -> None:
        if self.state.job is not None and self.state.job.number == job:
            return
        self.refused(WrongJob, self.state.complete, job)
        self.refused(WrongJob, self.state.fail, job, "x", True)
        self.refused(WrongJob, self.state.prepare_stage, job, None, [])
        self.refused(WrongJob, self.state.prepare_steer, job)
        self.refused(WrongJob, self.state.flush_active_arrivals, job)
        self.refused(WrongJob, self.state.bind_turn, job, "t")

    @rule(call=st.integers(-1, 40))
    def launch(self, call: int) -> None:
        call_id = ToolCallId(call)
        found = self.state._thread.calls.get(call_id)
        if found is None:
            self.refused(UnknownCall, self.state.calls.launch, call_id)
        elif found.launched or found.result:
            self.refused(TransitionError, self.state.calls.launch, call_id)
        else:
            self.state.calls.launch(call_id)
            self.refused(TransitionError, self.state.calls.launch, call_id)

    @rule(call=st.integers(-1, 40), success=st.booleans())
    def tool_return(self, call: int, success: bool) -> None:
        call_id = ToolCallId(call)
        known = call_id in self.state._thread.calls
        if not known:
            self.refused(UnknownCall, self.state.calls.accept_return, call_id, success, "out")
            self.refused(UnknownCall, self.state.calls.accept_message, call_id, "half")
            return
        open_before = call_id in dict(self.state.open_calls())
        self.state.calls.accept_message(call_id, "half")
        assert self.state.calls.accept_return(call_id, success, "out", "item", "{}") == open_before
        before = copy.deepcopy(self.state._thread)
        assert not self.state.calls.accept_return(call_id, not success, "other")
        assert self.state._thread == before

    @precondition(lambda self: self.state.job is not None)
    @rule()
    def prepare_steer(self) -> None:
        before = copy.deepcopy(self.state._thread)
        self.prepared = self.state.prepare_steer(self.last_job)
        assert self.state._thread == before

    @precondition(lambda self: self.prepared is not None)
    @rule()
    def commit_steer(self) -> None:
        prepared, self.prepared = self.prepared, None
        assert prepared is not None
        job = self.state.job
        if job is None or job.number != prepared.job:
            self.refused(WrongJob, self.state.commit_steer, prepared)
            return
        now = self.state.prepare_steer(job.number)
        if now != prepared:
            self.refused(StaleSteer, self.state.commit_steer, prepared)
            return
        self.state.commit_steer(prepared)
        assert not set(prepared.arrivals) & self.seen
        assert not set(prepared.arrivals) & self.queued, "a queued message went into a running turn"
        self.sent[prepared.key] = prepared.arrivals

    @precondition(lambda self: self.sent)
    @rule(data=st.data(), refused=st.booleans())
    def codex_sees_or_refuses(self, data: st.DataObject, refused: bool) -> None:
        key = data.draw(st.sampled_from(sorted(self.sent)))
        if refused:
            self.state.refuse_steer(key)
            return
        fresh = self.state.see(key, "item")
        if fresh:
            assert not set(self.sent[key]) & self.seen
            self.seen.update(self.sent[key])

    @precondition(lambda self: self.state.job is not None)
    @rule(data=st.data())
    def a_dead_host_keeps_only_some_of_what_it_took(self, data: st.DataObject) -> None:
        job = self.state.job
        assert job is not None
        taken = [key for key in (job.key, *job.steers) if key in self.sent and not job.again]
        kept = data.draw(st.sets(st.sampled_from(taken))) if taken else set()
        lost = {key for sent in taken if sent not in kept for key in self.sent[sent]} & self.seen
        self.state.lose(job.number, kept)
        self.seen -= lost

    @precondition(lambda self: self.state.job is not None)
    @rule()
    def flush(self) -> None:
        unsent = [arrival for arrival in self.state.arrivals if arrival.steer is None]
        assert self.state.flush_active_arrivals(self.last_job) == len(unsent)
        self.flushed.update(arrival.key for arrival in unsent)

    @precondition(lambda self: self.state.job is not None)
    @rule()
    def complete(self) -> None:
        resume = self.state.complete(self.last_job)
        assert self.state.status in (Status.RUNNING, Status.IDLE)
        assert resume == (self.state.status is Status.RUNNING)

    @precondition(lambda self: self.state.job is not None)
    @rule(restartable=st.booleans())
    def fail(self, restartable: bool) -> None:
        self.state.fail(self.last_job, "broke", restartable)
        assert self.state.status is Status.STALLED
        assert self.state.stall is not None
        assert self.state.stall.restartable == (restartable and not self.acted)

    @precondition(lambda self: self.state.job is not None and self.state.job.seen)
    @rule()
    def pause(self) -> None:
        self.state.pause(self.last_job, "stopped elsewhere")
        assert self.state.status is Status.STALLED
        assert self.state.begin() is None

    @rule()
    def restart(self) -> None:
        if self.state.status is not Status.STALLED:
            self.refused(NotStalled, self.state.restart)
            return
        stall = self.state.stall
        assert stall is not None
        if not stall.restartable or not stall.boxes:
            self.refused(NotRestartable, self.state.restart)
            return
        self.state.restart()
        assert self.state.status is Status.RUNNING
        assert self.state.waiting[: len(stall.boxes)] == stall.boxes

    @rule()
    def ask_again(self) -> None:
        stall = self.state.stall
        if self.state.status is not Status.STALLED:
            self.refused(NotStalled, self.state.ask_again)
        elif stall is None or not stall.seen or not stall.boxes:
            self.refused(NotRestartable, self.state.ask_again)
        else:
            self.state.ask_again()
            assert self.state.status is Status.RUNNING

    @rule()
    def go_on(self) -> None:
        if self.state.status is not Status.STALLED:
            self.refused(NotStalled, self.state.go_on)
            return
        stall = self.state.stall
        waits = bool(self.state.arrivals or (stall and stall.held))
        assert self.state.go_on() == waits
        assert (self.state.status is Status.RUNNING) == waits

    @precondition(lambda self: any(a.steer is None for a in self.state.arrivals))
    @rule(data=st.data())
    def withdraw(self, data: st.DataObject) -> None:
        unsent = [arrival.key for arrival in self.state.arrivals if arrival.steer is None]
        key = data.draw(st.sampled_from(unsent))
        paused = self.state.stall is not None and self.state.stall.paused
        self.state.withdraw(key)
        self.withdrawn.add(key)
        if paused and not self.state.waits:
            assert self.state.status is Status.IDLE, "it waits for a word on nothing"
        self.refused(TransitionError, self.state.withdraw, key)

    @rule(data=st.data(), refused=st.booleans(), meanwhile=st.sampled_from((None, False, True)))
    def take_back(self, data: st.DataObject, refused: bool, meanwhile: bool | None) -> None:
        state = self.state
        if state.job is not None or state.status is Status.RUNNING or state.arrivals:
            self.refused(TransitionError, state.reverts.begin, "t1", 1)
            return
        self.refused(InvalidRequest, state.reverts.begin, "t1", len(state.boxes) + 1)
        if not state.boxes:
            return
        first, last = data.draw(st.integers(1, len(state.boxes))), len(state.boxes)
        gone = self.keys_of(tuple(range(first, last + 1)))
        state.reverts.begin("t1", first)
        self.refused(TransitionError, state.reverts.begin, "t1", first)
        if meanwhile is not None:
            self.accept("typed meanwhile", queue=meanwhile)
        self.crash()
        assert self.state.begin() is None, "something went out while Codex was taking back"
        if refused:
            self.state.reverts.drop()
        else:
            self.state.reverts.finish()
            self.withdrawn.update(set(gone) - self.seen)
        assert not any(turn.first >= first for turn in self.state.turns()) or refused
        self.refused(TransitionError, self.state.reverts.finish)
        self.refused(TransitionError, self.state.reverts.drop)

    @rule(data=st.data())
    def reorder(self, data: st.DataObject) -> None:
        unsent = [arrival.key for arrival in self.state.arrivals if arrival.steer is None]
        order = data.draw(st.permutations(unsent))
        self.state.reorder(order)
        assert [a.key for a in self.state.arrivals if a.steer is None] == order

    @rule()
    def crash(self) -> None:
        """An offer that is in the log counts after it."""
        self.log.extend(self.state.drain())
        self.state = ConversationState.recover(self.log)
        self.accepted.extend(self.offered)
        self.queued.update(key for key, queue in self.offered.items() if queue)
        self.offered.clear()

    @invariant()
    def recovering_the_log_gives_the_live_state(self) -> None:
        self.log.extend(self.state.drain())
        assert ConversationState.recover(self.log)._thread == self.state._thread

    @invariant()
    def every_message_is_in_exactly_one_place(self) -> None:
        state = self.state
        places = [arrival.key for arrival in state.arrivals]
        places += self.keys_of(state.waiting)
        if state.job is not None and not state.job.seen:
            places += self.keys_of(state.job.boxes)
        if state.stall is not None:
            places += self.keys_of(state.stall.held)
            places += () if state.stall.seen else self.keys_of(state.stall.boxes)
        places = [key for key in places if not key.startswith("arrival-")]
        if state._thread.again:
            places = [key for key in places if key not in self.seen]
        expected = [key for key in self.accepted if key not in self.withdrawn | self.seen]
        assert sorted(places) == sorted(expected)

    @invariant()
    def boxes_and_events_are_numbered_without_a_gap(self) -> None:
        boxes, anchor, index = 0, 0, 0
        for record in self.log:
            if isinstance(record, BoxRecord):
                boxes += 1
                anchor, index = boxes, 0
                assert record.box.id == boxes
            else:
                index += 1
                assert (record.after_box_id, record.event_index) == (anchor, index)

    @invariant()
    def every_return_belongs_to_one_call(self) -> None:
        returns = [box for box in self.state.boxes if box.box_type == TOOL_RETURN]
        done = [call for call in self.state._thread.calls.values() if call.result is not None]
        assert len(returns) == len(done)


Machine.TestCase.settings = settings(
    max_examples=500, stateful_step_count=40, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
TestMachine = Machine.TestCase


def test_done_events_are_anchored_and_indexed_after_the_last_box() -> None:
    state = ConversationState()
    state.accept(message("a", "hello"))  # type: ignore[arg-type]
    start = state.begin()
    assert start is not None
    state.see("a", "item")
    state.drain()
    state.prepare_stage(start.job, draft(ASSISTANT, "hi"), [])
    assert state.complete(start.job) is False
    done = state.drain()[-1]
    assert done == EventRecord(after_box_id=2, event_index=1, kind="llm_done", data='{"resume":false}')


def taken(state: ConversationState) -> list[str]:
    """The texts that the next job begins with; it is over at once."""
    start = state.begin()
    assert start is not None
    state.see(state.active(start.job).key, "item")
    texts = [state.boxes[box - 1].contents for box in start.boxes]
    state.complete(start.job)
    return texts


def running() -> ConversationState:
    """A job is active, and Codex has its input."""
    state = ConversationState()
    state.accept(message("first", "first"))  # type: ignore[arg-type]
    state.begin()
    state.see("first", "item")
    return state


def say(state: ConversationState, text: str, *, queue: bool) -> None:
    state.accept(message(text, text, queue=queue))  # type: ignore[arg-type]


def test_each_queued_message_begins_a_job_of_its_own_in_their_order() -> None:
    state = running()
    for text in ("one", "two", "three"):
        say(state, text, queue=True)
    state.complete(1)
    assert [taken(state), taken(state), taken(state)] == [["one"], ["two"], ["three"]]
    assert state.begin() is None and state.status is Status.IDLE


def test_what_is_not_queued_goes_together_and_what_stands_behind_a_queued_message_is_steered_into_its_job() -> (
    None
):
    state = running()
    for text, queue in (("a", False), ("b", False), ("one", True), ("c", False), ("two", True)):
        say(state, text, queue=queue)
    state.complete(1)
    assert taken(state) == ["a", "b"]
    start = state.begin()
    assert start is not None and [state.boxes[box - 1].contents for box in start.boxes] == ["one"]
    steer = state.prepare_steer(start.job)
    assert steer is not None and steer.arrivals == ("c",)


def test_what_is_said_while_nothing_runs_goes_before_what_is_queued() -> None:
    state = running()
    say(state, "later", queue=True)
    state.fail(1, "broke", restartable=True)
    say(state, "try this", queue=False)
    assert taken(state) == ["try this"]
    assert taken(state) == ["later"]


def test_a_failed_job_runs_again_without_what_is_queued_behind_it() -> None:
    state = ConversationState()
    say(state, "first", queue=False)
    state.begin()
    say(state, "later", queue=True)
    state.fail(1, "broke", restartable=True)
    state.restart()
    assert taken(state) == ["first"]
    assert taken(state) == ["later"]


def test_a_message_queued_behind_a_failed_job_lets_it_go_on_and_waits_for_its_end() -> None:
    state = ConversationState()
    say(state, "first", queue=False)
    state.begin()
    state.fail(1, "broke", restartable=True)
    say(state, "later", queue=True)
    assert taken(state) == ["first"]
    assert taken(state) == ["later"]
