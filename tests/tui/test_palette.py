"""What the command palette finds."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.fuzzy import Matcher

from core.thread.state import Status
from tests.tui.conftest import FOLDER, OpenConsole
from tests.tui.examples import COMMAND, notified
from tests.tui.fake_engine import FakeEngine
from tests.tui.host import press, until
from tui.launch import Launch
from tui.screens.palette import fits
from tui.screens.palette_entries import Entry


def found(entries: list[Entry], looked_for: str) -> list[str]:
    """The actions that are found, the best first."""
    matcher = Matcher(looked_for)
    hits = [(fits(matcher, entry), entry.action) for entry in entries]
    return [action for score, action in sorted(hits, key=lambda hit: -hit[0]) if score]


@pytest.mark.parametrize(
    ("looked_for", "action"),
    [
        ("inbox", "over('inbox')"),
        ("waits", "over('inbox')"),
        ("approve", "over('inbox')"),
        ("undo", "undo"),
        ("redo", "redo"),
        ("rewind", "slash('revert')"),
    ],
)
async def test_what_a_person_calls_it_is_found(console: OpenConsole, looked_for: str, action: str) -> None:
    async with console() as (screen, _):
        assert action in found(screen.palette_entries(), looked_for)[:3]


async def test_what_can_be_done_just_now_is_found_by_other_words(
    console: OpenConsole, engine: FakeEngine
) -> None:
    talk = engine.add(FOLDER, "boats")
    talk.become(Status.RUNNING, "turn-1")
    engine.ask(notified(COMMAND, 7, conversation_id=talk.id))
    async with console(Launch(FOLDER, latest=True)) as (screen, pilot):
        await until(pilot, lambda: screen.check_action("answer", ()))
        assert found(screen.palette_entries(), "interrupt")[0] == "interrupt"
        assert "interrupt" in found(screen.palette_entries(), "stop")
        assert "answer" in found(screen.palette_entries(), "approve")


async def test_a_sub_agents_view_leads_to_the_conversation_that_began_it(
    console: OpenConsole, engine: FakeEngine
) -> None:
    parent, child = engine.add(FOLDER, "boats"), engine.add(FOLDER, "a sub-agent")
    child.info = replace(child.info, parent_id=parent.id)
    async with console() as (screen, pilot):
        assert "parent" not in [entry.action for entry in screen.palette_entries()]
        screen.go_to(child.id)
        await until(pilot, lambda: screen.desk is not None and screen.desk.current.id == child.id)
        assert found(screen.palette_entries(), "parent")[0] == "parent"
        await screen.run_action("parent")
        await until(pilot, lambda: screen.desk is not None and screen.desk.current.id == parent.id)


async def test_undo_and_redo_are_of_what_is_written(console: OpenConsole) -> None:
    async with console() as (screen, pilot):
        await press(pilot, "a")
        await screen.run_action("undo")
        assert screen.composer.input.text == ""
        await screen.run_action("redo")
        assert screen.composer.input.text == "a"
