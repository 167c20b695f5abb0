"""How a message is accepted: recorded first, and counted once that is on disk.

Between the two it is offered: nothing takes it, shows it or waits for it. A write that failed ends in
`refuse`: the message is in the hands of whoever offered it, and nowhere here. A log that ends with an arrival
says that it is on disk: after a crash it counts.
"""

from __future__ import annotations

from core.thread import log
from core.thread.boxes import USER, BoxDraft, InputMeta, hidden_of
from core.thread.placing import Placing, queues
from core.thread.queries import Status, ThreadQueries
from core.thread.recorder import Recorder
from core.thread.thread import Thread


class Offers:
    """Part of `ConversationState`. `offered` are the keys of what does not count yet."""

    def __init__(
        self, thread: Thread, queries: ThreadQueries, recorder: Recorder, placing: Placing, offered: set[str]
    ) -> None:
        self._thread = thread
        self._queries = queries
        self._recorder = recorder
        self._placing = placing
        self._offered = offered

    def make(self, box: BoxDraft) -> str:
        """Record a box under its key, which is new here, or under one that it is given. Returns the key."""
        key = key_of(box) or f"arrival-{self._thread.anchor}-{self._thread.event_index}"
        self._recorder.event(
            log.Arrived(
                key=key,
                box_type=box.box_type,
                contents=box.contents,
                hidden_type=box.hidden_type,
                hidden_contents=box.hidden_contents,
            )
        )
        self._offered.add(key)
        return key

    def admit(self, key: str) -> None:
        """From now on it counts: it gets its place, or, while a job is active, is among the arrivals."""
        status, stall = self._queries.status, self._thread.stall
        arrival = self._thread.arrivals[key]
        if self._thread.job is None and not (queues(arrival.draft) and status is not Status.IDLE):
            if arrival.draft.box_type == USER:
                self._placing.place_unqueued()
            self._recorder.place_arrival(arrival)
        elif status is Status.STALLED and stall is not None:
            self._recorder.event(log.WentOn(job=stall.job))
        self._offered.discard(key)

    def admit_recovered(self) -> None:
        """What was on disk when a crash came between that and its admission: a stalled thread goes on with it."""
        if self._queries.status is not Status.STALLED:
            return
        found = [arrival.key for arrival in self._queries.arrivals if arrival.resumes]
        self._offered.update(found)
        for key in found:
            self.admit(key)

    def refuse(self, key: str) -> None:
        """It was not written: its key is as good as new."""
        self._recorder.event(log.Refused(key=key))
        self._offered.discard(key)


def key_of(box: BoxDraft) -> str:
    """A message's own key; "" for what has none."""
    meta = hidden_of(box)
    return meta.key if isinstance(meta, InputMeta) else ""
