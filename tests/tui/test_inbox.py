"""The inbox: what waits everywhere, decided in place by the same rules as in its conversation."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, cast

import pytest
from textual.app import ComposeResult
from textual.pilot import Pilot
from textual.widgets import Static

from core.agent.requests import Decide, Request
from core.conversation.feed import NotificationState
from core.errors import Conflict
from tests.tui import examples
from tests.tui.conftest import FOLDER, OpenConsole
from tests.tui.fake_engine import FakeConversation, FakeEngine
from tests.tui.host import press, settled, until
from tui.inbox.details import Details
from tui.inbox.likeness import grouped, summary
from tui.inbox.waiting_list import WaitingList
from tui.prompts import gate
from tui.prompts.prompt import Prompt
from tui.screens.console import ConsoleScreen
from tui.screens.inbox import InboxScreen
from tui.screens.opening import OverScreen
from tui.widgets.waiting_count import WaitingCount

PUSH = examples.COMMAND
TEST = examples.COMMAND.model_copy(
    update={"command": "/bin/bash -lc 'make test'", "choices": examples.CHOICES}
)


@pytest.fixture(autouse=True)
def _short_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "QUIET", 0.05)


@pytest.fixture
def conversations(engine: FakeEngine) -> list[FakeConversation]:
    return [engine.add(FOLDER, title) for title in ("Greet boats", "Paint the pier", "Count ropes")]


def waits(
    engine: FakeEngine, number: int, asked: Request, conversation: FakeConversation, **more: Any
) -> None:
    request = asked.model_copy(update={"key": examples.key(number), "thread_id": f"t{number}"})
    engine.ask(
        examples.notified(
            request, number, conversation_id=conversation.id, raised_at_ms=1_000 + number, **more
        )
    )


@asynccontextmanager
async def inbox(
    console: OpenConsole, *, size: tuple[int, int] = (120, 40)
) -> AsyncIterator[tuple[InboxScreen, Pilot[str]]]:
    async with console(size=size) as (_, pilot):
        await press(pilot, "f2")
        await until(pilot, lambda: isinstance(pilot.app.screen, InboxScreen) and pilot.app.screen.is_mounted)
        screen = pilot.app.screen
        assert isinstance(screen, InboxScreen)
        await settled(pilot)
        yield screen, pilot


def prompt_of(screen: InboxScreen) -> Prompt[Any]:
    prompt = screen.query_one(Details).prompt
    assert prompt is not None
    return prompt


async def go_in(screen: InboxScreen, pilot: Pilot[str]) -> None:
    await press(pilot, "f6")
    await until(pilot, lambda: prompt_of(screen).armed)


def rows(screen: InboxScreen) -> list[str]:
    return [str(option.prompt) for option in screen.query_one(WaitingList).options]


async def test_an_empty_inbox_says_what_comes_here(console: OpenConsole) -> None:
    async with inbox(console) as (screen, pilot):
        assert "Nothing waits for you" in str(screen.query_one("#inbox-nothing", Static).render())
        await press(pilot, "escape")
        assert not isinstance(pilot.app.screen, InboxScreen)


async def test_all_that_waits_is_there_with_whose_it_is_the_oldest_first(
    console: OpenConsole, engine: FakeEngine, conversations: list[FakeConversation]
) -> None:
    waits(engine, 2, TEST, conversations[1])
    waits(engine, 1, examples.QUESTION, conversations[0])
    async with inbox(console) as (screen, pilot):
        await until(pilot, lambda: "Greet boats" in rows(screen)[0])
        assert rows(screen)[0].startswith("? Which berth")
        assert "$ make test" in rows(screen)[1]
        assert "Paint the pier" in rows(screen)[1]
        assert "2 wait for you" in str(screen.query_one("#inbox").border_title)
        assert prompt_of(screen).notification.id == 1


async def test_it_is_decided_in_place_and_the_list_has_the_focus_again(
    console: OpenConsole, engine: FakeEngine, conversations: list[FakeConversation]
) -> None:
    waits(engine, 1, TEST, conversations[0])
    waits(engine, 2, examples.QUESTION, conversations[1])
    async with inbox(console) as (screen, pilot):
        await go_in(screen, pilot)
        await press(pilot, "y")
        await until(pilot, lambda: engine.decisions)
        ((number, answer, shown_hash),) = engine.decisions
        assert (number, shown_hash) == (1, "hash-1")
        assert isinstance(answer, Decide) and answer.choice.verb == "accept"
        await until(pilot, lambda: prompt_of(screen).notification.id == 2)
        assert screen.focused is screen.query_one(WaitingList)
        assert not prompt_of(screen).entered


async def test_letters_in_the_list_decide_nothing(
    console: OpenConsole, engine: FakeEngine, conversations: list[FakeConversation]
) -> None:
    waits(engine, 1, TEST, conversations[0])
    async with inbox(console) as (screen, pilot):
        await press(pilot, *"yanxr1", "space", "right", "y")
        assert engine.decisions == []
        assert screen.focused is not None


async def test_what_comes_and_goes_leaves_the_highlight_where_it_was(
    console: OpenConsole, engine: FakeEngine, conversations: list[FakeConversation]
) -> None:
    waits(engine, 1, TEST, conversations[0])
    waits(engine, 5, PUSH, conversations[1])
    async with inbox(console) as (screen, pilot):
        await press(pilot, "down")
        await until(pilot, lambda: prompt_of(screen).notification.id == 5)
        waits(engine, 3, examples.LINK, conversations[2])
        engine.ask(replace(engine.notifications[1], state=NotificationState.WITHDRAWN))
        await until(pilot, lambda: len(rows(screen)) == 2)
        assert screen.query_one(WaitingList).chosen == 5
        assert prompt_of(screen).notification.id == 5


async def test_one_that_is_withdrawn_while_open_says_by_whom_and_decides_nothing(
    console: OpenConsole, engine: FakeEngine, conversations: list[FakeConversation]
) -> None:
    waits(engine, 1, TEST, conversations[0])
    waits(engine, 2, PUSH, conversations[0])
    async with inbox(console) as (screen, pilot):
        await go_in(screen, pilot)
        engine.ask(
            replace(
                engine.notifications[1],
                state=NotificationState.WITHDRAWN,
                outcome="answered in another program",
            )
        )
        await until(pilot, lambda: prompt_of(screen).settled)
        assert "answered in another program" in str(prompt_of(screen).border_subtitle)
        await press(pilot, "y")
        assert engine.decisions == []
        await press(pilot, "escape")
        await until(pilot, lambda: prompt_of(screen).notification.id == 2)


async def test_a_decision_that_somebody_was_faster_with_is_told(
    console: OpenConsole, engine: FakeEngine, conversations: list[FakeConversation]
) -> None:
    waits(engine, 1, TEST, conversations[0])
    engine.decision_fails = Conflict("Request 1 is decided already", why="you, in another console decided it")
    async with inbox(console) as (screen, pilot):
        await go_in(screen, pilot)
        await press(pilot, "n")
        said = screen.query_one("#inbox-said", Static)
        await until(pilot, lambda: said.display)
        assert "another console" in str(said.render())


async def test_it_leads_to_its_conversation(
    console: OpenConsole, engine: FakeEngine, conversations: list[FakeConversation]
) -> None:
    waits(engine, 1, TEST, conversations[1])
    async with console() as (console_screen, pilot):
        await press(pilot, "f2")
        await until(pilot, lambda: isinstance(pilot.app.screen, InboxScreen))
        await settled(pilot)
        await press(pilot, "ctrl+o")
        desk = console_screen.desk
        await until(pilot, lambda: desk is not None and desk.current.id == conversations[1].id)


async def test_what_is_put_off_goes_to_the_end_and_comes_back(
    console: OpenConsole, engine: FakeEngine, conversations: list[FakeConversation]
) -> None:
    waits(engine, 1, TEST, conversations[0])
    waits(engine, 2, PUSH, conversations[0])
    async with inbox(console) as (screen, pilot):
        await press(pilot, "s")
        await until(pilot, lambda: "Put off" in rows(screen))
        assert rows(screen).index("Put off") == 1
        assert engine.pending()[0].snoozed
        await press(pilot, "down")
        screen.query_one(WaitingList).choose(1)
        await settled(pilot)
        await press(pilot, "s")
        await until(pilot, lambda: "Put off" not in rows(screen))


async def test_those_that_ask_the_same_are_answered_together_once_each_was_shown(
    console: OpenConsole, engine: FakeEngine, conversations: list[FakeConversation]
) -> None:
    for number, conversation in enumerate(conversations, 1):
        waits(engine, number, TEST, conversation)
    waits(engine, 4, PUSH, conversations[0])
    async with inbox(console) as (screen, pilot):
        assert "3 ask the same" in rows(screen)[0]
        await press(pilot, "ctrl+a")
        await go_in(screen, pilot)
        assert "all 3" not in str(prompt_of(screen).border_title)
        await press(pilot, "escape")
        for number in (1, 2, 3):
            screen.query_one(WaitingList).choose(number)
            await until(pilot, lambda number=number: number in screen._together.seen)
        await press(pilot, "ctrl+a")
        await until(pilot, lambda: "all 3" in str(prompt_of(screen).border_title))
        await go_in(screen, pilot)
        await press(pilot, "n")
        await until(pilot, lambda: len(engine.decisions) == 3)
        assert [(number, shown) for number, _, shown in sorted(engine.decisions, key=lambda one: one[0])] == [
            (1, "hash-1"),
            (2, "hash-2"),
            (3, "hash-3"),
        ]
        await until(pilot, lambda: len(rows(screen)) == 1)


async def test_one_that_comes_later_is_not_answered_together_with_the_others(
    console: OpenConsole, engine: FakeEngine, conversations: list[FakeConversation]
) -> None:
    waits(engine, 1, TEST, conversations[0])
    waits(engine, 2, TEST, conversations[1])
    async with inbox(console) as (screen, pilot):
        for number in (2, 1):
            screen.query_one(WaitingList).choose(number)
            await until(pilot, lambda number=number: number in screen._together.seen)
        await press(pilot, "ctrl+a")
        await go_in(screen, pilot)
        waits(engine, 3, TEST, conversations[2])
        await until(pilot, lambda: len(rows(screen)) == 4)
        await press(pilot, "y")
        await until(pilot, lambda: engine.decisions)
        await settled(pilot)
        assert [number for number, _, _ in engine.decisions] == [1]


async def see_all(screen: InboxScreen, pilot: Pilot[str], *numbers: int) -> None:
    for number in numbers:
        screen.query_one(WaitingList).choose(number)
        await until(pilot, lambda number=number: number in screen._together.seen)


async def test_one_that_changes_after_it_was_seen_is_not_answered_together_with_the_others(
    console: OpenConsole, engine: FakeEngine, conversations: list[FakeConversation]
) -> None:
    waits(engine, 1, TEST, conversations[0])
    waits(engine, 2, TEST, conversations[1])
    async with inbox(console) as (screen, pilot):
        await see_all(screen, pilot, 2, 1)
        assert screen.check_action("alike", ())
        engine.ask(replace(engine.notifications[2], shown_hash="another"))
        await until(pilot, lambda: 2 not in screen._together.seen)
        assert not screen.check_action("alike", ())


async def test_leaving_the_inbox_ends_no_decision(
    console: OpenConsole, engine: FakeEngine, conversations: list[FakeConversation]
) -> None:
    for number, conversation in enumerate(conversations, 1):
        waits(engine, number, TEST, conversation)
    decide, go_on = engine.decide, asyncio.Event()

    async def slow(*args: Any) -> None:
        await go_on.wait()
        await decide(*args)

    async with inbox(console) as (screen, pilot):
        await see_all(screen, pilot, 3, 2, 1)
        await press(pilot, "ctrl+a")
        await go_in(screen, pilot)
        cast(Any, engine).decide = slow
        await press(pilot, "n", "escape", "escape")
        await until(pilot, lambda: pilot.app.screen is not screen)
        go_on.set()
        await until(pilot, lambda: len(engine.decisions) == 3)


async def test_a_decision_that_fails_after_the_inbox_was_left_is_told(
    console: OpenConsole, engine: FakeEngine, conversations: list[FakeConversation]
) -> None:
    waits(engine, 1, TEST, conversations[0])
    go_on = asyncio.Event()

    async def fails(*_: Any) -> None:
        await go_on.wait()
        raise Conflict("It is decided already")

    async with inbox(console) as (screen, pilot):
        await go_in(screen, pilot)
        cast(Any, engine).decide = fails
        await press(pilot, "n", "escape", "escape")
        await until(pilot, lambda: pilot.app.screen is not screen)
        go_on.set()
        told = pilot.app.screen_stack[0]
        assert isinstance(told, ConsoleScreen)
        await until(pilot, lambda: any("decided already" in one.text for one in told.notices._notices))


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_the_details_stand_beside_the_list_or_below_it(
    console: OpenConsole, engine: FakeEngine, conversations: list[FakeConversation], size: tuple[int, int]
) -> None:
    waits(engine, 1, examples.FILES, conversations[0])
    async with inbox(console, size=size) as (screen, _):
        listed, details = screen.query_one(WaitingList).region, screen.query_one(Details).region
        beside = details.x >= listed.right
        assert beside == (size[0] >= 100)
        assert beside or details.y >= listed.bottom
        assert details.height >= 8


async def test_every_screen_over_the_console_says_how_many_wait(
    console: OpenConsole, engine: FakeEngine, conversations: list[FakeConversation]
) -> None:
    waits(engine, 1, TEST, conversations[0])
    async with console() as (_, pilot):
        pilot.app.push_screen(PlainScreen(engine))  # type: ignore[arg-type]
        await until(pilot, lambda: pilot.app.screen.query(WaitingCount))
        count = pilot.app.screen.query_one(WaitingCount)
        await until(pilot, lambda: "1 waits" in str(count.render()))
        assert count.region.y == 0 and count.region.right > 70
        assert pilot.app.screen.query_one(Static).region.size == (80, 24)
        waits(engine, 2, PUSH, conversations[0])
        await until(pilot, lambda: "2 wait" in str(count.render()))


class PlainScreen(OverScreen):
    def compose(self) -> ComposeResult:
        whole = Static("nothing")
        whole.styles.height = "100%"
        yield whole


def test_groups_are_by_the_oldest_and_hold_only_what_is_exactly_the_same() -> None:
    asked = [PUSH, TEST, PUSH, TEST.model_copy(update={"cwd": "/elsewhere"})]
    pending = [
        examples.notified(
            one.model_copy(update={"key": examples.key(number), "turn_id": f"turn {number}"}),
            number,
            raised_at_ms=number,
        )
        for number, one in enumerate(asked)
    ]
    pending.append(replace(pending[0], id=9, raised_at_ms=9, sandbox="read-only"))
    pending.append(replace(pending[0], id=10, raised_at_ms=10, cautions=("git push",)))
    groups = grouped(reversed(pending))
    assert [[member.id for member in group.members] for group in groups] == [[0, 2], [1], [3], [9], [10]]


def test_every_kind_of_request_is_told_in_a_line() -> None:
    for request in examples.KINDS.values():
        assert summary(request)
    assert summary(TEST) == "$ make test"
