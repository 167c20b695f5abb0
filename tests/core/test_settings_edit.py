"""Setting a value in config.toml changes that value, and not one other byte."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import SettingsError
from core.settings_edit import literal, set_value

TEXT = """\
# My settings.
theme = "quarterdeck-dark"   # at night

[host]
# Where Codex is.
mode = "stdio"
command = [
    "ssh",  # over there
    "box",
]  # a list

# What new conversations start with.
[defaults]
model = "gpt"
"""


def test_a_value_that_is_there_is_replaced_and_its_comment_stays() -> None:
    edited = set_value(TEXT, ("theme",), "quarterdeck-light")
    assert edited == TEXT.replace('"quarterdeck-dark"', '"quarterdeck-light"')
    edited = set_value(TEXT, ("host", "command"), ("codex",))
    assert '\ncommand = ["codex"]  # a list\n' in edited
    assert "over there" not in edited


def test_a_new_value_stands_with_its_like() -> None:
    assert set_value(TEXT, ("defaults", "effort"), "high").endswith('model = "gpt"\neffort = "high"\n')
    assert 'mode = "stdio"' in set_value(TEXT, ("host", "codex"), "/bin/codex").split("[defaults]")[0]


def test_a_new_table_goes_to_the_end_and_a_value_of_none_before_the_first() -> None:
    edited = set_value(TEXT, ("away", "notify"), "bell")
    assert edited == TEXT + '\n[away]\nnotify = "bell"\n'
    lone = "# About the host.\n[host]\nmode = 'stdio'\n"
    assert set_value(lone, ("theme",), "x") == 'theme = "x"\n\n' + lone


def test_the_first_value_of_all() -> None:
    assert set_value("", ("theme",), "x") == 'theme = "x"\n'
    assert set_value("", ("host", "mode"), "stdio") == '[host]\nmode = "stdio"\n'
    assert set_value("# hello", ("theme",), "x") == '# hello\ntheme = "x"\n'


def test_a_value_goes_away_with_its_line() -> None:
    assert set_value(TEXT, ("theme",), None) == TEXT.replace('theme = "quarterdeck-dark"   # at night\n', "")
    assert set_value(TEXT, ("away", "notify"), None) == TEXT


def test_tables_in_a_line_and_dotted_keys_stay_what_they_are() -> None:
    assert set_value('host = { mode = "stdio" }\n', ("host", "codex"), "/c") == (
        'host = { mode = "stdio", codex = "/c" }\n'
    )
    assert set_value('host.mode = "stdio"\n', ("host", "codex"), "/c") == (
        'host.mode = "stdio"\nhost.codex = "/c"\n'
    )
    assert set_value("[profiles]\na.command = 'ask'\n", ("profiles", "a", "tool"), "deny") == (
        "[profiles]\na.command = 'ask'\na.tool = \"deny\"\n"
    )


def test_a_line_end_of_another_system_is_kept() -> None:
    assert set_value("a = 1\r\n[b]\r\nc = 2\r\n", ("b", "d"), 3) == "a = 1\r\n[b]\r\nc = 2\r\nd = 3\r\n"


def test_what_looks_like_a_key_inside_a_string_is_none() -> None:
    text = 'text = """\ntheme = "no"\n[host]\n"""\n"a = b" = 1 # c\n'
    assert set_value(text, ("theme",), "yes") == text + 'theme = "yes"\n'
    assert set_value(text, ("a = b",), 2) == text.replace("= 1 #", "= 2 #")


def test_what_cannot_be_edited_is_refused_and_not_guessed() -> None:
    with pytest.raises(SettingsError, match="not valid TOML"):
        set_value("theme = \n", ("theme",), "x")
    with pytest.raises(SettingsError, match="not a table"):
        set_value("host = 1\n", ("host", "mode"), "stdio")


names = st.sampled_from(["a", "b", "c d", "mode", "ü.x"])
values: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.booleans(), st.integers(-9, 9), st.text(max_size=8)),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=4,
)
comments = st.sampled_from(["", '  # note = ["x"]', " #"])
ends = st.sampled_from(["\n", "\n\n", "\n# [a]\n"])


@st.composite
def documents(draw: st.DrawFn) -> str:
    """Valid TOML in many shapes: tables, dotted keys, tables in a line, long arrays and strings, comments."""
    text = draw(st.sampled_from(["", "# first\n", "\n"]))
    used: set[str] = set()
    for _ in range(draw(st.integers(0, 3))):
        name = draw(names)
        if name not in used:
            used.add(name)
            text += draw(pairs(name)) + draw(comments) + draw(ends)
    for _ in range(draw(st.integers(0, 3))):
        table = draw(names)
        if table in used:
            continue
        used.add(table)
        text += f"[{literal(table)}]{draw(comments)}{draw(ends)}"
        inside: set[str] = set()
        for _ in range(draw(st.integers(0, 3))):
            name = draw(names)
            if name not in inside:
                inside.add(name)
                text += draw(pairs(name)) + draw(comments) + draw(ends)
    return text.rstrip("\n") if draw(st.booleans()) else text


@st.composite
def pairs(draw: st.DrawFn, name: str) -> str:
    shape = draw(st.sampled_from(["plain", "dotted", "table", "array", "long"]))
    value = literal(draw(values))
    key = literal(name)
    match shape:
        case "dotted":
            return f"{key}.{literal(draw(names))} = {value}"
        case "table":
            return f"{key} = {{ {literal(draw(names))} = {value} }}"
        case "array":
            return f"{key} = [\n  {value}, # [inner]\n]"
        case "long":
            return f'{key} = """\n[x]\nmode = 1 # {draw(st.sampled_from(["", "y"]))}"""'
        case _:
            return f"{key} = {value}"


@given(documents(), st.lists(names, min_size=1, max_size=3), st.one_of(st.none(), values))
def test_only_the_value_changes_and_no_other_line_is_touched(text: str, path: list[str], value: Any) -> None:
    before = tomllib.loads(text)
    try:
        edited = set_value(text, tuple(path), value)
    except SettingsError:
        return
    after = tomllib.loads(edited)
    assert _without(after, path) == _without(before, path)
    found = _found(after, path)
    assert found == value
    old, new = text.splitlines(), edited.splitlines()
    head = next(
        (n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new))
    )
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    assert len(new) - head - tail <= 3, "at most a gap, a header and a line are new"


def _found(table: Any, path: list[str]) -> Any:
    for key in path:
        if not isinstance(table, dict) or key not in table:
            return None
        table = table[key]
    return table


def _without(table: Any, path: list[str]) -> Any:
    """The table without what is at the path, and without the tables that are empty then."""
    if not isinstance(table, dict):
        return table
    name, inner = path[0], path[1:]
    found = {key: value for key, value in table.items() if key != name}
    if inner and name in table and (below := _without(table[name], inner)) != {}:
        found[name] = below
    return found


@given(values)
def test_a_literal_is_read_as_what_it_was(value: Any) -> None:
    assert tomllib.loads(f"x = {literal(value)}")["x"] == value
