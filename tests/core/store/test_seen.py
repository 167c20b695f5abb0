"""How far each conversation was seen is kept, and never less than it was."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from core.seen import SeenBoxes
from core.store.database import Database
from core.store.migrations import MIGRATIONS, seen
from core.store.store import Store
from core.thread.log import Reverted
from core.thread.records import EventRecord
from tests.core.store.helpers import add_conversations, boxes, open_store

BEFORE = MIGRATIONS[: MIGRATIONS.index(seen.SQL)]


async def test_what_came_behind_what_was_seen_is_unseen_also_in_the_next_console(path: Path) -> None:
    async with open_store(path) as store:
        await add_conversations(store, "new", "seen", "empty", "more")
        for name in ("new", "seen", "more"):
            await store.records.append(name, 0, boxes((1, 2)))
        await store.seen.mark({"seen": 2, "more": 1})
    async with open_store(path) as store:
        assert await store.seen.behind() == {"new": range(1, 3), "more": range(2, 3)}


async def test_the_watermark_only_rises(store: Store) -> None:
    await add_conversations(store, "a")
    await store.records.append("a", 0, boxes(range(1, 6)))
    await store.seen.mark({"a": 4})
    await store.seen.mark({"a": 2})
    assert await store.seen.behind() == {"a": range(5, 6)}


async def test_a_conversation_that_is_gone_does_not_keep_others_from_being_marked(store: Store) -> None:
    await add_conversations(store, "a")
    await store.records.append("a", 0, boxes((1,)))
    await store.seen.mark({"gone": 3, "a": 1})
    assert await store.seen.behind() == {}


async def test_what_was_taken_back_is_no_news(store: Store) -> None:
    await add_conversations(store, "a", "b")
    for name in ("a", "b"):
        await store.records.append(name, 0, boxes((1, 2, 3)))
        await store.seen.mark({name: 1})
        gone = Reverted(first=2, last=3 if name == "a" else 2)
        await store.records.append(name, 3, [EventRecord(3, 1, gone.kind, gone.model_dump_json())])
    assert await SeenBoxes(store.seen, store.records).unseen() == {"b"}


async def test_what_was_there_before_this_was_known_counts_as_seen(path: Path) -> None:
    old = await Database.open(path, migrations=BEFORE)

    def insert(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO workspaces VALUES ('w', '/somewhere', 1, '{}', '{}')")
        connection.execute(
            """INSERT INTO conversations (id, workspace_id, workspace_revision, title, created_at_ms, updated_at_ms,
            recency, materialised, defaults, lifecycle, last_state)
            VALUES ('a', 'w', 1, '', 1, 1, 1, 0, '{}', 'open', 'idle')"""
        )
        connection.execute(
            "INSERT INTO records VALUES ('a', 1, 1, 'user', 'x', '', '', NULL, NULL, NULL, NULL, 1)"
        )

    await old.write(insert)
    await old.close()
    async with open_store(path) as store:
        assert await store.seen.behind() == {}
        await store.records.append("a", 1, boxes((2,)))
        assert await store.seen.behind() == {"a": range(2, 3)}
