"""What is known of each session without its contents: put in, put together, and let go of.

Everything here runs within a transaction, on SQLite's own thread.
"""

from __future__ import annotations

import sqlite3

from core.sessions.model import Kind
from core.sessions.rows import ConversationFacts, ThreadFacts
from core.store.sessions.schema import FOLDER_PLACE, TEXT_BITS, TITLE_PLACE

_NOTE_THREAD = """
UPDATE sessions SET thread_name = :name, preview = :preview, folder = :folder, branch = :branch,
    source = :source, model = CASE WHEN :model = '' THEN model ELSE :model END, provider = :provider,
    created_at_ms = :created_at_ms, thread_ms = :updated_at_ms, archived = :archived,
    sub_agent = :parent_id IS NOT NULL, parent_id = :parent_id, forked_from_id = :forked_from_id,
    rollout = :rollout, rollout_bytes = :rollout_bytes, listed = :listed, readable = :readable, why = :why,
    stamp = :updated_at_ms || ':' || :rollout_bytes
WHERE id = :id
"""

_NOTE_CONVERSATION = """
UPDATE sessions SET conversation_title = :title, conversation_ms = :updated_at_ms, last_state = :last_state,
    folder = CASE WHEN folder = '' THEN :folder ELSE folder END,
    created_at_ms = CASE WHEN thread_ms = 0 THEN :created_at_ms ELSE created_at_ms END
WHERE id = :id
"""

# A thread that was only adopted is as old as Codex says; what waits here is as new as we say.
_SETTLE = """
UPDATE sessions SET
    title = CASE WHEN conversation_title != '' THEN conversation_title
        WHEN thread_name != '' THEN thread_name ELSE preview END,
    updated_at_ms = CASE WHEN thread_ms = 0 OR last_state != 'idle' THEN max(thread_ms, conversation_ms)
        ELSE thread_ms END,
    unread = thread_id IS NOT NULL AND readable AND stamp != read_stamp,
    pinned = coalesce((SELECT pinned FROM marks WHERE key = thread_id),
        (SELECT pinned FROM marks WHERE key = conversation_id), 0),
    tags = coalesce((SELECT tags FROM marks WHERE key = thread_id),
        (SELECT tags FROM marks WHERE key = conversation_id), '')
WHERE id = ?
"""

_PUT_FIXED = """
INSERT INTO texts (id, session, item_id, kind, turn_id, box_id, at_ms, cut, text)
VALUES (?, ?, '', ?, '', NULL, 0, 0, ?)
ON CONFLICT (id) DO UPDATE SET text = excluded.text WHERE text != excluded.text
"""


def note_thread(connection: sqlite3.Connection, facts: ThreadFacts) -> bool:
    known = connection.execute(
        """SELECT id, readable, why, thread_ms, rollout_bytes, archived, thread_name, preview, listed
           FROM sessions WHERE thread_id = ?""",
        (facts.thread_id,),
    ).fetchone()
    if known is None:
        session = connection.execute(
            "INSERT INTO sessions (thread_id) VALUES (?)", (facts.thread_id,)
        ).lastrowid
    else:
        session, readable, why, *before = known
        now = [
            facts.updated_at_ms,
            facts.rollout_bytes,
            facts.archived,
            facts.name,
            facts.preview,
            facts.listed,
        ]
        if before == now and (why == facts.why or not readable):
            # What could not be read as it is now is not tried again.
            return False
    values = {field: getattr(facts, field) for field in ThreadFacts.__dataclass_fields__}
    connection.execute(_NOTE_THREAD, {**values, "id": session})
    settle(connection, session)
    return True


def note_conversation(connection: sqlite3.Connection, facts: ConversationFacts) -> tuple[int, int] | None:
    session = _session_of(connection, facts)
    if facts.closed:
        if session is not None:
            _leave(connection, session)
        return None
    if session is None:
        session = connection.execute(
            "INSERT INTO sessions (conversation_id) VALUES (?)", (facts.conversation_id,)
        ).lastrowid
    values = {field: getattr(facts, field) for field in ConversationFacts.__dataclass_fields__}
    connection.execute(_NOTE_CONVERSATION, {**values, "id": session})
    settle(connection, session)
    return connection.execute("SELECT id, boxes_seq FROM sessions WHERE id = ?", (session,)).fetchone()


def _session_of(connection: sqlite3.Connection, facts: ConversationFacts) -> int | None:
    """The one session of a conversation and its thread; where each had one, the thread's, with both."""
    ours = _session_where(connection, "conversation_id", facts.conversation_id)
    if facts.thread_id is None:
        # A thread that Codex never had a rollout of is let go of when its host dies.
        connection.execute(
            "UPDATE sessions SET thread_id = NULL WHERE conversation_id = ? AND NOT listed",
            (facts.conversation_id,),
        )
        return ours
    theirs = _session_where(connection, "thread_id", facts.thread_id)
    if theirs is None:
        if ours is None:
            ours = connection.execute(
                "INSERT INTO sessions (conversation_id) VALUES (?)", (facts.conversation_id,)
            ).lastrowid
        connection.execute("UPDATE sessions SET thread_id = ? WHERE id = ?", (facts.thread_id, ours))
        return ours
    if ours != theirs:
        if ours is not None:
            # Its records are read again, under the thread's session.
            _delete(connection, ours)
        connection.execute(
            "UPDATE sessions SET conversation_id = ?, boxes_seq = 0, own_bytes = 0 WHERE id = ?",
            (facts.conversation_id, theirs),
        )
    return theirs


def _session_where(connection: sqlite3.Connection, column: str, value: str) -> int | None:
    """`column` is one of this file's own."""
    row = connection.execute(f"SELECT id FROM sessions WHERE {column} = ?", (value,)).fetchone()
    return None if row is None else row[0]


def _leave(connection: sqlite3.Connection, session: int) -> None:
    """A closed conversation is a session no more; its thread, if Codex lists it, still is."""
    listed = connection.execute(
        "SELECT 1 FROM sessions WHERE id = ? AND thread_id IS NOT NULL AND listed", (session,)
    ).fetchone()
    if listed is None:
        _delete(connection, session)
        return
    connection.execute(
        "UPDATE sessions SET conversation_id = NULL, conversation_title = '', last_state = 'idle' WHERE id = ?",
        (session,),
    )
    settle(connection, session)


def forget_thread(connection: sqlite3.Connection, thread_id: str, why: str) -> None:
    row = connection.execute(
        "SELECT id, conversation_id FROM sessions WHERE thread_id = ?", (thread_id,)
    ).fetchone()
    if row is None:
        return
    if row[1] is None:
        _delete(connection, row[0])
        return
    connection.execute(
        "UPDATE sessions SET listed = 0, why = ?, read_stamp = stamp WHERE id = ?", (why, row[0])
    )
    settle(connection, row[0])


def settle(connection: sqlite3.Connection, session: int | None) -> None:
    """Work out what is shown of a session, and have its title and its folder found."""
    assert session is not None, "an INSERT has a row id"
    connection.execute(_SETTLE, (session,))
    title, folder, branch, tags = connection.execute(
        "SELECT title, folder, branch, tags FROM sessions WHERE id = ?", (session,)
    ).fetchone()
    first = session << TEXT_BITS
    place = " ".join(part for part in (folder, branch, tags.replace("\n", " ").strip()) if part)
    connection.execute(_PUT_FIXED, (first + TITLE_PLACE, session, Kind.TITLE, title))
    connection.execute(_PUT_FIXED, (first + FOLDER_PLACE, session, Kind.FOLDER, place))


def _delete(connection: sqlite3.Connection, session: int) -> None:
    first = session << TEXT_BITS
    connection.execute("DELETE FROM texts WHERE id BETWEEN ? AND ?", (first, first + (1 << TEXT_BITS) - 1))
    connection.execute("DELETE FROM sessions WHERE id = ?", (session,))
