"""The inspector on the console: what each section says, and what its keys do."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList

from core.agent.events import LimitWindow, PlanStep, RateLimits, Tokens
from core.conversation.feed import DiffChanged, LimitsChanged, PlanChanged, UsageChanged
from tests.tui.around.repository import Repository
from tests.tui.conftest import FOLDER, Console, OpenConsole
from tests.tui.fake_engine import FakeConversation, FakeEngine
from tests.tui.host import press, settled, until
from tui.inspector.inspector import Inspector, Wrapped
from tui.inspector.usage import reset_words
from tui.launch import Launch
from tui.screens.console import ConsoleScreen
from tui.screens.diff import DiffScreen
from tui.transcript.view import TranscriptView

DIFF = """diff --git a/pier/boats.py b/pier/boats.py
index 1..2 100644
--- a/pier/boats.py
+++ b/pier/boats.py
@@ -1,2 +1,2 @@
 import sea
-boats = 3
+boats = 4
"""
PLAN = (PlanStep("Look at the pier", "completed"), PlanStep("Count the boats", "inProgress"))


@pytest.fixture
def conversation(engine: FakeEngine) -> FakeConversation:
    return engine.add(FOLDER, "boats")


def said(screen: ConsoleScreen) -> str:
    assert screen.inspecting.panel is not None
    if screen.inspecting.panel.section == "changes":
        options = screen.inspecting.panel.query_one(OptionList).options
        return "\n".join(str(option.prompt) for option in options)
    return str(screen.inspecting.panel.query_one(Wrapped).render())


async def look(pilot: Pilot[str], screen: ConsoleScreen, section: str) -> None:
    await screen.action_inspect(section)
    await settled(pilot)


async def test_ctrl_o_goes_into_it_and_from_within_it_hides_it(
    console: OpenConsole, conversation: FakeConversation
) -> None:
    async with console(Launch(FOLDER, latest=True), size=(120, 40)) as (screen, pilot):
        await press(pilot, "ctrl+o")
        await until(pilot, lambda: screen.inspecting.panel and screen.inspecting.panel.has_focus_within)
        assert screen.inspecting.panel is not None
        assert screen.inspecting.panel.region.right == 120
        assert screen.transcript.parent is not None
        await press(pilot, "ctrl+o")
        assert not screen.inspecting.panel.display
        assert screen.composer.input.has_focus


async def test_where_there_is_no_room_it_lies_over_and_escape_hides_it(
    console: OpenConsole, conversation: FakeConversation
) -> None:
    async with console(Launch(FOLDER, latest=True), size=(80, 24)) as (screen, pilot):
        width = screen.composer.region.width
        await press(pilot, "ctrl+o")
        await until(pilot, lambda: screen.inspecting.panel and screen.inspecting.panel.has_focus_within)
        assert screen.composer.region.width == width
        await press(pilot, "escape")
        assert screen.inspecting.panel is not None
        assert not screen.inspecting.panel.display


async def test_the_plan_is_shown_with_how_far_it_got(
    console: OpenConsole, engine: FakeEngine, conversation: FakeConversation
) -> None:
    async with console(Launch(FOLDER, latest=True)) as (screen, pilot):
        await look(pilot, screen, "plan")
        await until(pilot, lambda: "No plan yet" in said(screen))
        conversation.plan = PlanChanged(conversation.id, "First things\nfirst", PLAN)
        engine.feed.tell(conversation.plan)
        await until(pilot, lambda: "1 of 2 done" in said(screen))
        assert "✓ Look at the pier" in said(screen)
        assert "▸ Count the boats" in said(screen)


async def test_usage_says_context_tokens_and_limits(
    console: OpenConsole, engine: FakeEngine, conversation: FakeConversation
) -> None:
    async with console(Launch(FOLDER, latest=True)) as (screen, pilot):
        await look(pilot, screen, "usage")
        await until(pilot, lambda: "No turn yet" in said(screen))
        assert "Codex tells none" in said(screen)
        engine.feed.tell(
            UsageChanged(conversation.id, 52_000, 41_000, 258_000, Tokens(50_000, 8_000, 2_000, 500))
        )
        engine.limits.current = RateLimits(
            (LimitWindow(34, 300, None), LimitWindow(91, 10_080, None)), "plus"
        )
        engine.feed.tell(LimitsChanged(engine.limits.current))
        await until(pilot, lambda: "16%: 41k of 258k tokens" in said(screen))
        text = said(screen)
        assert "50,000 in, 8,000 of them from the cache" in text
        assert "34% of 5 hours used" in text
        assert "91% of a week used" in text
        assert "(plus)" in text


async def test_a_change_of_this_turn_opens_as_a_diff(
    console: OpenConsole, engine: FakeEngine, conversation: FakeConversation
) -> None:
    conversation.diff = DiffChanged(conversation.id, DIFF)
    async with console(Launch(FOLDER, latest=True)) as (screen, pilot):
        await look(pilot, screen, "changes")
        await until(pilot, lambda: "no git repository" in said(screen))
        assert "M pier/boats.py  +1 −1" in said(screen)
        await press(pilot, "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, DiffScreen))
        view = pilot.app.screen.query_one(TranscriptView)
        await until(pilot, lambda: view.document is not None and len(view.document) == 1)
        await press(pilot, "escape")
        assert pilot.app.screen is screen


async def test_the_working_tree_is_read_and_kept_true(
    console: OpenConsole, engine: FakeEngine, tmp_path: Path
) -> None:
    repository = Repository(tmp_path)
    repository.write("a.txt", "a\n")
    repository.commit()
    engine.add(tmp_path, "here")
    async with console(Launch(tmp_path, latest=True)) as (screen, pilot):
        await look(pilot, screen, "changes")
        await until(pilot, lambda: "Nothing changed since the last commit" in said(screen))
        repository.write("a.txt", "b\n")
        await until(pilot, lambda: "M a.txt  +1 −1" in said(screen))
        await press(pilot, "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, DiffScreen))


async def test_hostile_words_are_shown_and_never_interpreted(
    console: OpenConsole, engine: FakeEngine, conversation: FakeConversation
) -> None:
    steps = (PlanStep("[red]\x1b[2J\u202eoops", "pending"),)
    conversation.plan = PlanChanged(conversation.id, "", steps)
    conversation.diff = DiffChanged(conversation.id, DIFF.replace("pier", "[b]\x1b]52;c;x\x07"))
    async with console(Launch(FOLDER, latest=True)) as (screen, pilot):
        await look(pilot, screen, "plan")
        await until(pilot, lambda: "[red]␛[2J⟨RLO⟩oops" in said(screen))
        await look(pilot, screen, "changes")
        await until(pilot, lambda: "[b]␛]52;c;x␇" in said(screen))


async def test_arrows_go_between_the_sections(console: Console | OpenConsole, engine: FakeEngine) -> None:
    engine.add(FOLDER, "boats")
    async with console(Launch(FOLDER, latest=True)) as (screen, pilot):  # type: ignore[operator]
        await press(pilot, "ctrl+o")
        await until(pilot, lambda: screen.inspecting.panel and screen.inspecting.panel.has_focus_within)
        assert isinstance(screen.inspecting.panel, Inspector)
        for section in ("changes", "usage", "plan"):
            await press(pilot, "right")
            assert screen.inspecting.panel.section == section
            assert screen.inspecting.panel.body.has_focus


def test_a_limit_says_when_it_begins_anew() -> None:
    from datetime import UTC

    assert reset_words(7_500, 0, UTC) == "begins anew at 02:05, in 2 h 5 min"
    assert reset_words(3 * 86_400 + 3_600, 0, UTC) == "begins anew at Sun 4 Jan, 01:00, in 3 d 1 h"
    assert reset_words(5, 10, UTC) == "begins anew with the next turn"
