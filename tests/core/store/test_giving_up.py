"""A read whose caller is gone."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from pathlib import Path

import pytest

from core.store.database import READERS, Database

ENDLESS = (
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n WHERE passed(i)"
)


async def test_reads_that_nobody_waits_for_any_more_end(tmp_path: Path) -> None:
    database = await Database.open(tmp_path / "q.sqlite3")
    begun = threading.Semaphore(0)

    def endless(connection: sqlite3.Connection) -> int:
        # Only a statement that runs calls it.
        connection.create_function("passed", 1, lambda number: number != 9 or begun.release() is None)
        return connection.execute(ENDLESS).fetchone()[0]

    try:
        reads = [asyncio.create_task(database.read(endless)) for _ in range(READERS)]
        for _ in reads:
            await asyncio.to_thread(begun.acquire)
        for read in reads:
            read.cancel()
            with pytest.raises(asyncio.CancelledError):
                await read
        async with asyncio.timeout(10):
            assert await database.read(lambda connection: connection.execute("SELECT 7").fetchone()) == (7,)
    finally:
        await asyncio.wait_for(database.close(), 10)
