"""Operations that take more than one step: begun on disk, done at Codex, ended on disk."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from enum import StrEnum

from core.errors import CallTimedOut, Conflict, ConnectionLost, QuarterdeckError
from core.rows import OperationRow
from core.store.leases import Holder
from core.store.store import Store

log = logging.getLogger(__name__)


class Kind(StrEnum):
    """What is done. The words are in the database, and shown."""

    FORK = "fork"
    ARCHIVE = "archive"
    UNARCHIVE = "unarchive"
    DELETE = "delete"
    RENAME = "rename"


class Step:
    """One operation under way. It ends when the block around it does.

    Unless the block set `ended`: it has ended it itself, or leaves it begun for a later time.
    """

    def __init__(self, number: int) -> None:
        self.number = number
        self.ended = False


class Journal:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._under_way: set[str] = set()

    def under_way(self, conversation_id: str) -> bool:
        """Whether something is being done with a conversation here."""
        return conversation_id in self._under_way

    @asynccontextmanager
    async def step(self, conversation_id: str, kind: Kind, data: str = "{}") -> AsyncGenerator[Step]:
        """Begin an operation for the block, and end it with it.

        Where Codex goes away in the block it stays begun: `resume` finishes it. Raises Conflict where something
        else is being done with the conversation, here or in another console; StoreError.
        """
        name = _lease_of(conversation_id)
        if isinstance(self._store.leases.acquire(name), Holder):
            raise Conflict(
                "Something else is being done with this conversation", todo="Try again in a moment."
            )
        self._under_way.add(conversation_id)
        try:
            number = await self._store.operations.begin(conversation_id, kind, data)
            async with self._ending(number) as step:
                yield step
        finally:
            self._under_way.discard(conversation_id)
            self._store.leases.release(name)

    @asynccontextmanager
    async def resume(self, row: OperationRow) -> AsyncGenerator[Step | None]:
        """Take up one that was left behind; None where whoever began it is still at it, or it ended meanwhile."""
        name = _lease_of(row.conversation_id)
        if isinstance(self._store.leases.acquire(name), Holder):
            yield None
            return
        try:
            if all(pending.id != row.id for pending in await self._store.operations.pending()):
                yield None
                return
            async with self._ending(row.id) as step:
                yield step
        finally:
            self._store.leases.release(name)

    @asynccontextmanager
    async def _ending(self, number: int) -> AsyncGenerator[Step]:
        step = Step(number)
        try:
            yield step
        except (ConnectionLost, CallTimedOut) as error:
            log.info("operation %d is finished later: %s", number, error)
            raise
        except QuarterdeckError as error:
            await self._store.operations.end(number, str(error), failed=True)
            raise
        if not step.ended:
            await self._store.operations.end(number)


def _lease_of(conversation_id: str) -> str:
    return f"operation-{conversation_id}"
