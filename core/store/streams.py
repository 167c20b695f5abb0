"""Streamed text that is in no box yet: what a crash would otherwise take (DESIGN, rule 3)."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from core.errors import NotFound
from core.rows import Chunk, ChunkDraft
from core.store.database import Database

OUTPUT_CHANNEL = "output"
"""A command's output, as in `core.agent.events.Channel`."""

WHOLE_OUTPUT_BYTES = 1024 * 1024
"""Codex cuts a command's output near here: above it the chunks are the only whole copy (PROTOCOL, Items)."""

_INSERT = """
INSERT INTO chunks (conversation_id, item_id, channel, part, seq, text)
SELECT :conversation, :item, :channel, :part, 1 + coalesce(max(seq), 0), :text FROM chunks
WHERE conversation_id = :conversation AND item_id = :item AND channel = :channel AND part = :part
"""

_OUTPUT_BYTES = """
SELECT coalesce(sum(length(CAST(text AS BLOB))), 0) FROM chunks
WHERE conversation_id = ? AND item_id = ? AND channel = ?
"""


class Streams:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def append_chunks(self, chunks: Sequence[ChunkDraft]) -> None:
        """Record pieces in the order given. Raises NotFound for an unknown conversation, StoreError, Closed."""
        await self._database.write(lambda connection: insert_chunks(connection, chunks))

    async def read_chunks(self, conversation_id: str) -> list[Chunk]:
        """The pieces of items in flight, in the order they came. Raises StoreError, Closed."""
        return await self._database.read(
            lambda connection: [
                Chunk(*row)
                for row in connection.execute(
                    "SELECT conversation_id, item_id, channel, part, seq, text FROM chunks "
                    "WHERE conversation_id = ? AND kept = 0 ORDER BY rowid",
                    (conversation_id,),
                )
            ]
        )

    async def read_output(self, conversation_id: str, item_id: str) -> str | None:
        """A command's whole output where it is longer than Codex keeps; None where the item has it all.

        Raises StoreError, Closed.
        """
        rows = await self._database.read(
            lambda connection: connection.execute(
                "SELECT text FROM chunks WHERE conversation_id = ? AND item_id = ? AND channel = ? AND kept = 1 "
                "ORDER BY part, seq",
                (conversation_id, item_id, OUTPUT_CHANNEL),
            ).fetchall()
        )
        return "".join(row[0] for row in rows) if rows else None

    async def drop_chunks(self, conversation_id: str, item_id: str) -> None:
        """The item is recorded: forget its pieces, but keep an output that Codex has cut.

        `Records.append` does the same in the transaction that records the item. Raises StoreError, Closed.
        """
        await self._database.write(lambda connection: delete_chunks(connection, conversation_id, [item_id]))


def insert_chunks(connection: sqlite3.Connection, chunks: Sequence[ChunkDraft]) -> None:
    """Raises NotFound where a conversation does not exist."""
    try:
        connection.executemany(
            _INSERT,
            (
                {
                    "conversation": chunk.conversation_id,
                    "item": chunk.item_id,
                    "channel": chunk.channel,
                    "part": chunk.part,
                    "text": chunk.text,
                }
                for chunk in chunks
            ),
        )
    except sqlite3.IntegrityError as error:
        raise NotFound("Streamed text belongs to no conversation", why=str(error)) from error


def delete_chunks(connection: sqlite3.Connection, conversation_id: str, item_ids: Sequence[str]) -> None:
    """Forget the pieces of items that are recorded, except an output longer than Codex keeps."""
    for item_id in item_ids:
        key = (conversation_id, item_id, OUTPUT_CHANNEL)
        if connection.execute(_OUTPUT_BYTES, key).fetchone()[0] > WHOLE_OUTPUT_BYTES:
            connection.execute(
                "UPDATE chunks SET kept = 1 WHERE conversation_id = ? AND item_id = ? AND channel = ?", key
            )
        connection.execute(
            "DELETE FROM chunks WHERE conversation_id = ? AND item_id = ? AND kept = 0",
            (conversation_id, item_id),
        )
