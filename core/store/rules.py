"""Rules in their order, and how often each one decided.

Every change but a hit counts one revision up, and asks for the revision that was looked at: two consoles
never change an order that one of them has not seen.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.access.rules import Rule, RuleDraft, draft_of
from core.errors import Conflict, InvalidRequest, InvalidState, NotFound
from core.rows import DecisionDraft
from core.store.clock import Clock
from core.store.database import Database
from core.store.ledger import insert_decision
from core.store.rule_rows import COLUMNS, columns_of, from_row

PERSON = "you"

_INSERT = """
INSERT INTO rules (position, created_at_ms, verdict, kind, pattern, reach, reach_of, expires_at_ms, enabled,
    note, id, hits, last_hit_ms)
VALUES ((SELECT coalesce(max(position), 0) + 1 FROM rules), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_CHANGE = """
UPDATE rules SET verdict = ?, kind = ?, pattern = ?, reach = ?, reach_of = ?, expires_at_ms = ?, enabled = ?,
    note = ?
WHERE id = ?
"""
_HIT = "UPDATE rules SET hits = hits + 1, last_hit_ms = max(coalesce(last_hit_ms, 0), ?) WHERE id = ?"
_SELECT = f"SELECT {COLUMNS} FROM rules ORDER BY position"
_SELECT_ONE = f"SELECT {COLUMNS} FROM rules WHERE id = ?"


@dataclass(frozen=True, slots=True)
class RuleList:
    """All rules, the first to count first. `revision` goes up with each change; a hit is none."""

    revision: int
    rules: tuple[Rule, ...]


class Rules:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def read(self) -> RuleList:
        """Raises InvalidState for a rule that cannot be read, StoreError, Closed."""
        return await self._database.read(_list)

    async def revision(self) -> int:
        """Of the list, also where a rule of it cannot be read. Raises StoreError, Closed."""
        return await self._database.read(_revision)

    async def in_order(self) -> tuple[Rule, ...]:
        """The rules of `read`; raises as it does."""
        return (await self.read()).rules

    async def add(self, draft: RuleDraft, by: str = PERSON, conversation_id: str | None = None) -> int:
        """Put a rule behind the others, so that it changes nothing that they decide; returns its id.

        `by` says who made it, for the ledger; `conversation_id` where. Raises StoreError, Closed.
        """
        at_ms = self._clock()

        def operation(connection: sqlite3.Connection) -> int:
            rule_id = _insert(connection, draft, at_ms)
            _count_up(connection)
            _note(connection, Deed(by, at_ms, conversation_id), "made", rule_id, draft)
            return rule_id

        return await self._database.write(operation)

    async def change(self, rule_id: int, revision: int, draft: RuleDraft, by: str = PERSON) -> int:
        """Say it anew; its place, its hits and its id stay. Returns the new revision.

        Raises Conflict where the list has moved on from `revision`, NotFound, StoreError, Closed.
        """
        deed = Deed(by, self._clock())

        def operation(connection: sqlite3.Connection) -> None:
            before = connection.execute("SELECT enabled FROM rules WHERE id = ?", (rule_id,)).fetchone()[0]
            connection.execute(_CHANGE, (*columns_of(draft), rule_id))
            switched = "enabled" if draft.enabled else "disabled"
            _note(connection, deed, "changed" if before == draft.enabled else switched, rule_id, draft)

        return await self._edit(rule_id, revision, operation)

    async def revoke(self, rule_id: int, revision: int, by: str = PERSON) -> int:
        """Take it away; its id is never used for another one. Raises as `change` does."""
        deed = Deed(by, self._clock())

        def operation(connection: sqlite3.Connection) -> None:
            _note(connection, deed, "revoked", rule_id, _rule(connection, rule_id))
            connection.execute("DELETE FROM rules WHERE id = ?", (rule_id,))

        return await self._edit(rule_id, revision, operation)

    async def restore(self, rule: Rule, revision: int, place: int, by: str = PERSON) -> int:
        """Put one back that was revoked, with its hits, at `place`. Raises as `move` does."""
        deed = Deed(by, self._clock())

        def whole(connection: sqlite3.Connection) -> int:
            _require(connection, revision)
            if _known(connection, rule.id):
                raise Conflict(f"Rule {rule.id} is there already")
            _insert(connection, rule, deed.at_ms, rule)
            _place(connection, rule.id, place)
            _note(connection, deed, "restored", rule.id, rule)
            _count_up(connection)
            return revision + 1

        return await self._database.write(whole)

    async def move(self, rule_id: int, revision: int, place: int, by: str = PERSON) -> int:
        """Put it at `place` of the order, counted from 0 without it. Raises as `change` does, InvalidRequest."""
        deed = Deed(by, self._clock())

        def operation(connection: sqlite3.Connection) -> None:
            _place(connection, rule_id, place)
            _note(connection, deed, f"moved to place {place + 1}", rule_id, _rule(connection, rule_id))

        return await self._edit(rule_id, revision, operation)

    async def replace(
        self, rules: Sequence[tuple[int | None, RuleDraft]], revision: int, by: str = PERSON
    ) -> int:
        """Have these and no others, in this order, all at once; one with the id of a rule there is keeps its
        hits. Raises Conflict where the list has moved on, StoreError, Closed.
        """
        deed = Deed(by, self._clock())

        def whole(connection: sqlite3.Connection) -> int:
            _require(connection, revision)
            before = {rule.id: rule for rule in _list(connection).rules}
            kept = {rule_id for rule_id, _ in rules if rule_id in before}
            for rule_id in before.keys() - kept:
                _note(connection, deed, "revoked", rule_id, before[rule_id])
                connection.execute("DELETE FROM rules WHERE id = ?", (rule_id,))
            order: list[int] = []
            for rule_id, draft in rules:
                if rule_id is None or rule_id not in kept:
                    order.append(_insert(connection, draft, deed.at_ms))
                    _note(connection, deed, "made", order[-1], draft)
                    continue
                order.append(rule_id)
                if draft != draft_of(before[rule_id]):
                    connection.execute(_CHANGE, (*columns_of(draft), rule_id))
                    _note(connection, deed, "changed", rule_id, draft)
            _put_in_order(connection, order)
            _count_up(connection)
            return revision + 1

        return await self._database.write(whole)

    async def hit(self, rule_ids: Sequence[int], at_ms: int) -> None:
        """Count a decision for each; one that was revoked meanwhile is passed over. Raises StoreError, Closed."""
        hits = [(at_ms, rule_id) for rule_id in rule_ids]

        def operation(connection: sqlite3.Connection) -> None:
            connection.executemany(_HIT, hits)

        await self._database.write(operation)

    async def _edit(
        self, rule_id: int, revision: int, operation: Callable[[sqlite3.Connection], object]
    ) -> int:
        def whole(connection: sqlite3.Connection) -> int:
            _require(connection, revision)
            if not _known(connection, rule_id):
                raise NotFound(f"There is no rule {rule_id}")
            operation(connection)
            _count_up(connection)
            return revision + 1

        return await self._database.write(whole)


def _list(connection: sqlite3.Connection) -> RuleList:
    # All rows first: a statement that is left in the middle by an error holds its snapshot of the database.
    rows = connection.execute(_SELECT).fetchall()
    return RuleList(_revision(connection), tuple(map(from_row, rows)))


def _rule(connection: sqlite3.Connection, rule_id: int) -> RuleDraft | None:
    """None for one that cannot be read: it can be revoked and moved all the same."""
    row = connection.execute(_SELECT_ONE, (rule_id,)).fetchone()
    try:
        return from_row(row)
    except InvalidState:
        return None


def _require(connection: sqlite3.Connection, revision: int) -> None:
    """Raises Conflict where the list has moved on."""
    now = _revision(connection)
    if now != revision:
        raise Conflict(
            "The rules have changed meanwhile",
            why=f"They are at revision {now}, not {revision}",
            todo="Look at them again, then repeat the change.",
        )


def _known(connection: sqlite3.Connection, rule_id: int) -> bool:
    return connection.execute("SELECT 1 FROM rules WHERE id = ?", (rule_id,)).fetchone() is not None


def _insert(connection: sqlite3.Connection, draft: RuleDraft, at_ms: int, before: Rule | None = None) -> int:
    """Behind the others; `before`: what it was, with its id and its hits."""
    rule_id, hits, last_hit_ms = (
        (None, 0, None) if before is None else (before.id, before.hits, before.last_hit_ms)
    )
    cursor = connection.execute(_INSERT, (at_ms, *columns_of(draft), rule_id, hits, last_hit_ms))
    assert cursor.lastrowid is not None, "an INSERT has a row id"
    return cursor.lastrowid


def _place(connection: sqlite3.Connection, rule_id: int, place: int) -> None:
    """Raises InvalidRequest."""
    ids = [row[0] for row in connection.execute("SELECT id FROM rules ORDER BY position")]
    if not 0 <= place < len(ids):
        raise InvalidRequest(
            f"There is no place {place} for the rule",
            why=f"there are {len(ids)} rules, counted from 0",
        )
    ids.remove(rule_id)
    ids.insert(place, rule_id)
    _put_in_order(connection, ids)


def _put_in_order(connection: sqlite3.Connection, ids: Sequence[int]) -> None:
    """In two steps: no two rules may be at one place, not even for a moment."""
    connection.execute("UPDATE rules SET position = -position")
    connection.executemany(
        "UPDATE rules SET position = ? WHERE id = ?", [(n, id_) for n, id_ in enumerate(ids, 1)]
    )


@dataclass(frozen=True, slots=True)
class Deed:
    """Who changed something, when, and in which conversation (None: in none)."""

    by: str
    at_ms: int
    conversation_id: str | None = None


def _note(
    connection: sqlite3.Connection, deed: Deed, did: str, rule_id: int, draft: RuleDraft | None
) -> None:
    """What lets things happen without a person is in the ledger, in the transaction that changes it."""
    content = json.dumps(
        {
            "kind": "rule",
            "number": rule_id,
            "did": did,
            "rule": str(draft) if draft is not None else "",
            "where": str(draft.scope) if draft is not None else "",
            "expires_at_ms": draft.expires_at_ms if draft is not None else None,
            "enabled": draft is not None and draft.enabled,
        },
        ensure_ascii=False,
    )
    hashed = hashlib.sha256(content.encode()).hexdigest()
    answer = json.dumps({"kind": "rule", "did": did})
    decision = DecisionDraft(deed.conversation_id, deed.by, "rule", content, hashed, answer)
    insert_decision(connection, decision, deed.at_ms)


def _revision(connection: sqlite3.Connection) -> int:
    return connection.execute("SELECT revision FROM rules_revision").fetchone()[0]


def _count_up(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE rules_revision SET revision = revision + 1")
