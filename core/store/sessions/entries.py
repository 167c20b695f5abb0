"""Rows of sessions as entries, with what they do now. Runs on SQLite's own thread."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

from core.errors import NotFound
from core.sessions.model import SessionEntry, SessionState
from core.sessions.rows import Standing

ENTRY = """s.id, s.thread_id, s.conversation_id, s.title, s.preview, s.folder, s.branch, s.source, s.model,
    s.provider, s.created_at_ms, s.updated_at_ms, s.archived, s.last_state, s.turns, s.items,
    s.rollout_bytes + s.own_bytes, s.tags, s.pinned, s.has_changes, s.parent_id, s.forked_from_id, s.rollout,
    s.readable, s.why"""


def entries_of(
    connection: sqlite3.Connection, sessions: Sequence[int], standing: Standing
) -> list[tuple[int, SessionEntry]]:
    """In the order of `sessions`, without those that are gone."""
    found: list[tuple[int, SessionEntry]] = []
    for session in sessions:
        row = connection.execute(f"SELECT {ENTRY} FROM sessions s WHERE s.id = ?", (session,)).fetchone()
        if row is not None:
            found.append((session, to_entry(row, standing)))
    return found


def entry_of(connection: sqlite3.Connection, key: str, standing: Standing) -> tuple[int, SessionEntry]:
    row = connection.execute(
        f"SELECT {ENTRY} FROM sessions s WHERE s.thread_id = :key OR s.conversation_id = :key", {"key": key}
    ).fetchone()
    if row is None:
        raise NotFound(f"There is no session {key}", todo="Look at the list again.")
    return row[0], to_entry(row, standing)


def to_entry(row: Sequence[Any], standing: Standing) -> SessionEntry:
    (_, thread_id, conversation_id, title, preview, folder, branch, source, model, provider) = row[:10]
    (created, updated, archived, last_state, turns, items, size, tags, pinned, has_changes) = row[10:20]
    parent_id, forked_from_id, rollout, readable, why = row[20:]
    keys = tuple(key for key in (conversation_id, thread_id) if key is not None)
    states = [standing.states[key] for key in keys if key in standing.states]
    state = _most_urgent(states) if states else _state(last_state)
    return SessionEntry(
        key=thread_id or conversation_id,
        thread_id=thread_id,
        conversation_id=conversation_id,
        title=title,
        preview=preview,
        folder=folder,
        branch=branch,
        source=source,
        model=model,
        provider=provider,
        created_at_ms=created,
        updated_at_ms=updated,
        archived=bool(archived),
        state=state if readable else SessionState.UNREADABLE,
        pending=max((standing.pending.get(key, 0) for key in keys), default=0),
        turns=turns,
        items=items,
        bytes=size,
        tags=tuple(tags.split("\n")[:-1]),
        pinned=bool(pinned),
        has_changes=bool(has_changes),
        parent_id=parent_id,
        forked_from_id=forked_from_id,
        rollout=rollout,
        why=why,
    )


def _state(word: str) -> SessionState:
    return next((state for state in SessionState if state == word), SessionState.IDLE)


def _most_urgent(states: Sequence[SessionState]) -> SessionState:
    return min(states, key=list(SessionState).index)
