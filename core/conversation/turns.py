"""Codex's turns as they come, put on the thread: begun, with their items, ended, failed.

Nothing here writes to disk or waits: what an event means is on the thread as a whole before the runtime
publishes it, so that a write that fails leaves nothing half done.
"""

from __future__ import annotations

from collections.abc import Callable
from time import time

from core.agent import events as said
from core.agent.items import Item, Marker
from core.conversation import boxing
from core.conversation.failures import may_succeed_again
from core.conversation.items import ItemRecorder
from core.thread.codec import Note
from core.thread.durable import DurableThread

REVIEW_ENTERED = "review_entered"

INTERRUPTED_UNSEEN = "This was interrupted before Codex had the message."
INTERRUPTED = "This turn was interrupted."
PAUSED = "This turn was interrupted by another program. What waits here was not sent."
ENDED_UNSEEN = (
    "Codex ended the turn without having taken the message: something kept it back there, for example a hook."
)


class TurnRecorder:
    def __init__(self, thread: DurableThread, items: ItemRecorder) -> None:
        self._thread = thread
        self._items = items
        self._since = ("", 0.0)
        self._error = ""
        """What Codex says is wrong with the turn that runs: a turn that fails says it again at its end."""
        self._review: str | None = None
        self.stopped: set[str] = set()
        """The turns that a person had stopped here."""
        self.stopped_by_answer: Callable[[str], bool] = lambda turn_id: False
        self.reviewer: str | None = None
        """The turn of the reviewer within the turn of a review: what interrupts has to name that one."""

    def since(self, turn_id: str | None) -> float | None:
        """When the turn that runs began, in Unix seconds; None where that is not known."""
        return self._since[1] if turn_id == self._since[0] else None

    def in_review(self, turn_id: str) -> bool:
        """Is it the reviewer's? A review is a turn in which that has one of its own, with no end (seen on 0.163)."""
        if self._review in (None, turn_id):
            return False
        self.reviewer = turn_id
        return True

    def started(self, turn_id: str, since: float | None = None) -> None:
        """`since`: Unix seconds; None: it begins now."""
        state = self._thread.state
        if turn_id in state.ended_turns():
            return
        if self._since[0] != turn_id:
            self._since = turn_id, time() if since is None else since
        if state.job is not None and state.job.turn_id not in (None, turn_id):
            self.end()
        number = state.job.number if state.job is not None else state.begin_elsewhere()
        state.bind_turn(number, turn_id)

    def item_started(self, item: Item, turn_id: str) -> None:
        self._note_review(item, turn_id)
        self._items.started(item, turn_id, self._job_for(turn_id))

    def item_completed(self, item: Item, turn_id: str) -> None:
        self._note_review(item, turn_id)
        self._items.completed(item, turn_id, self._job_for(turn_id))

    def note(self, level: str, text: str, code: str = "", detail: str = "") -> None:
        """A sentence in the conversation, now and for good."""
        job = self._thread.state.job
        box = boxing.notice(level, text, code, detail)
        self._thread.state.prepare_stage(job.number if job else None, None, [Note(box)])

    def warn(self, level: str, text: str) -> None:
        """What Codex has to say for the person. An error of the turn that runs stands there once that is over."""
        if level == "error" and self._thread.state.job is not None:
            self._error = text
        else:
            self.note(level, text)

    def close(self, ended: said.TurnEnded, *, watched: bool = False) -> None:
        """Close what is still open in the turn, and say what a person should know of its end. `watched`: as `ended`."""
        job = self._thread.state.job
        if job is None or job.turn_id != ended.turn_id:
            return
        self._items.close_open(ended.turn_id, job.number)
        if ended.status is not said.TurnStatus.FAILED:
            self._note_error()
        if ended.status is said.TurnStatus.INTERRUPTED and job.seen:
            text = PAUSED if watched and self._pauses(ended) else INTERRUPTED
            self.note("warning", text, code="interrupted")

    def ended(self, ended: said.TurnEnded, *, watched: bool = False) -> None:
        """Complete or fail the job, after `close`. `watched`: it ended just now, and who stopped it is known."""
        if ended.turn_id == self._review:
            self._review = self.reviewer = None
        job = self._thread.state.job
        if job is None or job.turn_id != ended.turn_id:
            return
        if ended.status is said.TurnStatus.FAILED:
            failure = ended.failure or said.TurnFailure("other", "Codex did not say why.")
            self.fail(failure.message, may_succeed_again(failure))
        elif not job.seen:
            # Sent again by itself, it would undo an interruption, or end the same way without an end.
            interrupted = ended.status is said.TurnStatus.INTERRUPTED
            self.fail(INTERRUPTED_UNSEEN if interrupted else ENDED_UNSEEN, restartable=True)
        elif watched and self._pauses(ended):
            self._note_error()
            self._thread.state.pause(job.number, PAUSED)
            self._thread.clear_authorization()
        else:
            self.end()
        self.stopped.discard(ended.turn_id)

    def _pauses(self, ended: said.TurnEnded) -> bool:
        """Was it stopped by a word of somebody's who did not see what waits here? That is not to run by itself."""
        here = ended.turn_id in self.stopped or self.stopped_by_answer(ended.turn_id)
        return ended.status is said.TurnStatus.INTERRUPTED and not here and self._thread.state.waits

    def end(self) -> None:
        """End the active job. What is still open in it is cut; input that Codex does not have waits again."""
        job = self._thread.state.job
        if job is None:
            return
        if job.turn_id is not None:
            self._items.close_open(job.turn_id, job.number)
        self._note_error()
        self._thread.state.complete(job.number)
        self._thread.clear_authorization()

    def fail(self, problem: str, restartable: bool) -> None:
        """Stall the active job, with its reason in the conversation."""
        job = self._thread.state.job
        if job is None:
            return
        if job.turn_id is not None:
            self._items.close_open(job.turn_id, job.number)
        text = problem
        if problem in self._error:
            text, self._error = self._error, ""
        self._note_error()
        self.note("error", text, code="failed")
        self._thread.state.fail(job.number, problem, restartable)
        self._thread.clear_authorization()

    def _note_error(self) -> None:
        error, self._error = self._error, ""
        if error:
            self.note("error", error)

    def _note_review(self, item: Item, turn_id: str) -> None:
        if isinstance(item, Marker) and item.name == REVIEW_ENTERED:
            self._review = turn_id

    def _job_for(self, turn_id: str) -> int | None:
        """The job that this turn runs as. What comes late, of a turn that is over, goes to none or to the next."""
        state = self._thread.state
        unbound = state.job is None or state.job.turn_id is None
        if unbound and turn_id and turn_id not in state.ended_turns():
            self.started(turn_id)
        return state.job.number if state.job is not None else None
