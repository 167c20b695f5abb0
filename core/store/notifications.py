"""What Codex waits for, durable: raised once, decided once, followed to its end.

A decision and its moves are written to the ledger in the transaction that makes them, so neither is ever
without the other.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

from core.errors import Conflict, InvalidRequest, NotFound
from core.ledger_lines import without_secrets
from core.rows import DecisionDraft, NotificationDraft, NotificationRow, NotificationState
from core.store.clock import Clock
from core.store.database import Database
from core.store.ledger import OF_ITEM, insert_decision, insert_outcome

NOBODY = "nobody"
"""Who the ledger names for a request that ended undecided."""

_COLUMNS = """id, conversation_id, thread_id, generation, request_id, kind, request, raised_at_ms, state,
    decided_by, answer, shown_hash, decided_at_ms, decision_id, outcome, grounds"""

_RAISE = """
INSERT INTO notifications (conversation_id, thread_id, generation, request_id, kind, request, grounds,
    raised_at_ms)
VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
"""

_DECIDE = """
UPDATE notifications SET state = 'decided', decided_by = ?, answer = ?, shown_hash = ?, decided_at_ms = ?,
    decision_id = ? WHERE id = ?
"""

_OF_THREAD = f"""{OF_ITEM}
    AND CASE WHEN json_valid(content) THEN json_extract(content, '$.thread_id') END = ?
    AND NOT EXISTS (SELECT 1 FROM outcomes WHERE decision_id = decisions.id AND outcome = ?)
"""

_ON_ITEM = f"decision_id IN ({OF_ITEM})"

_STANDS = "state NOT IN ('withdrawn', 'died')"
"""Of one request at most one row does (`notifications_by_request`)."""

_UNSETTLED = "state IN ('pending', 'decided', 'sent')"
_PENDING = f"{_UNSETTLED} AND state = 'pending'"
"""The first half has SQLite use the index of what is unsettled."""


class Notifications:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def raise_(self, draft: NotificationDraft) -> tuple[NotificationRow, bool]:
        """Record a request; the row, and whether it is new.

        A request that was raised before (a host replays them at every resume) is left as it is. One that was taken
        for over, withdrawn or dead, is recorded anew: who asks again waits for it. Raises NotFound for an unknown
        conversation, StoreError, Closed.
        """
        at_ms = self._clock()
        return await self._database.write(lambda connection: _raise(connection, draft, at_ms))

    async def decide(
        self, notification_id: int, *, decided_by: str, answer: str, shown_hash: str
    ) -> NotificationRow:
        """Record the decision, here and in the ledger; once. `answer` is JSON, `shown_hash` of what was shown.

        Raises Conflict, saying who decided or what ended it, for one that is not pending; NotFound,
        StoreError, Closed.
        """
        at_ms = self._clock()
        return await self._database.write(
            lambda connection: _decide(connection, notification_id, decided_by, answer, shown_hash, at_ms)
        )

    async def move(
        self, notification_id: int, state: NotificationState, outcome: str = ""
    ) -> NotificationRow:
        """Go on to `sent`, `delivered`, `withdrawn` or `died`; the ledger gets `outcome`, or the state's name.

        Raises Conflict for a move that is not forward, InvalidRequest for `pending` and `decided`, NotFound,
        StoreError, Closed.
        """
        if state in (NotificationState.PENDING, NotificationState.DECIDED):
            raise InvalidRequest(
                f"A notification cannot be moved to {state}",
                why="It starts pending, and only `decide` decides",
            )
        at_ms = self._clock()
        return await self._database.write(
            lambda connection: _move(connection, _row(connection, notification_id), state, outcome, at_ms)
        )

    async def host_died(self, generation: str) -> list[NotificationRow]:
        """All that this host process still waited for has died with it; the rows as they are now.

        Raises StoreError, Closed.
        """
        at_ms = self._clock()

        def operation(connection: sqlite3.Connection) -> list[NotificationRow]:
            rows = _rows(connection, f"generation = ? AND {_UNSETTLED}", (generation,))
            return [_move(connection, row, NotificationState.DIED, _DEATHS[row.state], at_ms) for row in rows]

        return await self._database.write(operation)

    async def item_ended(self, conversation_id: str, thread_id: str, item_id: str, outcome: str) -> None:
        """Say of the decisions on an item how it ended, where its thread's items are not recorded: a sub-agent's.

        What was said already is not said again. Raises StoreError, Closed.
        """
        at_ms = self._clock()

        def operation(connection: sqlite3.Connection) -> None:
            found = connection.execute(_OF_THREAD, (conversation_id, item_id, thread_id, outcome)).fetchall()
            for (decision_id,) in found:
                insert_outcome(connection, decision_id, outcome, at_ms)

        await self._database.write(operation)

    async def get(self, notification_id: int) -> NotificationRow:
        """Raises NotFound, StoreError, Closed."""
        return await self._database.read(lambda connection: _row(connection, notification_id))

    async def find(self, generation: str, request_id: str) -> NotificationRow | None:
        """By the request's identity, the last time it was raised. Raises StoreError, Closed."""
        rows = await self._select("generation = ? AND request_id = ?", (generation, request_id))
        return rows[-1] if rows else None

    async def pending(self) -> list[NotificationRow]:
        """All that waits for a decision, oldest first. Raises StoreError, Closed."""
        return await self._select(_PENDING, ())

    async def unsettled(self) -> list[NotificationRow]:
        """All that is pending, decided or sent, oldest first. Raises StoreError, Closed."""
        return await self._select(_UNSETTLED, ())

    async def on_items(self, conversation_id: str, item_ids: Sequence[str]) -> list[NotificationRow]:
        """All that was decided on these items of Codex's. Raises StoreError, Closed."""
        return await self._database.read(
            lambda connection: [
                row for item_id in item_ids for row in _rows(connection, _ON_ITEM, (conversation_id, item_id))
            ]
        )

    async def _select(self, condition: str, values: Sequence[Any]) -> list[NotificationRow]:
        return await self._database.read(lambda connection: _rows(connection, condition, values))


_DEATHS = {
    NotificationState.PENDING: "died undecided",
    NotificationState.DECIDED: "died before it was sent",
    NotificationState.SENT: "died before Codex confirmed it",
}


def _raise(
    connection: sqlite3.Connection, draft: NotificationDraft, at_ms: int
) -> tuple[NotificationRow, bool]:
    values = (
        draft.conversation_id,
        draft.thread_id,
        draft.generation,
        draft.request_id,
        draft.kind,
        draft.request,
        draft.grounds,
        at_ms,
    )
    try:
        new = connection.execute(_RAISE, values).rowcount == 1
    except sqlite3.IntegrityError as error:
        raise NotFound(f"There is no conversation {draft.conversation_id}", why=str(error)) from error
    identity = (draft.generation, draft.request_id)
    return _rows(connection, f"generation = ? AND request_id = ? AND {_STANDS}", identity)[0], new


def _decide(
    connection: sqlite3.Connection,
    notification_id: int,
    decided_by: str,
    answer: str,
    shown_hash: str,
    at_ms: int,
) -> NotificationRow:
    row = _row(connection, notification_id)
    if row.state is not NotificationState.PENDING:
        raise _not_pending(row)
    # What goes back to Codex stays whole until it is there; the ledger is kept, read and exported.
    kept = without_secrets(row.request, answer)
    decision = DecisionDraft(row.conversation_id, decided_by, row.kind, row.request, shown_hash, kept)
    decision_id = insert_decision(connection, decision, at_ms)
    connection.execute(_DECIDE, (decided_by, answer, shown_hash, at_ms, decision_id, notification_id))
    return _row(connection, notification_id)


def _move(
    connection: sqlite3.Connection, row: NotificationRow, state: NotificationState, outcome: str, at_ms: int
) -> NotificationRow:
    try:
        connection.execute(
            "UPDATE notifications SET state = ?, outcome = ? WHERE id = ?", (state, outcome or state, row.id)
        )
    except sqlite3.IntegrityError as error:
        raise Conflict(
            f"Request {row.id} cannot become {state}",
            why=f"It is {row.state} already",
            todo="Read it again.",
        ) from error
    decision_id = row.decision_id
    if decision_id is None:
        undecided = DecisionDraft(row.conversation_id, NOBODY, row.kind, row.request, "", "")
        decision_id = insert_decision(connection, undecided, at_ms)
    insert_outcome(connection, decision_id, outcome or state, at_ms)
    return _row(connection, row.id)


def _not_pending(row: NotificationRow) -> Conflict:
    if row.decided_by is not None:
        return Conflict(
            f"Request {row.id} is decided already",
            why=f"{row.decided_by} decided it",
            todo="See the ledger for what became of it.",
        )
    return Conflict(
        f"Request {row.id} cannot be decided any more",
        why=f"It ended undecided: {row.outcome}",
        todo="If Codex still needs it, it asks again.",
    )


def _row(connection: sqlite3.Connection, notification_id: int) -> NotificationRow:
    rows = _rows(connection, "id = ?", (notification_id,))
    if not rows:
        raise NotFound(f"There is no request {notification_id}")
    return rows[0]


def _rows(connection: sqlite3.Connection, condition: str, values: Sequence[Any]) -> list[NotificationRow]:
    """`condition` is one of this file's own; what comes from outside is in `values`."""
    cursor = connection.execute(f"SELECT {_COLUMNS} FROM notifications WHERE {condition} ORDER BY id", values)
    return [_notification(list(row)) for row in cursor]


def _notification(fields: list[Any]) -> NotificationRow:
    """From the values of `_COLUMNS`."""
    fields[8] = NotificationState(fields[8])
    return NotificationRow(*fields)
