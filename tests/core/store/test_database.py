from __future__ import annotations

import asyncio
import resource
import sqlite3
import threading
from collections.abc import AsyncGenerator, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.errors import Closed, Conflict, StoreError, StoreLocked
from core.store.database import Database
from tests.core.store.helpers import PATIENCE_S, child


@pytest.fixture
async def database(path: Path) -> AsyncGenerator[Database]:
    opened = await Database.open(path, busy_timeout_ms=100)
    yield opened
    await opened.close()


class Gate:
    """An operation that stays in the middle of its transaction until it is let on."""

    def __init__(self) -> None:
        self._entered = threading.Event()
        self._open = threading.Event()

    def operation(self, connection: sqlite3.Connection) -> None:
        self._entered.set()
        assert self._open.wait(PATIENCE_S)

    async def entered(self) -> None:
        assert await asyncio.to_thread(self._entered.wait, PATIENCE_S)

    def let_on(self) -> None:
        self._open.set()


def save(key: str):
    def operation(connection: sqlite3.Connection) -> str:
        connection.execute("INSERT INTO drafts VALUES (?, 'text', 0)", (key,))
        return key

    return operation


def refuse(connection: sqlite3.Connection) -> None:
    connection.execute("INSERT INTO drafts VALUES ('refused', 'text', 0)")
    raise Conflict("no")


def keys(connection: sqlite3.Connection) -> list[str]:
    return [row[0] for row in connection.execute("SELECT key FROM drafts ORDER BY rowid")]


@contextmanager
def largest_file(size: int) -> Generator[None]:
    """No file of this process can grow beyond `size` bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


async def statements(database: Database) -> list[str]:
    """A list that from now on gets every statement of the writer."""
    seen: list[str] = []
    await database.write(lambda connection: connection.set_trace_callback(seen.append))
    seen.clear()
    return seen


async def test_writes_that_wait_together_are_one_commit(database: Database) -> None:
    seen = await statements(database)
    results = await asyncio.gather(*(database.write(save(f"k{number}")) for number in range(20)))
    assert results == [f"k{number}" for number in range(20)]
    assert seen.count("COMMIT") == 1
    assert await database.read(keys) == results


async def test_writes_that_come_during_a_commit_are_the_next_one(database: Database) -> None:
    seen = await statements(database)
    gate = Gate()
    first = asyncio.create_task(database.write(gate.operation))
    await gate.entered()
    others = [asyncio.create_task(database.write(save(f"k{number}"))) for number in range(5)]
    await asyncio.sleep(0)
    gate.let_on()
    await asyncio.gather(first, *others)
    assert seen.count("COMMIT") == 2


async def test_a_write_is_durable_when_it_is_answered(database: Database, path: Path) -> None:
    await database.write(save("k"))
    other = sqlite3.connect(path)
    assert keys(other) == ["k"]
    other.close()


async def test_an_operation_that_fails_fails_alone(database: Database) -> None:
    results = await asyncio.gather(
        database.write(save("before")),
        database.write(refuse),
        database.write(save("after")),
        database.write(lambda connection: connection.execute("INSERT INTO no_such_table VALUES (1)")),
        database.write(lambda connection: 1 // 0),
        return_exceptions=True,
    )
    assert (results[0], results[2]) == ("before", "after")
    assert [type(result) for result in (results[1], *results[3:])] == [
        Conflict,
        StoreError,
        ZeroDivisionError,
    ]
    assert await database.read(keys) == ["before", "after"]


async def test_reads_do_not_wait_behind_a_write(database: Database) -> None:
    await database.write(save("k"))
    gate = Gate()
    writing = asyncio.create_task(database.write(gate.operation))
    await gate.entered()
    assert await asyncio.wait_for(database.read(keys), PATIENCE_S) == ["k"]
    assert not writing.done()
    gate.let_on()
    await writing


async def test_a_read_sees_one_moment(database: Database) -> None:
    gate = Gate()

    def twice(connection: sqlite3.Connection) -> tuple[list[str], list[str]]:
        first = keys(connection)
        gate.operation(connection)
        return first, keys(connection)

    reading = asyncio.create_task(database.read(twice))
    await gate.entered()
    await database.write(save("k"))
    gate.let_on()
    assert await reading == ([], [])
    assert await database.read(keys) == ["k"]


async def test_a_read_cannot_write(database: Database) -> None:
    with pytest.raises(StoreError):
        await database.read(save("k"))
    assert await database.read(keys) == []


async def test_a_cancelled_waiter_that_had_not_begun_changes_nothing(database: Database) -> None:
    gate = Gate()
    first = asyncio.create_task(database.write(gate.operation))
    await gate.entered()
    cancelled = asyncio.create_task(database.write(save("cancelled")))
    kept = asyncio.create_task(database.write(save("kept")))
    await asyncio.sleep(0)
    cancelled.cancel()
    gate.let_on()
    await first
    assert await kept == "kept"
    with pytest.raises(asyncio.CancelledError):
        await cancelled
    assert await database.read(keys) == ["kept"]


async def test_a_waiter_cancelled_in_the_middle_leaves_the_writer_at_work(database: Database) -> None:
    gate = Gate()
    cancelled = asyncio.create_task(database.write(gate.operation))
    await gate.entered()
    cancelled.cancel()
    with pytest.raises(asyncio.CancelledError):
        await cancelled
    later = asyncio.create_task(database.write(save("later")))
    gate.let_on()
    assert await asyncio.wait_for(later, PATIENCE_S) == "later"


async def test_a_cancelled_read_gives_its_connection_back(database: Database) -> None:
    for _ in range(4):
        gate = Gate()
        reading = asyncio.create_task(database.read(gate.operation))
        await gate.entered()
        reading.cancel()
        gate.let_on()
        with pytest.raises(asyncio.CancelledError):
            await reading
    assert await asyncio.wait_for(database.read(keys), PATIENCE_S) == []


async def test_closing_writes_what_waits_and_then_refuses(path: Path) -> None:
    database = await Database.open(path)
    waiting = [asyncio.create_task(database.write(save(f"k{number}"))) for number in range(1_000)]
    reading = asyncio.create_task(database.read(keys))
    await asyncio.sleep(0)
    await asyncio.gather(database.close(), database.close())
    assert [task.result() for task in waiting] == [f"k{number}" for number in range(1_000)]
    assert reading.done()
    for refused in (database.write(refuse), database.read(keys), database.data_version()):
        with pytest.raises(Closed):
            await refused
    await database.close()
    reopened = await Database.open(path)
    assert len(await reopened.read(keys)) == 1_000
    await reopened.close()


async def test_closing_goes_on_when_its_caller_is_cancelled(path: Path) -> None:
    database = await Database.open(path)
    gate = Gate()
    writing = asyncio.create_task(database.write(gate.operation))
    await gate.entered()
    closing = asyncio.create_task(database.close())
    await asyncio.sleep(0)
    closing.cancel()
    gate.let_on()
    with pytest.raises(asyncio.CancelledError):
        await closing
    await writing
    await asyncio.wait_for(database.close(), PATIENCE_S)


async def test_a_stopped_writer_tells_every_waiter(path: Path) -> None:
    database = await Database.open(path)
    gate = Gate()
    running = asyncio.create_task(database.write(gate.operation))
    await gate.entered()
    queued = asyncio.create_task(database.write(save("k")))
    await asyncio.sleep(0)
    next(task for task in asyncio.all_tasks() if task.get_name() == "store writer").cancel()
    for task in (running, queued):
        with pytest.raises(Closed):
            await asyncio.wait_for(task, PATIENCE_S)
    with pytest.raises(Closed):
        await database.write(save("k"))
    gate.let_on()
    await asyncio.wait_for(database.close(), PATIENCE_S)


async def test_a_database_locked_by_another_process_is_said_to_be(database: Database, path: Path) -> None:
    seen = await statements(database)
    async with child("lock", path) as other:
        await other.expect("locked")
        results = await asyncio.gather(
            database.write(save("one")), database.write(save("two")), return_exceptions=True
        )
        assert [type(result) for result in results] == [StoreLocked, StoreLocked]
        assert "Another process" in str(results[0])
        assert seen.count("BEGIN IMMEDIATE") == 1, "they wait together, not one after the other"
        assert await database.read(keys) == []
        other.tell("let go")
        await other.expect("unlocked")
    assert await database.write(save("three")) == "three"


async def test_a_full_disk_fails_what_does_not_fit_and_nothing_else(database: Database) -> None:
    pages = await database.read(lambda connection: connection.execute("PRAGMA page_count").fetchone()[0])
    await database.write(lambda connection: connection.execute(f"PRAGMA max_page_count = {pages + 2}"))

    def large(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO drafts VALUES ('large', ?, 0)", ("x" * 100_000,))

    results = await asyncio.gather(
        database.write(save("before")),
        database.write(large),
        database.write(large),
        database.write(save("after")),
        return_exceptions=True,
    )
    assert (results[0], results[3]) == ("before", "after")
    assert [type(result) for result in results[1:3]] == [StoreError, StoreError]
    assert "disk" in str(results[1]) and "full" in str(results[1]) and "Free some space" in str(results[1])
    await database.write(lambda connection: connection.execute("PRAGMA max_page_count = 100000"))
    await database.write(large)
    assert await database.read(keys) == ["before", "after", "large"]


async def test_a_disk_that_refuses_the_commit_tells_every_waiter(database: Database, path: Path) -> None:
    log = path.with_name(f"{path.name}-wal")

    def large(key: str):
        def operation(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT INTO drafts VALUES (?, ?, 0)", (key, "x" * 10_000))

        return operation

    await database.write(save("before"))
    with largest_file(log.stat().st_size + 4_096):
        results = await asyncio.gather(
            *(database.write(large(f"k{number}")) for number in range(5)), return_exceptions=True
        )
    assert [type(result) for result in results] == [StoreError] * 5
    assert "disk" in str(results[0])
    assert await database.read(keys) == ["before"]
    await database.write(large("after"))
    assert await database.read(keys) == ["before", "after"]


async def test_a_database_that_turns_read_only_is_said_to_be(database: Database) -> None:
    await database.write(lambda connection: connection.execute("PRAGMA query_only = ON"))
    with pytest.raises(StoreError, match="cannot be written"):
        await database.write(save("k"))


async def test_a_page_that_goes_bad_under_way_is_said_to_be_damage(database: Database, path: Path) -> None:
    await database.write(lambda connection: connection.execute("INSERT INTO drafts VALUES ('k', x'ff41', 0)"))
    with pytest.raises(StoreError, match="cannot be read"):
        await database.read(
            lambda connection: connection.execute("SELECT CAST(text AS TEXT) FROM drafts").fetchall()
        )


async def test_two_databases_on_one_file_see_each_other(database: Database, path: Path) -> None:
    other = await Database.open(path)
    await database.write(save("one"))
    await other.write(save("two"))
    assert await database.read(keys) == await other.read(keys) == ["one", "two"]
    await other.close()
