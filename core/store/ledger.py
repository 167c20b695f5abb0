"""Every decision and what became of it, appended to and never changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from core.access.ledger import EVERYTHING, LedgerFilter
from core.agent.items import load_item
from core.agent.outcomes import outcome_of
from core.errors import NotFound
from core.rows import DecisionDraft, LedgerCount, LedgerEntry, LedgerPage, LedgerSummary, OutcomeRow
from core.store.clock import Clock
from core.store.database import Database
from core.store.ledger_query import DECIDED, FATE, HEADLINE, condition_of
from core.thread.boxes import TOOL_RETURN, ChatBox, ResultMeta, hidden_of

_INSERT = """
INSERT INTO decisions (at_ms, conversation_id, decided_by, kind, content, content_hash, answer)
VALUES (?, ?, ?, ?, ?, ?, ?)
"""

_ENTRIES = """
SELECT id, at_ms, conversation_id, decided_by, kind, content, content_hash, answer FROM decisions
WHERE id < :before AND {condition} ORDER BY id DESC LIMIT :limit
"""

_SUMMARIES = f"""
SELECT id, at_ms, conversation_id, decided_by, kind, {DECIDED}, {FATE}, {HEADLINE} FROM decisions
WHERE id <= :newest AND {{condition}} ORDER BY id DESC LIMIT :limit OFFSET :offset
"""

OF_ITEM = """
SELECT id FROM decisions WHERE conversation_id = ?
    AND CASE WHEN json_valid(content) THEN json_extract(content, '$.item_id') END = ?
"""
"""In the words of the index `decisions_by_item`."""

_BOX = """
SELECT box_id FROM records WHERE conversation_id = ? AND box_id IS NOT NULL
    AND hidden_type IN ('call', 'item') AND json_extract(hidden_contents, '$.item_id') = ?
"""

_AFTER_THE_LAST = 2**63 - 1


# What a person ran herself was never asked, so no rule could have decided it.
_PAST = """
SELECT decisions.id, decisions.content, conversations.id, workspaces.path FROM decisions
    JOIN conversations ON conversations.id = decisions.conversation_id
    JOIN workspaces ON workspaces.id = conversations.workspace_id
WHERE decisions.kind IN ('command', 'file_change', 'tool')
    AND coalesce(iif(json_valid(decisions.answer), json_extract(decisions.answer, '$.kind'), ''), '') != 'ran'
ORDER BY decisions.id DESC LIMIT ?
"""


@dataclass(frozen=True, slots=True)
class PastRow:
    """A request that was decided on, as JSON, and where it came from."""

    decision_id: int
    content: str
    conversation_id: str
    workspace: str


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
        self, where: LedgerFilter = EVERYTHING, *, before: int | None = None, limit: int = 100
    ) -> LedgerPage:
        """Newest first; `before` is the cursor of the page before this one. Raises StoreError, Closed."""
        return await self._database.read(lambda connection: _page(connection, where, before, limit))

    async def count(self, where: LedgerFilter = EVERYTHING) -> LedgerCount:
        """How many there are, and up to which. Raises StoreError, Closed."""
        condition, values = condition_of(where)
        query = f"SELECT count(*), coalesce(max(id), 0) FROM decisions WHERE {condition}"
        return await self._database.read(
            lambda connection: LedgerCount(*connection.execute(query, values).fetchone())
        )

    async def summaries(
        self, where: LedgerFilter, newest: int, offset: int, limit: int
    ) -> tuple[LedgerSummary, ...]:
        """The decisions up to id `newest`, newest first, from the `offset`th on. Raises StoreError, Closed.

        What is decided later moves no offset, so a list can be read in any order.
        """
        return await self._database.read(
            lambda connection: _summaries(connection, where, newest, offset, limit)
        )

    async def past(self, limit: int) -> tuple[PastRow, ...]:
        """What rules could have decided, the newest first. Raises StoreError, Closed."""
        return await self._database.read(
            lambda connection: tuple(PastRow(*row) for row in connection.execute(_PAST, (limit,)))
        )

    async def box_of(self, conversation_id: str, item_id: str) -> int | None:
        """The box of the conversation that holds an item's beginning. Raises StoreError, Closed."""

        def query(connection: sqlite3.Connection) -> int | None:
            row = connection.execute(_BOX, (conversation_id, item_id)).fetchone()
            return None if row is None else row[0]

        return await self._database.read(query)


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


def join_outcomes(
    connection: sqlite3.Connection, conversation_id: str, boxes: Iterable[ChatBox], at_ms: int
) -> None:
    """Say of the decisions on an item how it ended, in the transaction that records its end."""
    for box in boxes:
        meta = hidden_of(box) if box.box_type == TOOL_RETURN else None
        if not isinstance(meta, ResultMeta) or meta.metadata_type != "item":
            continue
        item = load_item(meta.metadata_contents)
        outcome = outcome_of(item)
        if outcome is None:
            continue
        for (decision_id,) in connection.execute(OF_ITEM, (conversation_id, item.id)).fetchall():
            insert_outcome(connection, decision_id, outcome, at_ms)


def _page(connection: sqlite3.Connection, where: LedgerFilter, before: int | None, limit: int) -> LedgerPage:
    condition, values = condition_of(where)
    values["before"] = _AFTER_THE_LAST if before is None else before
    # One more than asked for tells whether there is a next page.
    values["limit"] = limit + 1
    rows = connection.execute(_ENTRIES.format(condition=condition), values).fetchall()
    more, rows = len(rows) > limit, rows[:limit]
    outcomes = _outcomes(connection, rows)
    entries = tuple(_entry([*row, tuple(outcomes[row[0]])]) for row in rows)
    return LedgerPage(entries, entries[-1].id if more else None)


def _summaries(
    connection: sqlite3.Connection, where: LedgerFilter, newest: int, offset: int, limit: int
) -> tuple[LedgerSummary, ...]:
    condition, values = condition_of(where)
    values |= {"newest": newest, "offset": offset, "limit": limit}
    rows = connection.execute(_SUMMARIES.format(condition=condition), values).fetchall()
    outcomes = _outcomes(connection, rows)
    return tuple(LedgerSummary(*row, outcomes=tuple(outcomes[row[0]])) for row in rows)


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
