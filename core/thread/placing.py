"""Which of the arrivals get their place in the conversation, and when: what a job takes, and what waits for another."""

from __future__ import annotations

from collections.abc import Container

from core.thread.boxes import USER, BoxDraft, InputMeta, hidden_of
from core.thread.recorder import Recorder
from core.thread.thread import Arrival, Thread


class Placing:
    """Part of `ConversationState`.

    A queued message (`InputMeta` without `steer`) waits for a job of its own. All others go as soon as they can.
    """

    def __init__(self, thread: Thread, recorder: Recorder, offered: Container[str]) -> None:
        """`offered`: the keys of arrivals that do not count yet."""
        self._thread = thread
        self._recorder = recorder
        self._offered = offered

    def unsent(self) -> list[Arrival]:
        """In their order."""
        arrivals = self._thread.arrivals.values()
        return [one for one in arrivals if one.steer is None and one.key not in self._offered]

    def steerable(self) -> list[Arrival]:
        """What may go into the running turn."""
        return [arrival for arrival in self.unsent() if _is_input(arrival) and not queues(arrival.draft)]

    def place_unsent(self) -> int:
        """All of them. How many."""
        unsent = self.unsent()
        for arrival in unsent:
            self._recorder.place_arrival(arrival)
        return len(unsent)

    def place_unqueued(self) -> None:
        """What goes before a message that is said while no job is active."""
        for arrival in self.unsent():
            if not queues(arrival.draft):
                self._recorder.place_arrival(arrival)

    def place_next(self) -> None:
        """What the next job takes: up to the first queued message, or where nothing else waits that one alone."""
        stall = self._thread.stall
        taken = bool(self._thread.waiting or (stall and (stall.held or (stall.boxes and not stall.seen))))
        for arrival in self.unsent():
            queued = queues(arrival.draft)
            if not (queued and taken):
                self._recorder.place_arrival(arrival)
            if queued:
                return
            taken = taken or _is_input(arrival)

    def place_notes(self) -> None:
        """What arrived without being input has nothing to wait for."""
        for arrival in self.unsent():
            if not _is_input(arrival):
                self._recorder.place_arrival(arrival)


def queues(box: BoxDraft) -> bool:
    """Is it a message that waits for a job of its own?"""
    meta = hidden_of(box)
    return isinstance(meta, InputMeta) and not meta.steer


def _is_input(arrival: Arrival) -> bool:
    return arrival.draft.box_type == USER
