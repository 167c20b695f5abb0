"""Pictures of every prompt, entered and ready to be decided, and of the inbox in its states."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from textual.widgets import Input

from core.agent.requests import Request
from tests.tui import examples
from tests.tui.conftest import ConsoleApp
from tests.tui.fake_engine import FakeEngine
from tests.tui.host import HostApp, press, settled, until
from tests.tui.states import Run, app_of, harbour, up
from tui.inbox.waiting_list import WaitingList
from tui.prompts import gate
from tui.prompts.kinds import prompt_for
from tui.prompts.prompt import Prompt
from tui.screens.inbox import InboxScreen
from tui.transcript.rowsview import RowsView

SIZES = ((80, 24), (120, 40))
NARROW = (60, 20)
WHY = {
    "profile": "operator",
    "sandbox": "workspace-write",
    "why_asked": "No rule matches git push origin main.",
}
DESTRUCTIVE = examples.COMMAND.model_copy(
    update={
        "command": "/bin/bash -lc 'git push --force origin main'",
        "rights": examples.PERMISSIONS.rights[:1],
        "network_host": "git.harbour.example",
    }
)
HIDDEN = examples.COMMAND.model_copy(update={"command": "cat notes\u202etxt.sh\u200b; ls"})

PROMPTS: dict[str, Request] = {**examples.KINDS, "destructive": DESTRUCTIVE, "hidden": HIDDEN}
INBOX = ("empty", "several", "entered", "settled")
CASES = [
    *((f"prompt-{kind}", size) for kind in PROMPTS for size in SIZES),
    *((f"inbox-{state}", size) for state in INBOX for size in SIZES),
    ("prompt-question", NARROW),
    ("prompt-destructive", NARROW),
    ("prompt-saying", (80, 24)),
    ("inbox-alike", (120, 40)),
    ("inbox-several", NARROW),
]


@pytest.fixture(autouse=True)
def _nothing_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RowsView, "PREFETCH", False)
    monkeypatch.setattr(gate, "QUIET", 0.05)
    for module in ("tui.place", "tui.widgets.status_line"):
        monkeypatch.setattr(f"{module}.monotonic", lambda: 0.0)
    for module in ("tui.prompts.face", "tui.inbox.waiting_list"):
        monkeypatch.setattr(f"{module}.time", lambda: 1_000.0)


def state_of(name: str) -> tuple[ConsoleApp | HostApp, Run]:
    where, _, what = name.partition("-")
    return inbox(what) if where == "inbox" else prompt(what)


def ask(engine: FakeEngine, number: int, request: Request, conversation_id: str, minutes: int) -> None:
    cautions = ("git push --force",) if request is DESTRUCTIVE else ()
    own = request.model_copy(update={"key": examples.key(number)})
    raised = (1_000 - 60 * minutes) * 1_000
    engine.ask(
        examples.notified(
            own, number, conversation_id=conversation_id, raised_at_ms=raised, cautions=cautions, **WHY
        )
    )


def prompt(kind: str) -> tuple[HostApp, Run]:
    asked = PROMPTS.get(kind, examples.COMMAND)
    cautions = ("git push --force",) if asked is DESTRUCTIVE else ()
    notification = examples.notified(asked, 7, raised_at_ms=820_000, cautions=cautions, **WHY)
    shown = prompt_for(notification)
    shown.place("1 of 2", "Greet every boat")
    shown.limit(12)
    app = HostApp(lambda: shown)

    async def run(pilot: Any) -> None:
        shown.enter()
        await until(pilot, lambda: shown.armed)
        if kind == "saying":
            await press(pilot, "m", *"push it to the other remote")
        for field in shown.query(Input):
            field.cursor_blink = False
        await settled(pilot)

    return app, run


def inbox(state: str) -> tuple[ConsoleApp, Run]:
    engine, conversation = harbour()
    waiting = list(engine.open_conversations)
    engine.notifications.clear()
    if state != "empty":
        ask(engine, 1, DESTRUCTIVE, waiting[0], minutes=42)
        for number in (2, 3, 4):
            ask(engine, number, examples.COMMAND, waiting[number], minutes=20 - number)
        ask(engine, 5, examples.FILES, conversation.id, minutes=2)
        ask(engine, 6, examples.QUESTION, conversation.id, minutes=1)
        engine.snooze(6)

    async def run(pilot: Any) -> None:
        await up(pilot)
        await press(pilot, "f2")
        await until(pilot, lambda: isinstance(pilot.app.screen, InboxScreen))
        await settled(pilot)
        screen = pilot.app.screen
        await until(pilot, lambda: screen._infos)
        if state == "alike":
            for number in (4, 3, 2):
                screen.query_one(WaitingList).choose(number)
                await until(pilot, lambda number=number: number in screen._together.seen)
            await press(pilot, "ctrl+a")
        if state in ("entered", "alike", "settled"):
            await press(pilot, "f6")
            await until(pilot, lambda: screen.query_one(Prompt).armed)
        if state == "settled":
            engine.ask(examples.settled_elsewhere(engine.notifications[1]))
            await until(pilot, lambda: screen.query_one(Prompt).settled)
        await settled(pilot)

    return app_of(engine), run


@pytest.mark.parametrize(("state", "size"), CASES, ids=[f"{state}-{w}x{h}" for state, (w, h) in CASES])
def test_what_is_to_be_decided_looks_as_it_did(
    snap_compare: Callable[..., bool], state: str, size: tuple[int, int]
) -> None:
    app, run = state_of(state)

    async def before(pilot: Any) -> None:
        await run(pilot)
        await pilot.pause()

    assert snap_compare(app, terminal_size=size, run_before=before)
