"""The fold from a conversation's records to the thread that they amount to.

A thread is computed, never set: the live state and the recovered one come from the same function, so
they cannot differ (DESIGN, What must hold). Nothing here decides; `state.py` does.
"""

from __future__ import annotations

from dataclasses import replace

from core.errors import InvalidState
from core.thread import log
from core.thread.boxes import (
    TOOL_CALL,
    TOOL_RETURN,
    USER,
    BoxId,
    CallMeta,
    ChatBox,
    InputMeta,
    ResultMeta,
    ToolCallId,
    hidden_of,
)
from core.thread.records import BoxRecord, EventRecord, Record
from core.thread.thread import Arrival, Call, Job, Reverting, Span, Stall, Thread


def apply(thread: Thread, record: Record) -> None:
    """Fold one record in. Raises InvalidState where it does not follow on the log so far."""
    if isinstance(record, BoxRecord):
        _apply_box(thread, record.box)
    else:
        _apply_event(thread, record)


def _out_of_order(why: str) -> InvalidState:
    return InvalidState(
        "The log of this conversation has a gap or a double entry", why=why, todo="Run `quarterdeck doctor`."
    )


def _apply_box(thread: Thread, box: ChatBox) -> None:
    if box.id != len(thread.boxes) + 1:
        raise _out_of_order(f"box {box.id} follows box {len(thread.boxes)}")
    thread.boxes.append(box)
    thread.anchor, thread.event_index = box.id, 0
    key, thread.placing = thread.placing, None
    arrival = thread.arrivals.pop(key, None) if key is not None else None
    if box.box_type == USER:
        _apply_user(thread, box, arrival)
    elif box.box_type == TOOL_CALL:
        meta = hidden_of(box)
        thread.calls[ToolCallId(box.id)] = Call(meta.item_id if isinstance(meta, CallMeta) else "")
        if thread.job is not None:
            thread.job = replace(thread.job, acted=True)
    elif box.box_type == TOOL_RETURN:
        _apply_return(thread, box)


def _apply_user(thread: Thread, box: ChatBox, arrival: Arrival | None) -> None:
    meta = hidden_of(box)
    if isinstance(meta, InputMeta):
        thread.keys.add(meta.key)
        thread.placed[meta.key] = box.id
        if meta.elsewhere:
            return
    if arrival is not None and arrival.delivered and arrival.steer is not None:
        thread.watermark = box.id
        thread.sent[arrival.steer] = (*thread.sent.get(arrival.steer, ()), box.id)
    else:
        thread.waiting.append(box.id)


def _apply_return(thread: Thread, box: ChatBox) -> None:
    meta = hidden_of(box)
    if not isinstance(meta, ResultMeta):
        return
    call = thread.calls.get(ToolCallId(meta.tool_call_id))
    if call is None or call.result is not None:
        raise _out_of_order(f"box {box.id} returns call {meta.tool_call_id}, which is not open")
    call.result = meta


def _apply_event(thread: Thread, record: EventRecord) -> None:
    if record.after_box_id != thread.anchor or record.event_index != thread.event_index + 1:
        raise _out_of_order(f"event {record.event_index} after box {record.after_box_id} is out of order")
    thread.event_index = record.event_index
    event = log.parse_event(record.kind, record.data)
    try:
        _fold(thread, event)
    except LookupError as error:
        raise _out_of_order(f"a {record.kind} event names what is not there: {error}") from error


def _fold(thread: Thread, event: log.LogEvent | None) -> None:
    match event:
        case log.Arrived():
            stalled = thread.stall is not None and thread.job is None
            thread.arrivals[event.key] = Arrival(event.key, event.draft(), resumes=stalled)
            thread.keys.add(event.key)
        case log.Refused():
            del thread.arrivals[event.key]
            thread.keys.remove(event.key)
        case log.Withdrawn():
            del thread.arrivals[event.key]
        case log.Reordered():
            _reorder(thread, event.keys)
        case log.Placed():
            thread.placing = thread.arrivals[event.key].key
        case log.Begun():
            _begin(thread, event)
        case log.TurnBound() if thread.job is not None:
            thread.job = replace(thread.job, turn_id=event.turn_id)
            thread.turns[event.turn_id] = event.job
        case log.Launched():
            thread.calls[ToolCallId(event.call)].launched = True
        case log.InputSeen():
            _see(thread, event.key)
        case log.InputLost():
            _lose(thread, event.key)
        case log.Steered():
            for key in event.arrivals:
                thread.took[key] = event.job
                thread.arrivals[key] = replace(thread.arrivals[key], steer=event.key)
        case log.SteerRefused():
            _forget_steers(thread, only=event.key)
        case log.Completed() if thread.job is not None:
            _complete(thread, thread.job)
        case log.Failed() if thread.job is not None:
            _fail(thread, thread.job, event)
        case log.Paused() if thread.job is not None:
            _pause(thread, thread.job, event)
        case log.Restarted() if thread.stall is not None:
            stall, thread.stall = thread.stall, None
            thread.waiting[:0] = (*stall.boxes, *stall.held)
            thread.again = stall.boxes if stall.seen else ()
        case log.WentOn() if thread.stall is not None:
            stall, thread.stall = thread.stall, None
            thread.waiting[:0] = (*(() if stall.seen else stall.boxes), *stall.held)
        case log.RevertBegun():
            thread.reverting = Reverting(event.turn_id, Span(event.first, event.last))
        case log.Reverted():
            _revert(thread, Span(event.first, event.last))
        case log.RevertDropped():
            thread.reverting = None
        case log.Forked():
            _fork(thread, event)
        case _:
            pass


def _reorder(thread: Thread, keys: tuple[str, ...]) -> None:
    sent = [arrival for arrival in thread.arrivals.values() if arrival.steer is not None]
    moved = [thread.arrivals[key] for key in keys]
    thread.arrivals = {arrival.key: arrival for arrival in (*sent, *moved)}


def _begin(thread: Thread, event: log.Begun) -> None:
    thread.jobs = event.job
    thread.job = Job(
        number=event.job,
        key=event.key,
        boxes=tuple(BoxId(box) for box in event.boxes),
        again=event.again,
        seen=not event.boxes or event.again,
    )
    stall, thread.stall = thread.stall, None
    fresh = () if event.again else event.boxes
    thread.opened = min(fresh, default=len(thread.boxes) + 1)
    if event.boxes:
        thread.sent[event.key] = thread.job.boxes
        for box_id in thread.job.boxes:
            meta = hidden_of(thread.boxes[box_id - 1])
            if isinstance(meta, InputMeta):
                thread.took[meta.key] = event.job
        thread.waiting, thread.again = [], ()
        thread.watermark = len(thread.boxes)
    elif stall is not None:
        # A turn that another client began: what failed here before it was never handed over still waits.
        thread.waiting[:0] = (*(() if stall.seen else stall.boxes), *stall.held)


def _see(thread: Thread, key: str) -> None:
    if thread.job is not None and thread.job.key == key:
        thread.job = replace(thread.job, seen=True)
    if thread.stall is not None and thread.stall.key == key:
        thread.stall = replace(thread.stall, seen=True)
    late = [box for box in thread.sent.get(key, ()) if box in thread.waiting and box not in thread.again]
    if late:
        thread.waiting = [box for box in thread.waiting if box not in late]
        if thread.job is not None and not thread.job.boxes:
            thread.job = replace(thread.job, key=key, boxes=tuple(late))
    steered = [arrival for arrival in thread.arrivals.values() if arrival.steer == key]
    for arrival in steered:
        thread.arrivals[arrival.key] = replace(arrival, delivered=True)
    if steered and thread.job is not None:
        thread.job = replace(thread.job, steers=(*thread.job.steers, key))


def _lose(thread: Thread, key: str) -> None:
    job = thread.job
    if job is not None and job.key == key:
        thread.job = replace(job, seen=False)
    elif job is not None and key in job.steers:
        thread.job = replace(job, steers=tuple(steer for steer in job.steers if steer != key))
        thread.waiting.extend(thread.sent[key])


def _complete(thread: Thread, job: Job) -> None:
    thread.job = None
    thread.spans[job.number] = Span(thread.opened, len(thread.boxes))
    if not job.seen:
        thread.waiting[:0] = job.boxes
    _forget_steers(thread)


def _fail(thread: Thread, job: Job, event: log.Failed) -> None:
    thread.job = None
    thread.spans[job.number] = Span(thread.opened, len(thread.boxes))
    thread.stall = Stall(
        job=job.number,
        key=job.key,
        error=event.error,
        restartable=event.restartable,
        boxes=job.boxes,
        held=tuple(thread.waiting),
        seen=job.seen,
    )
    thread.waiting = []
    _forget_steers(thread)


def _pause(thread: Thread, job: Job, event: log.Paused) -> None:
    """Its input is with Codex: nothing of it runs again."""
    failed = log.Failed(job=event.job, error=event.reason, restartable=False)
    _fail(thread, replace(job, boxes=(), seen=True), failed)
    if thread.stall is not None:
        thread.stall = replace(thread.stall, paused=True)


def _forget_steers(thread: Thread, only: str | None = None) -> None:
    """Sent but never seen: they wait again."""
    for key, arrival in list(thread.arrivals.items()):
        if arrival.steer is not None and not arrival.delivered and only in (None, arrival.steer):
            thread.arrivals[key] = replace(arrival, steer=None)


def _revert(thread: Thread, span: Span) -> None:
    """What failed or waits among these boxes goes with them."""
    thread.reverting = None
    thread.reverted.append(span)
    thread.spans = {job: kept for job, kept in thread.spans.items() if kept.first < span.first}
    thread.waiting = [box for box in thread.waiting if box not in span]
    thread.again = ()
    if thread.stall is not None:
        boxes = tuple(box for box in thread.stall.boxes if box not in span)
        held = tuple(box for box in thread.stall.held if box not in span)
        thread.stall = replace(thread.stall, boxes=boxes, held=held) if boxes or held else None


def _fork(thread: Thread, event: log.Forked) -> None:
    """Whatever the copied boxes began is over: nothing waits, and their turns have ended."""
    thread.waiting = []
    thread.watermark = len(thread.boxes)
    thread.jobs = len(event.turns)
    for number, turn in enumerate(event.turns, 1):
        thread.turns[turn.turn_id] = number
        thread.spans[number] = Span(turn.first, turn.last)
    thread.reverted = [Span(first, last) for first, last in event.reverted]
