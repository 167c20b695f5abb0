"""Pictures of messages that wait for after the turn, and of what becomes of them when it is stopped."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from textual.pilot import Pilot

from core.conversation.feed import Delivery, OutboxEntry
from core.thread.state import Status
from tests.tui.conftest import ConsoleApp
from tests.tui.fake_engine import FakeConversation
from tests.tui.host import press, until
from tests.tui.states import app_of, harbour, said, up
from tui.transcript.rowsview import RowsView

SIZES = ((60, 20), (80, 24), (120, 40))


async def waiting(pilot: Pilot[Any], conversation: FakeConversation) -> None:
    await press(pilot, *"half a thought")


async def stopped(pilot: Pilot[Any], conversation: FakeConversation) -> None:
    await press(pilot, *"half a thought", "escape")
    await until(pilot, lambda: conversation.interrupted == 1)
    conversation.become(Status.IDLE)
    await up(pilot)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
@pytest.mark.parametrize("state", [waiting, stopped], ids=lambda state: state.__name__)
def test_what_waits_looks_as_it_did(
    snap_compare: Callable[..., bool],
    monkeypatch: pytest.MonkeyPatch,
    state: Callable[[Pilot[Any], FakeConversation], Any],
    size: tuple[int, int],
) -> None:
    monkeypatch.setattr(RowsView, "PREFETCH", False)
    for module in ("tui.place", "tui.widgets.status_line"):
        monkeypatch.setattr(f"{module}.monotonic", lambda: 0.0)
    engine, conversation = harbour()
    engine.seen.unseen_of = {next(iter(engine.open_conversations))}
    conversation.selection = replace(conversation.selection, planning=True)
    conversation.add(said("Greet every boat that comes in"))
    conversation.become(Status.RUNNING)
    texts = ("Then count them", "And the [Image #1 lamp.png 120 KB] too")
    images: tuple[tuple[str, ...], ...] = ((), ("/pictures/lamp.png",))
    conversation.wait_for(
        [OutboxEntry(text, text, Delivery.QUEUED, paths) for text, paths in zip(texts, images, strict=True)]
    )

    async def before(pilot: Pilot[Any]) -> None:
        assert isinstance(pilot.app, ConsoleApp)
        await up(pilot)
        await state(pilot, conversation)
        await pilot.pause()

    assert snap_compare(app_of(engine), terminal_size=size, run_before=before)
