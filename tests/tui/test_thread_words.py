"""What a stopped thread says of how it goes on."""

from __future__ import annotations

import pytest

from core.conversation.feed import ThreadState
from core.thread.state import Status
from tui.screens.thread_words import stall_words


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (ThreadState(Status.STALLED, restartable=True), "It stopped. Write on; F5 runs it again."),
        (ThreadState(Status.STALLED), "It stopped. Write on; F5 has Codex go on from there."),
        (
            ThreadState(Status.STALLED, paused=True),
            "Interrupted elsewhere. Write on; F5 sends what waits.",
        ),
    ],
)
def test_a_thread_that_stopped_says_what_f5_does(state: ThreadState, words: str) -> None:
    assert stall_words(state, "F5") == words
