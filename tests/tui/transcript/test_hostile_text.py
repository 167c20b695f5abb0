"""Hostile text in every place: what it is shown as, and what leaves the transcript by the clipboard or a pager."""

from __future__ import annotations

from time import process_time

import pytest

from core.agent.events import Channel
from core.agent.items import AgentMessage, Change, CommandRun, Status
from tests.tui.transcript.app import TranscriptApp, changed, document_of
from tests.tui.transcript.drawn import draw, draw_boxes, row_text
from tests.tui.transcript.gallery import Log
from tests.tui.transcript.test_blocks import BlockApp
from tests.tui.transcript.test_hostile import HOSTILE, SECONDS, nasty_log
from tests.tui.transcript.test_safe import harmful
from tui.transcript.document import Document
from tui.transcript.entries import Entry
from tui.transcript.view import TranscriptView

WIDE = 130

EVIL: dict[str, tuple[str, str]] = {
    "a colour": ("a\x1b[31mb", "a␛[31mb"),
    "a window title": ("a\x1b]0;evil\x07b", "a␛]0;evil␇b"),
    "a hyperlink, OSC 8": ("a\x1b]8;;https://evil.example\x1b\\b", "a␛]8;;https://evil.example␛\\b"),
    "the clipboard, OSC 52": ("a\x1b]52;c;c2VjcmV0\x07b", "a␛]52;c;c2VjcmV0␇b"),
    "C1 controls": ("a\x9b31mb", "a⟨9B⟩31mb"),
    "bidi": ("a\u202egnp.exe", "a⟨RLO⟩gnp.exe"),
    "bidi isolates": ("a\u2066b\u2069", "a⟨LRI⟩b⟨PDI⟩"),
    "zero width": ("pass\u200bword", "pass⟨ZWSP⟩word"),
    "tags": ("a\U000e0041\U000e0042b", "a⟨TAG×2⟩b"),
    "a combining flood": ("e" + "\u0301" * 50, "e" + "\u0301" * 4 + "⟨+46 marks⟩"),
    "NUL": ("a\x00b", "a␀b"),
    "half a surrogate pair": ("a\ud800b", "a\ufffdb"),
    "markup": ("[bold red]x[/] [@click=app.quit]y[/]", "[bold red]x[/] [@click=app.quit]y[/]"),
}
"""What somebody wrote, and what is shown of it."""

IN_OUTPUT = {
    "a colour": "ab",
    "a window title": "ab",
    "a hyperlink, OSC 8": "ab",
    "the clipboard, OSC 52": "ab",
    "C1 controls": "ab",
}
"""What a program printed is read as a terminal reads it: its sequences are gone."""


def streamed(text: str) -> Entry:
    document = Document()
    document.item_started(AgentMessage(id="m", text=""))
    for character in text:
        document.delta("m", Channel.MESSAGE, character)
    return document[0]


def printed(text: str) -> Entry:
    document = Document()
    document.item_started(CommandRun(id="c", command="x", cwd="", status=Status.RUNNING))
    document.delta("c", Channel.OUTPUT, text)
    return document[0]


def rows(entry: Entry) -> str:
    return "\n".join(row_text(row) for row in draw(entry, 90).rows)


@pytest.mark.parametrize("name", EVIL)
def test_hostile_text_is_shown_as_what_it_is(name: str) -> None:
    text, shown = EVIL[name]
    assert shown in rows(streamed(text))


@pytest.mark.parametrize("name", EVIL)
def test_a_programs_output_can_colour_and_nothing_else(name: str) -> None:
    text, shown = EVIL[name]
    entry = printed(text)
    assert IN_OUTPUT.get(name, shown) in rows(entry)
    for row in draw(entry, 90).rows:
        assert not any(segment.style and segment.style.link for segment in row.segments)


@pytest.mark.parametrize("name", [name for name in EVIL if name != "half a surrogate pair"])
def test_every_place_shows_it_harmlessly_side_by_side_too(name: str) -> None:
    log = nasty_log(EVIL[name][0])
    for folded in (None, False):
        for row in draw_boxes(log.boxes, WIDE, folded):
            assert not [character for character in row if harmful(character)]


@pytest.mark.parametrize("folded", [None, False])
@pytest.mark.parametrize("name", [name for name in HOSTILE if "diff" in name or "output" in name])
def test_drawing_on_a_wide_screen_is_bounded_too(name: str, folded: bool | None) -> None:
    log = Log()
    HOSTILE[name](log)
    begin = process_time()
    drawn = draw_boxes(log.boxes, WIDE, folded)
    assert process_time() - begin < SECONDS
    assert len(drawn) < 30_000


def test_a_diff_of_giant_lines_is_bounded_in_time() -> None:
    log = Log()
    old, new = "a1 b2 " * 100_000, "a1 c3 " * 100_000
    log.patch(Change(path="a.py", verb="update", diff=f"@@ -1 +1 @@\n-{old}\n+{new}\n" * 4))
    begin = process_time()
    assert len(draw_boxes(log.boxes, WIDE, False)) < 500
    assert process_time() - begin < SECONDS


async def test_nothing_harmful_leaves_by_the_clipboard_the_quote_or_the_pager() -> None:
    text = "".join(map(chr, range(0xA0))) + "\x1b]52;c;c2VjcmV0\x07\x1b]8;;https://evil.example\x1b\\click"
    app = BlockApp(document_of(nasty_log(text).boxes))
    async with app.run_test(size=(90, 30)) as pilot:
        await pilot.press("home", "up")
        entries = len(app.view.document or ())
        for _ in range(entries):
            for key in ("c", "m"):
                await pilot.press(key)
                assert not [one for one in app.clipboard if harmful(one) and one not in "\n\t"]
            await pilot.press("q", "e", "k")
        taken = [*app.asked(TranscriptView.Quoted), *app.asked(TranscriptView.OpenWanted)]
        assert len(taken) == 2 * entries
        for message in taken:
            assert not [one for one in message.text if harmful(one) and one not in "\n\t"]  # type: ignore[attr-defined]


async def test_what_is_found_in_hostile_text_is_marked_without_a_control() -> None:
    app = TranscriptApp(document_of(nasty_log("a\x1b[31mneedle\x1b[0m \u202eneedle\x00").boxes))
    async with app.run_test(size=(90, 30)) as pilot:
        await pilot.press("home")
        app.view.find("needle")
        while not app.view.at_end:
            for strip in app.view.render_lines(app.view.size.region):
                assert not [character for character in strip.text if harmful(character)]
            await pilot.press("pagedown")


@pytest.mark.parametrize(
    "name",
    [
        "5,000 rows of a table",
        "lists 300 deep",
        "a blob on many lines of a fence",
        "100,000 lines of a message",
    ],
)
async def test_the_cursor_goes_through_hostile_messages_in_bounded_time(name: str) -> None:
    log = Log()
    HOSTILE[name](log)
    log.notice("info", "after")
    document = document_of(log.boxes)
    app = TranscriptApp(document)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("home", "up")
        for key in ("down", "down", "k", "j", "up"):
            begin = process_time()
            await pilot.press(key)
            assert process_time() - begin < 2 * SECONDS
        await changed(app, pilot)
