"""Pictures of the rules, and of a rule being made, in each of their states."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Static

from tests.tui import examples
from tests.tui.conftest import FOLDER
from tests.tui.fake_engine import FakeEngine
from tests.tui.host import HostApp, press, settled, until
from tests.tui.rules.fake import NOW, FakeRulebook, asked, some
from tests.tui.states import app_of, up
from tui.prompts import gate
from tui.prompts.judged_text import JudgedText
from tui.prompts.rule_maker import RuleMaker
from tui.rules.editor import RuleEditor
from tui.screens.rules import RulesScreen

SIZES = ((80, 24), (120, 40), (60, 20))
STATES: dict[str, tuple[str, ...]] = {
    "full": (),
    "disabled": ("down", "down", "down", "down"),
    "revoked": ("down", "x"),
    "tried": ("t", *"git push --force origin"),
    "profiles": ("p",),
    "edit": ("down", "e"),
    "new": ("a",),
    "wrong": ("a", *"git 'log", "ctrl+s"),
    "empty": (),
}
MAKER = {"git log -3": "made", "git log > out": "none"}
PAST = asked("git log -3", "git log", "git log --oneline", "git log -3", "git push", "git log > x", "make")


@pytest.fixture(autouse=True)
def _a_clock_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.screens.rules.time", lambda: NOW / 1000)
    monkeypatch.setattr(gate, "QUIET", 0.05)
    for module in ("tui.place", "tui.widgets.status_line"):
        monkeypatch.setattr(f"{module}.monotonic", lambda: 0.0)


async def still(pilot: Pilot[Any]) -> None:
    """Nothing is under way, and nothing blinks."""
    screen = pilot.app.screen_stack
    await settled(pilot)
    await until(pilot, lambda: all(one.is_finished for one in pilot.app.workers if one.node in screen[1:]))
    for field in pilot.app.screen.query(Input):
        field.cursor_blink = False
    await settled(pilot)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("state", STATES)
def test_the_rules_look_as_they_did(
    snap_compare: Callable[..., bool], state: str, size: tuple[int, int]
) -> None:
    engine = FakeEngine()
    engine.add(FOLDER, "Greet every boat")
    cast(Any, engine).rules = FakeRulebook(() if state in ("empty", "new", "wrong") else some())

    async def before(pilot: Pilot[Any]) -> None:
        await up(pilot)
        await press(pilot, "f7")
        await until(pilot, lambda: isinstance(pilot.app.screen, RulesScreen))
        screen = pilot.app.screen
        await until(pilot, lambda: screen.query_one(JudgedText).judged.lines)
        for key in STATES[state]:
            await press(pilot, "space" if key == " " else key)
            if key in ("e", "a") and state in ("edit", "new", "wrong"):
                await until(pilot, lambda: isinstance(pilot.app.screen, RuleEditor))
        await still(pilot)

    assert snap_compare(app_of(engine), terminal_size=size, run_before=before)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("command", MAKER, ids=MAKER.__getitem__)
def test_a_rule_being_made_looks_as_it_did(
    snap_compare: Callable[..., bool], command: str, size: tuple[int, int]
) -> None:
    engine = FakeEngine()
    conversation = engine.add(FOLDER, "Greet every boat")
    cast(Any, engine).rules = FakeRulebook((), PAST)
    request = examples.COMMAND.model_copy(update={"command": command, "cwd": str(FOLDER)})
    why = "No rule can allow it: it redirects to or from a file."
    asks = examples.notified(request, 7, conversation_id=conversation.id, why_asked=why)
    app = HostApp(lambda: Static("What is below"), ("app", "rules", "prompts"))

    async def before(pilot: Pilot[Any]) -> None:
        maker = RuleMaker(cast(Any, engine), asks)
        await pilot.app.push_screen(maker)
        await until(pilot, lambda: maker.query_one(JudgedText).judged.lines)
        if MAKER[command] == "made":
            await pilot.press("down")
        await until(pilot, lambda: all(one.is_finished for one in pilot.app.workers))
        await pilot.pause()

    assert snap_compare(app, terminal_size=size, run_before=before)
