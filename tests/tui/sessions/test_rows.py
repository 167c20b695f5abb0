"""Sessions as lines: what is in them, and that they fit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.sessions.model import Hit, Kind, SessionMatch, SessionState
from tests.tui.sessions.fake_sessions import NOW_MS, session
from tui.sessions.rows import (
    Heading,
    HitLine,
    Title,
    Why,
    hit_content,
    lines_of,
    size_words,
    title_content,
)
from tui.widgets.ages import age_words

HOSTILE = "\x1b[2Jred\u202e[bold]x[/bold]\nnext"


def hit(*pieces: tuple[str, bool]) -> Hit:
    return Hit(Kind.OUTPUT, 1, 1, "i", pieces)


def test_groups_are_in_the_order_of_their_first_session() -> None:
    matches = [SessionMatch(session(n, folder=folder)) for n, folder in enumerate(["/b", "/a", "/b"])]
    assert lines_of(matches, grouped=True) == [
        Heading("/b", 2), Title(0), Title(2), Heading("/a", 1), Title(1),
    ]  # fmt: skip


def test_below_a_title_are_its_hits_or_why_it_cannot_be_read() -> None:
    found = SessionMatch(session(1), (hit(("a", True)), hit(("b", True)), hit(("c", True))))
    broken = SessionMatch(session(2, state=SessionState.UNREADABLE, why="Its header is missing."))
    assert [type(line) for line in lines_of([found, broken], grouped=False)] == [
        Title,
        HitLine,
        HitLine,
        Title,
        Why,
    ]


@given(
    st.text(max_size=80),
    st.text(max_size=40),
    st.integers(30, 130),
    st.booleans(),
    st.one_of(st.none(), st.integers(0, 30)),
)
def test_a_title_takes_one_line_of_its_width(
    title: str, tag: str, width: int, folder: bool, goes: int | None
) -> None:
    match = SessionMatch(session(1, title, tags=(tag,), folder=f"/x/{title}"))
    content = title_content(match, width, NOW_MS, with_folder=folder, goes_in=goes)
    assert "\n" not in content.plain and content.cell_length <= width


@given(st.text(max_size=200), st.text(min_size=1, max_size=10), st.text(max_size=200), st.integers(30, 130))
def test_a_hit_is_seen_however_far_behind_it_stands(before: str, found: str, after: str, width: int) -> None:
    content = hit_content(hit((before, False), ("NEEDLE" + found, True), (after, False)), width)
    assert "NEEDLE"[:4] in content.plain
    assert "\n" not in content.plain and content.cell_length <= width


@pytest.mark.parametrize("kind", Kind)
def test_whatever_was_found_can_be_shown(kind: Kind) -> None:
    found = hit_content(Hit(kind, 0, None, "", (("gate", True),)), 60)
    assert "gate" in found.plain


def test_hostile_text_is_text() -> None:
    content = title_content(SessionMatch(session(1, HOSTILE)), 80, NOW_MS, with_folder=True)
    assert "\x1b" not in content.plain and "\u202e" not in content.plain and "[bold]x[/bold]" in content.plain


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "now"), (-5, "now"), (59, "now"), (60, "1m"), (3600, "1h"), (86_400, "1d"), (15 * 86_400, "2w"),
     (70 * 86_400, "2mo"), (800 * 86_400, "2y")],
)  # fmt: skip
def test_ages(seconds: int, words: str) -> None:
    assert age_words(seconds * 1000) == words


@pytest.mark.parametrize(
    ("size", "words"), [(0, "0 B"), (999, "999 B"), (1500, "1.5 kB"), (20_000_000, "20 MB")]
)
def test_sizes(size: int, words: str) -> None:
    assert size_words(size) == words
