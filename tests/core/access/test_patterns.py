"""Rules as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.access.patterns import CommandPattern, HostPattern, PathPattern, ToolPattern, is_inside
from core.errors import InvalidRequest


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("git status", CommandPattern(("git", "status"), exact=True)),
        ("git status …", CommandPattern(("git", "status"))),
        ("git status ...", CommandPattern(("git", "status"))),
        (" git  log  * x ", CommandPattern(("git", "log", None, "x"), exact=True)),
        ("git log '*' '...'", CommandPattern(("git", "log", "*", "..."), exact=True)),
        ("git commit -m 'a b' \"c\"d", CommandPattern(("git", "commit", "-m", "a b", "cd"), exact=True)),
    ],
)
def test_a_pattern_is_read_as_it_is_written(text: str, pattern: CommandPattern) -> None:
    assert CommandPattern.parse(text) == pattern


@pytest.mark.parametrize(
    "text",
    ["", "…", "* x", "'' x", "git 'open", "git $x", "git *.py", "git {a,b}", "git;rm", "git > x", "git \\"],
)
def test_a_pattern_that_is_no_list_of_words_is_refused(text: str) -> None:
    with pytest.raises(InvalidRequest):
        CommandPattern.parse(text)


@given(
    words=st.lists(st.none() | st.text(st.characters(codec="utf-8")), max_size=4),
    first=st.text(st.characters(codec="utf-8"), min_size=1),
    exact=st.booleans(),
)
def test_a_pattern_that_is_shown_can_be_read_again(words: list[str | None], first: str, exact: bool) -> None:
    pattern = CommandPattern((first, *words), exact)
    assert CommandPattern.parse(str(pattern)) == pattern


@pytest.mark.parametrize("path", ["", "docs", "/a/../b", "/a/", "//a", "/a//b", "/./a"])
def test_a_path_that_is_not_whole_is_refused(path: str) -> None:
    with pytest.raises(InvalidRequest):
        PathPattern(path)


@pytest.mark.parametrize(
    "name", ["", "*", "*.", "a b", "Example.com", "http://a.b", "a.*", "a/b", "*.*.a", "a..b"]
)
def test_what_is_no_host_is_refused(name: str) -> None:
    with pytest.raises(InvalidRequest):
        HostPattern(name)


def test_a_tool_without_a_name_is_refused() -> None:
    with pytest.raises(InvalidRequest):
        ToolPattern(" ")


@pytest.mark.parametrize(
    ("path", "folder", "inside"),
    [
        ("/a/b", "/a", True),
        ("/a", "/a", True),
        ("/ab", "/a", False),
        ("/a/../b", "/a", False),
        ("//a/b", "/a", True),
        ("/b", "/", True),
        ("/a/b/../../a/c", "/a", True),
    ],
)
def test_inside_is_by_whole_names(path: str, folder: str, inside: bool) -> None:
    assert is_inside(path, folder) is inside
