from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.transcript import safe

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=[]), max_size=200)
HARMLESS_FORMAT = {"\u200c"}
"""A lone joiner between letters stays: Persian is not readable without."""


def harmful(character: str) -> bool:
    return (
        unicodedata.category(character) in {"Cc", "Cs", "Zl", "Zp"}
        or character in "\u202a\u202b\u202d\u202e\u2066"
    )


@given(ANY_TEXT)
def test_a_line_has_no_control_no_half_character_and_no_bidi_control(text: str) -> None:
    assert not [character for character in safe.line(text) if harmful(character)]


@given(ANY_TEXT)
def test_a_line_that_is_safe_stays_as_it_is(text: str) -> None:
    once = safe.line(text, 10_000)
    assert safe.line(once, 10_000) == once


@given(ANY_TEXT)
def test_a_block_keeps_its_lines(text: str) -> None:
    assert safe.block(text, 10_000).split("\n") == [
        safe.line(line, 10_000) for line in safe.unix_lines(text).split("\n")
    ]


@given(ANY_TEXT)
def test_what_is_copied_holds_no_control_but_tab_and_newline(text: str) -> None:
    controls = {
        character for character in safe.copyable(text) if unicodedata.category(character) in ("Cc", "Cs")
    }
    assert controls <= {"\t", "\n"}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("red \x1b[31malert\x07", "red ␛[31malert␇"),
        ("\x00\x7f\x9b", "␀␡⟨9B⟩"),
        ("pay \u202eoga\u202c", "pay ⟨RLO⟩oga⟨PDF⟩"),
        ("a\u200bb", "a⟨ZWSP⟩b"),
        ("a" + "\u200b" * 500 + "b", "a⟨ZWSP×500⟩b"),
        ("x\U000e0041\U000e0042", "x⟨TAG×2⟩"),
        ("x\u200b\u2060\ufeff", "x⟨invisible×3⟩"),
        ("\ud800", "\ufffd"),
        ("e" + "\u0301" * 100, "e" + "\u0301" * 4 + "⟨+96 marks⟩"),
        ("a\tb", "a   b"),
        ("a\u00a0b", "a b"),
        ("one\ntwo", "one␊two"),
    ],
)
def test_what_could_steer_or_hide_is_shown(text: str, shown: str) -> None:
    assert safe.line(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("naïve Größe", "naïve Größe"),
        ("漢字かな交じり文", "漢字かな交じり文"),
        ("tiếng Việt", "tiếng Việt"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("👩\u200d💻 ⚠\ufe0f", "👩💻 ⚠"),
        ("[bold]not markup[/bold]", "[bold]not markup[/bold]"),
    ],
)
def test_honest_text_of_any_script_stays_readable(text: str, shown: str) -> None:
    assert safe.line(text) == shown


def test_a_line_of_megabytes_is_cut_and_says_how_much_is_missing() -> None:
    shown = safe.line("x" * 5_000_000)
    assert len(shown) < 2_100
    assert "4,998,000 more characters" in shown


@given(st.text(st.characters(codec=None, exclude_categories=[])))
def test_in_a_field_each_character_keeps_its_place_and_none_is_hidden(text: str) -> None:
    shown = safe.in_place(text)
    assert len(shown) == len(text)
    assert not any(unicodedata.category(one) in ("Cc", "Cs") for one in shown)
    assert not set(shown) & set("\u202e\u2066\u200b\ufeff\U000e0041")
