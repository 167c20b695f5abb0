from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from typing import Any, cast

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Static

from core.access.patterns import CommandPattern
from core.access.policy import Verdict
from core.errors import Conflict
from tests.tui.conftest import FOLDER, OpenConsole
from tests.tui.fake_engine import FakeEngine
from tests.tui.host import press, until
from tests.tui.rules.fake import FakeRulebook, rule, some
from tui.prompts.judged_text import JudgedText
from tui.rules.editor import RuleEditor
from tui.rules.rows import row_drawer
from tui.rules.words import brief_expiry
from tui.screens.rules import RulesScreen

OpenRules = Callable[..., AbstractAsyncContextManager[tuple[RulesScreen, Pilot[str]]]]


@pytest.fixture
def rules_screen(engine: FakeEngine, console: OpenConsole) -> OpenRules:
    @asynccontextmanager
    async def opened(
        book: FakeRulebook, *, size: tuple[int, int] = (80, 24)
    ) -> AsyncIterator[tuple[RulesScreen, Pilot[str]]]:
        cast(Any, engine).rules = book
        engine.add(FOLDER, "Count the boats")
        async with console(size=size) as (_, pilot):
            await pilot.press("f7")
            await until(pilot, lambda: isinstance(pilot.app.screen, RulesScreen))
            screen = cast(RulesScreen, pilot.app.screen)
            await until(pilot, lambda: details(screen))
            yield screen, pilot

    return opened


def details(screen: RulesScreen) -> str:
    return "\n".join(line.margin + line.text for line in screen.query_one(JudgedText).judged.lines)


def said(screen: RulesScreen, name: str = "said") -> str:
    return str(screen.query_one(f"#rules-{name}", Static).render())


def order(book: FakeRulebook) -> list[int]:
    return [one.id for one in book.rules]


@pytest.mark.parametrize("width", [120, 78, 56])
def test_a_row_has_the_pattern_and_the_whole_expiry_at_every_width(width: int) -> None:
    now = 1_800_000_000_000
    for ahead, shown in ((600_000, 12), (6 * 86_400_000, 18), (400 * 86_400_000, 18)):
        lasting = replace(rule(1, Verdict.ALLOW, "git status …"), expires_at_ms=now + ahead)
        pieces = row_drawer(lambda: float(now), {})(lasting, width)
        text = "".join(piece for piece, _ in pieces)
        until_words = brief_expiry(lasting, now)
        assert len(text) <= width
        assert until_words in text and len(until_words) <= shown
        assert "allow" in text and "git status …" in text
        assert ("hit" in text) == (width > 60)


async def test_each_rule_is_shown_whole_with_what_became_of_it(rules_screen: OpenRules) -> None:
    async with rules_screen(FakeRulebook(some())) as (screen, pilot):
        assert "deny git push --force …" in details(screen)
        assert "2 hits, last" in details(screen)
        await press(pilot, "down", "down", "down", "down")
        assert "it is disabled" in details(screen)
        await press(pilot, "down")
        assert "it is expired" in details(screen)
        assert "in the conversation Count the boats" in details(screen)


async def test_a_rule_is_disabled_revoked_and_put_back_where_it_was(rules_screen: OpenRules) -> None:
    book = FakeRulebook(some())
    async with rules_screen(book) as (screen, pilot):
        await press(pilot, "down", "space")
        await until(pilot, lambda: not book.rules[1].enabled)
        await until(pilot, lambda: "Rule 1 is disabled" in said(screen))
        await press(pilot, "x")
        await until(pilot, lambda: "Rule 1 is revoked" in said(screen))
        assert order(book) == [3, 4, 5, 7, 8]
        await press(pilot, "u")
        await until(pilot, lambda: "Rule 1 is back" in said(screen))
        assert order(book) == [3, 1, 4, 5, 7, 8]
        assert "git * …" in details(screen)
        await press(pilot, "u")
        assert order(book) == [3, 1, 4, 5, 7, 8]


async def test_rules_are_moved_and_the_cursor_goes_along_however_fast_the_keys_come(
    rules_screen: OpenRules,
) -> None:
    book = FakeRulebook(some())
    async with rules_screen(book) as (screen, pilot):
        await pilot.press("J", "J", "shift+down", "K")
        await until(pilot, lambda: order(book) == [1, 4, 3, 5, 7, 8])
        await until(pilot, lambda: "at place 3 of the order" in details(screen))
        assert "deny git push" in details(screen)


async def test_a_command_is_tried_out_under_each_profile(rules_screen: OpenRules) -> None:
    book = FakeRulebook([rule(3, Verdict.DENY, "git push …"), rule(1, Verdict.ALLOW, "git …")])
    async with rules_screen(book) as (screen, pilot):
        await press(pilot, "t")
        screen.query_one(Input).value = "git log"
        await until(pilot, lambda: "It would be allowed" in said(screen, "answer"))
        assert "rule 1" in said(screen, "answer")
        await until(pilot, lambda: "allow git …" in details(screen))
        await press(pilot, "up")
        await until(pilot, lambda: "observer denies it" in said(screen, "answer"))
        await press(pilot, "escape", "x")
        await until(pilot, lambda: order(book) == [3])


async def test_letters_in_the_field_do_nothing_to_the_rules(rules_screen: OpenRules) -> None:
    book = FakeRulebook(some())
    async with rules_screen(book) as (screen, pilot):
        await press(pilot, "t", *"xuaep", "space", "J")
        assert screen.query_one(Input).value == "xuaep J"
        assert (order(book), book.revision) == ([3, 1, 4, 5, 7, 8], 1)


async def test_a_rule_is_edited_in_place(rules_screen: OpenRules) -> None:
    book = FakeRulebook(some())
    async with rules_screen(book) as (screen, pilot):
        await press(pilot, "down", "e")
        await until(pilot, lambda: isinstance(pilot.app.screen, RuleEditor))
        editor = pilot.app.screen
        editor.query_one("#rule-what", Input).value = "git 'log"
        await press(pilot, "ctrl+s")
        assert "quotation" in str(editor.query_one("#rule-editor-said", Static).render())
        editor.query_one("#rule-what", Input).value = "git log ..."
        editor.query_one("#rule-until", Input).value = "2001-01-01"
        await press(pilot, "ctrl+s")
        assert "over already" in str(editor.query_one("#rule-editor-said", Static).render())
        editor.query_one("#rule-until", Input).value = "7d"
        await press(pilot, "ctrl+s")
        await until(pilot, lambda: "Rule 1 is changed" in said(screen))
        assert str(book.rules[1]) == "allow git log …"
        assert book.rules[1].hits == 41
        assert book.rules[1].expires_at_ms is not None


async def test_what_is_not_touched_in_the_editor_stays_to_the_millisecond(rules_screen: OpenRules) -> None:
    book = FakeRulebook(some())
    before = book.rules[3]
    async with rules_screen(book) as (_, pilot):
        await press(pilot, "down", "down", "down", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, RuleEditor))
        await press(pilot, "ctrl+s")
        await until(pilot, lambda: book.revision == 2)
        assert book.rules[3] == before


async def test_a_new_rule_is_written_and_goes_behind_the_others(rules_screen: OpenRules) -> None:
    book = FakeRulebook()
    async with rules_screen(book) as (screen, pilot):
        assert "There are no rules" in details(screen)
        await press(pilot, "e", "x", "space", "J", "u")
        assert book.revision == 1
        await press(pilot, "a")
        await until(pilot, lambda: isinstance(pilot.app.screen, RuleEditor))
        await press(pilot, *"make", "enter", "ctrl+s")
        await until(pilot, lambda: "Rule 1 is kept" in said(screen))
        assert book.rules[0].pattern == CommandPattern(("make",), exact=True)
        assert str(book.rules[0].scope) == f"workspace {FOLDER}"


async def test_somebody_else_was_faster(rules_screen: OpenRules) -> None:
    book = FakeRulebook(some())
    async with rules_screen(book) as (screen, pilot):
        book.fails = Conflict("The rules have changed meanwhile", todo="Look at them again.")
        await press(pilot, "x")
        await until(pilot, lambda: "changed meanwhile" in said(screen))
        assert order(book) == [3, 1, 4, 5, 7, 8]
        await press(pilot, "u")
        assert "changed meanwhile" in said(screen)


async def test_the_profiles_say_what_each_allows(rules_screen: OpenRules) -> None:
    async with rules_screen(FakeRulebook(some())) as (screen, pilot):
        await press(pilot, "p")
        for part in (
            "observer",
            "operator, that of new conversations",
            "autopilot",
            "whatever the rules say",
        ):
            assert part in details(screen)
        await press(pilot, "escape")
        assert "deny git push" in details(screen)
        await press(pilot, "escape")
        await until(pilot, lambda: pilot.app.screen is not screen)


async def test_nothing_in_a_rule_steers_the_terminal(rules_screen: OpenRules) -> None:
    hostile = rule(1, Verdict.ALLOW, CommandPattern(("a\x1b]0;x\x07", "\u202eb[bold]")), note="\x1b[2J")
    async with rules_screen(FakeRulebook([hostile])) as (screen, _):
        drawn = "".join(segment.text for segment in screen.query_one("#rules-list").render_line(0))
        assert "\x1b" not in drawn + details(screen)
        assert "⟨RLO⟩b[bold]" in drawn
