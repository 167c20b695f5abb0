"""The log of each conversation: appended to, read back, never changed.

The tables themselves refuse a gap, a duplicate and any change (`schema`), so that no second writer and
no mistake here can spoil a log.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NoReturn

from core.errors import InvalidState, NotFound, SequenceConflict, StoreError
from core.store.clock import Clock
from core.store.database import Database
from core.store.drafts import save_draft
from core.store.ledger import join_outcomes
from core.store.migrations.conversations import NUMBERING_REFUSED, SEQUENCE_REFUSED
from core.store.streams import delete_chunks
from core.thread.boxes import ChatBox
from core.thread.records import BoxRecord, EventRecord, Record

_INSERT = """
INSERT INTO records (conversation_id, seq, recorded_at_ms, box_id, box_type, contents, hidden_type,
    hidden_contents, after_box_id, event_index, kind, data)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""

_READ = """
SELECT box_id, box_type, contents, hidden_type, hidden_contents, after_box_id, event_index, kind, data
FROM records WHERE conversation_id = ? AND seq > ? ORDER BY seq
"""

_TAIL = """
SELECT box_id, box_type, contents, hidden_type, hidden_contents FROM records
WHERE conversation_id = ? AND box_id < ? ORDER BY box_id DESC LIMIT ?
"""

_TOUCH = """
UPDATE conversations SET updated_at_ms = ?, recency = 1 + (SELECT max(recency) FROM conversations)
WHERE id = ?
"""

_AFTER_THE_LAST = 2**63 - 1
_NO_DRAFTS: Mapping[str, str] = MappingProxyType({})


class Records:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def append(
        self,
        conversation_id: str,
        expected_seq: int,
        records: Sequence[Record],
        *,
        settled: Sequence[str] = (),
        drafts: Mapping[str, str] = _NO_DRAFTS,
    ) -> int:
        """Append after record `expected_seq` (0: the first) and return the seq of the last one now.

        In the same transaction the streamed text of `settled` items is dropped, as `Streams.drop_chunks`
        does, and `drafts` (what stays in a composer, by its key) are saved. Raises SequenceConflict where the log has
        moved on, InvalidState for box ids or event indices with a gap, NotFound for an unknown
        conversation, StoreError, Closed; nothing was changed then.
        """
        at_ms = self._clock()

        def operation(connection: sqlite3.Connection) -> int:
            last = insert_records(connection, conversation_id, expected_seq, records, at_ms)
            delete_chunks(connection, conversation_id, settled)
            for key, text in drafts.items():
                save_draft(connection, key, text, at_ms)
            return last

        return await self._database.write(operation)

    async def read(self, conversation_id: str, after_seq: int = 0) -> list[Record]:
        """The records with a seq above `after_seq`, in order. Raises StoreError, Closed."""
        return await self._database.read(
            lambda connection: [
                record_of(*row) for row in connection.execute(_READ, (conversation_id, after_seq)).fetchall()
            ]
        )

    async def tail_boxes(
        self, conversation_id: str, before_box_id: int | None = None, limit: int = 100
    ) -> list[ChatBox]:
        """The last `limit` boxes before box `before_box_id` (None: before the end), in order.

        Raises StoreError, Closed.
        """
        before = _AFTER_THE_LAST if before_box_id is None else before_box_id
        boxes = await self._database.read(
            lambda connection: [
                ChatBox(*row)
                for row in connection.execute(_TAIL, (conversation_id, before, limit)).fetchall()
            ]
        )
        boxes.reverse()
        return boxes

    async def read_events(self, conversation_id: str, kinds: Sequence[str]) -> list[Record]:
        """The events of these kinds, in order. Raises StoreError, Closed."""
        marks = ", ".join("?" * len(kinds))
        statement = _READ.replace("seq > ?", f"seq > 0 AND kind IN ({marks})")
        return await self._database.read(
            lambda connection: [
                record_of(*row) for row in connection.execute(statement, (conversation_id, *kinds)).fetchall()
            ]
        )

    async def last_seq(self, conversation_id: str) -> int:
        """The seq of the last record; 0 where there is none. Raises StoreError, Closed."""
        return await self._database.read(lambda connection: _last_seq(connection, conversation_id))


def insert_records(
    connection: sqlite3.Connection,
    conversation_id: str,
    expected_seq: int,
    records: Sequence[Record],
    at_ms: int,
) -> int:
    """Append within a transaction; raises as `Records.append` does."""
    if not records:
        if _last_seq(connection, conversation_id) != expected_seq:
            raise _moved_on(connection, conversation_id, expected_seq)
        return expected_seq
    rows = [
        (conversation_id, seq, at_ms, *_columns(record))
        for seq, record in enumerate(records, start=expected_seq + 1)
    ]
    try:
        connection.executemany(_INSERT, rows)
    except sqlite3.IntegrityError as error:
        _refuse(connection, error, conversation_id, expected_seq)
    except UnicodeEncodeError as error:
        raise InvalidState(
            f"Conversation {conversation_id} cannot record this text",
            why=f"It holds half a character (a lone surrogate), which is no Unicode text: {error.reason}",
            todo="Please report it: such text should have been replaced where it came in.",
        ) from error
    connection.execute(_TOUCH, (at_ms, conversation_id))
    boxes = (record.box for record in records if isinstance(record, BoxRecord))
    join_outcomes(connection, conversation_id, boxes, at_ms)
    return expected_seq + len(records)


def _refuse(
    connection: sqlite3.Connection, error: sqlite3.IntegrityError, conversation_id: str, expected_seq: int
) -> NoReturn:
    reason = str(error)
    if reason == SEQUENCE_REFUSED:
        raise _moved_on(connection, conversation_id, expected_seq) from error
    if error.sqlite_errorcode == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
        raise NotFound(f"There is no conversation {conversation_id}") from error
    if reason == NUMBERING_REFUSED:
        raise InvalidState(
            f"Conversation {conversation_id} cannot record this",
            why="A box or an event does not continue the numbers of those before it",
            todo="Read its records again; if that does not help, run `quarterdeck doctor`.",
        ) from error
    raise StoreError(f"Conversation {conversation_id} cannot record this", why=reason) from error


def _moved_on(connection: sqlite3.Connection, conversation_id: str, expected_seq: int) -> SequenceConflict:
    return SequenceConflict(
        f"Conversation {conversation_id} has moved on",
        why=f"Its last record is {_last_seq(connection, conversation_id)}, not {expected_seq}: "
        "another writer appended to it",
        todo="Read its records again.",
    )


def _last_seq(connection: sqlite3.Connection, conversation_id: str) -> int:
    return connection.execute(
        "SELECT coalesce(max(seq), 0) FROM records WHERE conversation_id = ?", (conversation_id,)
    ).fetchone()[0]


def _columns(record: Record) -> tuple[Any, ...]:
    if isinstance(record, BoxRecord):
        box = record.box
        return (
            box.id,
            box.box_type,
            box.contents,
            box.hidden_type,
            box.hidden_contents,
            None,
            None,
            None,
            None,
        )
    return (None, None, None, None, None, record.after_box_id, record.event_index, record.kind, record.data)


def record_of(
    box_id: Any,
    box_type: str,
    contents: str,
    hidden_type: str,
    hidden_contents: str,
    after_box_id: int,
    event_index: int,
    kind: str,
    data: str,
) -> Record:
    """One row of `_READ`. Positional: a thousand of them are read while a person waits."""
    if box_id is not None:
        return BoxRecord(ChatBox(box_id, box_type, contents, hidden_type, hidden_contents))
    return EventRecord(after_box_id, event_index, kind, data)
