"""Another process at the database: `python -m tests.core.store.child MODE PATH …`. It says what it did on stdout."""

from __future__ import annotations

import asyncio
import itertools
import os
import sqlite3
import sys
from contextlib import aclosing
from pathlib import Path

from core.store.leases import Holder
from core.store.store import Store
from tests.core.store.helpers import box


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


async def append(path: Path, promises: str, checkpoint_pages: str, *conversations: str) -> None:
    """Append to each conversation from where it ends, until killed.

    Each append that is durable is said, and before that written to the file `promises`: what stands there
    when this process is stopped is all that it has promised.
    """
    file = os.open(promises, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
    store = await Store.open(path, console="appender")
    await store.database.write(lambda c: c.execute(f"PRAGMA wal_autocheckpoint = {int(checkpoint_pages)}"))

    async def forever(conversation: str) -> None:
        seq = await store.records.last_seq(conversation)
        while True:
            seq = await store.records.append(conversation, seq, [box(seq + 1)])
            os.write(file, f"{conversation} {seq}\n".encode())
            say("appended")

    await asyncio.gather(*(forever(conversation) for conversation in conversations))


async def make(folder: Path) -> None:
    """Make one database after another until killed; say the number of each before it is made."""
    for number in itertools.count():
        say(f"{number}")
        store = await Store.open(folder / f"{number}" / "quarterdeck.sqlite3")
        await store.close()


async def follow(path: Path, conversation: str, until: str) -> None:
    """Say the last seq at the start of the watch and after each change; append one record at the end."""
    store = await Store.open(path, console="follower")
    async with aclosing(store.changes.watch()) as changes:
        async for _ in changes:
            seq = await store.records.last_seq(conversation)
            say(f"sees {seq}")
            if seq >= int(until):
                break
    await store.records.append(conversation, int(until), [box(int(until) + 1)])
    say("appended")
    await store.close()


async def lease(path: Path, conversation: str) -> None:
    """Hold the lease until killed, or say who has it."""
    store = await Store.open(path, console="pts/7")
    taken = store.leases.acquire(conversation)
    say(f"held by {taken.console}" if isinstance(taken, Holder) else "taken")
    await asyncio.to_thread(sys.stdin.readline)


def lock(path: Path) -> None:
    """Hold SQLite's write lock until told to let go."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    say("locked")
    sys.stdin.readline()
    connection.execute("ROLLBACK")
    say("unlocked")


def main(mode: str, path: Path, *arguments: str) -> None:
    if mode == "lock":
        lock(path)
    else:
        asyncio.run(
            {"append": append, "make": make, "follow": follow, "lease": lease}[mode](path, *arguments)
        )


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), *sys.argv[3:])
