"""What the store costs beside SQLite alone: `python -m tests.core.store.bench`. Prints a Markdown table."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from core.rows import ChunkDraft
from core.store.migrations import MIGRATIONS
from core.store.store import Store
from core.thread.boxes import BoxId, ChatBox
from core.thread.records import BoxRecord, Record
from tests.core.store.helpers import add_conversations

INSERT = (
    "INSERT INTO records (conversation_id, seq, recorded_at_ms, box_id, box_type, contents, hidden_type, "
    "hidden_contents) VALUES ('c', ?, 0, ?, ?, ?, ?, ?)"
)
READ = (
    "SELECT box_id, box_type, contents, hidden_type, hidden_contents, after_box_id, event_index, kind, data "
    "FROM records WHERE conversation_id = 'c' AND seq > 0 ORDER BY seq"
)
SIZES = {
    "user": (120, 60),
    "assistant": (1_200, 1_500),
    "tool_call": (90, 600),
    "tool_return": (3_000, 3_600),
}
"""Characters of the contents and of the hidden contents, about as in a session of work on code."""


def typical_box(number: int) -> BoxRecord:
    kind = ("user", "assistant", "tool_call", "tool_return")[number % 4]
    contents, hidden = SIZES[kind]
    return BoxRecord(ChatBox(BoxId(number), kind, "x" * contents, "item", "y" * hidden))


def typical_boxes(count: int) -> list[Record]:
    return [typical_box(number) for number in range(1, count + 1)]


def bare(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def bare_appends(folder: Path, count: int, together: int) -> float:
    """Rows a second into the same table without its triggers, `together` in a transaction."""
    connection = bare(folder / "bare.sqlite3")
    table = MIGRATIONS[0][MIGRATIONS[0].index("CREATE TABLE records") :]
    connection.executescript("DROP TABLE IF EXISTS records;" + table[: table.index(";") + 1])
    rows = [typical_box(number).box for number in range(1, count + 1)]
    start = time.perf_counter()
    for first in range(0, count, together):
        connection.execute("BEGIN")
        for box in rows[first : first + together]:
            connection.execute(
                INSERT, (box.id, box.id, box.box_type, box.contents, box.hidden_type, box.hidden_contents)
            )
        connection.execute("COMMIT")
    seconds = time.perf_counter() - start
    connection.close()
    return count / seconds


async def appends_one_by_one(store: Store, count: int) -> float:
    boxes = [typical_box(number) for number in range(1, count + 1)]
    start = time.perf_counter()
    for seq, box in enumerate(boxes):
        await store.records.append("c", seq, [box])
    return count / (time.perf_counter() - start)


async def appends_by_many(store: Store, writers: int, each: int) -> float:
    """As many conversations at once, each waiting for its own append before the next."""
    names = [f"{writers}-{number}" for number in range(writers)]
    await add_conversations(store, *names)
    boxes = [typical_box(number) for number in range(1, each + 1)]

    async def write(name: str) -> None:
        for seq, box in enumerate(boxes):
            await store.records.append(name, seq, [box])

    start = time.perf_counter()
    await asyncio.gather(*(write(name) for name in names))
    return writers * each / (time.perf_counter() - start)


async def chunks(store: Store, count: int) -> float:
    """Pieces of 4 KiB a second, each durable before the next."""
    piece = ChunkDraft("c", "i", "message", 0, "x" * 4_096)
    start = time.perf_counter()
    for _ in range(count):
        await store.streams.append_chunks([piece])
    return count / (time.perf_counter() - start)


async def best_ms(work: Callable[[], Awaitable[object]], rounds: int = 60) -> float:
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        await work()
        best = min(best, time.perf_counter() - start)
    return best * 1_000


async def measure(folder: Path) -> list[tuple[str, str]]:
    rows: list[tuple[str, str]] = []

    def row(name: str, value: str) -> None:
        rows.append((name, value))

    row("bare sqlite3, a commit each", f"{bare_appends(folder, 2_000, 1):,.0f}/s")
    row("bare sqlite3, 50 a commit", f"{bare_appends(folder, 10_000, 50):,.0f}/s")
    store = await Store.open(folder / "quarterdeck.sqlite3")
    await add_conversations(store, "c", "d")
    row("append, one by one", f"{await appends_one_by_one(store, 2_000):,.0f}/s")
    row("append, 10 conversations at once", f"{await appends_by_many(store, 10, 400):,.0f}/s")
    row("append, 50 conversations at once", f"{await appends_by_many(store, 50, 100):,.0f}/s")
    row("append_chunks of 4 KiB, one by one", f"{await chunks(store, 1_000):,.0f}/s")
    await store.close()

    store = await Store.open(folder / "read.sqlite3")
    await add_conversations(store, "c")
    await store.records.append("c", 0, typical_boxes(1_000))
    connection = bare(folder / "read.sqlite3")

    async def bare_read() -> object:
        return connection.execute(READ).fetchall()

    floor = await best_ms(bare_read)
    row("1,000 boxes, bare sqlite3 query", f"{floor:.2f} ms")
    for name, work in (
        ("1,000 boxes, read", lambda: store.records.read("c")),
        ("1,000 boxes, tail_boxes", lambda: store.records.tail_boxes("c", limit=1_000)),
        ("100 boxes, tail_boxes", lambda: store.records.tail_boxes("c", limit=100)),
    ):
        took = await best_ms(work)
        row(name, f"{took:.2f} ms ({took / floor:.2f}×)")
    connection.close()
    await store.close()

    async def open_and_close() -> object:
        return await (await Store.open(folder / "read.sqlite3")).close()

    row("open and close", f"{await best_ms(open_and_close, 10):.1f} ms")
    return rows


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="quarterdeck-") as folder:
        for name, value in asyncio.run(measure(Path(folder))):
            sys.stdout.write(f"| {name} | {value} |\n")


if __name__ == "__main__":
    main()
