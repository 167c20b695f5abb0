"""Where in a session the words are found. Runs on SQLite's own thread."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from core.knowledge.query import Term
from core.sessions.marking import snippet
from core.sessions.model import Hit, Kind
from core.store.sessions.schema import TEXT_BITS

HITS_OF_A_SESSION = 3
CANDIDATES = 200
"""Texts of a session that are looked at for its best hits."""

# The plus keeps FTS5 from looking the words up again for each session: one pass through their rows is faster.
_MATCHING = f"""
SELECT rowid FROM texts_index WHERE texts_index MATCH ? AND (+rowid >> {TEXT_BITS}) IN ({{sessions}})
"""

_BEST_KINDS = (Kind.TITLE, Kind.USER, Kind.ASSISTANT, Kind.DECISION, Kind.FILES, Kind.COMMAND, Kind.PLAN)
"""The other kinds come after these."""


def matching(connection: sqlite3.Connection, sessions: Sequence[int], words: str) -> dict[int, list[int]]:
    """The texts that hold the words, by session."""
    found: dict[int, list[int]] = {session: [] for session in sessions}
    statement = _MATCHING.format(sessions=", ".join(map(str, sessions)))
    for (text,) in connection.execute(statement, (words,)):
        found[text >> TEXT_BITS].append(text)
    return found


def hits_among(
    connection: sqlite3.Connection, texts: Sequence[int], terms: tuple[Term, ...]
) -> tuple[Hit, ...]:
    """The best few: what one wrote oneself before what was answered, and that before what was put out."""
    some = [*texts[: CANDIDATES // 2], *texts[CANDIDATES // 2 :][-CANDIDATES // 2 :]]
    rows = connection.execute(f"SELECT id, kind FROM texts WHERE id IN ({', '.join(map(str, some))})")
    ranked = sorted((_rank(Kind(kind)), -text) for text, kind in rows.fetchall())
    hits: list[Hit] = []
    for _, text in ranked[:HITS_OF_A_SESSION]:
        kind, at_ms, box_id, item_id, whole = connection.execute(
            "SELECT kind, at_ms, box_id, item_id, text FROM texts WHERE id = ?", (-text,)
        ).fetchone()
        hits.append(Hit(Kind(kind), at_ms, box_id, item_id, snippet(whole, terms)))
    return tuple(hits)


def _rank(kind: Kind) -> int:
    return _BEST_KINDS.index(kind) if kind in _BEST_KINDS else len(_BEST_KINDS)
