"""The script language, without Codex."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.demo.script import is_script, parse_script
from core.demo.steps import (
    Call,
    Fail,
    Failure,
    Hold,
    Join,
    Say,
    Search,
    Step,
    Stream,
    Think,
    Type,
    Wait,
    split_text,
)
from core.errors import InvalidRequest

words = st.text(st.characters(exclude_categories=["C"], exclude_characters="/\\"), min_size=1).map(str.strip)
line = words.filter(bool)
"""A line that needs no escape."""

written: st.SearchStrategy[tuple[str, Step]] = st.one_of(
    line.map(lambda text: (f"/say {text}", Say(text))),
    line.map(lambda text: (f"/say\n{text}\n\\/{text}", Say(f"{text}\n/{text}"))),
    line.map(lambda text: (f"/think {text}", Think((text,)))),
    st.integers(0, 10**6).map(lambda count: (f"/stream {count}", Stream(count))),
    st.integers(1, 99).map(lambda rate: (f"/stream 7 words at {rate} per second", Stream(7, float(rate)))),
    st.integers(0, 3600).map(lambda seconds: (f"/wait {seconds}", Wait(float(seconds)))),
    line.map(lambda text: (f"/hold {text}", Hold(text))),
    line.map(lambda text: (f"/search {text}", Search(text))),
    line.map(lambda text: (f"/type {text}", Type(text))),
    st.sampled_from(Failure).map(lambda how: (f"/fail {how}", Fail(how))),
    st.booleans().map(lambda joined: (f"/{'+' if joined else ''}join", Join(joined))),
    line.map(lambda text: (f"/run {text}", command(text))),
    line.map(lambda text: (f"/+run {text}", command(text, joined=True))),
)


def command(text: str, *, joined: bool = False) -> Call:
    return Call("exec_command", json.dumps({"cmd": text}, ensure_ascii=False), None, joined)


def only_call(text: str) -> tuple[Call, object]:
    (step,) = parse_script(text)
    assert isinstance(step, Call)
    return step, json.loads(step.arguments)


@given(st.lists(written, min_size=1))
def test_a_script_is_read_as_the_steps_it_was_written_from(parts: list[tuple[str, Step]]) -> None:
    text = "\n".join(text for text, _ in parts)

    assert is_script(text)
    assert parse_script(text) == tuple(step for _, step in parts)


@given(st.text())
def test_any_text_is_read_or_refused_with_its_line(text: str) -> None:
    try:
        steps = parse_script(text)
    except InvalidRequest as error:
        assert "line " in error.what
        assert error.why
    else:
        assert steps


@given(st.lists(st.text("\\/ ab\n"), min_size=1).map("\n".join))
def test_an_escaped_body_comes_back_as_it_was(body: str) -> None:
    """Blank lines at its two ends are layout."""
    escaped = "\n".join(f"\\{line}" if line[:1] in ("/", "\\") else line for line in body.split("\n"))

    (step,) = parse_script(f"/say x\n{escaped}\ny")

    assert step == Say(f"x\n{body}\ny")


@given(st.text())
def test_marks_leave_the_rest_of_a_text_alone(text: str) -> None:
    parts = list(split_text(f"{text}{{{{hold here}}}}{text}"))

    assert Hold("here") in parts
    if "{{" not in text:
        assert parts == [text, Hold("here"), text]


def test_marks_that_make_no_sense_are_text() -> None:
    text = "{{fail often}} {{wait long}} {{hold}} {{x}}"

    assert "".join(part for part in split_text(text) if isinstance(part, str)) == text


@pytest.mark.parametrize(
    "text", ["hello", "/usr/bin/env is a path", "/runn ls", "look:\n/run ls", "", "/", "/Say x"]
)
def test_ordinary_messages_are_no_scripts(text: str) -> None:
    assert not is_script(text)


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("/say hello\n/runn ls", 2, "/runn"),
        ("hello\n/say x", 1, "before the first directive"),
        ("/say", 1, "/say needs a text"),
        ("/wait long", 1, "'long'"),
        ("/wait 1e9", 1, "3600"),
        ("/wait nan", 1, "3600"),
        ("/stream many", 1, "number of words"),
        ("/stream 5 at 0", 1, "never end"),
        ("/fail often", 1, "429"),
        ("/ask Which?", 1, "no options"),
        ("/permissions sudo", 1, "'sudo'"),
        ("/mcp demo", 1, "/mcp wants"),
        ("/tool berth {", 1, "not JSON"),
        ("/say x\n/+say y", 2, "no tool call"),
    ],
)
def test_a_fault_is_told_with_its_line(text: str, line: int, why: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        parse_script(text)

    assert f"line {line}" in caught.value.what
    assert why in caught.value.why


def test_run_bang_asks_to_leave_the_sandbox() -> None:
    step, arguments = only_call("/run! make install\nmake clean")

    assert step.name == "exec_command"
    assert arguments == {
        "cmd": "make install\nmake clean",
        "sandbox_permissions": "require_escalated",
        "justification": "This needs to run outside the sandbox. May it?",
    }


@pytest.mark.parametrize(
    "body", ["*** Add File: a\n+x", "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch"]
)
def test_a_patch_is_completed_and_handed_over_in_a_here_document(body: str) -> None:
    _, arguments = only_call(f"/patch\n{body}")

    patch = "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch"
    assert arguments == {"cmd": f"apply_patch <<'PATCH'\n{patch}\nPATCH"}


def test_a_patch_that_holds_the_end_mark_gets_another_one() -> None:
    _, arguments = only_call("/patch\n*** Add File: a\nPATCH\n+x")

    assert isinstance(arguments, dict)
    assert arguments["cmd"].startswith("apply_patch <<'PATCH_'\n")


def test_tools_are_named_with_their_namespace() -> None:
    assert only_call('/tool clock.sleep {"ms": 1}')[0].namespace == "clock"
    assert only_call("/tool berth")[0] == Call("berth", "{}")
    assert only_call('/mcp demo tide {"harbour": "A B"}')[0] == Call(
        "tide", '{"harbour": "A B"}', "mcp__demo"
    )
    assert only_call("/agent hello")[0].namespace == "multi_agent_v1"


def test_permissions_gather_paths_by_their_right() -> None:
    _, arguments = only_call("/permissions network, read /a, write /b, write c d")

    assert isinstance(arguments, dict)
    assert arguments["permissions"] == {
        "network": {"enabled": True},
        "file_system": {"read": ["/a"], "write": ["/b", "c d"]},
    }


def test_space_before_a_script_is_no_text_before_it() -> None:
    assert is_script("\n  /say hello")
    assert parse_script("\n  /say hello") == parse_script("/say hello")
