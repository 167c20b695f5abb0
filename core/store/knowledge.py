"""Documents by owner, found by their words, and owners that are to be forgotten.

The full-text index is kept by triggers, in the transaction that changes a document.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

from core.errors import Conflict, NotFound
from core.knowledge.documents import (
    Document,
    DocumentDraft,
    DocumentInfo,
    Hit,
    Origin,
    Owner,
    OwnerKind,
)
from core.store.clock import Clock
from core.store.database import Database

FORGOTTEN_AT_ONCE = 100
"""Documents that are deleted in one transaction, so that a large owner does not hold up other writes."""

_INFO = """d.id, d.owner_kind, d.owner_id, d.name, d.title, d.origin, d.path, d.pinned, d.characters,
    d.updated_at_ms"""

_PUT = """
INSERT INTO documents (owner_kind, owner_id, name, title, text, characters, origin, pinned, updated_at_ms)
VALUES (:kind, :owner, :name, :title, :text, :characters, :origin, coalesce(:pinned, 0), :now)
ON CONFLICT (owner_kind, owner_id, name) DO UPDATE SET
    title = excluded.title, text = excluded.text, characters = excluded.characters,
    origin = excluded.origin, pinned = coalesce(:pinned, pinned), updated_at_ms = excluded.updated_at_ms
"""

_OPEN, _CLOSE = "\x02", "\x03"
"""Stand around the words found in a snippet. No document has them (`core.knowledge.documents.clean_text`)."""

# A word in the title tells more of what a document is about than one in its text.
_RANKED = """
SELECT d.id, bm25(documents_index, 4.0, 8.0, 1.0) AS score
FROM documents_index JOIN visible_documents d ON d.id = documents_index.rowid
WHERE documents_index MATCH ? AND {owners} ORDER BY score, d.id LIMIT ?
"""

_SNIPPETS = f"""
SELECT {_INFO}, snippet(documents_index, 2, '{_OPEN}', '{_CLOSE}', '…', 32)
FROM documents_index JOIN documents d ON d.id = documents_index.rowid
WHERE documents_index MATCH ? AND documents_index.rowid = ?
"""


class Knowledge:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def put(self, draft: DocumentDraft) -> DocumentInfo:
        """Write a document, or write it anew.

        Raises Conflict where it follows a file, where a model would replace what a person wrote or
        pinned, and under an owner that is being forgotten; StoreError, Closed.
        """
        now = self._clock()
        return await self._database.write(lambda connection: _put(connection, draft, now))

    async def get(self, owner: Owner, name: str) -> Document:
        """Raises NotFound, StoreError, Closed."""
        return await self._database.read(lambda connection: _document(connection, owner, name))

    async def read(self, ids: Sequence[int]) -> list[Document]:
        """In the order of `ids`, without those that are gone. Raises StoreError, Closed."""
        return await self._database.read(lambda connection: _documents(connection, ids))

    async def listing(self, owners: Sequence[Owner], *, pinned: bool = False) -> list[DocumentInfo]:
        """By owner in the order given, then by name; `pinned`: only those. Raises StoreError, Closed."""
        return await self._database.read(
            lambda connection: [info for owner in owners for info in _infos(connection, owner, pinned)]
        )

    async def delete(self, owner: Owner, name: str) -> None:
        """Raises NotFound, Conflict for one that follows a file, StoreError, Closed."""
        await self._database.write(lambda connection: _delete(connection, owner, name))

    async def pin(self, owner: Owner, name: str, pinned: bool) -> DocumentInfo:
        """Raises NotFound, StoreError, Closed."""

        def operation(connection: sqlite3.Connection) -> DocumentInfo:
            info = _document(connection, owner, name).info
            connection.execute("UPDATE documents SET pinned = ? WHERE id = ?", (pinned, info.id))
            return _document(connection, owner, name).info

        return await self._database.write(operation)

    async def search(self, owners: Sequence[Owner], expression: str, limit: int) -> list[Hit]:
        """The best first; `expression` is one of `core.knowledge.query`. Raises StoreError, Closed."""
        if not expression or not owners:
            return []
        return await self._database.read(lambda connection: _search(connection, owners, expression, limit))

    async def begin_forget(self, owner: Owner) -> None:
        """From now on nothing of the owner is seen, and nothing can be written under it.

        It stays so until `forget_some` has said that it is done. Raises StoreError, Closed.
        """
        values = (*key_of(owner), self._clock())
        await self._database.write(
            lambda connection: connection.execute("INSERT OR IGNORE INTO forgets VALUES (?, ?, ?)", values)
        )

    async def forget_some(self, owner: Owner) -> bool:
        """Delete a part of it. False: the last of it is gone, and the job with it. Raises StoreError, Closed."""
        return await self._database.write(lambda connection: _forget_some(connection, owner))

    async def forgets(self) -> list[Owner]:
        """The owners whose forgetting was begun and has not ended. Raises StoreError, Closed."""
        return await self._database.read(
            lambda connection: [
                Owner(OwnerKind(row[0]), row[1])
                for row in connection.execute("SELECT owner_kind, owner_id FROM forgets ORDER BY asked_at_ms")
            ]
        )


def key_of(owner: Owner) -> tuple[str, str]:
    return owner.kind.value, owner.id


def _info(fields: Sequence[Any]) -> DocumentInfo:
    """From the values of `_INFO`."""
    number, kind, owner, name, title, origin, path, pinned, characters, at_ms = fields
    owned_by = Owner(OwnerKind(kind), owner)
    return DocumentInfo(number, owned_by, name, title, Origin(origin), path, bool(pinned), characters, at_ms)


def _document(connection: sqlite3.Connection, owner: Owner, name: str) -> Document:
    document = _find(connection, owner, name)
    if document is None:
        raise NotFound(f"There is no document {name} of this {owner.kind}", todo="Search for it.")
    return document


def _find(connection: sqlite3.Connection, owner: Owner, name: str) -> Document | None:
    row = connection.execute(
        f"SELECT {_INFO}, d.text FROM visible_documents d WHERE owner_kind = ? AND owner_id = ? AND name = ?",
        (*key_of(owner), name),
    ).fetchone()
    return Document(_info(row[:-1]), row[-1]) if row else None


def _documents(connection: sqlite3.Connection, ids: Sequence[int]) -> list[Document]:
    query = f"SELECT {_INFO}, d.text FROM visible_documents d WHERE d.id = ?"
    rows = [connection.execute(query, (number,)).fetchone() for number in ids]
    return [Document(_info(row[:-1]), row[-1]) for row in rows if row]


def _infos(connection: sqlite3.Connection, owner: Owner, pinned: bool) -> list[DocumentInfo]:
    rows = connection.execute(
        f"SELECT {_INFO} FROM visible_documents d WHERE owner_kind = ? AND owner_id = ? AND pinned >= ? ORDER BY name",
        (*key_of(owner), pinned),
    )
    return [_info(row) for row in rows]


def _put(connection: sqlite3.Connection, draft: DocumentDraft, now: int) -> DocumentInfo:
    refuse_forgotten(connection, draft.owner)
    existing = _find(connection, draft.owner, draft.name)
    if existing is not None:
        _refuse_file(existing.info)
        if draft.origin is Origin.MODEL and (
            existing.info.origin is not Origin.MODEL or existing.info.pinned
        ):
            raise Conflict(
                f"The document {draft.name} is not replaced",
                why="a person wrote or pinned it",
                todo="Write under another name.",
            )
    kind, owner = key_of(draft.owner)
    values = {
        "kind": kind,
        "owner": owner,
        "name": draft.name,
        "title": draft.title,
        "text": draft.text,
        "characters": len(draft.text),
        "origin": draft.origin.value,
        "pinned": draft.pinned,
        "now": now,
    }
    connection.execute(_PUT, values)
    return _document(connection, draft.owner, draft.name).info


def _delete(connection: sqlite3.Connection, owner: Owner, name: str) -> None:
    info = _document(connection, owner, name).info
    _refuse_file(info)
    connection.execute("DELETE FROM documents WHERE id = ?", (info.id,))


def _refuse_file(info: DocumentInfo) -> None:
    if info.origin is Origin.FILE:
        raise Conflict(
            f"The document {info.name} follows a file", why=f"it is {info.path}", todo="Change the file."
        )


def refuse_forgotten(connection: sqlite3.Connection, owner: Owner) -> None:
    query = "SELECT 1 FROM forgets WHERE owner_kind = ? AND owner_id = ?"
    if connection.execute(query, key_of(owner)).fetchone():
        raise Conflict(
            f"The documents of this {owner.kind} are being forgotten", todo="Try again in a moment."
        )


def _search(
    connection: sqlite3.Connection, owners: Sequence[Owner], expression: str, limit: int
) -> list[Hit]:
    keys = ", ".join(["(?, ?)"] * len(owners))
    ranked = connection.execute(
        _RANKED.format(owners=f"(d.owner_kind, d.owner_id) IN (VALUES {keys})"),
        (expression, *(part for owner in owners for part in key_of(owner)), limit),
    ).fetchall()
    hits: list[Hit] = []
    # Passages are cut out of the few that are given back, not out of all that match.
    for number, score in ranked:
        row = connection.execute(_SNIPPETS, (expression, number)).fetchone()
        snippet, marks = _marked(row[-1])
        hits.append(Hit(_info(row[:-1]), snippet, marks, score))
    return hits


def _marked(snippet: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """A snippet without its marks, and where they were."""
    text, marks = "", list[tuple[int, int]]()
    for number, part in enumerate(snippet.split(_OPEN)):
        found, _, rest = part.partition(_CLOSE) if number else ("", "", part)
        if found:
            marks.append((len(text), len(text) + len(found)))
        text += found + rest
    return text, tuple(marks)


def _forget_some(connection: sqlite3.Connection, owner: Owner) -> bool:
    key = key_of(owner)
    connection.execute(
        "DELETE FROM documents WHERE id IN "
        "(SELECT id FROM documents WHERE owner_kind = ? AND owner_id = ? LIMIT ?)",
        (*key, FORGOTTEN_AT_ONCE),
    )
    query = "SELECT 1 FROM documents WHERE owner_kind = ? AND owner_id = ? LIMIT 1"
    if connection.execute(query, key).fetchone():
        return True
    connection.execute("DELETE FROM imports WHERE owner_kind = ? AND owner_id = ?", key)
    connection.execute("DELETE FROM forgets WHERE owner_kind = ? AND owner_id = ?", key)
    return False
