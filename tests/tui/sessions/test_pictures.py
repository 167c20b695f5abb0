"""Pictures of the browser in each of its states, at the sizes it is made for."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from core import deleting
from core.sessions.model import IndexPhase, Kind, Progress, SessionState
from tests.tui.conftest import FOLDER, ConsoleApp
from tests.tui.host import until
from tests.tui.sessions.fake_sessions import BrowserEngine, session
from tui.launch import Launch
from tui.screens.pick import PickScreen
from tui.sessions.screen import SessionsScreen

SIZES = ((80, 24), (120, 40), (60, 20))
TITLES = (
    "Fix the login page on narrow screens",
    "Why does the build take twice as long since Tuesday?",
    "Paint the lighthouse",
    "Move the harbour service to the new queue",
    "日本語のタイトル, and then some more words that do not fit on the line",
    "Review of the boats branch",
    "Explain the tide tables",
)
FOLDERS = ("/home/dev/harbour", "/home/dev/lights", "/srv/www/site")
WHY = "Its first line is missing, so nothing says which folder and which Codex it is of."

State = Callable[[Pilot[Any], SessionsScreen], Awaitable[None]]


@pytest.fixture(autouse=True)
def _nothing_moves(monkeypatch: pytest.MonkeyPatch, engine: BrowserEngine) -> None:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    monkeypatch.setattr(deleting, "time", SimpleNamespace(monotonic=lambda: 0.0))
    monkeypatch.setattr("tui.widgets.status_line.monotonic", lambda: 0.0)


async def read_through(pilot: Pilot[Any], screen: SessionsScreen) -> None:
    """Until the list, the preview and the filters show all that they will."""
    groups = ("preview", "facets")
    await pilot.pause(0.1)
    await until(
        pilot,
        lambda: (
            not screen.finder.searching
            and all(worker.is_finished for worker in pilot.app.workers if worker.group in groups)
        ),
    )
    before = ""
    while (now := pilot.app.export_screenshot()) != before:
        before = now
        await pilot.pause(0.2)


def many(engine: BrowserEngine) -> None:
    engine.sessions.entries = [
        session(
            n * n + 1,
            TITLES[n % len(TITLES)],
            folder=FOLDERS[n * 5 % 7 % 3],
            state={2: SessionState.NEEDS_YOU, 1: SessionState.RUNNING, 9: SessionState.STALLED}.get(
                n, SessionState.IDLE
            ),
            pinned=n == 6,
            has_changes=n % 3 == 0,
            tags=("urgent",) if n in (1, 4) else (),
            branch="main" if n % 2 else "feature/gate",
            model="gpt-9" if n % 3 else "gpt-9-codex",
            archived=n == 30,
        )
        for n in range(40)
    ]
    for entry in engine.sessions.entries:
        if "lighthouse" in entry.title:
            engine.sessions.say(
                entry.key,
                (Kind.USER, "Paint the lighthouse white, and its door blue. Do not touch the lamp."),
                (Kind.COMMAND, "make paint COLOUR=white"),
                (Kind.OUTPUT, "mixing… done\nwall 1: white\nwall 2: white\nthe door of the lighthouse: blue"),
                (Kind.ASSISTANT, "The lighthouse is white and its door is **blue**; the lamp is as it was."),
            )


def broken(engine: BrowserEngine) -> None:
    many(engine)
    engine.sessions.entries.insert(
        0, session(0, "rollout-2026-01-31T10-00", state=SessionState.UNREADABLE, why=WHY, folder="")
    )


def nothing(engine: BrowserEngine) -> None:
    engine.sessions.progress = Progress(IndexPhase.READY)


def indexing(engine: BrowserEngine) -> None:
    many(engine)
    engine.sessions.progress = Progress(IndexPhase.READING, 1_234, 10_000)


async def as_it_opens(pilot: Pilot[Any], screen: SessionsScreen) -> None: ...


async def search(pilot: Pilot[Any], screen: SessionsScreen) -> None:
    screen.field.value = "lighthouse"
    await until(pilot, lambda: screen.finder.shown.text == "lighthouse")


async def menu(pilot: Pilot[Any], screen: SessionsScreen) -> None:
    await pilot.press("ctrl+f")
    await until(pilot, lambda: isinstance(pilot.app.screen, PickScreen))


async def delete(pilot: Pilot[Any], screen: SessionsScreen) -> None:
    await pilot.press("tab", "down", "d")
    await until(pilot, lambda: screen.notices.showing)


async def reading(pilot: Pilot[Any], screen: SessionsScreen) -> None:
    await search(pilot, screen)
    await pilot.press("tab", "v")
    await until(pilot, lambda: screen.reading)


async def mistaken(pilot: Pilot[Any], screen: SessionsScreen) -> None:
    screen.field.value = "boats is:open"
    await until(pilot, lambda: screen.finder.shown.text == "boats")


STATES: dict[str, tuple[Callable[[BrowserEngine], None], State]] = {
    "many": (many, as_it_opens),
    "search": (many, search),
    "menu": (many, menu),
    "empty": (nothing, as_it_opens),
    "indexing": (indexing, as_it_opens),
    "delete": (many, delete),
    "unreadable": (broken, as_it_opens),
    "reading": (many, reading),
    "mistaken": (many, mistaken),
}
CASES = [(state, size) for state in STATES for size in SIZES]


@pytest.mark.parametrize(("state", "size"), CASES, ids=[f"{state}-{w}x{h}" for state, (w, h) in CASES])
def test_the_browser_looks_as_it_did(
    snap_compare: Callable[..., bool], engine: BrowserEngine, state: str, size: tuple[int, int]
) -> None:
    fill, run = STATES[state]
    fill(engine)
    app = ConsoleApp(Launch(FOLDER), engine.opener)

    async def before(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: app.console_screen.desk is not None)
        await pilot.press("f3")
        await until(pilot, lambda: isinstance(app.screen, SessionsScreen) and app.screen.finder.found)
        screen = app.screen
        assert isinstance(screen, SessionsScreen)
        await until(pilot, lambda: screen.facets.sessions == len(engine.sessions.entries))
        screen.field.cursor_blink = False
        await read_through(pilot, screen)
        await run(pilot, screen)
        for field in pilot.app.screen.query(Input):
            field.cursor_blink = False
        await read_through(pilot, screen)

    assert snap_compare(app, terminal_size=size, run_before=before)
