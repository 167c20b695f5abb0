"""Rules in their order, and how often each one decided.

Every change but a hit counts one revision up, and asks for the revision that was looked at: two consoles
never change an order that one of them has not seen.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from core.access.patterns import CommandPattern, HostPattern, PathPattern, Pattern, ToolPattern
from core.access.policy import Verdict
from core.access.rules import Reach, Rule, RuleDraft, Scope
from core.errors import Conflict, InvalidRequest, InvalidState, NotFound
from core.store.clock import Clock
from core.store.database import Database

_INSERT = """
INSERT INTO rules (position, created_at_ms, verdict, kind, pattern, reach, reach_of, expires_at_ms, enabled, note)
VALUES ((SELECT coalesce(max(position), 0) + 1 FROM rules), ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_CHANGE = """
UPDATE rules SET verdict = ?, kind = ?, pattern = ?, reach = ?, reach_of = ?, expires_at_ms = ?, enabled = ?,
    note = ?
WHERE id = ?
"""
_HIT = "UPDATE rules SET hits = hits + 1, last_hit_ms = max(coalesce(last_hit_ms, 0), ?) WHERE id = ?"
_SELECT = """
SELECT id, verdict, kind, pattern, reach, reach_of, expires_at_ms, enabled, note, hits, last_hit_ms
FROM rules ORDER BY position
"""


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

    async def in_order(self) -> tuple[Rule, ...]:
        """The rules of `read`; raises as it does."""
        return (await self.read()).rules

    async def add(self, draft: RuleDraft) -> int:
        """Put a rule behind the others, so that it changes nothing that they decide; returns its id.

        Raises StoreError, Closed.
        """
        values = (self._clock(), *_columns(draft))

        def operation(connection: sqlite3.Connection) -> int:
            cursor = connection.execute(_INSERT, values)
            _count_up(connection)
            assert cursor.lastrowid is not None, "an INSERT has a row id"
            return cursor.lastrowid

        return await self._database.write(operation)

    async def change(self, rule_id: int, revision: int, draft: RuleDraft) -> int:
        """Say it anew; its place, its hits and its id stay. Returns the new revision.

        Raises Conflict where the list has moved on from `revision`, NotFound, StoreError, Closed.
        """

        def operation(connection: sqlite3.Connection) -> None:
            connection.execute(_CHANGE, (*_columns(draft), rule_id))

        return await self._edit(rule_id, revision, operation)

    async def revoke(self, rule_id: int, revision: int) -> int:
        """Take it away; its id is never used again. Raises as `change` does."""
        return await self._edit(
            rule_id,
            revision,
            lambda connection: connection.execute("DELETE FROM rules WHERE id = ?", (rule_id,)),
        )

    async def move(self, rule_id: int, revision: int, place: int) -> int:
        """Put it at `place` of the order, counted from 0 without it. Raises as `change` does, InvalidRequest."""

        def operation(connection: sqlite3.Connection) -> None:
            ids = [row[0] for row in connection.execute("SELECT id FROM rules ORDER BY position")]
            if not 0 <= place < len(ids):
                raise InvalidRequest(
                    f"There is no place {place} for the rule",
                    why=f"there are {len(ids)} rules, counted from 0",
                )
            ids.remove(rule_id)
            ids.insert(place, rule_id)
            # In two steps: no two rules may be at one place, not even for a moment.
            connection.execute("UPDATE rules SET position = -position")
            connection.executemany(
                "UPDATE rules SET position = ? WHERE id = ?", [(n, id_) for n, id_ in enumerate(ids, 1)]
            )

        return await self._edit(rule_id, revision, operation)

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
            now = _revision(connection)
            if now != revision:
                raise Conflict(
                    "The rules have changed meanwhile",
                    why=f"They are at revision {now}, not {revision}",
                    todo="Look at them again, then repeat the change.",
                )
            if connection.execute("SELECT 1 FROM rules WHERE id = ?", (rule_id,)).fetchone() is None:
                raise NotFound(f"There is no rule {rule_id}")
            operation(connection)
            _count_up(connection)
            return revision + 1

        return await self._database.write(whole)


def _list(connection: sqlite3.Connection) -> RuleList:
    return RuleList(_revision(connection), tuple(_from_row(row) for row in connection.execute(_SELECT)))


def _revision(connection: sqlite3.Connection) -> int:
    return connection.execute("SELECT revision FROM rules_revision").fetchone()[0]


def _count_up(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE rules_revision SET revision = revision + 1")


def _columns(draft: RuleDraft) -> tuple[str | int | None, ...]:
    kind, pattern = to_json(draft.pattern)
    return (
        draft.verdict,
        kind,
        pattern,
        draft.scope.reach,
        draft.scope.of,
        draft.expires_at_ms,
        draft.enabled,
        draft.note,
    )


def _from_row(row: Sequence[Any]) -> Rule:
    rule_id, verdict, kind, pattern, reach, of, expires_at_ms, enabled, note, hits, last_hit_ms = row
    try:
        return Rule(
            id=rule_id,
            verdict=Verdict(verdict),
            pattern=from_json(kind, pattern),
            scope=Scope(Reach(reach), of),
            expires_at_ms=expires_at_ms,
            enabled=bool(enabled),
            note=note,
            hits=hits,
            last_hit_ms=last_hit_ms,
        )
    except (ValueError, InvalidRequest) as error:
        raise InvalidState(
            f"Rule {rule_id} cannot be read",
            why=str(error),
            todo="Revoke it; until then a person decides everything that a profile does not deny.",
        ) from error


def to_json(pattern: Pattern) -> tuple[str, str]:
    """A pattern's kind, and the rest of it as JSON."""
    match pattern:
        case CommandPattern():
            return "command", json.dumps({"words": pattern.words, "exact": pattern.exact})
        case PathPattern():
            return "path", json.dumps(pattern.path)
        case HostPattern():
            return "host", json.dumps(pattern.name)
        case ToolPattern():
            return "tool", json.dumps(pattern.name)


def from_json(kind: str, text: str) -> Pattern:
    """What `to_json` was given. Raises ValueError, InvalidRequest for anything else."""
    value: Any = json.loads(text)
    match kind, value:
        case "command", {"words": [*words], "exact": bool(exact)}:
            return CommandPattern(tuple(_word(word) for word in words), exact)
        case "path", str(path):
            return PathPattern(path)
        case "host", str(name):
            return HostPattern(name)
        case "tool", str(name):
            return ToolPattern(name)
        case _:
            raise ValueError(f"{value!r} is no pattern for a {kind}")


def _word(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    raise ValueError(f"{value!r} is no word")
