"""The open database: one task writes, two connections read, and nothing of SQLite runs on the loop."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from core.errors import Closed, QuarterdeckError, StoreError
from core.store.clock import Clock, wall_clock
from core.store.commit import Done, Operation, Outcome, commit
from core.store.connection import Connection
from core.store.failures import explain, is_damage
from core.store.files import suspect
from core.store.locks import FileLock
from core.store.migrations import MIGRATIONS
from core.store.opening import Opening, StoreReport, prepare, presence_lock

T = TypeVar("T")

READERS = 2
_LARGEST_BATCH = 512


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A write that somebody waits for."""

    operation: Operation
    answer: asyncio.Future[Any]


class Database:
    """Made by `open`. Operations and queries are plain functions of an sqlite3 connection.

    They run on SQLite's own threads, so they touch nothing but their arguments. Being plain functions
    they cannot await: no transaction ever waits for anything but the disk.
    """

    def __init__(
        self,
        path: Path,
        report: StoreReport,
        presence: FileLock,
        writer: Connection,
        readers: list[Connection],
    ) -> None:
        self.path = path
        self.report = report
        self._presence = presence
        self._connection = writer
        self._readers: asyncio.Queue[Connection] = asyncio.Queue()
        for reader in readers:
            self._readers.put_nowait(reader)
        self._waiting: asyncio.Queue[_Waiting | None] = asyncio.Queue()
        self._writer = asyncio.create_task(self._write_until_closed(), name="store writer")
        self._closing: asyncio.Task[None] | None = None

    @classmethod
    async def open(
        cls,
        path: Path,
        *,
        clock: Clock = wall_clock,
        busy_timeout_ms: int = 5_000,
        migrations: tuple[str, ...] = MIGRATIONS,
        durable: bool = True,
    ) -> Database:
        """Open the file, or make it (0600, in a folder 0700). `report` says what happened to it.

        Without `durable`, a power cut may take the last writes back: for what can be made again.

        A damaged file is moved aside and a fresh one begun. Raises StoreLocked, StoreTooNew, StoreDamaged
        (another console has the damaged file open) or StoreError.
        """
        opening = asyncio.create_task(
            cls._open(Opening(path, clock, busy_timeout_ms, migrations), durable=durable)
        )
        try:
            return await asyncio.shield(opening)
        except asyncio.CancelledError:
            with suppress(QuarterdeckError):
                await (await opening).close()
            raise

    @classmethod
    async def _open(cls, opening: Opening, *, durable: bool) -> Database:
        presence = presence_lock(opening.path)
        report = await asyncio.to_thread(prepare, opening, presence)
        connections: list[Connection] = []
        try:
            for number in range(1 + READERS):
                connection = Connection(opening.path, opening.wait_ms, writes=number == 0, durable=durable)
                await connection
                connections.append(connection)
        except BaseException as error:
            for connection in connections:
                await connection.close()
            presence.release()
            if isinstance(error, sqlite3.Error):
                raise explain(error, opening.path) from error
            raise
        return cls(opening.path, report, presence, connections[0], connections[1:])

    async def write(self, operation: Callable[[sqlite3.Connection], T]) -> T:
        """The operation's result, once it is on the disk. Writes happen in the order they were asked for.

        Everything that waits goes into one transaction; an operation that raises fails only its caller.
        It may run twice before it counts once. A caller that is cancelled does not know whether it
        counted: one that had not begun does not. Raises what the operation raises, StoreError for what
        SQLite refuses, Closed.
        """
        if self._closing is not None or self._writer.done():
            raise self._closed()
        waiting = _Waiting(operation, asyncio.get_running_loop().create_future())
        self._waiting.put_nowait(waiting)
        return await waiting.answer

    async def read(self, query: Callable[[sqlite3.Connection], T]) -> T:
        """The query's result, from one snapshot that holds every write answered before. Never waits for a write.

        A caller that is cancelled ends the query, so that one who types does not wait for what was typed before.
        Raises what the query raises, StoreError for what SQLite refuses, Closed.
        """
        if self._closing is not None:
            raise self._closed()
        connection = await self._readers.get()
        try:
            return await connection.run(partial(_in_snapshot, query))
        except asyncio.CancelledError:
            connection.give_up()
            raise
        except sqlite3.Error as error:
            raise self._explain(error) from error
        finally:
            self._readers.put_nowait(connection)

    async def data_version(self) -> int:
        """A number that changes when another process has committed, and not when we have.

        Raises StoreError, Closed.
        """
        if self._closing is not None:
            raise self._closed()
        try:
            return await self._connection.run(_data_version)
        except sqlite3.Error as error:
            raise self._explain(error) from error

    async def close(self) -> None:
        """Write and read what waits, then let go of the file. May be called again, and by several."""
        if self._closing is None:
            self._closing = asyncio.create_task(self._close(), name="store close")
        await asyncio.shield(self._closing)

    async def _close(self) -> None:
        self._waiting.put_nowait(None)
        await asyncio.wait([self._writer])
        try:
            for _ in range(READERS):
                await (await self._readers.get()).close()
            await self._connection.close()
        finally:
            self._presence.release()

    async def _write_until_closed(self) -> None:
        try:
            while batch := await self._next_batch():
                await self._commit(batch)
        finally:
            while not self._waiting.empty():
                left = self._waiting.get_nowait()
                if left is not None and not left.answer.done():
                    left.answer.set_exception(self._closed())

    async def _next_batch(self) -> list[_Waiting]:
        """All that waits, up to a limit, and at least one; empty when the database closes."""
        batch: list[_Waiting] = []
        first = await self._waiting.get()
        if first is not None:
            batch.append(first)
        while batch and len(batch) < _LARGEST_BATCH and not self._waiting.empty():
            following = self._waiting.get_nowait()
            if following is None:
                self._waiting.put_nowait(None)
                break
            batch.append(following)
        return batch

    async def _commit(self, batch: list[_Waiting]) -> None:
        wanted = [waiting for waiting in batch if not waiting.answer.cancelled()]
        if not wanted:
            return
        outcomes: list[Outcome] = []
        try:
            outcomes = await self._connection.run(partial(commit, operations=[w.operation for w in wanted]))
        finally:
            for number, waiting in enumerate(wanted):
                if not waiting.answer.done():
                    self._answer(waiting.answer, outcomes[number] if outcomes else None)

    def _answer(self, answer: asyncio.Future[Any], outcome: Outcome | None) -> None:
        if outcome is None:
            answer.set_exception(self._closed())
        elif isinstance(outcome, Done):
            answer.set_result(outcome.value)
        elif isinstance(outcome.error, sqlite3.Error):
            error = self._explain(outcome.error)
            error.__cause__ = outcome.error
            answer.set_exception(error)
        else:
            answer.set_exception(outcome.error)

    def _explain(self, error: sqlite3.Error) -> StoreError:
        if is_damage(error):
            # Without the mark the error is told all the same, and the next open may check anyway.
            with suppress(OSError):
                suspect(self.path)
        return explain(error, self.path)

    def _closed(self) -> Closed:
        return Closed(
            f"The database {self.path} is closed",
            why="This console is quitting, or its writer was stopped",
            todo="What was recorded before is safe; start the console again.",
        )


def _in_snapshot(query: Callable[[sqlite3.Connection], T], connection: sqlite3.Connection) -> T:
    connection.execute("BEGIN")
    try:
        return query(connection)
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _data_version(connection: sqlite3.Connection) -> int:
    return connection.execute("PRAGMA data_version").fetchone()[0]
