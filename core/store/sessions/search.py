"""Reading the index of sessions: pages of them, where words are found, and what there is to filter by."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

from core.errors import InvalidRequest
from core.knowledge.query import every_word, terms_of
from core.sessions.model import (
    Facet,
    Facets,
    Kind,
    SessionEntry,
    SessionItem,
    SessionMatch,
    SessionQuery,
    SessionsPage,
    SessionState,
    Sort,
)
from core.sessions.rows import Standing
from core.store.database import Database
from core.store.sessions.entries import ENTRY, entries_of, entry_of, to_entry
from core.store.sessions.hits import hits_among, matching
from core.store.sessions.schema import FIRST_PLACE, TEXT_BITS, WEIGHTS

FACETS_AT_MOST = 200
ORDERS_KEPT = 8
_PLACES = (1 << TEXT_BITS) - 1

# The inner query is kept apart (LIMIT -1): bm25 is known only while a row is found.
_FOUND = f"""
SELECT text >> {TEXT_BITS} AS session, min(score) AS score FROM (
    SELECT rowid AS text, bm25(texts_index, {WEIGHTS}) AS score FROM texts_index WHERE texts_index MATCH :words
    LIMIT -1
) GROUP BY 1
"""

# A session of today counts twice as much as an old one; a month takes half of that away.
_RELEVANCE = "f.score * (1 + 1.0 / (1 + max(0, :now - s.updated_at_ms) / 2592000000.0)), s.updated_at_ms DESC"

_ORDERS = {
    Sort.RECENT: "s.pinned DESC, s.updated_at_ms DESC, s.id DESC",
    Sort.OLDEST: "s.pinned DESC, s.updated_at_ms, s.id",
    Sort.TITLE: "s.pinned DESC, s.title COLLATE NOCASE, s.id",
    Sort.SIZE: "s.pinned DESC, s.rollout_bytes + s.own_bytes DESC, s.id",
}

_ITEMS = f"""
SELECT id & {_PLACES}, kind, at_ms, turn_id, item_id, box_id, text, cut FROM texts
WHERE id BETWEEN ? AND ? ORDER BY id {{direction}} LIMIT ?
"""


class SessionSearch:
    """Keeps the order of the last few searches, so that the pages of one fit together."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._orders: dict[str, tuple[int, ...]] = {}
        self._made = 0
        self._totals = _Totals()

    async def page(
        self, query: SessionQuery, cursor: str | None, limit: int, standing: Standing, now_ms: int
    ) -> SessionsPage:
        """Raises InvalidRequest for a cursor that is none, StoreError, Closed."""
        words = every_word(query.text)
        if query.text.strip() and not words:
            return SessionsPage((), 0)
        if not words:
            return await self._listed(query, cursor, limit, standing)
        token, first = _parsed(cursor)
        order = self._orders.get(token)
        if order is None:
            order = await self._database.read(
                lambda connection: _found(connection, query, words, standing, now_ms)
            )
            token = self._keep(order)
        page = order[first : first + limit]
        terms = terms_of(query.text)

        def read(connection: sqlite3.Connection) -> tuple[SessionMatch, ...]:
            texts = matching(connection, page, words)
            return tuple(
                SessionMatch(entry, hits_among(connection, texts[session], terms))
                for session, entry in entries_of(connection, page, standing)
            )

        matches = await self._database.read(read)
        rest = first + limit < len(order)
        return SessionsPage(matches, len(order), f"{token}:{first + limit}" if rest else None)

    async def entry(self, key: str, standing: Standing) -> SessionEntry:
        """By its thread's or its conversation's id. Raises NotFound, StoreError, Closed."""
        return await self._database.read(lambda connection: entry_of(connection, key, standing)[1])

    async def items(self, key: str, around: int | None, limit: int) -> tuple[SessionItem, ...]:
        """Raises NotFound, StoreError, Closed."""
        return await self._database.read(lambda connection: _items(connection, key, around, limit))

    async def facets(self) -> Facets:
        """Raises StoreError, Closed."""
        return await self._database.read(_facets)

    async def _listed(
        self, query: SessionQuery, cursor: str | None, limit: int, standing: Standing
    ) -> SessionsPage:
        first = _parsed(cursor)[1]
        where, values = _conditions(query, standing)
        order = _ORDERS[Sort.RECENT] if query.sort is None else _ORDERS.get(query.sort, _ORDERS[Sort.RECENT])
        statement = (
            f"SELECT {ENTRY} FROM sessions s WHERE {where} ORDER BY {order} LIMIT :limit OFFSET :first"
        )

        def read(connection: sqlite3.Connection) -> SessionsPage:
            rows = connection.execute(statement, {**values, "limit": limit, "first": first})
            matches = tuple(SessionMatch(to_entry(row, standing)) for row in rows)
            total = self._totals.of(connection, where, values)
            rest = first + len(matches) < total and len(matches) == limit
            return SessionsPage(matches, total, f"-:{first + limit}" if rest else None)

        return await self._database.read(read)

    def _keep(self, order: tuple[int, ...]) -> str:
        self._made += 1
        token = str(self._made)
        self._orders[token] = order
        if len(self._orders) > ORDERS_KEPT:
            del self._orders[next(iter(self._orders))]
        return token


class _Totals:
    """How many sessions filters leave, counted anew only after something was written.

    Used on SQLite's own threads: a connection's entries are only its own.
    """

    def __init__(self) -> None:
        self._known: dict[object, tuple[int, int]] = {}

    def of(self, connection: sqlite3.Connection, where: str, values: dict[str, Any]) -> int:
        version = connection.execute("PRAGMA data_version").fetchone()[0]
        key = (id(connection), where, *values.values())
        counted = self._known.get(key)
        if counted is None or counted[0] != version:
            total = connection.execute(f"SELECT count(*) FROM sessions s WHERE {where}", values).fetchone()[0]
            if len(self._known) >= ORDERS_KEPT:
                self._known.clear()
            counted = self._known[key] = (version, total)
        return counted[1]


def _parsed(cursor: str | None) -> tuple[str, int]:
    """Which order, and the place in it."""
    if cursor is None:
        return "", 0
    token, _, first = cursor.partition(":")
    if not first.isascii() or not first.isdigit():
        raise InvalidRequest(f"{cursor!r} is no place in the list of sessions", todo="Search again.")
    return token, int(first)


def _found(
    connection: sqlite3.Connection, query: SessionQuery, words: str, standing: Standing, now_ms: int
) -> tuple[int, ...]:
    where, values = _conditions(query, standing)
    order = _ORDERS.get(query.sort, _RELEVANCE) if query.sort is not None else _RELEVANCE
    statement = (
        f"SELECT s.id FROM ({_FOUND}) f JOIN sessions s ON s.id = f.session WHERE {where} ORDER BY {order}"
    )
    return tuple(row[0] for row in connection.execute(statement, {**values, "words": words, "now": now_ms}))


def _conditions(query: SessionQuery, standing: Standing) -> tuple[str, dict[str, Any]]:
    """The filters as SQL; what comes from outside is in the values."""
    values: dict[str, Any] = {}
    parts: list[str] = []

    def equal(column: str, value: object) -> None:
        if value is not None:
            parts.append(f"s.{column} = :{column}")
            values[column] = value

    equal("archived", query.archived)
    if not query.sub_agents and not query.text.strip():
        parts.append("s.sub_agent = 0")
    for column in ("folder", "source", "model", "branch", "has_changes", "pinned"):
        equal(column, getattr(query, column))
    if query.since_ms is not None:
        parts.append("s.updated_at_ms >= :since")
        values["since"] = query.since_ms
    if query.until_ms is not None:
        parts.append("s.updated_at_ms < :until")
        values["until"] = query.until_ms
    if query.tag is not None:
        parts.append("instr(char(10) || s.tags, char(10) || :tag || char(10))")
        values["tag"] = query.tag
    if query.state is not None:
        parts.append(_state_condition(query.state, standing, values))
    return " AND ".join(parts) or "true", values


def _state_condition(state: SessionState, standing: Standing, values: dict[str, Any]) -> str:
    names = {f"live{number}": (key, said) for number, (key, said) in enumerate(standing.states.items())}
    values.update({name: key for name, (key, _) in names.items()})

    def among(wanted: Sequence[str]) -> str:
        listed = ", ".join(f":{name}" for name in wanted)
        return (
            f"(coalesce(s.thread_id IN ({listed}), 0) OR coalesce(s.conversation_id IN ({listed}), 0))"
            if wanted
            else "false"
        )

    here = among([name for name, (_, said) in names.items() if said is state])
    elsewhere = among([name for name, (_, said) in names.items() if said is not state])
    if state is SessionState.UNREADABLE:
        return "s.readable = 0"
    values["state"] = state.value
    return f"s.readable AND ({here} OR (NOT {elsewhere} AND s.last_state = :state))"


def _items(
    connection: sqlite3.Connection, key: str, around: int | None, limit: int
) -> tuple[SessionItem, ...]:
    session, _ = entry_of(connection, key, Standing())
    begin = (session << TEXT_BITS) + FIRST_PLACE
    end = (session << TEXT_BITS) + _PLACES
    backwards, forwards = _ITEMS.format(direction="DESC"), _ITEMS.format(direction="ASC")
    if around is None:
        rows = connection.execute(backwards, (begin, end, limit)).fetchall()[::-1]
    else:
        middle = (session << TEXT_BITS) + min(max(around, FIRST_PLACE), _PLACES)
        before = connection.execute(backwards, (begin, middle - 1, limit // 2)).fetchall()[::-1]
        rows = before + connection.execute(forwards, (middle, end, limit - len(before))).fetchall()
    return tuple(
        SessionItem(place, Kind(kind), at_ms, turn_id, item_id, box_id, text, bool(cut))
        for place, kind, at_ms, turn_id, item_id, box_id, text, cut in rows
    )


def _facets(connection: sqlite3.Connection) -> Facets:
    def count(column: str) -> tuple[Facet, ...]:
        statement = f"""SELECT {column}, count(*) FROM sessions
            WHERE NOT archived AND NOT sub_agent AND {column} != ''
            GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT {FACETS_AT_MOST}"""
        return tuple(Facet(value, number) for value, number in connection.execute(statement))

    tags: dict[str, int] = {}
    for (joined,) in connection.execute("SELECT tags FROM sessions WHERE tags != ''"):
        for tag in joined.split("\n")[:-1]:
            tags[tag] = tags.get(tag, 0) + 1
    sessions, archived = connection.execute(
        "SELECT count(*), coalesce(sum(archived), 0) FROM sessions"
    ).fetchone()
    return Facets(
        folders=count("folder"),
        sources=count("source"),
        models=count("model"),
        branches=count("branch"),
        tags=tuple(Facet(tag, tags[tag]) for tag in sorted(tags, key=lambda tag: (-tags[tag], tag))),
        sessions=sessions,
        archived=archived,
    )
