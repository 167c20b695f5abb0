"""What the knowledge base needs of the store. `core.store.knowledge.Knowledge` has it.

Every method raises StoreError where the database cannot do it, and Closed after it was closed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from core.knowledge.documents import (
    Document,
    DocumentDraft,
    DocumentInfo,
    FileText,
    Hit,
    Import,
    Owner,
    Written,
)


class DocumentStore(Protocol):
    async def put(self, draft: DocumentDraft) -> DocumentInfo:
        """Write a document, or write it anew.

        Raises Conflict where it follows a file, where a model would replace what a person wrote or
        pinned, and under an owner that is being forgotten.
        """
        ...

    async def get(self, owner: Owner, name: str) -> Document:
        """Raises NotFound."""
        ...

    async def read(self, ids: Sequence[int]) -> list[Document]:
        """In the order of `ids`, without those that are gone."""
        ...

    async def listing(self, owners: Sequence[Owner], *, pinned: bool = False) -> list[DocumentInfo]:
        """By owner in the order given, then by name; `pinned`: only those."""
        ...

    async def delete(self, owner: Owner, name: str) -> None:
        """Raises NotFound, and Conflict for one that follows a file."""
        ...

    async def pin(self, owner: Owner, name: str, pinned: bool) -> DocumentInfo:
        """Raises NotFound."""
        ...

    async def search(self, owners: Sequence[Owner], expression: str, limit: int) -> list[Hit]:
        """The best first; `expression` is one of `core.knowledge.query`."""
        ...

    async def begin_forget(self, owner: Owner) -> None:
        """From now on nothing of the owner is seen, and nothing can be written under it."""
        ...

    async def forget_some(self, owner: Owner) -> bool:
        """Delete a part of it. False: the last of it is gone, and the job with it."""
        ...

    async def forgets(self) -> list[Owner]:
        """The owners whose forgetting was begun and has not ended."""
        ...


class ImportStore(Protocol):
    async def add(self, owner: Owner, path: str, label: str) -> Import:
        """The import of a path, a new one or the one there is. Raises Conflict for a forgotten owner."""
        ...

    async def all(self) -> list[Import]: ...

    async def drop(self, import_id: int) -> None:
        """End it, with its documents; nothing to do where it is gone."""
        ...

    async def stamps(self, import_id: int) -> dict[str, str]:
        """The stamp of each document of an import, by name."""
        ...

    async def follow(self, import_id: int, texts: Sequence[FileText], gone: Sequence[str]) -> Written:
        """Make documents say what their files say. Nothing happens for an import that is gone."""
        ...
