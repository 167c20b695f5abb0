"""The texts of a session: each once, in the order in which they came.

Everything here runs within a transaction, on SQLite's own thread.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from core.sessions.model import Kind
from core.sessions.rows import BoxMark, Reading, Text
from core.store.sessions.schema import FIRST_PLACE, TEXT_BITS

FIND_TEXT = "SELECT id, text FROM texts WHERE session = ? AND item_id = ? AND kind = ?"
_INSERT_TEXT = "INSERT INTO texts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_CHANGE_TEXT = "UPDATE texts SET text = ?, cut = ?, box_id = coalesce(?, box_id) WHERE id = ?"


def add_texts(
    connection: sqlite3.Connection, session: int, texts: Sequence[Text], mark: Reading | BoxMark
) -> None:
    put_texts(connection, session, texts)
    if isinstance(mark, BoxMark):
        connection.execute(
            "UPDATE sessions SET boxes_seq = ?, own_bytes = own_bytes + ? WHERE id = ?",
            (mark.seq, mark.bytes, session),
        )
        return
    connection.execute(
        """UPDATE sessions SET cursor = :cursor, read_stamp = coalesce(:stamp, read_stamp),
           unread = stamp != coalesce(:stamp, read_stamp) WHERE id = :id""",
        {"cursor": mark.cursor, "stamp": mark.stamp, "id": session},
    )


def put_texts(connection: sqlite3.Connection, session: int, texts: Sequence[Text]) -> None:
    row = connection.execute(
        "SELECT next_place, turns, items, has_changes, last_turn FROM sessions WHERE id = ?", (session,)
    ).fetchone()
    if row is None:
        return
    place, turns, items, has_changes, last_turn = row
    place = max(place, FIRST_PLACE)
    for text in texts:
        known = connection.execute(FIND_TEXT, (session, text.item_id, text.kind)).fetchone()
        if known is not None:
            if known[1] != text.text or text.box_id is not None:
                connection.execute(_CHANGE_TEXT, (text.text, text.cut, text.box_id, known[0]))
            continue
        row_id = (session << TEXT_BITS) + place
        values = (text.item_id, text.kind, text.turn_id, text.box_id, text.at_ms, text.cut, text.text)
        connection.execute(_INSERT_TEXT, (row_id, session, *values))
        place += 1
        items += text.kind not in (Kind.OUTPUT, Kind.DECISION)
        has_changes = has_changes or text.kind is Kind.FILES
        if text.turn_id and text.turn_id != last_turn:
            turns, last_turn = turns + 1, text.turn_id
    connection.execute(
        """UPDATE sessions SET next_place = ?, turns = ?, items = ?, has_changes = ?, last_turn = ?
           WHERE id = ?""",
        (place, turns, items, has_changes, last_turn, session),
    )
