"""The commands that take boxes back: begun before Codex is asked, then finished or dropped."""

from __future__ import annotations

from core.errors import InvalidRequest, TransitionError
from core.thread import log
from core.thread.queries import Status, ThreadQueries
from core.thread.recorder import Recorder
from core.thread.thread import Reverting


class Reverts:
    """Part of `ConversationState`. Nothing else begins between `begin` and what ends it."""

    def __init__(self, thread: ThreadQueries, recorder: Recorder) -> None:
        self._thread = thread
        self._recorder = recorder

    def begin(self, turn_id: str, first: int) -> None:
        """The boxes from `first` on are about to be taken back at Codex, which has them from turn `turn_id` on.

        Raises TransitionError while a job is active, input waits, or something is being taken back already;
        InvalidRequest where there is no such box.
        """
        self._thread.require_no_job()
        if self._thread.status is Status.RUNNING or self._thread.arrivals:
            raise TransitionError(
                "Nothing was taken back", why="messages wait", todo="Take them back first, then try again."
            )
        if self._thread.reverting is not None:
            raise TransitionError("Nothing was taken back", why="something is being taken back already")
        if not 1 <= first <= len(self._thread.boxes):
            raise InvalidRequest("Nothing was taken back", why=f"there is no entry {first}")
        self._recorder.event(log.RevertBegun(turn_id=turn_id, first=first, last=len(self._thread.boxes)))

    def finish(self) -> None:
        """Codex took them back. Raises TransitionError where nothing was being taken back."""
        span = self._reverting().span
        self._recorder.event(log.Reverted(first=span.first, last=span.last))

    def drop(self) -> None:
        """Codex refused. Raises TransitionError where nothing was being taken back."""
        self._reverting()
        self._recorder.event(log.RevertDropped())

    def _reverting(self) -> Reverting:
        if self._thread.reverting is None:
            raise TransitionError("Nothing is being taken back")
        return self._thread.reverting
