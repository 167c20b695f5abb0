"""Markdown and HTML: all of it is there to be read, and none of it is anything but text."""

from __future__ import annotations

import base64
import hashlib
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.export.html import Html
from core.export.markdown import Markdown
from core.export.parts import Begin, Decided, Head, Recorded, Writer
from core.export.plain import plain
from core.rows import LedgerEntry
from core.thread.boxes import ASSISTANT, BoxDraft
from core.thread.records import Record
from tests.core.export.logs import ledgers, logs, record

Log = list[tuple[int, Record]]
OURS = frozenset({"search"})
HOSTILE = [
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<!--", "-->", "]]>", "</style><b>", "</pre></code><iframe src=//evil.example>",
    "![x](https://evil.example/pixel.png)",
    "[x](javascript:alert(1))", "[x](data:text/html,hi)", "<javascript:alert(1)>", "[x](https://good.example/)",
    "[a]: javascript:alert(1)\n\n[a]", '"><svg onload=alert(1)>', "&lt;script&gt;", "\x1b]8;;http://evil\x07x",
    "\x1b[2J\x9b31m\x00\u202eabc", "```\n</pre><script>\n```", "`<b>`", "# <i>x</i>", "| <u> |\n|---|\n| <s> |",
]  # fmt: skip


def page(writer: Writer, log: Log, ledger: list[LedgerEntry] | None = None, title: str = "Title") -> str:
    parts = [
        Begin("c", title, "/somewhere", 1, 2),
        *(Recorded(at, one) for at, one in log),
        *(Decided(entry) for entry in ledger or []),
    ]
    return writer.begin(Head(5, "1", masked=True)) + "".join(map(writer.part, parts)) + writer.end()


class Read(HTMLParser):
    """What a browser would make of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.script = ""
        self.style = ""
        self.words = ""
        self.policy = ""
        self._within = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag in ("script", "style"):
            self._within = tag
        named = dict(attrs)
        if named.get("http-equiv") == "Content-Security-Policy":
            self.policy = named["content"] or ""

    def handle_endtag(self, tag: str) -> None:
        if tag == self._within:
            self._within = ""

    def handle_data(self, data: str) -> None:
        if self._within == "script":
            self.script += data
        elif self._within == "style":
            self.style += data
        else:
            self.words += data


def is_harmless(text: str) -> None:
    read = Read(text)
    assert read.tags.count("script") == 1 and read.tags.count("style") == 1 and read.tags.count("body") == 1
    assert not {"img", "iframe", "svg", "object", "embed", "link", "form", "base"} & set(read.tags)
    for name, value in read.attributes:
        assert not name.startswith("on") and name not in ("src", "style", "srcset", "action")
        if name == "href":
            assert value.startswith(("http://", "https://"))
    for what in (read.script, read.style):
        digest = base64.b64encode(hashlib.sha256(what.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in read.policy
    assert "default-src 'none'" in read.policy and "unsafe" not in read.policy


@given(logs(st.one_of(st.sampled_from(HOSTILE), st.text(max_size=40))), ledgers(st.sampled_from(HOSTILE)))
def test_hostile_text_never_becomes_markup(log: Log, ledger: list[LedgerEntry]) -> None:
    is_harmless(page(Html(), log, ledger))


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_harmless_wherever_it_stands(text: str) -> None:
    log: Log = [(1, record(1, BoxDraft(ASSISTANT, text))), (1, record(2, BoxDraft(text, text, text, text)))]
    is_harmless(page(Html(), log, title=text))


@pytest.mark.parametrize("writer", [Html, Markdown])
@given(log=logs(st.one_of(st.sampled_from(HOSTILE), st.text(max_size=40))))
def test_nothing_in_it_commands_a_terminal(writer: type[Writer], log: Log) -> None:
    text = page(writer(), log)
    assert not {one for one in text if one < " " and one not in "\n\t"}
    assert not {
        one for one in text if "\x7f" <= one <= "\x9f" or one in "\u202a\u202b\u202c\u202d\u202e\u2066"
    }


@given(st.text("abcdefgh <>&\"'", min_size=1, max_size=60))
def test_all_words_can_be_read_in_the_page(text: str) -> None:
    log: Log = [(1, record(1, BoxDraft("tool_return", text)))]
    assert plain(text).strip() in Read(page(Html(), log)).words


def test_code_with_a_fence_in_it_stays_in_its_own() -> None:
    log: Log = [(1, record(1, BoxDraft("tool_return", "a\n`````\nb")))]
    assert "``````\na\n`````\nb\n``````" in page(Markdown(), log)


def test_markdown_becomes_what_it_says() -> None:
    log: Log = [(1, record(1, BoxDraft(ASSISTANT, "**bold** and `code`\n\n- one\n- two")))]
    text = page(Html(), log)
    assert "<strong>bold</strong>" in text and "<code>code</code>" in text and "<li>two</li>" in text


def test_how_a_column_stands_is_said_without_a_style_that_the_policy_would_refuse() -> None:
    table = "| boat | metres |\n|---|--:|\n| Aurora | 12 |"
    read = Read(page(Html(), [(1, record(1, BoxDraft(ASSISTANT, table)))]))
    assert ("class", "right") in read.attributes
    assert "style" not in {name for name, _ in read.attributes}


def test_what_hides_in_a_text_can_be_seen_and_what_joins_letters_stays() -> None:
    assert plain("rm\u200b -rf\U000e0041") == "rm⟨U+200B⟩ -rf⟨U+E0041⟩"
    assert plain("👩\u200d🔧 نمی\u200cخواهم") == "👩\u200d🔧 نمی\u200cخواهم"


def test_long_output_is_folded() -> None:
    log: Log = [(1, record(1, BoxDraft("tool_return", "x\n" * 100)))]
    assert "<summary>101 lines</summary>" in page(Html(), log)
