"""What is shown of a request is all of it, and harmless."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.agent.items import Change
from core.agent.requests import FileApproval
from tests.tui import examples
from tui.prompts import lines
from tui.prompts.choices import Effect, offers_of, rules_among
from tui.prompts.lines import Judged, Line, judged


def text_of(shown: Judged) -> str:
    return "\n".join(line.margin + line.text for line in shown.lines)


def test_a_command_shows_its_words_its_folder_its_reason_and_its_network() -> None:
    request = examples.COMMAND.model_copy(update={"network_host": "example.org:443"})
    shown = text_of(judged(lines.of_command(request)))
    for part in (request.command, request.cwd, request.reason, "example.org:443"):
        assert part is not None and part in shown


def test_a_command_of_several_lines_has_one_dollar() -> None:
    request = examples.COMMAND.model_copy(update={"command": "cat <<'E'\nhello\nE"})
    shown = [line.margin for line in judged(lines.of_command(request)).lines]
    assert shown[:3] == ["$ ", "  ", "  "]


def test_a_file_change_shows_every_line_with_its_sign() -> None:
    shown = text_of(judged(lines.of_files(examples.FILES)))
    for part in ("greet.py  +1 −1", '+     "ahoy",', "new harbour/ropes.md  +3 −0", "+ Coil them.", "- gone"):
        assert part in shown


def test_a_moved_file_says_where_to() -> None:
    change = Change(path="a.py", verb="update", diff="", move_path="b.py")
    request = examples.FILES.model_copy(update={"changes": (change,)})
    assert "a.py → b.py" in text_of(judged(lines.of_files(request)))


def test_a_patch_without_files_says_so() -> None:
    request = FileApproval(key=examples.key(), **examples.ASKED, choices=examples.CHOICES)
    shown = judged(lines.of_files(request), lacks=lines.lacking(request))
    assert "not said which files" in text_of(shown)
    assert not shown.complete


def test_text_that_reorders_or_hides_is_named_and_warned_about() -> None:
    for trick in ("rm \u202egpj.exe", "ls \u200b\u200b-a", "echo \x1b[2J", "a\rb\x00"):
        request = examples.COMMAND.model_copy(update={"command": trick})
        shown = judged(lines.of_command(request))
        assert shown.odd
        assert shown.lines[0].look == "warning"
        assert not any(character in text_of(shown) for character in "\u202e\u200b\x1b\x00\r")


@pytest.mark.parametrize(
    ("trick", "shows"),
    [
        ("./run\ufe0f.sh", "./run⟨VS⟩.sh"),
        ("cat a\u00a0b", "cat a⟨NBSP⟩b"),
        ("rm\u3000x", "rm⟨WIDE SPACE⟩x"),
        ("a\u034fb", "a⟨CGJ⟩b"),
        ("x \ud800", "x ⟨D800⟩"),
        ("rm a\rb", "rm a␍b"),
        ("a\u200b\u2060b", "a⟨ZWSP⟩⟨WJ⟩b"),
    ],
)
def test_nothing_is_dropped_or_passes_for_something_else(trick: str, shows: str) -> None:
    shown = judged([Line(trick)])
    assert shown.odd
    assert shown.lines[-1].text == shows


@pytest.mark.parametrize(
    ("honest", "shows"),
    [("a\tb", "a⇥  b"), ("end\r", "end␍"), ("✔\ufe0f done", "✔⟨VS⟩ done"), ("👩\u200d💻", "👩⟨ZWJ⟩💻")],
)
def test_what_is_no_trick_is_named_and_not_warned_about(honest: str, shows: str) -> None:
    assert judged([Line(honest)]) == Judged((Line(shows),))


@given(st.text(), st.text())
def test_two_texts_that_look_the_same_are_the_same_or_warned_about(one: str, other: str) -> None:
    first, second = judged([Line(one)]), judged([Line(other)])
    assert first.lines != second.lines or one == other or first.odd or second.odd


def test_what_stands_in_fields_is_judged_as_the_lines_are() -> None:
    assert not judged([Line("x")], ["y" * (lines.LINE_LIMIT + 1)]).complete
    assert judged([Line("x")], ["y\u202e"]).odd


def test_honest_text_in_any_script_is_not_warned_about() -> None:
    for text in ("grep -r 'naïve' ü", "echo 你好 🚢", "cat 'a⟨b⟩'", "\tmake"):
        assert not judged(lines.of_command(examples.COMMAND.model_copy(update={"command": text}))).odd


def test_a_command_of_four_thousand_characters_is_shown_whole() -> None:
    shown = judged(lines.of_command(examples.LONG_COMMAND))
    assert shown.complete
    assert examples.LONG_COMMAND.command in text_of(shown)


def test_what_is_too_long_to_show_is_not_complete_and_says_so() -> None:
    request = examples.COMMAND.model_copy(update={"command": "x" * (lines.LINE_LIMIT + 1)})
    shown = judged(lines.of_command(request))
    assert not shown.complete
    assert "cannot be accepted" in shown.lines[0].text
    many = examples.COMMAND.model_copy(update={"command": "\n" * (lines.LINES_LIMIT + 1)})
    assert not judged(lines.of_command(many)).complete


def test_the_choices_are_those_that_are_offered_each_under_a_key_of_its_own() -> None:
    offers = offers_of((*examples.CHOICES, examples.RULE))
    keys = [offer.key for offer in offers]
    assert keys == ["y", "a", "n", "m", "x", "r", "s"]
    assert len(set(keys)) == len(keys)


def test_a_choice_that_is_not_known_is_shown_and_has_no_key() -> None:
    offers = offers_of((examples.CHOICES[0], examples.UNKNOWN))
    unknown = offers[1]
    assert "acceptOnTuesdays" in unknown.label
    assert (unknown.key, unknown.effect, unknown.answer) == ("", Effect.NONE, None)


def test_where_the_turn_cannot_be_cancelled_it_can_be_interrupted() -> None:
    assert any(offer.effect is Effect.INTERRUPT for offer in offers_of(examples.CHOICES[:1]))
    assert not any(offer.effect is Effect.INTERRUPT for offer in offers_of(examples.CHOICES))


def test_a_rule_is_said_in_full_where_the_command_is_judged() -> None:
    assert rules_among((examples.CHOICES[0], examples.RULE)) == (("r", examples.RULE.label),)


def test_two_choices_of_one_kind_have_two_keys() -> None:
    allow = examples.RULE.model_copy(update={"verb": "network_rule", "label": "Always allow"})
    deny = allow.model_copy(update={"label": "Never allow"})
    assert [offer.key for offer in offers_of((allow, deny))][:2] == ["w", "1"]
