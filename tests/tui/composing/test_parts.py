"""Placeholders stand for exactly what was put in, wherever they go."""

from __future__ import annotations

from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.composing.draft import dump_draft, load_draft
from tui.composing.meaning import Meaning, Said, ShellLine, Slash, meaning
from tui.composing.parts import Image, Parts, Paste, is_big, size_words
from tui.composing.tokens import wanted
from tui.widgets.writing import Writing

BIG = "\n".join(f"line {number}" for number in range(132))


def writing() -> Writing:
    numbers = count(1)
    return Writing(lambda: f"key-{next(numbers)}")


def test_a_big_paste_is_more_than_ten_lines_or_a_thousand_characters() -> None:
    assert not is_big("\n" * 9) and is_big("\n" * 10)
    assert not is_big("x" * 1_000) and is_big("x" * 1_001)


def test_a_paste_is_sent_whole_and_what_looks_like_a_placeholder_in_it_stays() -> None:
    parts = Parts()
    first = parts.paste(BIG)
    second = parts.paste(f"see {first}")
    assert (first, second) == ("[Pasted 132 lines #1]", "[Pasted 25 characters #2]")
    text, images = parts.expand(f"a {first} b {second} [Pasted 9 lines #9]")
    assert text == f"a {BIG} b see {first} [Pasted 9 lines #9]"
    assert images == ()


def test_an_image_stays_in_the_text_and_goes_along_once() -> None:
    parts = Parts()
    image = parts.image("/p/a [1].png", "a [1].png", 120_400)
    assert image == "[Image #1 a _1_.png 120 KB]"
    assert parts.expand(f"{image} and {image}") == (f"{image} and {image}", ("/p/a [1].png",))


def test_parts_of_another_text_get_other_numbers_where_theirs_are_taken() -> None:
    parts = Parts()
    parts.paste(BIG)
    other = Parts()
    text = f"{other.paste('x' * 2_000)} {other.image('/i.png', 'i.png', 5)}"
    adopted = parts.adopt(text, other.within(text))
    assert adopted == "[Pasted 2,000 characters #1] [Image #2 i.png 5 B]"
    text = other.paste(BIG + "!")
    assert (
        parts.adopt("[Pasted 132 lines #1]", {"[Pasted 132 lines #1]": Paste("another")})
        == "[Pasted 132 lines #3]"
    )
    assert text == "[Pasted 132 lines #3]"


@given(st.text(), st.text(max_size=20), st.text(max_size=20))
def test_a_draft_comes_back_whole(pasted: str, before: str, after: str) -> None:
    parts = Parts()
    text = before.replace("\x1e", "") + parts.paste(pasted) + parts.image("/i.png", "i.png", 1) + after
    assert load_draft(dump_draft(text, parts.within(text))) == (text, parts.within(text))


def test_an_old_draft_and_a_damaged_one_are_the_text_they_hold() -> None:
    assert load_draft("as it was\nwritten") == ("as it was\nwritten", {})
    assert load_draft("\x1e{not json") == ("{not json", {})
    assert load_draft('\x1e{"text": 1}') == ('{"text": 1}', {})


def test_what_is_on_its_way_comes_back_as_it_was_written() -> None:
    written = writing()
    written.text = f"see {written.parts.paste(BIG)} {written.parts.image('/i.png', 'i.png', 5)}"
    message = written.submit(queue=True)
    assert message is not None and message.queue
    assert (message.text, message.attachments) == (f"see {BIG} [Image #2 i.png 5 B]", ("/i.png",))
    later = writing()
    later.restore(written.draft)
    assert later.text == message.written
    again = later.submit()
    assert again is not None and (again.text, again.attachments) == (message.text, message.attachments)
    written.refused(message.key)
    assert written.text == message.written
    resent = written.submit()
    assert resent is not None and resent.key == message.key and resent.text == message.text


def test_parts_are_forgotten_with_their_message_but_not_those_still_written() -> None:
    written = writing()
    first, second = written.parts.paste(BIG), written.parts.paste(BIG * 2)
    written.text = first
    message = written.submit()
    assert message is not None
    written.text = second
    written.taken(message.key)
    assert written.parts.within(f"{first} {second}") == {second: Paste(BIG * 2)}


def test_a_command_that_runs_is_in_the_draft_until_its_output_is_dealt_with() -> None:
    written = writing()
    written.command, written.text = "make", "and then"
    assert written.draft == "!make\nand then"


def test_a_message_that_is_taken_back_has_its_images_again() -> None:
    written = writing()
    written.text = written.parts.image("/mine.png", "mine.png", 5)
    text = written.returned("look [Image #1 mine.png 6 B] [Image #1 yours.png 5 B]", ["/a.png", "/b.png"])
    assert written.parts.expand(text)[1] == ("/a.png", "/b.png")
    draft = written.draft_with(text, ["/a.png", "/b.png"])
    kept = load_draft(draft)[1]
    assert Image("/mine.png") in kept.values() and Image("/a.png") in kept.values()


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("/review main", Slash("review", "main")),
        ("/review\n two\nlines", Slash("review", "two\nlines")),
        ("/nothing", Slash("nothing", "")),
        ("/usr/bin/python is here", Said("/usr/bin/python is here")),
        ("//comment", Said("/comment")),
        (" /say it", Said("/say it")),
        (" !x", Said("!x")),
        ("!git status", ShellLine("git status")),
        ("!!!", Said("!!!")),
        ("! ", Said("! ")),
        ("hello /quit", Said("hello /quit")),
    ],
)
def test_what_a_text_means(text: str, meant: Meaning) -> None:
    assert meaning(text) == meant


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("look at @src/ma", ("@", "src/ma", 8)),
        ("@", ("@", "", 0)),
        ("me@example.org", None),
        ("/re", ("/", "re", 0)),
        ("say /re", None),
        ("/usr/bi", None),
        ("use $mo", ("$", "mo", 4)),
        ("cost $5,000", None),
        ("@file ", None),
        ("", None),
    ],
)
def test_what_is_completed_where_the_cursor_stands(line: str, found: tuple[str, str, int] | None) -> None:
    assert wanted(line, len(line), first=True) == found


def test_only_the_first_line_begins_with_a_command_and_a_long_word_is_left_alone() -> None:
    assert wanted("/re", 3, first=False) is None
    assert wanted("@" + "x" * 100_000, 100_001, first=True) is None


def test_sizes_are_said_for_people() -> None:
    assert [size_words(size) for size in (7, 120_400, 3_250_000)] == ["7 B", "120 KB", "3.2 MB"]
