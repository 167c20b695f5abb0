"""What a SIGKILL or a power cut leaves: every log a whole beginning of what was written, and all that was promised."""

from __future__ import annotations

import asyncio
import random
import shutil
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.store.files import companion
from core.store.store import Store
from tests.core.store.helpers import add_conversations, box, child, open_store

CONVERSATIONS = ("c", "d", "e")
SEED = random.SystemRandom().randrange(1_000_000)


@pytest.fixture
def dice() -> random.Random:
    print(f"seed {SEED}")  # noqa: T201 - shown with a failure, to replay it
    return random.Random(SEED)


@pytest.fixture
def promises(tmp_path: Path) -> Path:
    """Where the child writes what is durable."""
    return tmp_path / "promises"


def promised(promises: Path) -> dict[str, int]:
    """The last seq of each conversation that was reported durable."""
    last: dict[str, int] = defaultdict(int)
    for line in promises.read_text().splitlines():
        conversation, seq = line.split()
        last[conversation] = max(last[conversation], int(seq))
    return last


async def assert_whole(store: Store, at_least: dict[str, int]) -> None:
    assert store.report.sentence == ""
    for conversation in CONVERSATIONS:
        records = await store.records.read(conversation)
        assert records == [box(number) for number in range(1, len(records) + 1)]
        assert len(records) >= at_least.get(conversation, 0)


async def test_a_kill_loses_nothing_that_was_reported_durable(
    path: Path, promises: Path, dice: random.Random
) -> None:
    async with open_store(path) as store:
        await add_conversations(store, *CONVERSATIONS)
    for _ in range(5):
        async with child("append", path, str(promises), "50", *CONVERSATIONS) as appender:
            await appender.lines(dice.randrange(1, 300))
            await appender.kill()
        async with open_store(path) as store:
            await assert_whole(store, promised(promises))
    assert sum(promised(promises).values()) > 5


async def test_a_kill_while_a_file_is_made_leaves_one_that_can_be_used(
    tmp_path: Path, dice: random.Random
) -> None:
    for folder in (tmp_path / f"{number}" for number in range(6)):
        async with child("make", folder) as maker:
            await maker.lines(dice.randrange(2, 30))
            await maker.kill()
        async with open_store(folder / maker.said[-1] / "quarterdeck.sqlite3") as store:
            assert store.report.sentence == ""
            await add_conversations(store, *CONVERSATIONS)
            await assert_whole(store, {})


@dataclass(frozen=True)
class Snapshot:
    """The files as a power cut would find them, and what had been promised by then."""

    path: Path
    at_least: dict[str, int]

    def copy(self, to: Path) -> Path:
        to.mkdir()
        for suffix in ("", "-wal"):
            shutil.copy(companion(self.path, suffix), companion(to / self.path.name, suffix))
        return to / self.path.name


async def snapshots(
    path: Path, promises: Path, checkpoint_pages: int, dice: random.Random, count: int
) -> list[Snapshot]:
    """Freeze a busy child at random instants and copy its database and log."""
    taken: list[Snapshot] = []
    async with child("append", path, str(promises), str(checkpoint_pages), *CONVERSATIONS) as appender:
        for number in range(count):
            await appender.lines(dice.randrange(1, 120))
            with appender.stopped():
                at_least = promised(promises)
                copy = Snapshot(path, at_least).copy(promises.with_name(f"snapshot {number}"))
                taken.append(Snapshot(copy, at_least))
    return taken


async def test_a_power_cut_loses_nothing_that_was_reported_durable(
    path: Path, promises: Path, dice: random.Random
) -> None:
    """The log is emptied into the database all the time, so that some cuts fall into that."""
    async with open_store(path) as store:
        await add_conversations(store, *CONVERSATIONS)
    taken = await snapshots(path, promises, 20, dice, 12)
    assert sum(taken[-1].at_least.values()) >= len(taken)
    for snapshot in taken:
        async with open_store(snapshot.path) as store:
            await assert_whole(store, snapshot.at_least)


async def test_a_log_cut_anywhere_leaves_a_whole_beginning(
    path: Path, promises: Path, dice: random.Random
) -> None:
    """The log is never emptied: what the disk had not written yet may be missing from any point on."""
    async with open_store(path) as store:
        await add_conversations(store, *CONVERSATIONS)
    taken = await snapshots(path, promises, 0, dice, 4)
    for snapshot in taken:
        size = companion(snapshot.path, "-wal").stat().st_size
        offsets = sorted([0, size, *(dice.randrange(size) for _ in range(8))])
        before = 0
        for offset in offsets:
            cut = snapshot.copy(snapshot.path.parent / f"cut at {offset}")
            with companion(cut, "-wal").open("r+b") as log:
                log.truncate(offset)
            async with open_store(cut) as store:
                await assert_whole(store, snapshot.at_least if offset == size else {})
                total = sum([await store.records.last_seq(conversation) for conversation in CONVERSATIONS])
            assert total >= before
            before = total
        assert before >= sum(snapshot.at_least.values()) > 0


async def test_a_log_with_a_torn_end_leaves_a_whole_beginning(
    path: Path, promises: Path, dice: random.Random
) -> None:
    async with open_store(path) as store:
        await add_conversations(store, *CONVERSATIONS)
    (snapshot,) = await snapshots(path, promises, 0, dice, 1)
    size = companion(snapshot.path, "-wal").stat().st_size
    for _ in range(4):
        offset = dice.randrange(size)
        torn = snapshot.copy(snapshot.path.parent / f"torn at {offset}")
        with companion(torn, "-wal").open("r+b") as log:
            log.seek(offset)
            log.write(dice.randbytes(4_096))
        async with open_store(torn) as store:
            await assert_whole(store, {})


async def test_two_consoles_killed_while_both_append_leave_both_logs_whole(
    path: Path, promises: Path, dice: random.Random
) -> None:
    async with open_store(path) as store:
        await add_conversations(store, *CONVERSATIONS)
    both = (promises, promises.with_name("promises of the other"))
    async with (
        child("append", path, str(both[0]), "30", "c") as one,
        child("append", path, str(both[1]), "30", "d", "e") as two,
    ):
        await asyncio.gather(one.lines(dice.randrange(20, 150)), two.lines(dice.randrange(20, 150)))
        await asyncio.gather(one.kill(), two.kill())
    async with open_store(path) as store:
        await assert_whole(store, promised(both[0]) | promised(both[1]))
