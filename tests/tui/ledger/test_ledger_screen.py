from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Static

from core.access.ledger import LedgerFilter
from core.agent.requests import dump_answer, dump_request
from core.conversation.feed import NotificationChanged, NotificationState
from core.decided import DecisionLedger
from core.errors import StoreError
from core.rows import DecisionDraft, LedgerSummary
from core.store.store import Store
from tests.tui import examples
from tests.tui.conftest import FOLDER
from tests.tui.fake_engine import FakeEngine
from tests.tui.host import press, settled, until
from tests.tui.ledger.conftest import OpenLedger
from tests.tui.ledger.fake import ACCEPT, FakeLedger, entry, some
from tui.ledger.details import entry_lines, row_of
from tui.ledger.export import ExportScreen
from tui.prompts.body import Body
from tui.prompts.judged_text import JudgedText
from tui.screens.ledger import LedgerScreen
from tui.screens.opening import Jump


def details(screen: LedgerScreen) -> str:
    return "\n".join(line.margin + line.text for line in screen.query_one(JudgedText).judged.lines)


def said(screen: LedgerScreen) -> str:
    return str(screen.query_one("#ledger-said", Static).render())


async def typed(pilot: Pilot[Any], screen: LedgerScreen, text: str) -> None:
    """Type, and wait until what is typed was looked for."""
    before = screen.where
    screen.query_one(Input).value = text
    await until(pilot, lambda: screen.where is not before)
    await settled(pilot)


async def test_the_newest_decision_is_shown_whole(ledger_screen: OpenLedger) -> None:
    async with ledger_screen(FakeLedger(some())) as (screen, pilot):
        await until(pilot, lambda: "number 8" in details(screen))
        for part in ("Accept · by you", "exit 2", examples.COMMAND.command, "as it was decided on"):
            assert part in details(screen)


def test_a_row_shows_what_runs_and_not_the_shell_around_it() -> None:
    for headline, shown in (
        ("/bin/bash -lc 'git push origin main'", "git push origin main"),
        ("/usr/bin/bash -lc ls", "ls"),
        ("/bin/bash -lc 'cat the long", "cat the long"),
        ("/bin/bash -lc ls; rm -rf /", "/bin/bash -lc ls; rm -rf /"),
        ("/tmp/bin/bash -lc ls", "/tmp/bin/bash -lc ls"),
    ):
        summary = LedgerSummary(1, 0, None, "you", "command", "accepted", "open", headline, ())
        assert f" {shown} " in "".join(piece for piece, _ in row_of(summary, 110))
        asked = replace(some()[0], content=dump_request(examples.COMMAND))
        assert any(examples.COMMAND.command in line.text for line in entry_lines(asked, "").lines)


def test_what_died_undecided_is_not_said_to_have_been_shown_to_nobody() -> None:
    undecided = next(entry for entry in some() if entry.decided_by == "nobody")
    lines = [line.text for line in entry_lines(undecided, "").lines]
    assert "Nobody decided, so no hash was taken of what was asked." in lines


async def test_what_is_typed_filters_and_arrows_move_in_what_is_found(ledger_screen: OpenLedger) -> None:
    async with ledger_screen(FakeLedger(some())) as (screen, pilot):
        await typed(pilot, screen, "oneline")
        await until(pilot, lambda: "number 7" in details(screen))
        await press(pilot, "down")
        await until(pilot, lambda: "rule 3" in details(screen))
        assert "2 of 8" in str(screen.query_one("#ledger").border_subtitle)
        await press(pilot, "escape")
        assert screen.query_one(Input).value == ""


async def test_a_filter_that_cannot_be_is_said_and_changes_nothing(ledger_screen: OpenLedger) -> None:
    async with ledger_screen(FakeLedger(some())) as (screen, pilot):
        screen.query_one(Input).value = "who:me"
        await until(pilot, lambda: "person, rule, profile" in said(screen))
        await until(pilot, lambda: "number 8" in details(screen))


async def test_what_was_changed_since_it_was_decided_is_said(ledger_screen: OpenLedger) -> None:
    ledger = FakeLedger(some())
    ledger.changed(8, content=ledger.entries[-1].content.replace("command", "comand", 1))
    async with ledger_screen(ledger) as (screen, pilot):
        await until(pilot, lambda: "NOT what was decided" in details(screen))


async def test_nothing_that_was_asked_steers_the_terminal(ledger_screen: OpenLedger) -> None:
    hostile = examples.COMMAND.model_copy(update={"command": "a\x1b]0;x\x07\u202eb[bold]"})
    async with ledger_screen(FakeLedger([entry(1, hostile, dump_answer(ACCEPT))])) as (screen, pilot):
        await until(pilot, lambda: "␛" in details(screen))
        drawn = "".join(
            segment.text for y in range(3) for segment in screen.query_one("#ledger-list").render_line(y)
        )
        assert "⟨RLO⟩b[bold]" in drawn
        assert "\x1b" not in drawn + details(screen)


async def test_enter_leads_to_the_box_in_its_conversation(
    engine: FakeEngine, ledger_screen: OpenLedger
) -> None:
    conversation = engine.add(FOLDER, "Count the boats")
    ledger = FakeLedger([entry(1, examples.COMMAND, dump_answer(ACCEPT), conversation=conversation.id)])
    ledger.boxes[1] = 7
    async with ledger_screen(ledger) as (screen, pilot):
        jumps: list[Jump | None] = []
        cast(Any, screen).dismiss = jumps.append
        await until(pilot, lambda: "Count the boats" in details(screen))
        await press(pilot, "enter")
        await until(pilot, lambda: jumps)
        assert jumps == [Jump(conversation.id, 7)]


async def test_what_was_asked_in_no_conversation_opens_none(ledger_screen: OpenLedger) -> None:
    ledger = FakeLedger([entry(1, examples.COMMAND, dump_answer(ACCEPT), conversation=None)])
    async with ledger_screen(ledger) as (screen, pilot):
        await until(pilot, lambda: "number 1" in details(screen))
        await press(pilot, "enter")
        await until(pilot, lambda: "another program's thread" in said(screen))


async def test_what_is_found_is_written_where_the_person_says(
    ledger_screen: OpenLedger, tmp_path: Path
) -> None:
    ledger = FakeLedger(some())
    async with ledger_screen(ledger) as (screen, pilot):
        await typed(pilot, screen, "oneline")
        await press(pilot, "ctrl+s")
        await until(pilot, lambda: isinstance(pilot.app.screen, ExportScreen))
        ledger.fails = StoreError("The disk is full")
        pilot.app.screen.query_one(Input).value = str(tmp_path / "out.csv")
        await press(pilot, "enter")
        await until(
            pilot, lambda: "disk is full" in str(pilot.app.screen.query_one("#export-said", Static).render())
        )
        ledger.fails = None
        await press(pilot, "enter")
        await until(pilot, lambda: "Wrote 2 decisions" in said(screen))
        assert ledger.exported[0][0] == tmp_path / "out.csv"
        assert ledger.exported[0][1].words.strip() == "oneline"


async def test_without_a_decision_it_says_how_there_come_to_be_some(ledger_screen: OpenLedger) -> None:
    async with ledger_screen(FakeLedger()) as (screen, pilot):
        assert "Nothing was decided yet" in details(screen)
        await press(pilot, "enter", "ctrl+s")
        assert pilot.app.screen is screen
        await press(pilot, "escape")
        await until(pilot, lambda: pilot.app.screen is not screen)


async def test_what_is_decided_meanwhile_is_shown_where_the_newest_is_looked_at(
    engine: FakeEngine, ledger_screen: OpenLedger
) -> None:
    ledger = FakeLedger(some())
    decided = examples.notified(examples.COMMAND, 90, state=NotificationState.SENT)
    async with ledger_screen(ledger) as (screen, pilot):
        ledger.entries.append(entry(9, examples.COMMAND, dump_answer(ACCEPT)))
        engine.feed.tell(NotificationChanged(decided))
        await until(pilot, lambda: "number 9" in details(screen))
        await press(pilot, "down")
        await until(pilot, lambda: "number 8" in details(screen))
        ledger.entries.append(entry(10, examples.COMMAND, dump_answer(ACCEPT)))
        engine.feed.tell(NotificationChanged(decided))
        await until(pilot, lambda: "Ctrl+R" in said(screen))
        assert "number 8" in details(screen)
        await press(pilot, "ctrl+r")
        await until(pilot, lambda: "number 10" in details(screen))


async def test_what_is_decided_while_it_looks_for_what_was_typed_changes_nothing_of_that(
    engine: FakeEngine, ledger_screen: OpenLedger
) -> None:
    ledger = FakeLedger(some())
    decided = examples.notified(examples.COMMAND, 90, state=NotificationState.SENT)
    async with ledger_screen(ledger) as (screen, pilot):
        wanted = LedgerFilter(words="rm")
        screen._look_soon(wanted)
        engine.feed.tell(NotificationChanged(decided))
        await until(pilot, lambda: screen.where == wanted)
        await settled(pilot)
        assert screen.where == wanted


# On a real ledger.


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = await Store.open(tmp_path / "q.sqlite3", console="test")
    yield opened
    await opened.close()


class Counting(DecisionLedger):
    """Notes which pages were read."""

    offsets: list[int]

    async def summaries(self, *args: Any, **names: Any) -> Any:
        self.offsets.append(args[2])
        return await super().summaries(*args, **names)


async def test_of_ten_thousand_decisions_only_those_in_view_are_read(
    store: Store, ledger_screen: OpenLedger
) -> None:
    answer = dump_answer(ACCEPT)
    drafts = [
        DecisionDraft(None, "you", "command", json.dumps({"command": f"make {n}"}), "", answer)
        for n in range(10_000)
    ]
    await asyncio.gather(*(store.ledger.record(draft) for draft in drafts))
    ledger = Counting(store.ledger)
    ledger.offsets = []
    async with ledger_screen(ledger) as (screen, pilot):
        await until(pilot, lambda: "number 10000" in details(screen))
        assert ledger.offsets == [0]
        await press(pilot, "tab")
        assert isinstance(screen.focused, Body)
        screen.query_one("#ledger-list").action_end(1)  # type: ignore[attr-defined]
        await until(pilot, lambda: "number 1\n" in details(screen))
        assert ledger.offsets == [0, 9_900]
        await press(pilot, "escape")
        await typed(pilot, screen, '"make 77"')
        await until(pilot, lambda: "number 78" in details(screen))
        assert "1 of 10,000" in str(screen.query_one("#ledger").border_subtitle)
