"""A conversation as the console has it open."""

from __future__ import annotations

from pathlib import Path
from time import monotonic, time

import pytest

from core.conversation.feed import StateChanged, ThreadState
from core.thread.state import Status
from tui.place import Place
from tui.widgets.writing import Writing


def test_the_clock_of_a_turn_goes_on_from_when_it_began_and_not_from_when_it_was_found() -> None:
    place = Place(Path("/"), Writing(lambda: "key"))
    place.change(StateChanged("c", ThreadState(Status.RUNNING, "turn", since=time() - 90)))
    assert monotonic() - place.since == pytest.approx(90, abs=1)


def test_the_clock_does_not_begin_again_while_nothing_changes() -> None:
    place = Place(Path("/"), Writing(lambda: "key"))
    running = StateChanged("c", ThreadState(Status.RUNNING, "turn"))
    place.change(running)
    began = place.since
    place.change(running)
    assert place.since == began
