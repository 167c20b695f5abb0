"""A person's own keys: what is taken, what is refused and why, and that everything that shows keys shows them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from core.settings import Settings
from tests.tui.conftest import FOLDER, OpenConsole
from tests.tui.fake_engine import FakeEngine
from tests.tui.host import press, settled, until
from tui.keymap import key_of, keys_of_place, parse_keys
from tui.launch import Launch
from tui.screens.help import HelpScreen
from tui.screens.keys import PLACES, actions, sections
from tui.widgets.key_bar import KeyBar
from tui.widgets.welcome import Welcome


def why(**entries: str) -> dict[str, str]:
    return {problem.name: problem.why for problem in parse_keys(entries, PLACES)[1]}


def test_every_action_has_a_name_of_its_own() -> None:
    names = [action.name for action in actions()]
    assert len(names) == len(set(names))
    assert {"answer", "quit", "composer_send", "reading_fold", "next_conversation"} <= set(names)


def test_keys_are_taken_however_they_are_written() -> None:
    keymap, problems = parse_keys({"new": "Ctrl+L, F9", "composer_newline": "alt+enter"}, PLACES)
    assert keymap == {"new": "ctrl+l,f9", "composer_newline": "alt+enter"}
    assert problems == []


def test_what_cannot_be_is_refused_with_the_reason() -> None:
    assert "there is no action of this name; is it answer?" in why(anwser="f9")["anwser"]
    assert "ctrl+foo is no key" in why(new="ctrl+foo")["new"]
    assert "is no key" in why(new="")["new"]
    assert why(new="x")["new"] == "x by itself is for writing"
    assert why(new="?")["new"] == "question_mark by itself is for writing"
    assert why(new="ctrl+c")["new"] == "ctrl+c copies"
    assert why(new="f1")["new"] == "f1 is the key of help (Help) already"
    assert why(composer_send="ctrl+n")["composer_send"].startswith("ctrl+n is the key of new")


@pytest.mark.parametrize(
    ("key", "does"),
    [("ctrl+y", "redo"), ("ctrl+w", "delete left to start of word"), ("ctrl+x", "cut")],
)
def test_a_key_that_edits_the_message_is_no_other_actions(key: str, does: str) -> None:
    said = f"{key} edits the message ({does}), and that stays"
    assert why(new=f"{key}, f9")["new"] == said
    assert why(composer_newline=key)["composer_newline"] == said
    assert why(new="ctrl+z")["new"] == "ctrl+z undoes"
    assert "ctrl+a is the key of composer_line_begin" in why(answer="ctrl+a")["answer"]


def test_what_the_readme_has_for_an_example_works() -> None:
    readme = (Path(__file__).parents[3] / "README.md").read_text().partition("[keys]")[2].partition("```")[0]
    examples = re.findall(r'^# (\w+) = "([^"]+)"$', readme, re.MULTILINE)
    assert "new" in dict(examples)
    assert why(**dict(examples)) == {}


def test_two_actions_may_change_their_keys_and_two_places_may_have_the_same() -> None:
    assert why(new="ctrl+b", listing="ctrl+n") == {}
    assert why(reading_fold="tab", composer_queue="tab") == {}


def test_a_swap_of_which_one_half_cannot_be_gives_both_their_own_keys() -> None:
    keymap, problems = parse_keys({"new": "ctrl+b", "listing": "ctrl+foo"}, PLACES)
    assert keymap == {}
    assert {problem.name for problem in problems} == {"new", "listing"}


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Ctrl + Up", "ctrl+up"),
        ("?", "question_mark"),
        ("F12", "f12"),
        ("shift+alt+x", "alt+shift+x"),
        ("Esc", "escape"),
        ("K", "K"),
    ],
)
def test_a_key_has_one_name(text: str, key: str) -> None:
    assert key_of(text) == key


KEYS = st.sampled_from(
    ["f2", "f9", "ctrl+a", "ctrl+r", "enter", "escape", "up", "j", "n", "y", "Tab", "", "+", "no key"]
)


@hypothesis_settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.dictionaries(
        st.sampled_from([action.name for action in actions()]),
        st.lists(KEYS, min_size=1, max_size=3).map(",".join),
        max_size=8,
    )
)
def test_whatever_is_written_no_key_means_two_things_where_it_works(entries: dict[str, str]) -> None:
    keymap, _ = parse_keys(entries, PLACES)
    shipped = {action.name: set(action.keys) for action in actions()}
    for place in PLACES:
        there = keys_of_place(place, keymap)
        for name in keymap.keys() & there.keys():
            mine = set(there[name])
            assert not (mine & set(place.fixed)) - shipped[name], (place.title, name)
            for other in there.keys() - {name}:
                both = mine & set(there[other])
                assert both <= shipped[name] & shipped[other], (place.title, name, other)


def test_the_screens_over_the_console_have_keys_of_ones_own_and_each_place_its_own_conflicts() -> None:
    entries = {
        "rules_revoke": "r",
        "sessions_fork": "w",
        "text_scroll_down": "j,down",
        "ledger_export": "ctrl+e",
    }
    assert parse_keys(entries, PLACES) == (entries, [])
    assert why(rules_revoke="t")["rules_revoke"] == "t is the key of rules_try (Try) already"
    assert why(inbox_jump="f6")["inbox_jump"] == "f6 is the key of answer (Answer) already"
    both = why(answer="f9", inbox_alike="f9")
    assert both == {"inbox_alike": "f9 is the key of answer (Answer) already"}
    assert why(sessions_filters="w")["sessions_filters"] == "w by itself is for writing"
    assert why(ledger_open="space")["ledger_open"] == "space by itself is for writing"


def test_what_decides_in_a_prompt_stays_as_it_is() -> None:
    for name in ("accept", "prompt_decline", "always"):
        assert "the letters that decide in a prompt stay as they are" in why(**{name: "z"})[name]
    said = "takes a choice in a prompt, and that stays"
    assert why(text_scroll_down="n")["text_scroll_down"] == f"n {said}"
    assert why(inbox_alike="y")["inbox_alike"] == f"y {said}"
    assert why(rules_edit="y") == {}


def test_the_same_keys_as_they_ship_change_nothing() -> None:
    assert parse_keys({"recall": "ctrl+r", "sessions": "f3, ctrl+r"}, PLACES) == ({}, [])


async def test_a_changed_key_works_and_everything_shows_it(console: OpenConsole, engine: FakeEngine) -> None:
    engine.settings = Settings(keys={"help": "f9", "new": "f12", "quit": "f1"})
    async with console(Launch(FOLDER, latest=True), size=(120, 30)) as (screen, pilot):
        bar = screen.query_one(KeyBar)
        await until(pilot, lambda: "F9 Help" in str(bar.render()))
        assert "F12 New" in str(bar.render())
        assert "F1 Quit" in str(bar.render())
        await press(pilot, "f9")
        await until(pilot, lambda: isinstance(pilot.app.screen, HelpScreen))
        assert ("f9", "Help") in shown(engine.settings.keys)
        await press(pilot, "escape")
        await press(pilot, "ctrl+c")
        assert "F1 quits" in str(screen.notices.render())


def shown(keys: dict[str, str]) -> set[tuple[str, str]]:
    from tui.keymap import with_keymap

    return {
        (binding.key, binding.description)  # type: ignore[union-attr]
        for section in sections(keys)
        for binding in with_keymap(section.bindings, keys)
    }


async def test_what_names_a_key_names_ones_own(console: OpenConsole, engine: FakeEngine) -> None:
    own = {"composer_newline": "ctrl+l", "listing": "f10", "composer_send": "f11", "sessions": "f12"}
    engine.settings = Settings(keys=own)
    async with console(size=(100, 40)) as (screen, pilot):
        welcome = screen.query_one(Welcome)
        await until(pilot, lambda: "Ctrl+L   begins a new line" in str(welcome.render()))
        assert "F10      shows your conversations" in str(welcome.render())
        hint = screen.composer.query_one("#composer-hint")
        await until(pilot, lambda: "F11 sends · ^L new line" in str(hint.render()))


async def test_a_refused_key_is_named_where_keys_are_shown(console: OpenConsole, engine: FakeEngine) -> None:
    engine.settings = Settings(keys={"new": "f1"})
    async with console(Launch(FOLDER, latest=True)) as (screen, pilot):
        await settled(pilot)
        text = "[keys] new: f1 is the key of help (Help) already."
        assert text in str(screen.notices.render())
        await press(pilot, "f1")
        await until(pilot, lambda: isinstance(pilot.app.screen, HelpScreen))
        assert text in str(pilot.app.screen.query_one(".help-problems").render())
