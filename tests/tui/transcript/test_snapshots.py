"""Pictures of every kind of entry. Look at them after `pytest --snapshot-update`."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from textual.pilot import Pilot

from core.agent.events import Channel
from core.agent.items import AgentMessage, Reasoning
from tests.tui.transcript.app import TranscriptApp, changed, document_of
from tests.tui.transcript.gallery import MESSAGE, Log, gallery, more_kinds

SMALL, LARGE = (80, 24), (120, 40)

SnapCompare = Callable[..., bool]


@pytest.mark.parametrize("page", range(6))
def test_every_kind_on_a_small_screen(snap_compare: SnapCompare, page: int) -> None:
    app = TranscriptApp(document_of(gallery()))
    assert snap_compare(app, terminal_size=SMALL, press=["home", *["pagedown"] * page])


@pytest.mark.parametrize("page", range(4))
def test_every_kind_on_a_large_screen(snap_compare: SnapCompare, page: int) -> None:
    app = TranscriptApp(document_of(gallery()))
    assert snap_compare(app, terminal_size=LARGE, press=["home", *["pagedown"] * page])


@pytest.mark.parametrize("page", range(4))
def test_more_states_on_a_small_screen(snap_compare: SnapCompare, page: int) -> None:
    app = TranscriptApp(document_of(more_kinds()))
    assert snap_compare(app, terminal_size=SMALL, press=["home", *["pagedown"] * page])


@pytest.mark.parametrize("page", range(3))
def test_more_states_on_a_large_screen(snap_compare: SnapCompare, page: int) -> None:
    app = TranscriptApp(document_of(more_kinds()))
    assert snap_compare(app, terminal_size=LARGE, press=["home", *["pagedown"] * page])


@pytest.mark.parametrize("theme", ["textual-light", "ansi-dark", "nord"])
def test_themes(snap_compare: SnapCompare, theme: str) -> None:
    async def themed(pilot: Pilot[None]) -> None:
        pilot.app.theme = theme
        await pilot.pause()
        await pilot.press("home", "pagedown")

    assert snap_compare(TranscriptApp(document_of(gallery())), terminal_size=LARGE, run_before=themed)


def test_no_colour(snap_compare: SnapCompare, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = TranscriptApp(document_of(gallery()))
    assert snap_compare(app, terminal_size=LARGE, press=["home", "pagedown"])


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_while_it_streams(snap_compare: SnapCompare, size: tuple[int, int]) -> None:
    log = Log()
    log.user("Why is the table stale?")
    log.command("date", "Mon Jan  5 00:12:40 UTC 2026\n", duration_ms=4)
    document = document_of(log.boxes)
    app = TranscriptApp(document)

    async def stream(pilot: Pilot[None]) -> None:
        document.item_started(Reasoning(id="r"))
        document.delta("r", Channel.SUMMARY, "**Comparing the clocks**")
        document.item_started(AgentMessage(id="m", text=""))
        for start in range(0, 900, 60):
            document.delta("m", Channel.MESSAGE, MESSAGE[start : start + 60])
            await changed(app, pilot)
        document.set_outbox([("k1", "Also look at the logs.", "sent"), ("k2", "And hurry.", "accepted")])
        await changed(app, pilot)

    assert snap_compare(app, terminal_size=size, run_before=stream)


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_unfolded_with_a_cursor_and_a_selection(snap_compare: SnapCompare, size: tuple[int, int]) -> None:
    app = TranscriptApp(document_of(gallery()))

    async def unfold(pilot: Pilot[None]) -> None:
        await pilot.press("home")
        app.view.cursor = app.view.flow.entry(1) if app.view.flow is not None else None
        await pilot.press("space", "j", "j", "space")
        await pilot.mouse_down(offset=(3, 1))
        await pilot.hover(offset=(20, 8))
        await pilot.mouse_up(offset=(20, 8))

    assert snap_compare(app, terminal_size=size, run_before=unfold)


def test_on_a_narrow_screen(snap_compare: SnapCompare) -> None:
    app = TranscriptApp(document_of(gallery()))
    assert snap_compare(app, terminal_size=(44, 60), press=["home", "pagedown"])
