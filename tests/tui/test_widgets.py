"""What the parts around the transcript say."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.widget import Widget

from core.conversation.choosing import Selected
from core.conversation.info import ConversationInfo
from core.errors import StoreError
from tests.tui.host import HostApp, press, settled
from tui.transcript import cells
from tui.widgets.key_names import key_name, key_names, short_name
from tui.widgets.notices import Notices, error_words
from tui.widgets.session_groups import grouped
from tui.widgets.status_text import (
    StatusFacts,
    clock_words,
    context_forms,
    home_short,
    path_words,
    status_parts,
)


def status_words(facts: StatusFacts, width: int) -> str:
    return "".join(part.before + part.text for part in status_parts(facts, width))


NOON = int(datetime(2026, 5, 4, 12, tzinfo=UTC).timestamp() * 1000)
HOUR = 3_600_000
HERE = "/home/dev/harbour"


def info(number: int, **changes: object) -> ConversationInfo:
    values = {"title": f"t{number}", "path": HERE, "updated_at_ms": NOON, "state": "idle", "pending": 0}
    return ConversationInfo(id=f"c{number}", thread_id=None, **{**values, **changes})  # type: ignore[arg-type]


def test_conversations_are_grouped_by_what_they_want() -> None:
    infos = [
        info(1),
        info(2, updated_at_ms=NOON - 13 * HOUR),
        info(3, state="running"),
        info(4, state="running", pending=2),
        info(5, state="stalled"),
        info(6, updated_at_ms=NOON - 11 * HOUR),
    ]
    groups = {group.name: [row.id for row in group.rows] for group in grouped(infos, HERE, NOON, UTC)}
    assert groups == {
        "needs you": ["c4", "c5"],
        "running": ["c3"],
        "today": ["c1", "c6"],
        "earlier": ["c2"],
    }


def test_every_state_has_a_mark_and_a_foreign_folder_is_named() -> None:
    infos = [
        info(1, pending=1),
        info(2, state="stalled"),
        info(3, state="running"),
        info(4, path="/home/dev/lighthouse"),
    ]
    rows = {row.id: row for group in grouped(infos, HERE, NOON, UTC) for row in group.rows}
    assert [rows[f"c{number}"].mark for number in range(1, 5)] == ["?", "!", "▸", ""]
    assert (rows["c1"].folder, rows["c4"].folder) == ("", "lighthouse")


def test_several_requests_are_counted_and_what_came_since_one_left_is_marked() -> None:
    infos = [info(1, pending=3), info(2, pending=40), info(3), info(4, state="running")]
    groups = grouped(infos, HERE, NOON, UTC, unread={"c3", "c4"})
    rows = {row.id: (row.mark, row.unread) for group in groups for row in group.rows}
    assert rows == {"c1": ("?3", False), "c2": ("?9", False), "c3": ("•", True), "c4": ("▸", True)}


def test_a_title_from_elsewhere_is_harmless_and_none_is_named() -> None:
    ((group),) = grouped([info(1, title="a\x1b[2J\nb"), info(2, title="")], HERE, NOON, UTC)
    assert [row.title for row in group.rows] == ["a␛[2J␊b", "New conversation"]


SELECTED = Selected("gpt-5", "high", "operator", "workspace-write", "on-request", frozenset({"effort"}))

FACTS = st.builds(
    StatusFacts,
    folder=st.sampled_from(["/home/dev", "/home/dev/a/b", "/" + "x" * 80, "/工/作" * 12]),
    home=st.just("/home/dev"),
    host=st.sampled_from(["", "Codex 1.2.3", "Codex went away; it is started again in 3 s"]),
    host_ready=st.booleans(),
    branch=st.sampled_from(["", "main", "a-branch-with-a-name-that-goes-on-and-on"]),
    selected=st.sampled_from([None, SELECTED]),
    context=st.sampled_from([None, 1_000, 300_000]),
    window=st.sampled_from([None, 258_000]),
    waiting=st.integers(0, 3),
    writer=st.sampled_from(["", "the console on /dev/pts/7"]),
)


@given(FACTS, st.integers(1, 160))
def test_the_status_fits_and_keeps_what_matters_most(facts: StatusFacts, width: int) -> None:
    text = status_words(facts, width)
    assert cells.width_of(text) <= width
    if facts.writer:
        assert "read-only"[: width - 1] in text
    elif facts.waiting and width >= 20:
        assert "elsewhere" in text


def test_the_status_says_where_with_what_and_how_full() -> None:
    facts = StatusFacts(
        folder="/home/dev/harbour",
        home="/home/dev",
        branch="main",
        host="Codex 1.2.3",
        host_ready=True,
        selected=SELECTED,
        context=41_000,
        window=258_000,
    )
    assert status_words(facts, 140) == (
        "~/harbour ⎇ main │ Codex 1.2.3 │ gpt-5 →high │ workspace-write on-request │ operator"
        " │ ━╸────── 16% of 258k"
    )
    assert status_words(facts, 58) == "harbour ⎇ main │ gpt-5 →high │ workspace │ operator │ 16%"
    assert status_words(facts, 36) == "gpt-5 │ workspace │ operator │ 16%"


def test_in_words() -> None:
    assert home_short("/home/dev/src", "/home/dev") == "~/src"
    assert home_short("/home/dev", "/home/dev") == "~"
    assert home_short("/home/developer", "/home/dev") == "/home/developer"
    assert path_words("/a/" + "b" * 30 + "/" + "c" * 30, "/home/dev") == "/…/" + "c" * 30
    assert context_forms(41_000, 258_000) == ["━╸────── 16% of 258k", "╸─── 16%", "16%"]
    assert context_forms(900, None) == ["900 tokens"]
    assert context_forms(None, 258_000) == []
    assert [clock_words(seconds) for seconds in (5, 65, 3_725)] == ["0:05", "1:05", "1:02:05"]
    assert key_names("alt+up,ctrl+pageup") == "Alt+↑, Ctrl+PageUp"
    assert (key_name("question_mark"), key_name("f1"), key_name("j")) == ("?", "F1", "j")
    assert short_name("ctrl+n") == "^N"


def test_an_error_is_one_line_what_why_and_what_to_do() -> None:
    error = StoreError("It is not saved", why="the disk is full", todo="Make room.")
    assert error_words(error) == "It is not saved: the disk is full. Make room."
    assert error_words(StoreError("It is not saved.")) == "It is not saved."


class NoticeApp(HostApp):
    @property
    def notices(self) -> Notices:
        return self.query_one(Notices)

    def shown(self) -> str:
        return str(self.notices.render()) if self.notices.display else ""


def notices() -> Widget:
    return Notices(widget_id="notices")


async def test_the_gravest_notice_is_shown_and_each_is_dismissed_by_itself() -> None:
    app = NoticeApp(notices)
    async with app.run_test() as pilot:
        app.notices.tell("first", "error")
        app.notices.tell("second", "warning")
        app.notices.tell("third", "error")
        app.notices.tell("third", "error")
        await settled(pilot)
        assert "third" in app.shown() and "+2 more" in app.shown()
        await pilot.click("#notices")
        await settled(pilot)
        assert "first" in app.shown()
        app.notices.dismiss()
        assert "second" in app.shown()
        app.notices.dismiss()
        assert app.shown() == ""


async def test_of_a_topic_the_newest_is_shown_until_it_no_longer_holds() -> None:
    app = NoticeApp(notices)
    async with app.run_test() as pilot:
        app.notices.tell("lost", "warning", topic="host")
        app.notices.tell("still lost", "warning", topic="host")
        await settled(pilot)
        assert "still lost" in app.shown() and "more" not in app.shown()
        app.notices.forget("host")
        assert app.shown() == ""


@pytest.mark.parametrize("text", ["[bold]markup[/bold]", "\x1b[31mred", "a\u202eb"])
async def test_a_notice_is_never_markup_and_never_steers(text: str) -> None:
    app = NoticeApp(notices)
    async with app.run_test() as pilot:
        app.notices.tell(text, "error")
        await press(pilot, "a")
        assert "\x1b" not in app.shown() and "\u202e" not in app.shown()
        assert "[bold]" in app.shown() or "bold" not in text
