"""Writing the index of sessions: what is known of each, and its texts. Small transactions, each whole."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

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
from core.store.sessions.noting import forget_thread, note_conversation, note_thread, settle
from core.store.sessions.schema import MIGRATIONS
from core.store.sessions.texting import FIND_TEXT, add_texts, put_texts

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
            lambda connection: sum(note_thread(connection, facts) for facts in threads)
        )

    async def note_conversation(self, facts: ConversationFacts) -> tuple[int, int] | None:
        """Take over what our database says: its session, and up to which record its boxes are here.

        None for a closed one, which has no session. Raises StoreError, Closed.
        """
        return await self.database.write(lambda connection: note_conversation(connection, facts))

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
                settle(connection, session)

        await self.database.write(operation)

    async def note_missing(self, thread_ids: Sequence[str], why: str) -> None:
        """Codex lists these no more. One that is no conversation of ours leaves the index; of one that is,
        our records stay. Raises StoreError, Closed.
        """

        def operation(connection: sqlite3.Connection) -> None:
            for thread_id in thread_ids:
                forget_thread(connection, thread_id, why)

        await self.database.write(operation)

    async def add_texts(self, session: int, texts: Sequence[Text], mark: Reading | BoxMark) -> None:
        """Put texts behind those that are there, and note how far the reading is, in one transaction.

        A text whose identity is there already is put in its place. Raises StoreError, Closed.
        """
        await self.database.write(lambda connection: add_texts(connection, session, texts, mark))

    async def add_decisions(self, decisions: Sequence[tuple[str | None, Text]], watermark: int) -> None:
        """Texts by conversation id, and the last decision's number. Raises StoreError, Closed."""

        def operation(connection: sqlite3.Connection) -> None:
            for conversation_id, text in decisions:
                row = connection.execute(
                    "SELECT id FROM sessions WHERE conversation_id = ?", (conversation_id,)
                ).fetchone()
                if row is not None:
                    put_texts(connection, row[0], (text,))
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
                row = connection.execute(FIND_TEXT, (session, text.item_id, text.kind)).fetchone()
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


def _set_watermark(connection: sqlite3.Connection, name: str, value: int) -> None:
    connection.execute(
        "INSERT INTO watermarks VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        (name, value),
    )
