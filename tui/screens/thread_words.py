"""What the thread does, and what Enter will do, in words. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.writers import IMPORTED
from tui.widgets.status_line import AWAITS_HOST, WAITS

if TYPE_CHECKING:
    from core.conversation.feed import ThreadState
    from tui.place import Place

STALLED = "stalled"


@dataclass(frozen=True, slots=True)
class ThreadWords:
    """`status` for the status line, since when (seconds of `monotonic`) where that counts; `hint` for the composer.

    `steers`: what is sent now goes into the running turn.
    """

    status: str
    hint: str
    since: float | None = None
    steers: bool = False


def thread_words(place: Place, *, asked: bool, host_ready: bool, again: str, sessions: str) -> ThreadWords:
    """`asked`: something waits for the person. `again`, `sessions`: the keys of these actions."""
    words = _doing(place, asked=asked, host_ready=host_ready, again=again)
    if place.writer:
        return ThreadWords(words.status, _read_only(place, sessions), words.since)
    return words


def _doing(place: Place, *, asked: bool, host_ready: bool, again: str) -> ThreadWords:
    if place.running and place.state.turn_id is None and not host_ready:
        return ThreadWords(AWAITS_HOST, "It goes out as soon as Codex is there; write on")
    if place.running:
        hint = "Steer: what you send now goes into the running turn"
        return ThreadWords(WAITS if asked else "running", hint, place.since, steers=True)
    if place.stalled:
        return ThreadWords(STALLED, f"Write on; {_goes_on(place.state, again)}")
    return ThreadWords("ready", "Message Codex")


def stall_words(state: ThreadState, again: str) -> str:
    """How it goes on; why it stopped stands in the conversation."""
    stopped = "Interrupted elsewhere" if state.paused else "It stopped"
    return f"{stopped}. Write on; {_goes_on(state, again)}."


def _goes_on(state: ThreadState, again: str) -> str:
    if state.paused:
        return f"{again} sends what waits"
    return f"{again} runs it again" if state.restartable else f"{again} has Codex go on from there"


def _read_only(place: Place, sessions: str) -> str:
    """Why a conversation is only read here, and what to do."""
    if place.writer == IMPORTED:
        return f"Imported: to be read; {sessions} forks it into a new conversation"
    info = place.conversation.info if place.conversation is not None else None
    if info is not None and info.archived:
        return "Archived: to be read; /unarchive brings it back"
    if info is not None and info.parent_id is not None:
        return "A sub-agent's: to be read; the conversation that began it tells it what to do"
    return "Read-only here: it can be written where it is open"
