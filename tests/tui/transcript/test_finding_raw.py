from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.agent.items import AgentMessage
from core.thread.boxes import ChatBox
from tests.tui.transcript.app import document_of
from tests.tui.transcript.drawn import styler
from tests.tui.transcript.gallery import Log, gallery, more_kinds
from tests.tui.transcript.test_finding import searched
from tui.transcript.document import Document
from tui.transcript.drawing import Drawer
from tui.transcript.entries import Entry
from tui.transcript.finding_raw import Words

WIDTH = 100
WORD = re.compile(r"[^\W_]+")
ENCODED = re.compile("%[0-9A-F]{2}")
"""In the address of a link; looked for only with its percent sign."""


def passed_over(entry: Entry) -> list[str]:
    """The words that an entry shows and that would be passed over in it."""
    lines = Drawer(styler).unfolded(entry, WIDTH).lines
    return [
        word
        for line in lines
        for word in WORD.findall(ENCODED.sub(" ", line))
        if not Words(word).may_be_in(entry)
    ]


def only_entry(boxes: list[ChatBox]) -> Entry:
    return document_of(boxes)[0]


@pytest.mark.parametrize("boxes", [gallery(), more_kinds()], ids=["gallery", "more kinds"])
def test_no_word_of_any_pane_is_passed_over(boxes: list[ChatBox]) -> None:
    assert [words for entry in document_of(boxes).entries() if (words := passed_over(entry))] == []


MARKDOWN = st.lists(
    st.sampled_from(
        [*'ab1é*_`~[]()<>&;#\\!|-." \n', "amp", "](", "http://x.y/", "./", "&#97;", "&eacute;", "**"]
    ),
    max_size=40,
).map("".join)


@given(MARKDOWN)
@settings(max_examples=150, deadline=None)
def test_no_word_of_a_message_is_passed_over(text: str) -> None:
    log = Log()
    log.message(text)
    assert passed_over(only_entry(log.boxes)) == []


OUTPUT = st.lists(
    st.sampled_from(
        [*"ab1 \n\r\t\b", "\x1b[31m", "\x1b[0m", "\x1b]8;;http://a\x07", "\x1b[2K", "\x9b1m", "\ufe0f"]
    ),
    max_size=40,
).map("".join)


@given(OUTPUT)
@settings(max_examples=150, deadline=None)
def test_no_word_of_an_output_is_passed_over(text: str) -> None:
    log = Log()
    log.command("run", text)
    assert passed_over(only_entry(log.boxes)) == []


@pytest.mark.parametrize(
    ("written", "needle"),
    [
        ("**bo**ld", "bold"),
        ("`code`word", "codeword"),
        ("a [li**n**k](https://example.org)", "link"),
        ("[docs/rea**d**me](./docs/readme 'a title')s", "readmes"),
        (r"snake\_case and 1\*2", "snake_case"),
        ("caf&eacute; au lait", "café au"),
        ("~~str~~uck", "struck"),
        ("# He*ad*ing", "heading"),
        ("> - quo**t**ed", "quoted"),
        ("| a | b |\n|---|---|\n| ce**l**l | `x`y |", "cell"),
        ("[ref][re**x**]\n\n[re**x**]: https://example.org 'title'", "ref"),
        ("2. one\n2. two\n2. three", "4. three"),
    ],
)
def test_what_markdown_parts_is_found_as_it_is_read(written: str, needle: str) -> None:
    log = Log()
    log.message("before")
    log.message(written)
    log.message("after")
    found = searched(document_of(log.boxes), needle)
    assert found.count == 1
    assert found.current is not None and found.current.entry.key == 2


@pytest.mark.parametrize(
    ("printed", "needle"),
    [
        ("\x1b[31mre\x1b[32md\x1b[0m", "red"),
        ("do\x1b]0;title\x07ne", "done"),
        ("cold\rg", "gold"),
        ("cax\x08t", "cat"),
    ],
)
def test_what_a_terminal_puts_together_is_found_as_it_is_read(printed: str, needle: str) -> None:
    log = Log()
    log.command("run", printed)
    assert searched(document_of(log.boxes), needle).count == 1


def test_what_streams_is_found_as_it_is_read() -> None:
    log = Log()
    log.message("before")
    document = Document()
    document.add_boxes(log.boxes)
    document.item_started(AgentMessage(id="m", text="a **bo**ld word"))
    assert searched(document, "bold").count == 1


def test_the_words_of_a_pane_are_found() -> None:
    assert searched(document_of(gallery()), "searched the web").count == 1
    assert searched(document_of(gallery()), "edit 3 files").count == 1


def test_an_entry_without_the_word_is_not_drawn() -> None:
    log = Log()
    log.message("nothing **of** that [kind](https://example.org) &amp; more")
    log.command("ls -l", "\x1b[32mfile\x1b[0m\r\n")
    assert [Words("zebra").may_be_in(entry) for entry in document_of(log.boxes).entries()] == [False, False]
