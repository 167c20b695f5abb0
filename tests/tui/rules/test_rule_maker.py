"""A rule made from a prompt: seen before it is kept, and never by typing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, cast

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from core.access.policy import Verdict
from core.access.rules import Reach
from core.agent.requests import Decide
from core.errors import Conflict
from tests.tui import examples
from tests.tui.conftest import FOLDER, OpenConsole
from tests.tui.fake_engine import FakeEngine
from tests.tui.host import press, until
from tests.tui.rules.fake import FakeRulebook, asked
from tui.launch import Launch
from tui.prompts import gate
from tui.prompts.choice_bar import ChoiceBar
from tui.prompts.judged_text import JudgedText
from tui.prompts.rule_maker import RuleMaker
from tui.screens.console import ConsoleScreen

pytestmark = pytest.mark.usefixtures("short_quiet")

GIT = examples.COMMAND.model_copy(update={"command": "git log -3", "cwd": str(FOLDER)})
PAST = asked("git log -3", "git log", "git push", "make")
Maker = Callable[..., AbstractAsyncContextManager[tuple[RuleMaker, Pilot[str]]]]


@pytest.fixture
def short_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "QUIET", 0.1)


def text(maker: RuleMaker) -> str:
    return "\n".join(line.margin + line.text for line in maker.query_one(JudgedText).judged.lines)


async def wants_a_rule(screen: ConsoleScreen, pilot: Pilot[Any]) -> None:
    """Into the prompt, look, and ask for a rule."""
    await until(pilot, lambda: screen.prompts is not None and screen.prompts.prompt is not None)
    await press(pilot, "f6")
    await until(pilot, lambda: screen.query_one("PromptArea ChoiceBar", ChoiceBar).accepts)
    await press(pilot, "l")


@pytest.fixture
def maker(engine: FakeEngine, console: OpenConsole) -> Maker:
    """The rule maker over the prompt of a command, with what it foresees on the screen."""

    @asynccontextmanager
    async def opened(
        book: FakeRulebook, request: Any = GIT, *, size: tuple[int, int] = (80, 24)
    ) -> AsyncIterator[tuple[RuleMaker, Pilot[str]]]:
        cast(Any, engine).rules = book
        conversation = engine.add(FOLDER, "Count the boats")
        engine.ask(examples.notified(request, 7, conversation_id=conversation.id))
        async with console(Launch(FOLDER, latest=True), size=size) as (screen, pilot):
            await wants_a_rule(screen, pilot)
            await until(pilot, lambda: isinstance(pilot.app.screen, RuleMaker))
            made = cast(RuleMaker, pilot.app.screen)
            await until(pilot, lambda: text(made))
            yield made, pilot

    return opened


async def test_it_shows_the_words_the_scope_and_what_it_would_have_matched(maker: Maker) -> None:
    async with maker(FakeRulebook((), PAST)) as (made, pilot):
        assert "allow git log -3" in text(made)
        assert "decided 1 request " in text(made)
        await press(pilot, "down")
        await until(pilot, lambda: "decided 2 requests" in text(made))
        assert "allow git log …" in text(made)
        assert "· git push" in text(made)
        assert "No rule matches git push." in text(made)
        scope = made.query_one("#rule-scope", Static)
        assert "in /home/dev/harbour, for good" in str(scope.render())
        await press(pilot, "w")
        assert "in the conversation Count the boats, for good" in str(scope.render())
        await press(pilot, "w", "e")
        assert "everywhere, for an hour" in str(scope.render())


async def test_y_keeps_the_rule_and_accepts_the_request_as_it_was_shown(
    engine: FakeEngine, maker: Maker
) -> None:
    book = FakeRulebook((), PAST)
    async with maker(book) as (made, pilot):
        await press(pilot, "down", "w")
        await until(pilot, lambda: "decided 2 requests" in text(made))
        await keep(pilot, made)
        console = pilot.app.screen
        assert isinstance(console, ConsoleScreen)
        await until(pilot, lambda: console.prompts is not None and console.prompts.prompt is None)
        ((number, answer, shown_hash),) = engine.decisions
        assert isinstance(answer, Decide)
        assert (number, answer.choice.verb, shown_hash) == (7, "accept", "hash-7")
        (rule,) = book.rules
        assert (str(rule), rule.scope.reach, rule.verdict) == (
            "allow git log …",
            Reach.CONVERSATION,
            Verdict.ALLOW,
        )


async def keep(pilot: Pilot[Any], made: RuleMaker) -> None:
    """Press y until it is not too soon any more."""
    async with asyncio.timeout(20):
        while pilot.app.screen is made:
            await pilot.pause(0.15)
            await press(pilot, "y")


async def test_keys_in_the_first_moment_and_enter_keep_nothing(
    engine: FakeEngine, maker: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = FakeRulebook((), PAST)
    async with maker(book) as (made, pilot):
        monkeypatch.setattr(gate, "QUIET", 3600.0)
        await press(pilot, "y", "y", "enter", "space", "y")
        assert "Too soon" in str(made.query_one("#rule-said", Static).render())
        assert (book.rules, engine.decisions) == ([], [])
        await press(pilot, "escape")
        await until(pilot, lambda: pilot.app.screen is not made)
        assert (book.rules, engine.decisions) == ([], [])


async def test_a_prompt_that_was_not_looked_at_offers_no_rule(
    engine: FakeEngine, console: OpenConsole, monkeypatch: pytest.MonkeyPatch
) -> None:
    cast(Any, engine).rules = FakeRulebook()
    conversation = engine.add(FOLDER, "Count the boats")
    engine.ask(examples.notified(GIT, 7, conversation_id=conversation.id))
    monkeypatch.setattr(gate, "QUIET", 3600.0)
    async with console(Launch(FOLDER, latest=True)) as (screen, pilot):
        await press(pilot, "l", "y")
        await press(pilot, "f6", "l", "l")
        assert pilot.app.screen is screen
        assert engine.decisions == []


async def test_what_no_rule_can_decide_says_why(engine: FakeEngine, maker: Maker) -> None:
    opaque = GIT.model_copy(update={"command": "git log > out"})
    book = FakeRulebook((), PAST)
    async with maker(book, opaque) as (made, pilot):
        assert "No rule can decide this" in text(made)
        await press(pilot, "y", "w", "e")
        assert book.rules == []


async def test_a_request_that_was_answered_meanwhile_leaves_the_rule_and_says_so(
    engine: FakeEngine, maker: Maker
) -> None:
    book = FakeRulebook((), PAST)
    async with maker(book) as (made, pilot):
        engine.decision_fails = Conflict("It is decided already", why="another console decided it")
        await keep(pilot, made)
        await until(pilot, lambda: "not accepted with it" in _noticed(pilot))
        assert len(book.rules) == 1


def _noticed(pilot: Pilot[Any]) -> str:
    console = pilot.app.screen_stack[0]
    assert isinstance(console, ConsoleScreen)
    return " ".join(str(one.render()) for one in console.notices.query(Static)) + str(
        console.notices.render()
    )


async def test_a_rule_that_cannot_be_kept_accepts_nothing(engine: FakeEngine, maker: Maker) -> None:
    book = FakeRulebook((), PAST)
    async with maker(book) as (made, pilot):
        book.fails = Conflict("The rules have changed meanwhile")
        async with asyncio.timeout(20):
            while "have changed" not in str(made.query_one("#rule-said", Static).render()):
                await pilot.pause(0.15)
                await press(pilot, "y")
        assert engine.decisions == []


async def test_what_is_begun_is_ended_before_it_is_closed(engine: FakeEngine, maker: Maker) -> None:
    book = FakeRulebook((), PAST)
    decide, slow = engine.decide, asyncio.Event()

    async def late(*args: Any, **more: Any) -> None:
        await slow.wait()
        await decide(*args, **more)

    async with maker(book) as (made, pilot):
        cast(Any, engine).decide = late
        await until(pilot, lambda: made._sitting.seen_whole)
        async with asyncio.timeout(20):
            while not book.rules:
                await pilot.pause(0.15)
                await press(pilot, "y")
        await press(pilot, "escape")
        assert pilot.app.screen is made
        assert "is being kept" in str(made.query_one("#rule-said", Static).render())
        slow.set()
        await until(pilot, lambda: pilot.app.screen is not made)
        assert len(engine.decisions) == 1


MANY = asked(*(f"git log -{number}" for number in range(60)))


async def test_a_rule_is_kept_when_all_that_it_would_have_matched_was_seen(
    engine: FakeEngine, maker: Maker
) -> None:
    book = FakeRulebook((), MANY)
    async with maker(book) as (made, pilot):
        await press(pilot, "down")
        await until(pilot, lambda: "decided 60 requests" in text(made))
        await pilot.pause(0.15)
        await press(pilot, "y")
        assert "Scroll to the end" in str(made.query_one("#rule-said", Static).render())
        assert (book.rules, engine.decisions) == ([], [])
        async with asyncio.timeout(20):
            while not made._sitting.seen_whole:
                await press(pilot, "pagedown")
        await keep(pilot, made)
        assert len(book.rules) == 1


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_its_keys_are_on_the_screen_however_much_it_foresees(
    maker: Maker, size: tuple[int, int]
) -> None:
    async with maker(FakeRulebook((), MANY), size=size) as (made, pilot):
        await press(pilot, "down")
        await until(pilot, lambda: "decided 60 requests" in text(made))
        await until(pilot, lambda: made._body.max_scroll_y > 0)
        keys, box = made.query_one("KeyBar.over-keys").region, made.query_one("#rule-maker").region
        assert box.bottom <= keys.y and keys.bottom == size[1]
        assert made._body.size.height >= 5
