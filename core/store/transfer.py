"""Whole conversations out of the database and into it: what export and import need of the tables."""

from __future__ import annotations

import sqlite3
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from core.rows import DecisionDraft, LedgerEntry
from core.store.clock import Clock
from core.store.conversations import NEXT_RECENCY
from core.store.database import Database
from core.store.ledger import insert_decision, insert_outcome
from core.store.records import insert_records, record_of
from core.thread.records import Record

_READ = """
SELECT seq, recorded_at_ms, box_id, box_type, contents, hidden_type, hidden_contents,
    after_box_id, event_index, kind, data
FROM records WHERE conversation_id = ? AND seq > ? ORDER BY seq LIMIT ?
"""

_INSERT = f"""
INSERT INTO conversations (id, workspace_id, workspace_revision, title, created_at_ms, updated_at_ms, recency,
    materialised, defaults, lifecycle, last_state)
VALUES (?, ?, ?, ?, ?, ?, {NEXT_RECENCY}, 0, '{{}}', 'open', 'idle')
"""


@dataclass(frozen=True, slots=True)
class ConversationDraft:
    """A conversation to be taken in. `records` are (time recorded, record); `origin_id` is its id in the file."""

    origin_id: str
    title: str
    folder: str
    created_at_ms: int
    updated_at_ms: int
    records: Sequence[tuple[int, Record]]
    decisions: Sequence[LedgerEntry]


@dataclass(frozen=True, slots=True)
class Taken:
    """`ids` of the conversations, in the order given; `again`: they were there before, nothing was changed."""

    ids: tuple[str, ...]
    again: bool


class Transfer:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def records(
        self, conversation_id: str, after_seq: int, limit: int
    ) -> list[tuple[int, int, Record]]:
        """(seq, time recorded, record) of those behind `after_seq`, at most `limit`. Raises StoreError, Closed."""
        return await self._database.read(
            lambda connection: [
                (seq, at_ms, record_of(*rest))
                for seq, at_ms, *rest in connection.execute(_READ, (conversation_id, after_seq, limit))
            ]
        )

    async def imported(self, conversation_id: str) -> bool:
        """Whether it came from an export: it is read, and nothing of it ever runs. Raises StoreError, Closed."""
        return await self._database.read(
            lambda connection: (
                connection.execute(
                    "SELECT 1 FROM imported WHERE conversation_id = ?", (conversation_id,)
                ).fetchone()
                is not None
            )
        )

    async def take(self, digest: str, conversations: Sequence[ConversationDraft]) -> Taken:
        """Take conversations in, all or none, as imported ones: nothing of them ever runs.

        The same `digest` again changes nothing. Raises InvalidState for a log with a gap, StoreError, Closed.
        """
        now = self._clock()
        ids = [uuid.uuid4().hex for _ in conversations]

        def operation(connection: sqlite3.Connection) -> Taken:
            there = connection.execute(
                "SELECT conversation_id FROM imported WHERE digest = ? ORDER BY place", (digest,)
            ).fetchall()
            if there:
                return Taken(tuple(row[0] for row in there), again=True)
            for place, (conversation_id, draft) in enumerate(zip(ids, conversations, strict=True)):
                _insert(connection, conversation_id, draft)
                connection.execute(
                    "INSERT INTO imported (conversation_id, digest, place, origin_id, at_ms) VALUES (?, ?, ?, ?, ?)",
                    (conversation_id, digest, place, draft.origin_id, now),
                )
            return Taken(tuple(ids), again=False)

        return await self._database.write(operation)


def _insert(connection: sqlite3.Connection, conversation_id: str, draft: ConversationDraft) -> None:
    workspace_id, revision = _workspace(connection, draft.folder)
    times = (draft.created_at_ms, draft.updated_at_ms)
    connection.execute(_INSERT, (conversation_id, workspace_id, revision, draft.title, *times))
    seq = 0
    for at_ms, group in groupby(draft.records, key=itemgetter(0)):
        seq = insert_records(connection, conversation_id, seq, [record for _, record in group], at_ms)
    for entry in draft.decisions:
        made = DecisionDraft(
            conversation_id, entry.decided_by, entry.kind, entry.content, entry.content_hash, entry.answer
        )
        decision_id = insert_decision(connection, made, entry.at_ms)
        for outcome in entry.outcomes:
            insert_outcome(connection, decision_id, outcome.outcome, outcome.at_ms)
    connection.execute(
        "UPDATE conversations SET updated_at_ms = ? WHERE id = ?", (draft.updated_at_ms, conversation_id)
    )


def _workspace(connection: sqlite3.Connection, folder: str) -> tuple[str, int]:
    """Id and revision of the folder's workspace, made where there is none."""
    found = connection.execute("SELECT id, revision FROM workspaces WHERE path = ?", (folder,)).fetchone()
    if found is not None:
        return found[0], found[1]
    workspace_id = uuid.uuid4().hex
    connection.execute(
        "INSERT INTO workspaces (id, path, revision, defaults, policy) VALUES (?, ?, 1, '{}', '{}')",
        (workspace_id, folder),
    )
    return workspace_id, 1
