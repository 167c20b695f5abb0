"""The browser, by keys and by mouse."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input

from core.conversation.feed import Told
from core.errors import Conflict, StoreError
from core.export.parts import Format
from core.sessions.model import Difference, IndexPhase, Kind, Progress, SessionState
from core.writers import IMPORTED
from tests.tui.host import press, until
from tests.tui.sessions.conftest import OpenBrowser
from tests.tui.sessions.fake_sessions import BrowserEngine, session
from tui.screens.console import ConsoleScreen
from tui.screens.line import LineScreen
from tui.screens.pick import PickScreen
from tui.sessions.preview import Preview
from tui.sessions.results import ResultList
from tui.sessions.screen import SessionsScreen
from tui.sessions.tell import TellScreen


@pytest.fixture
def some(engine: BrowserEngine) -> BrowserEngine:
    """Three sessions in two folders; words in two of them."""
    sessions = engine.sessions
    sessions.entries = [
        session(1, "Open the gate"),
        session(2, "Paint the boats", folder="/home/dev/lights", archived=False),
        session(3, "Old things", archived=True),
        session(4, "Count the boats", model="gpt-8"),
    ]
    sessions.say("t1", (Kind.USER, "please open the gate"), (Kind.ASSISTANT, "It stands open."))
    sessions.say("t2", (Kind.COMMAND, "make boats"), (Kind.OUTPUT, "every boat is painted blue"))
    for number in range(1, 5):
        conversation = engine.add(Path("/home/dev/harbour"), f"Conversation {number}")
        assert conversation.id == f"c{number}"
    return engine


def titles(screen: SessionsScreen) -> list[str]:
    return [match.entry.title for match in screen.finder.matches]


def told(screen: SessionsScreen) -> str:
    return str(screen.query_one("#told").render())


def notice(screen: SessionsScreen) -> str:
    return str(screen.notices.render())


def said(screen: SessionsScreen) -> str:
    """The words in the place of a list that is empty."""
    return " ".join(strip.text.strip() for strip in screen.results.render_lines(screen.results.size.region))


async def typed(screen: SessionsScreen, pilot: Pilot[str], line: str) -> None:
    """Write a line and wait for its answer."""
    screen.field.value = line
    await pilot.pause()
    await until(pilot, lambda: not screen.finder.searching and screen.finder.shown == screen.finder.query)
    await pilot.pause()


async def shown(pilot: Pilot[str], kind: type) -> None:
    await until(pilot, lambda: isinstance(pilot.app.screen, kind) and pilot.app.screen.is_mounted)
    await pilot.pause()


async def test_it_lists_everything_that_is_not_archived(some: BrowserEngine, browser: OpenBrowser) -> None:
    async with browser() as (screen, _):
        assert titles(screen) == ["Open the gate", "Paint the boats", "Count the boats"]
        assert told(screen).startswith("showing 3 of 3")
        assert "1 archived" in told(screen)


async def test_typing_finds_words_and_shows_them(some: BrowserEngine, browser: OpenBrowser) -> None:
    async with browser() as (screen, pilot):
        await press(pilot, *"blue")
        await until(pilot, lambda: titles(screen) == ["Paint the boats"])
        await until(pilot, lambda: any(type(line).__name__ == "HitLine" for line in screen.results.lines))
        assert "showing 1 of 1" in told(screen)


async def test_typing_goes_on_while_a_slow_search_runs(some: BrowserEngine, browser: OpenBrowser) -> None:
    async with browser() as (screen, pilot):
        some.sessions.go.clear()
        await press(pilot, *"boats")
        assert screen.field.value == "boats"
        assert titles(screen) == ["Open the gate", "Paint the boats", "Count the boats"]
        some.sessions.go.set()
        await until(pilot, lambda: titles(screen) == ["Paint the boats", "Count the boats"])
        assert some.sessions.answered[-1].text == "boats"
        assert len(some.sessions.answered) == 2


async def test_the_browser_can_be_used_before_its_first_answer(
    some: BrowserEngine, browser: OpenBrowser
) -> None:
    some.sessions.go.clear()
    async with browser(found=False) as (screen, pilot):
        assert "Looking" in said(screen)
        await press(pilot, *"gate")
        some.sessions.go.set()
        await until(pilot, lambda: titles(screen) == ["Open the gate"])


async def test_filters_are_typed(some: BrowserEngine, browser: OpenBrowser) -> None:
    async with browser() as (screen, pilot):
        await typed(screen, pilot, "in:lights")
        assert titles(screen) == ["Paint the boats"]
        await typed(screen, pilot, "is:archived")
        assert titles(screen) == ["Old things"]
        await typed(screen, pilot, "boats model:gpt-8")
        assert titles(screen) == ["Count the boats"]
        await typed(screen, pilot, "is:nonsense")
        assert "is:nonsense is no filter" in told(screen)


async def test_a_filter_is_picked_from_the_menu_and_taken_back(
    some: BrowserEngine, browser: OpenBrowser
) -> None:
    async with browser() as (screen, pilot):
        await pilot.press("ctrl+f")
        await shown(pilot, PickScreen)
        await press(pilot, *"lights", "enter")
        await until(pilot, lambda: titles(screen) == ["Paint the boats"])
        assert screen.field.value == "in:/home/dev/lights"
        await pilot.press("ctrl+f")
        await shown(pilot, PickScreen)
        await press(pilot, *"lights", "enter")
        await until(pilot, lambda: len(titles(screen)) == 3)
        assert screen.field.value == ""


async def test_the_order_is_picked(some: BrowserEngine, browser: OpenBrowser) -> None:
    async with browser() as (screen, pilot):
        await pilot.press("ctrl+s")
        await shown(pilot, PickScreen)
        await press(pilot, *"title", "enter")
        await until(pilot, lambda: titles(screen)[0] == "Count the boats")
        assert screen.field.value == "sort:title"


async def test_right_takes_the_completion(some: BrowserEngine, browser: OpenBrowser) -> None:
    async with browser() as (screen, pilot):
        await press(pilot, *"model:gpt-8")
        await typed(screen, pilot, "in:li")
        await until(pilot, lambda: screen.field._suggestion == "in:lights")
        screen.field.cursor_position = len(screen.field.value)
        await press(pilot, "right")
        assert screen.field.value == "in:lights"


async def test_enter_goes_on_with_the_marked_session(some: BrowserEngine, browser: OpenBrowser) -> None:
    async with browser() as (_, pilot):
        await press(pilot, "down", "enter")
        await shown(pilot, ConsoleScreen)
        console = pilot.app.screen
        assert isinstance(console, ConsoleScreen)
        await until(pilot, lambda: console.desk is not None and console.desk.current.id == "c4")


async def test_a_double_click_goes_on_with_a_session(some: BrowserEngine, browser: OpenBrowser) -> None:
    async with browser() as (screen, pilot):
        row = next(y for y, line in enumerate(screen.results.lines) if getattr(line, "match", None) == 1)
        await pilot.click(ResultList, offset=(5, row))
        await until(pilot, lambda: screen.entry is not None and screen.entry.key == "t2")
        assert screen.focused is screen.results
        await pilot.click(ResultList, offset=(5, row), times=2)
        await shown(pilot, ConsoleScreen)
        assert some.sessions.opened == ["t2"]


async def test_a_click_on_a_folder_filters_by_it(some: BrowserEngine, browser: OpenBrowser) -> None:
    async with browser() as (screen, pilot):
        await pilot.click(ResultList, offset=(3, 0))
        await until(pilot, lambda: screen.field.value == "in:/home/dev/harbour")


async def test_escape_clears_the_line_and_then_closes(some: BrowserEngine, browser: OpenBrowser) -> None:
    async with browser() as (screen, pilot):
        await press(pilot, *"boats", "tab")
        assert screen.focused is screen.results
        await press(pilot, "escape")
        assert screen.focused is screen.field
        await press(pilot, "escape")
        assert screen.field.value == ""
        await pilot.press("escape")
        await shown(pilot, ConsoleScreen)


async def test_a_session_is_read_without_going_on_with_it(some: BrowserEngine, browser: OpenBrowser) -> None:
    async with browser() as (screen, pilot):
        await press(pilot, "tab", "v")
        assert screen.reading and screen.focused is screen.query_one(Preview)
        assert not screen.results.display
        await until(pilot, lambda: "It stands open." in screen.preview.text)
        assert some.sessions.opened == []
        await press(pilot, "escape")
        assert not screen.reading and screen.focused is screen.results


async def test_the_preview_shows_the_marked_session(some: BrowserEngine, browser: OpenBrowser) -> None:
    async with browser(size=(120, 40)) as (screen, pilot):
        words = screen.preview
        await until(pilot, lambda: "It stands open." in words.text)
        await press(pilot, "down", "down")
        await until(pilot, lambda: "painted blue" in words.text)


async def test_all_that_is_known_is_shown_where_there_is_room(
    some: BrowserEngine, browser: OpenBrowser
) -> None:
    async with browser(size=(80, 24)) as (screen, pilot):
        words = screen.preview
        await until(pilot, lambda: "It stands open." in words.text)
        assert "begun" not in words.text
        await pilot.resize_terminal(120, 40)
        await until(pilot, lambda: "begun" in words.text)


async def test_a_long_session_is_read_from_its_end_and_on_upwards(
    some: BrowserEngine, browser: OpenBrowser
) -> None:
    some.sessions.say("t1", *((Kind.ASSISTANT, f"word {number}") for number in range(500)))
    async with browser() as (screen, pilot):
        await press(pilot, "tab", "v")
        words = screen.preview
        await until(pilot, lambda: "word 499" in words.text)
        assert "word 150\n" not in words.text
        await until(pilot, lambda: screen.preview.scroll_y > 0)
        await press(pilot, "home")
        await until(pilot, lambda: "word 150\n" in words.text)


@pytest.mark.parametrize(
    ("key", "done"),
    [("f", ("fork", "c1")), ("a", ("archive", "c1"))],
)
async def test_an_action_on_the_marked_session(
    some: BrowserEngine, browser: OpenBrowser, key: str, done: tuple[str, ...]
) -> None:
    async with browser() as (_, pilot):
        await press(pilot, "tab", key)
        await until(pilot, lambda: some.operations.done == [done])


async def test_an_archived_session_is_brought_back(some: BrowserEngine, browser: OpenBrowser) -> None:
    async with browser() as (screen, pilot):
        await typed(screen, pilot, "is:archived")
        await press(pilot, "tab", "a")
        await until(pilot, lambda: some.operations.done == [("unarchive", "c3")])
        await until(pilot, lambda: screen.finder.matches == ())


async def test_a_session_is_renamed(some: BrowserEngine, browser: OpenBrowser) -> None:
    async with browser() as (screen, pilot):
        await press(pilot, "tab", "r")
        await shown(pilot, LineScreen)
        field = pilot.app.screen.query_one(Input)
        assert field.value == "Open the gate"
        field.value = "Close the gate"
        await pilot.press("enter")
        await until(pilot, lambda: "Close the gate" in titles(screen))
        assert some.operations.done == [("rename", "c1", "Close the gate")]


async def test_tags_are_set_and_found(some: BrowserEngine, browser: OpenBrowser) -> None:
    async with browser() as (screen, pilot):
        await press(pilot, "tab", "t")
        await shown(pilot, LineScreen)
        await press(pilot, *"a,#b", "enter")
        await until(pilot, lambda: some.sessions.entries[0].tags == ("a", "b"))
        await typed(screen, pilot, "tag:b")
        assert titles(screen) == ["Open the gate"]


async def test_a_session_is_pinned_and_stays_marked(some: BrowserEngine, browser: OpenBrowser) -> None:
    async with browser() as (screen, pilot):
        await press(pilot, "tab", "end", "p")
        await until(pilot, lambda: titles(screen)[0] == "Paint the boats")
        assert screen.entry is not None and screen.entry.title == "Paint the boats"


async def test_a_session_is_exported_in_the_format_of_its_name(
    some: BrowserEngine, browser: OpenBrowser
) -> None:
    async with browser() as (screen, pilot):
        await press(pilot, "tab", "e")
        await shown(pilot, LineScreen)
        pilot.app.screen.query_one(Input).value = "/tmp-of-nobody/gate.jsonl"
        await pilot.press("enter")
        await until(pilot, lambda: some.export.written != [])
        ((conversation_id, path, format_),) = some.export.written
        assert (conversation_id, str(path), format_) == ("c1", "/tmp-of-nobody/gate.jsonl", Format.JSONL)
        await until(pilot, lambda: "Wrote" in notice(screen))


async def test_an_export_without_a_format_is_refused(some: BrowserEngine, browser: OpenBrowser) -> None:
    async with browser() as (screen, pilot):
        await press(pilot, "tab", "e")
        await shown(pilot, LineScreen)
        pilot.app.screen.query_one(Input).value = "gate.txt"
        await pilot.press("enter")
        await until(pilot, lambda: ".jsonl" in notice(screen))
        assert some.export.written == []


async def test_id_and_path_are_copied(some: BrowserEngine, browser: OpenBrowser) -> None:
    async with browser() as (_, pilot):
        await press(pilot, "tab", "c")
        assert pilot.app.clipboard == "t1"
        await press(pilot, "y")
        assert pilot.app.clipboard == "/home/dev/.codex/sessions/rollout-1.jsonl"


async def test_a_deletion_waits_and_can_be_taken_back(some: BrowserEngine, browser: OpenBrowser) -> None:
    async with browser() as (screen, pilot):
        await press(pilot, "tab", "d")
        assert [one.key for one in some.deletions.going] == ["t1"]
        assert "u takes it back" in notice(screen)
        assert some.operations.done == []
        await press(pilot, "u")
        assert some.deletions.going == ()
        assert "It stays: Open the gate" in notice(screen)
        assert some.operations.done == []


async def test_a_deletion_goes_on_when_the_browser_is_closed(
    some: BrowserEngine, browser: OpenBrowser
) -> None:
    async with browser() as (_, pilot):
        some.deletions.later("t1", "Open the gate", seconds=0.05)
        await pilot.press("escape")
        await shown(pilot, ConsoleScreen)
        await until(pilot, lambda: some.operations.done == [("delete", "c1")])


async def test_a_failure_is_told_with_what_to_do(some: BrowserEngine, browser: OpenBrowser) -> None:
    some.operations.fails = Conflict("It was not archived", why="it runs", todo="Wait until it is done.")
    async with browser() as (screen, pilot):
        await press(pilot, "tab", "a")
        await until(pilot, lambda: "Wait until it is done." in notice(screen))


async def test_a_search_that_fails_is_told_until_one_works(some: BrowserEngine, browser: OpenBrowser) -> None:
    async with browser() as (screen, pilot):
        some.sessions.fails = StoreError("The index cannot be read")
        await press(pilot, "g")
        await until(pilot, lambda: "The index cannot be read" in notice(screen))
        some.sessions.fails = None
        await press(pilot, "a")
        await until(pilot, lambda: not screen.notices.showing)


async def test_what_changes_is_shown_and_the_marked_session_stays_marked(
    some: BrowserEngine, browser: OpenBrowser
) -> None:
    async with browser() as (screen, pilot):
        await press(pilot, "down")
        assert screen.entry is not None and screen.entry.key == "t4"
        some.sessions.entries.append(session(0, "Just begun"))
        some.sessions.change("t1", state=SessionState.RUNNING)
        await until(pilot, lambda: titles(screen)[0] == "Just begun")
        assert screen.entry is not None and screen.entry.key == "t4"


async def test_progress_and_what_is_told_are_shown(some: BrowserEngine, browser: OpenBrowser) -> None:
    async with browser() as (screen, pilot):
        some.sessions.tell(Progress(IndexPhase.READING, 40, 300))
        await until(pilot, lambda: "reading 40 of 300" in told(screen))
        some.feed.tell(Told("error", "Not deleted: A. Codex keeps it."))
        await until(pilot, lambda: "Codex keeps it" in notice(screen))


async def test_an_unreadable_session_says_why_and_is_not_opened(
    engine: BrowserEngine, browser: OpenBrowser
) -> None:
    why = "Its first line is missing, so nothing says whose it is."
    engine.sessions.entries = [session(1, state=SessionState.UNREADABLE, why=why)]
    async with browser() as (screen, pilot):
        assert any(type(line).__name__ == "Why" for line in screen.results.lines)
        await press(pilot, "enter")
        await until(pilot, lambda: "first line is missing" in notice(screen))


async def test_differences_are_listed_with_their_reasons(some: BrowserEngine, browser: OpenBrowser) -> None:
    some.sessions.found = (
        Difference("t9", "/r/t9.jsonl", True, False, True, "Its file is gone.", wrong=True),
    )
    async with browser() as (_, pilot):
        await press(pilot, "tab", "x")
        await shown(pilot, TellScreen)
        assert "Its file is gone." in str(pilot.app.screen.query_one("Static").render())


async def test_an_imported_conversation_is_forked_as_text(some: BrowserEngine, browser: OpenBrowser) -> None:
    some.sessions.change("t1", thread_id=None)
    some.open_conversations["c1"].writer = IMPORTED
    async with browser() as (_, pilot):
        await press(pilot, "tab", "f")
        await shown(pilot, ConsoleScreen)
        assert some.operations.done == []
        await until(pilot, lambda: "# The text of c1" in next(iter(some.drafts.values()), ""))


async def test_nothing_is_found_says_what_to_do(some: BrowserEngine, browser: OpenBrowser) -> None:
    async with browser() as (screen, pilot):
        await typed(screen, pilot, "nowhere")
        assert "Take a word or a filter back" in said(screen)
        await press(pilot, "escape")
        await until(pilot, lambda: len(titles(screen)) == 3)


async def test_ten_thousand_sessions_are_read_a_page_at_a_time(
    engine: BrowserEngine, browser: OpenBrowser
) -> None:
    engine.sessions.entries = [session(n) for n in range(10_000)]
    async with browser() as (screen, pilot):
        assert told(screen).startswith("showing 100 of 10,000")
        await press(pilot, "tab", "end")
        await until(pilot, lambda: len(screen.finder.matches) == 200)
        assert screen.entry is not None and screen.entry.key == "t99"
        assert told(screen).startswith("showing 200 of 10,000")


async def test_a_typed_key_lays_out_nothing(
    some: BrowserEngine, browser: OpenBrowser, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with browser(size=(120, 40)) as (screen, pilot):
        await until(pilot, lambda: "It stands open." in screen.preview.text)
        await pilot.pause()
        layouts: list[object] = []
        monkeypatch.setattr(Screen, "_refresh_layout", lambda *_, **__: layouts.append(1))
        await pilot.press(*"paint")
        await until(pilot, lambda: screen.finder.shown.text == "paint")
        await until(pilot, lambda: "painted blue" in screen.preview.text)
        assert layouts == []
