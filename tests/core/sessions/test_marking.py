"""The words of a query in a text: marked where FTS5 finds them."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.knowledge.query import every_word, terms_of
from core.sessions.marking import SHOWN, fold, pieces_of, snippet

TEXTS = st.text(alphabet="aAbBéÉüñö12_-. \n\"'/日本ß\u0301", max_size=40)


def _hits(text: str, query: str) -> list[str]:
    return [piece for piece, hit in pieces_of(text, terms_of(query)) if hit]


@pytest.mark.parametrize(
    ("text", "query", "hits"),
    [
        ("A small Café at the quay", "cafe", ["Café"]),
        ("cafeteria and cafe", "cafe", ["cafeteria", "cafe"]),
        ("cafeteria and cafe", "cafe ", ["cafe"]),
        ("the decafe is none", "cafe", []),
        ("a small, dark café", '"small dark"', ["small, dark"]),
        ("dark and small", '"small dark"', []),
        ("boats.csv and boats", "boats.csv", ["boats.csv"]),
        ("snake_case here", "case", ["case"]),
        ("cafe\u0301 noir", "cafe", ["cafe\u0301"]),
        ("nothing", "", []),
    ],
)
def test_what_is_marked(text: str, query: str, hits: list[str]) -> None:
    assert _hits(text, query) == hits


@settings(max_examples=400, deadline=None)
@given(text=TEXTS, query=TEXTS)
def test_what_fts5_finds_is_marked(text: str, query: str) -> None:
    expression = every_word(query)
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(
            "CREATE VIRTUAL TABLE t USING fts5 (x, tokenize = 'unicode61 remove_diacritics 2')"
        )
        connection.execute("INSERT INTO t VALUES (?)", (text,))
        found = bool(expression) and bool(
            connection.execute("SELECT 1 FROM t WHERE t MATCH ?", (expression,)).fetchall()
        )
    assert not found or _hits(text, query)


@given(text=st.text(max_size=60), query=st.text(max_size=20))
def test_nothing_of_a_text_is_lost(text: str, query: str) -> None:
    assert len(fold(text)) == len(text)
    assert "".join(piece for piece, _ in pieces_of(text, terms_of(query))) == text


def test_a_snippet_is_short_and_around_the_hit() -> None:
    text = "before " * 500 + "lighthouse\n\tkeeper " + "after " * 500
    pieces = snippet(text, terms_of("lighthouse"))
    shown = "".join(piece for piece, _ in pieces)
    assert ("lighthouse", True) in pieces
    assert "lighthouse keeper after" in shown
    assert shown.startswith("…before")
    assert shown.endswith("after…")
    assert len(shown) <= SHOWN + 2
