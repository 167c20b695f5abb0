"""Writing the index of sessions: what is known of each, and its texts. Small transactions, each whole."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from core.sessions.model import Kind
from core.sessions.rows import (
    BoxMark,
    ConversationFacts,
    Counts,
    Listed,
    Marks,
    Reading,
    Text,
    ThreadFacts,
    Unread,
)
from core.store.clock import Clock, wall_clock
from core.store.database import Database
from core.store.sessions.schema import (
    FIRST_PLACE,
    FOLDER_PLACE,
    MIGRATIONS,
    TEXT_BITS,
    TITLE_PLACE,
)

TEXTS_DELETED_AT_ONCE = 500

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

_FIND_TEXT = "SELECT id, text FROM texts WHERE session = ? AND item_id = ? AND kind = ?"
_INSERT_TEXT = "INSERT INTO texts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_CHANGE_TEXT = "UPDATE texts SET text = ?, cut = ?, box_id = coalesce(?, box_id) WHERE id = ?"

_UNREAD = """
SELECT id, thread_id, rollout, listed, stamp, cursor, read_stamp != '' OR boxes_seq > 0 FROM sessions
WHERE unread = 1 ORDER BY updated_at_ms DESC LIMIT 1
"""


class SessionIndex:
    """One writer at a time over all consoles is enough: what two write is the same."""

    def __init__(self, database: Database) -> None:
        self.database = database

    @classmethod
    async def open(cls, path: Path, clock: Clock = wall_clock) -> SessionIndex:
        """Open the file or make it; a damaged one is deleted and begun anew. Raises StoreError."""
        database = await Database.open(path, clock=clock, migrations=MIGRATIONS, durable=False)
        moved = database.report.moved_to
        if moved is not None:
            for name in moved.parent.glob(f"{moved.name}*"):
                name.unlink(missing_ok=True)
        return cls(database)

    async def close(self) -> None:
        await self.database.close()

    async def note_threads(self, threads: Sequence[ThreadFacts]) -> int:
        """How many of them are new or changed. Raises StoreError, Closed."""
        return await self.database.write(
            lambda connection: sum(_note_thread(connection, facts) for facts in threads)
        )

    async def note_conversation(self, facts: ConversationFacts) -> tuple[int, int] | None:
        """Take over what our database says: its session, and up to which record its boxes are here.

        None for a closed one, which has no session. Raises StoreError, Closed.
        """
        return await self.database.write(lambda connection: _note_conversation(connection, facts))

    async def passed(self, table: str, watermark: int) -> None:
        """Up to here a table of our own database is in the index. Raises StoreError, Closed."""
        await self.database.write(lambda connection: _set_watermark(connection, table, watermark))

    async def note_marks(self, marks: Marks) -> None:
        """Show the pin and the tags of a session, if there is one of this key. Raises StoreError, Closed."""
        tags = "".join(f"{tag}\n" for tag in marks.tags)

        def operation(connection: sqlite3.Connection) -> None:
            connection.execute("REPLACE INTO marks VALUES (?, ?, ?)", (marks.key, marks.pinned, tags))
            for (session,) in connection.execute(
                "SELECT id FROM sessions WHERE thread_id = :key OR conversation_id = :key", {"key": marks.key}
            ).fetchall():
                _settle(connection, session)

        await self.database.write(operation)

    async def note_missing(self, thread_ids: Sequence[str], why: str) -> None:
        """Codex lists these no more. One that is no conversation of ours leaves the index; of one that is,
        our records stay. Raises StoreError, Closed.
        """

        def operation(connection: sqlite3.Connection) -> None:
            for thread_id in thread_ids:
                _forget_thread(connection, thread_id, why)

        await self.database.write(operation)

    async def add_texts(self, session: int, texts: Sequence[Text], mark: Reading | BoxMark) -> None:
        """Put texts behind those that are there, and note how far the reading is, in one transaction.

        A text whose identity is there already is put in its place. Raises StoreError, Closed.
        """
        await self.database.write(lambda connection: _add_texts(connection, session, texts, mark))

    async def add_decisions(self, decisions: Sequence[tuple[str | None, Text]], watermark: int) -> None:
        """Texts by conversation id, and the last decision's number. Raises StoreError, Closed."""

        def operation(connection: sqlite3.Connection) -> None:
            for conversation_id, text in decisions:
                row = connection.execute(
                    "SELECT id FROM sessions WHERE conversation_id = ?", (conversation_id,)
                ).fetchone()
                if row is not None:
                    _put_texts(connection, row[0], (text,))
            _set_watermark(connection, "decisions", watermark)

        await self.database.write(operation)

    async def cannot_read(self, session: int, why: str, stamp: str) -> None:
        """Neither Codex nor we can read this one as it is now. Raises StoreError, Closed."""
        await self.database.write(
            lambda connection: connection.execute(
                "UPDATE sessions SET readable = 0, why = ?, read_stamp = ?, unread = 0 WHERE id = ?",
                (why, stamp, session),
            )
        )

    async def next_unread(self) -> Unread | None:
        """The newest session whose contents are not all here. Raises StoreError, Closed."""

        def query(connection: sqlite3.Connection) -> Unread | None:
            row = connection.execute(_UNREAD).fetchone()
            if row is None:
                return None
            session, thread_id, rollout, listed, stamp, cursor, begun = row
            return Unread(session, thread_id, rollout, bool(listed), stamp, cursor, bool(begun))

        return await self.database.read(query)

    async def counts(self) -> Counts:
        """Raises StoreError, Closed."""
        return await self.database.read(
            lambda connection: Counts(
                *connection.execute("SELECT count(*), coalesce(sum(unread), 0) FROM sessions").fetchone()
            )
        )

    async def watermark(self, name: str) -> int:
        """How far a table of our own database is in the index. Raises StoreError, Closed."""

        def query(connection: sqlite3.Connection) -> int:
            row = connection.execute("SELECT value FROM watermarks WHERE name = ?", (name,)).fetchone()
            return 0 if row is None else row[0]

        return await self.database.read(query)

    async def has_texts(self, session: int, texts: Sequence[Text]) -> bool:
        """Whether all of these are there already, word for word. Raises StoreError, Closed."""

        def query(connection: sqlite3.Connection) -> bool:
            for text in texts:
                row = connection.execute(_FIND_TEXT, (session, text.item_id, text.kind)).fetchone()
                if row is None or row[1] != text.text:
                    return False
            return True

        return await self.database.read(query)

    async def listed(self) -> dict[str, Listed]:
        """The threads that Codex listed when it was last asked. Raises StoreError, Closed."""
        return await self.database.read(
            lambda connection: {
                thread_id: Listed(bool(archived), source, bool(sub_agent), rollout)
                for thread_id, archived, source, sub_agent, rollout in connection.execute(
                    "SELECT thread_id, archived, source, sub_agent, rollout FROM sessions WHERE listed"
                )
            }
        )

    async def stamps(self) -> dict[str, tuple[int, int, bool]]:
        """By thread: its time and size when it was noted, and whether it was listed. Raises StoreError, Closed."""
        return await self.database.read(
            lambda connection: {
                row[0]: (row[1], row[2], bool(row[3]))
                for row in connection.execute(
                    "SELECT thread_id, thread_ms, rollout_bytes, listed FROM sessions WHERE thread_id IS NOT NULL"
                )
            }
        )


def _note_thread(connection: sqlite3.Connection, facts: ThreadFacts) -> bool:
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
    _settle(connection, session)
    return True


def _note_conversation(connection: sqlite3.Connection, facts: ConversationFacts) -> tuple[int, int] | None:
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
    _settle(connection, session)
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
    _settle(connection, session)


def _forget_thread(connection: sqlite3.Connection, thread_id: str, why: str) -> None:
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
    _settle(connection, row[0])


def _settle(connection: sqlite3.Connection, session: int | None) -> None:
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


def _add_texts(
    connection: sqlite3.Connection, session: int, texts: Sequence[Text], mark: Reading | BoxMark
) -> None:
    _put_texts(connection, session, texts)
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


def _put_texts(connection: sqlite3.Connection, session: int, texts: Sequence[Text]) -> None:
    row = connection.execute(
        "SELECT next_place, turns, items, has_changes, last_turn FROM sessions WHERE id = ?", (session,)
    ).fetchone()
    if row is None:
        return
    place, turns, items, has_changes, last_turn = row
    place = max(place, FIRST_PLACE)
    for text in texts:
        known = connection.execute(_FIND_TEXT, (session, text.item_id, text.kind)).fetchone()
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


def _set_watermark(connection: sqlite3.Connection, name: str, value: int) -> None:
    connection.execute(
        "INSERT INTO watermarks VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        (name, value),
    )
