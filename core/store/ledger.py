"""Every decision and what became of it, appended to and never changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

from core.errors import NotFound
from core.rows import DecisionDraft, LedgerEntry, LedgerPage, OutcomeRow
from core.store.clock import Clock
from core.store.database import Database

_INSERT = """
INSERT INTO decisions (at_ms, conversation_id, decided_by, kind, content, content_hash, answer)
VALUES (?, ?, ?, ?, ?, ?, ?)
"""

_PAGE = """
SELECT id, at_ms, conversation_id, decided_by, kind, content, content_hash, answer FROM decisions
WHERE id < :before AND (:conversation IS NULL OR conversation_id = :conversation)
ORDER BY id DESC LIMIT :limit
"""

_AFTER_THE_LAST = 2**63 - 1


class Ledger:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def record(self, decision: DecisionDraft) -> int:
        """Record a decision that belongs to no notification (those record their own); returns its id.

        Raises NotFound for an unknown conversation, StoreError, Closed.
        """
        at_ms = self._clock()
        return await self._database.write(lambda connection: insert_decision(connection, decision, at_ms))

    async def add_outcome(self, decision_id: int, outcome: str) -> None:
        """Say what became of it. Raises NotFound for an unknown decision, StoreError, Closed."""
        at_ms = self._clock()
        await self._database.write(lambda connection: insert_outcome(connection, decision_id, outcome, at_ms))

    async def entry(self, decision_id: int) -> LedgerEntry:
        """Raises NotFound, StoreError, Closed."""
        page = await self.page(before=decision_id + 1, limit=1)
        if not page.entries or page.entries[0].id != decision_id:
            raise NotFound(f"There is no decision {decision_id}")
        return page.entries[0]

    async def page(
        self, *, before: int | None = None, limit: int = 100, conversation_id: str | None = None
    ) -> LedgerPage:
        """Newest first; `before` is the cursor of the page before this one. Raises StoreError, Closed."""
        return await self._database.read(lambda connection: _page(connection, before, limit, conversation_id))


def insert_decision(connection: sqlite3.Connection, decision: DecisionDraft, at_ms: int) -> int:
    """Within a transaction; returns the decision's id. Raises NotFound for an unknown conversation."""
    values = (
        at_ms,
        decision.conversation_id,
        decision.decided_by,
        decision.kind,
        decision.content,
        decision.content_hash,
        decision.answer,
    )
    try:
        cursor = connection.execute(_INSERT, values)
    except sqlite3.IntegrityError as error:
        raise NotFound(f"There is no conversation {decision.conversation_id}", why=str(error)) from error
    assert cursor.lastrowid is not None, "an INSERT has a row id"
    return cursor.lastrowid


def insert_outcome(connection: sqlite3.Connection, decision_id: int, outcome: str, at_ms: int) -> None:
    """Within a transaction. Raises NotFound for an unknown decision."""
    try:
        connection.execute(
            "INSERT INTO outcomes (decision_id, at_ms, outcome) VALUES (?, ?, ?)",
            (decision_id, at_ms, outcome),
        )
    except sqlite3.IntegrityError as error:
        raise NotFound(f"There is no decision {decision_id}", why=str(error)) from error


def _page(
    connection: sqlite3.Connection, before: int | None, limit: int, conversation_id: str | None
) -> LedgerPage:
    # One more than asked for tells whether there is a next page.
    rows = connection.execute(
        _PAGE,
        {
            "before": _AFTER_THE_LAST if before is None else before,
            "conversation": conversation_id,
            "limit": limit + 1,
        },
    ).fetchall()
    more, rows = len(rows) > limit, rows[:limit]
    outcomes = _outcomes(connection, rows)
    entries = tuple(_entry([*row, tuple(outcomes[row[0]])]) for row in rows)
    return LedgerPage(entries, entries[-1].id if more else None)


def _entry(fields: list[Any]) -> LedgerEntry:
    return LedgerEntry(*fields)


def _outcomes(
    connection: sqlite3.Connection, decisions: Sequence[tuple[Any, ...]]
) -> dict[int, list[OutcomeRow]]:
    by_decision: dict[int, list[OutcomeRow]] = {row[0]: [] for row in decisions}
    if by_decision:
        span = (min(by_decision), max(by_decision))
        for decision_id, at_ms, outcome in connection.execute(
            "SELECT decision_id, at_ms, outcome FROM outcomes WHERE decision_id BETWEEN ? AND ? ORDER BY id",
            span,
        ):
            if decision_id in by_decision:
                by_decision[decision_id].append(OutcomeRow(at_ms, outcome))
    return by_decision
