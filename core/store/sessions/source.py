"""What the index takes from our own database: conversations, boxes and decisions, each after a watermark."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from core.rows import Lifecycle
from core.sessions.rows import ConversationFacts
from core.store.database import Database
from core.thread.boxes import ChatBox

_CONVERSATIONS = """
SELECT c.id, c.thread_id, c.title, w.path, c.created_at_ms, c.updated_at_ms, c.last_state, c.recency, c.lifecycle
FROM conversations c JOIN workspaces w ON w.id = c.workspace_id
WHERE c.recency > ? ORDER BY c.recency LIMIT ?
"""

_RECORDS = """
SELECT seq, recorded_at_ms, box_id, box_type, contents, hidden_type, hidden_contents, length(data)
FROM records WHERE conversation_id = ? AND seq > ? ORDER BY seq LIMIT ?
"""

_DECISIONS = """
SELECT id, at_ms, conversation_id, content, answer FROM decisions WHERE id > ? ORDER BY id LIMIT ?
"""


@dataclass(frozen=True, slots=True)
class RecordedBoxes:
    """Boxes with when they were recorded. `seq`: the last record that was looked at; `bytes`: what they take."""

    boxes: tuple[tuple[int, ChatBox], ...]
    seq: int
    bytes: int


@dataclass(frozen=True, slots=True)
class RecordedDecision:
    """`content` and `answer` are JSON."""

    id: int
    at_ms: int
    conversation_id: str | None
    content: str
    answer: str


class SessionSource:
    """Reads only."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def conversations_after(self, recency: int, limit: int) -> tuple[ConversationFacts, ...]:
        """Those that changed since, in the order they did. Raises StoreError, Closed."""
        return await self._database.read(
            lambda connection: tuple(
                ConversationFacts(*row[:8], closed=row[8] != Lifecycle.OPEN)
                for row in connection.execute(_CONVERSATIONS, (recency, limit))
            )
        )

    async def threads(self) -> frozenset[str]:
        """Those that an open conversation is bound to. Raises StoreError, Closed."""
        query = f"SELECT thread_id FROM conversations WHERE lifecycle = '{Lifecycle.OPEN}' AND thread_id IS NOT NULL"
        return await self._database.read(
            lambda connection: frozenset(thread_id for (thread_id,) in connection.execute(query))
        )

    async def boxes_after(self, conversation_id: str, seq: int, limit: int) -> RecordedBoxes:
        """Of the next `limit` records. Raises StoreError, Closed."""
        return await self._database.read(lambda connection: _boxes(connection, conversation_id, seq, limit))

    async def decisions_after(self, number: int, limit: int) -> tuple[RecordedDecision, ...]:
        """Raises StoreError, Closed."""
        return await self._database.read(
            lambda connection: tuple(
                RecordedDecision(*row) for row in connection.execute(_DECISIONS, (number, limit))
            )
        )


def _boxes(connection: sqlite3.Connection, conversation_id: str, seq: int, limit: int) -> RecordedBoxes:
    boxes: list[tuple[int, ChatBox]] = []
    size = 0
    for number, at_ms, *box, event in connection.execute(_RECORDS, (conversation_id, seq, limit)):
        seq = number
        if box[0] is None:
            size += event
        else:
            boxes.append((at_ms, ChatBox(*box)))
            size += len(box[2]) + len(box[4])
    return RecordedBoxes(tuple(boxes), seq, size)
