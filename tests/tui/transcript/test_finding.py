from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st
from textual.pilot import Pilot

from core.agent.events import Channel
from core.agent.items import AgentMessage, Change
from tests.tui.host import until
from tests.tui.transcript.app import TranscriptApp, changed, document_of
from tests.tui.transcript.drawn import styler
from tests.tui.transcript.gallery import Log
from tui.transcript.document import Document
from tui.transcript.drawing import Drawer
from tui.transcript.entries import Entry
from tui.transcript.finding import Finder
from tui.transcript.view import TranscriptView

SIZE = (80, 24)
MANY = 1 << 60


def finder(document: Document, needle: str, near: int = MANY) -> Finder:
    drawer = Drawer(styler)

    def shown(entry: Entry) -> Sequence[str]:
        return drawer.unfolded(entry, 80).lines

    return Finder(document, needle, near, shown)


def searched(document: Document, needle: str, near: int = MANY) -> Finder:
    found = finder(document, needle, near)
    while found.search(1.0) == 0.0:
        pass
    return found


def keys_of(found: Finder, steps: int, step: int = 1) -> list[tuple[object, int]]:
    keys = []
    for _ in range(steps):
        hit = found.step(step)
        assert hit is not None
        keys.append((hit.entry.key, hit.number))
    return keys


def boats() -> Log:
    log = Log()
    log.message("Two **boats** and a boat")
    log.notice("info", "nothing here")
    log.command("count boats", "".join(f"line {number}\n" for number in range(100)) + "a BOAT\n")
    log.user("boat?")
    return log


# Which hits there are.


def test_what_markup_parts_is_found_as_it_is_shown() -> None:
    document = document_of(boats().boxes)
    assert searched(document, "two boats").count == 1
    assert searched(document, "**").count == 0
    assert searched(document, "boat").count == 5


def test_hits_are_counted_and_gone_through_in_the_order_of_the_conversation() -> None:
    found = searched(document_of(boats().boxes), "boat", near=0)
    assert (found.number, found.count) == (1, 5)
    assert keys_of(found, 5) == [(1, 1), (3, 0), (3, 1), (5, 0), (1, 0)]
    assert keys_of(found, 2, -1) == [(5, 0), (3, 1)]
    assert found.number == 4


def test_the_first_hit_is_the_nearest_one_below_else_above() -> None:
    document = document_of(boats().boxes)
    near = document[1].order
    below = searched(document, "boat", near).current
    assert below is not None and (below.entry.key, below.number) == (3, 0)
    above = searched(document, "two", near).current
    assert above is not None and (above.entry.key, above.number) == (1, 0)


def test_a_search_is_done_in_small_parts() -> None:
    log = Log()
    for number in range(300):
        log.message(f"boat {number} " + "word " * 40)
    found = finder(document_of(log.boxes), "boat")
    parts = 0
    while found.search(0.002) == 0.0:
        parts += 1
    assert found.count == 300
    assert parts > 3


def test_older_pages_are_asked_for_and_searched_as_they_come() -> None:
    log = Log()
    for number in range(60):
        log.message(f"boat {number}")
    document = document_of(log.boxes[40:])
    found = searched(document, "boat")
    assert found.count == 20
    assert found.wants_older and not found.complete
    assert found.searched < 0.5
    document.prepend_boxes(log.boxes[:40])
    found.follow(document.take_changes())
    while found.search(1.0) == 0.0:
        pass
    assert (found.count, found.complete, found.searched) == (60, True, 1.0)


def test_what_streams_is_looked_at_again_and_keeps_its_hits_when_it_is_done() -> None:
    log = boats()
    document = document_of(log.boxes)
    found = searched(document, "lamp")
    document.item_started(AgentMessage(id="m", text=""))
    document.delta("m", Channel.MESSAGE, "the lamp and the lamp")
    found.follow(document.take_changes())
    found._again_at = 0
    found.search(1.0)
    assert found.count == 2
    document.add_boxes([log.message("the lamp and the lamp, lit", item_id="m")])
    found.follow(document.take_changes())
    found._again_at = 0
    found.search(1.0)
    assert found.count == 2
    assert found.number == 1


@given(st.lists(st.text("ab \n*`", max_size=12), max_size=8), st.text("ab", min_size=1, max_size=2))
@settings(max_examples=60, deadline=None)
def test_stepping_through_visits_every_hit_once(texts: list[str], needle: str) -> None:
    log = Log()
    for text in texts:
        log.user(text)
    document = document_of(log.boxes)
    found = searched(document, needle, near=0)
    assert found.count == sum(line.count(needle) for text in texts for line in text.split("\n"))
    if found.count:
        assert len(set(keys_of(found, found.count))) == found.count


# In the view.


def found_messages(app: TranscriptApp) -> list[TranscriptView.Found]:
    return [message for message in app.heard if isinstance(message, TranscriptView.Found)]


async def find(app: TranscriptApp, pilot: Pilot[None], needle: str) -> None:
    """Find it, and wait until all that is here was searched."""
    app.heard.clear()
    app.view.find(needle)
    await until(pilot, lambda: app.view._search_timer is None and found_messages(app))


def styled(app: TranscriptApp, text: str) -> list[str]:
    """The pieces of the screen that are marked as found, the current one in brackets."""
    palette = app.view._palette
    assert palette is not None
    found, current = palette(("found",)), palette(("found-current",))
    pieces = []
    for strip in app.view.render_lines(app.view.size.region):
        for segment in strip:
            if segment.style is not None and segment.text.lower() == text.lower():
                if segment.style.bgcolor == current.color:
                    pieces.append(f"[{segment.text}]")
                elif segment.style.bgcolor == found.bgcolor:
                    pieces.append(segment.text)
    return pieces


async def test_hits_are_marked_on_the_screen_and_the_current_one_more() -> None:
    app = TranscriptApp(document_of(boats().boxes))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("home")
        await find(app, pilot, "boat")
        assert styled(app, "boat") == ["[boat]", "boat", "boat", "BOAT", "boat"]
        app.view.find_step(1)
        assert styled(app, "boat") == ["boat", "[boat]", "boat", "BOAT", "boat"]
        app.view.stop_finding()
        assert styled(app, "boat") == []


async def test_a_word_that_markup_parts_is_marked_where_it_is_read() -> None:
    log = Log()
    log.message("nothing")
    log.message("a **bo**ld `code`word")
    app = TranscriptApp(document_of(log.boxes))
    async with app.run_test(size=SIZE) as pilot:
        await find(app, pilot, "bold codeword")
        assert found_messages(app)[-1].count == 1
        assert [styled(app, piece) for piece in ("bo", "ld ", "code", "word")] == [
            ["[bo]"],
            ["[ld ]"],
            ["[code]"],
            ["[word]"],
        ]


async def test_what_a_diff_took_away_is_marked_where_it_stands_beside_the_new() -> None:
    log = Log()
    log.patch(
        Change(
            path="a.txt", verb="update", diff="@@ -1,2 +1,2 @@\n-the old lamp\n+the new lamp\n same lamp\n"
        )
    )
    app = TranscriptApp(document_of(log.boxes))
    async with app.run_test(size=(120, 24)) as pilot:
        await find(app, pilot, "lamp")
        assert found_messages(app)[-1].count == 3
        assert styled(app, "lamp") == ["[lamp]", "lamp", "lamp", "lamp"]
        await find(app, pilot, "old")
        assert styled(app, "old") == ["[old]"]


async def test_a_hit_in_folded_output_unfolds_it_and_the_next_one_folds_it_again() -> None:
    app = TranscriptApp(document_of(boats().boxes))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("home")
        await find(app, pilot, "line 50")
        assert any("line 50" in line for line in app.screen_lines())
        await find(app, pilot, "boat?")
        assert not any("line 90" in line for line in app.screen_lines())
        assert any("more lines" in line for line in app.screen_lines())


async def test_a_hit_far_away_is_scrolled_to_and_one_on_the_screen_is_not() -> None:
    log = Log()
    for number in range(200):
        log.message(f"message {number}\n\nwith words")
    app = TranscriptApp(document_of(log.boxes))
    async with app.run_test(size=SIZE) as pilot:
        await find(app, pilot, "message 7\u0020")
        assert found_messages(app)[-1].count == 0
        await find(app, pilot, "message 42")
        assert any("message 42" in line for line in app.screen_lines())
        row = app.view.first_row
        await find(app, pilot, "message 4")
        assert app.view.first_row == row


async def test_a_match_over_a_wrap_is_marked_on_both_rows() -> None:
    log = Log()
    log.message("a" * 70 + " boat house " + "b" * 40)
    app = TranscriptApp(document_of(log.boxes))
    async with app.run_test(size=SIZE) as pilot:
        await find(app, pilot, "boat house")
        assert styled(app, "boat") == ["[boat]"]
        assert styled(app, "house") == ["[house]"]


async def test_older_boxes_are_wanted_until_all_is_searched() -> None:
    log = Log()
    for number in range(60):
        log.message(f"boat {number}")
    document = document_of(log.boxes[40:])
    app = TranscriptApp(document)
    async with app.run_test(size=SIZE) as pilot:
        await find(app, pilot, "boat")
        told = found_messages(app)[-1]
        assert told.count == 20 and told.searched < 1
        wanted = [message for message in app.heard if isinstance(message, TranscriptView.OlderWanted)]
        assert [message.document for message in wanted] == [document]
        document.prepend_boxes(log.boxes[:40])
        await changed(app, pilot)
        await until(pilot, lambda: found_messages(app)[-1].count == 60)
        assert found_messages(app)[-1].searched == 1


async def test_finding_in_50_mb_on_one_line_keeps_the_screen_alive() -> None:
    log = Log()
    log.command("x", "y" * 50_000_000 + "needle")
    log.message("needle")
    app = TranscriptApp(document_of(log.boxes))
    async with app.run_test(size=SIZE) as pilot:
        await find(app, pilot, "needle")
        assert found_messages(app)[-1].count >= 1
