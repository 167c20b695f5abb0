"""What a person said in any conversation, newest first."""

from __future__ import annotations

import json
import sqlite3

from core.rows import SaidRow
from core.store.database import Database

_SAID = """
SELECT r.contents, r.hidden_contents, r.recorded_at_ms, r.conversation_id, c.title, w.path
FROM records r INDEXED BY records_said
JOIN conversations c ON c.id = r.conversation_id JOIN workspaces w ON w.id = c.workspace_id
WHERE r.box_type = 'user' AND c.parent_id IS NULL AND (:folder IS NULL OR w.path = :folder)
ORDER BY r.rowid DESC
"""
MOST_LOOKED_AT = 20_000


class Said:
    """The messages that have their place in a conversation, of this and of other clients of Codex.

    A sub-agent's are a model's: it was told its task by another one.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, text: str = "", folder: str | None = None, limit: int = 200) -> tuple[SaidRow, ...]:
        """Those that hold every word of `text`, in any case, each text once; newest first.

        `folder`: only those of conversations there. Raises StoreError, Closed.
        """
        words = text.casefold().split()
        return await self._database.read(lambda connection: _find(connection, words, folder, limit))


def _find(
    connection: sqlite3.Connection, words: list[str], folder: str | None, limit: int
) -> tuple[SaidRow, ...]:
    found: dict[str, SaidRow] = {}
    rows = connection.execute(_SAID, {"folder": folder})
    for _, row in zip(range(MOST_LOOKED_AT), rows, strict=False):
        contents, hidden, *about = row
        typed = _typed(hidden)
        said = SaidRow(contents if typed is None else typed, *about)
        folded = said.text.casefold()
        if said.text not in found and all(word in folded for word in words):
            found[said.text] = said
            if len(found) == limit:
                break
    return tuple(found.values())


def _typed(hidden: str) -> str | None:
    """What was written, where documents were put before it (`InputMeta.typed`)."""
    return json.loads(hidden).get("typed") if hidden else None
