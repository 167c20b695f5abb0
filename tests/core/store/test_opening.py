from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Generator
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import StoreDamaged, StoreError, StoreLocked, StoreTooNew
from core.store import opening, schema
from core.store.database import Database
from core.store.files import companion, is_suspect, suspect
from core.store.migrations import MIGRATIONS
from core.store.schema import APPLICATION_ID
from core.store.store import Store
from tests.core.store.helpers import add_conversations, boxes, child, not_root, open_store

VERSION_1 = Path(__file__).with_name("version_1.sql")
NEXT_VERSION = (*MIGRATIONS, "ALTER TABLE drafts ADD COLUMN caret INTEGER NOT NULL DEFAULT 0")
NEW_YEAR_MS = 1_767_225_600_000


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def value(path: Path, statement: str):
    connection = sqlite3.connect(path)
    try:
        return connection.execute(statement).fetchone()[0]
    finally:
        connection.close()


def make_version_1(path: Path) -> None:
    path.parent.mkdir(parents=True)
    connection = sqlite3.connect(path)
    connection.executescript(VERSION_1.read_text(encoding="utf-8"))
    connection.close()


async def fill(path: Path, count: int = 400) -> None:
    async with open_store(path) as store:
        await add_conversations(store, "c")
        await store.records.append("c", 0, boxes(range(1, count + 1)))


async def test_a_new_file_is_private_and_says_that_it_is_fresh(path: Path) -> None:
    previous = os.umask(0)
    try:
        async with open_store(path) as store:
            assert store.report.fresh
            assert store.report.sentence == ""
            await add_conversations(store, "c")
            for file in (path, companion(path, "-wal"), companion(path, "-shm")):
                assert mode_of(file) == 0o600
            assert mode_of(path.parent) == mode_of(path.parent / "locks") == 0o700
            assert all(mode_of(file) == 0o600 for file in (path.parent / "locks").iterdir())
    finally:
        os.umask(previous)


async def test_a_file_that_others_could_read_is_made_private(path: Path) -> None:
    await fill(path, 1)
    path.chmod(0o644)
    async with open_store(path):
        assert mode_of(path) == 0o600


async def test_every_connection_is_durable_and_checks_references(store: Store) -> None:
    def settings(connection: sqlite3.Connection) -> list[object]:
        names = ("journal_mode", "synchronous", "foreign_keys")
        return [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names]

    full = 2
    assert await store.database.write(settings) == ["wal", full, 1]
    assert await store.database.read(settings) == ["wal", full, 1]


async def test_what_was_recorded_is_there_at_the_next_open(path: Path) -> None:
    await fill(path, 3)
    async with open_store(path) as store:
        assert not store.report.fresh
        assert await store.records.read("c") == boxes([1, 2, 3])


async def test_an_empty_file_is_a_fresh_one(path: Path) -> None:
    path.parent.mkdir()
    path.touch()
    async with open_store(path) as store:
        assert store.report.fresh
        assert store.report.moved_to is None


async def test_a_file_whose_making_was_cut_short_is_finished(path: Path) -> None:
    path.parent.mkdir()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.close()
    async with open_store(path) as store:
        assert store.report.fresh
        await add_conversations(store, "c")


async def test_a_file_whose_making_was_cut_in_the_middle_of_a_write_is_finished(
    path: Path, tmp_path: Path
) -> None:
    path.parent.mkdir()
    connection = sqlite3.connect(tmp_path / "other", isolation_level=None)
    connection.execute("PRAGMA cache_size = 1")
    connection.execute("BEGIN")
    connection.execute("CREATE TABLE half_made (text TEXT)")
    connection.executemany("INSERT INTO half_made VALUES (?)", [("x" * 2_000,)] * 100)
    for suffix in ("", "-journal"):
        shutil.copy(companion(tmp_path / "other", suffix), companion(path, suffix))
    connection.close()
    assert path.stat().st_size > 0
    async with open_store(path) as store:
        assert store.report.fresh and store.report.sentence == ""


async def test_two_consoles_that_start_at_once_make_one_database(path: Path) -> None:
    one, two = await asyncio.gather(Store.open(path), Store.open(path))
    assert sorted([one.report.fresh, two.report.fresh]) == [False, True]
    await add_conversations(one, "c")
    assert (await two.conversations.get("c")).id == "c"
    await asyncio.gather(one.close(), two.close())


async def test_a_newer_file_is_left_alone(path: Path) -> None:
    await fill(path, 1)
    newer = len(MIGRATIONS) + 1
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {newer}")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StoreTooNew, match="Update Quarterdeck"):
        await Database.open(path)
    assert path.read_bytes() == before


async def test_the_database_of_another_program_is_left_alone(path: Path) -> None:
    path.parent.mkdir()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE bookmarks (url TEXT)")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="not a Quarterdeck database"):
        await Database.open(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("damage", ["header", "page", "cut"])
async def test_a_damaged_file_is_moved_aside_whole_and_a_fresh_one_begun(path: Path, damage: str) -> None:
    await fill(path)
    size = path.stat().st_size
    with path.open("r+b") as file:
        if damage == "header":
            file.write(b"\xa5" * 4_096)
        elif damage == "page":
            file.seek(size // 2 // 4_096 * 4_096)
            file.write(b"\xa5" * 2_048)
        else:
            file.truncate(size // 2)
    companion(path, "-wal").write_bytes(b"what was in the log")
    before = path.read_bytes()

    store = await Store.open(path, clock=lambda: NEW_YEAR_MS)
    moved_to = store.report.moved_to
    assert moved_to == path.with_name(f"{path.name}.damaged-20260101T000000Z")
    assert store.report.fresh and store.report.damage
    assert str(moved_to) in store.report.sentence
    assert moved_to.read_bytes() == before
    assert companion(moved_to, "-wal").read_bytes() == b"what was in the log"
    assert await store.conversations.recent() == []
    assert mode_of(path) == 0o600
    await store.close()


def spoil_middle(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2 // 4_096 * 4_096)
        file.write(b"\xa5" * 4_096)


async def test_a_bad_page_shows_at_open_after_a_clean_close_too(path: Path) -> None:
    await fill(path)
    spoil_middle(path)
    assert not companion(path, "-wal").exists()
    async with open_store(path) as store:
        assert store.report.moved_to is not None


async def test_a_large_file_is_checked_once_a_read_has_met_damage(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "ALWAYS_CHECKED_BYTES", 0)
    await fill(path)
    spoil_middle(path)
    async with open_store(path) as store:
        assert store.report.moved_to is None
        with pytest.raises(StoreDamaged, match="start again"):
            await store.records.read("c")
    async with open_store(path) as store:
        assert store.report.moved_to is not None
        await add_conversations(store, "c")
    assert [file.name for file in path.parent.iterdir() if file.name.endswith("-suspect")] == [
        f"{store.report.moved_to.name}-suspect"
    ]


async def test_a_suspicion_that_was_wrong_is_forgotten(path: Path) -> None:
    await fill(path, 1)
    suspect(path)
    async with open_store(path) as store:
        assert store.report.sentence == ""
    assert not is_suspect(path)


async def test_a_second_damaged_file_does_not_take_the_place_of_the_first(path: Path) -> None:
    moved: list[Path | None] = []
    for filler in (b"\x01", b"\x02"):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(filler * 5_000)
        store = await Store.open(path, clock=lambda: NEW_YEAR_MS)
        moved.append(store.report.moved_to)
        await store.close()
    assert [file.read_bytes()[:1] for file in moved if file] == [b"\x01", b"\x02"]


async def test_a_damaged_file_that_another_console_has_open_stays_where_it_is(path: Path) -> None:
    await fill(path)
    async with child("lease", path, "c") as other:
        await other.expect("taken")
        with path.open("r+b") as file:
            file.write(b"\xa5" * 4_096)
        with pytest.raises(StoreDamaged, match="Quit every other console"):
            await Database.open(path)
        assert path.read_bytes()[:4_096] == b"\xa5" * 4_096
    async with open_store(path) as store:
        assert store.report.moved_to is not None


async def test_a_log_that_lost_its_database_is_kept(path: Path) -> None:
    path.parent.mkdir()
    companion(path, "-wal").write_bytes(b"frames")
    async with open_store(path) as store:
        assert store.report.fresh and store.report.moved_to is not None
        assert companion(store.report.moved_to, "-wal").read_bytes() == b"frames"


async def test_the_first_version_is_never_changed(tmp_path: Path) -> None:
    """A released migration stays as it is: a change of the tables is a new migration."""
    released, current = tmp_path / "a" / "released", tmp_path / "b" / "current"
    make_version_1(released)
    await (await Database.open(current, migrations=MIGRATIONS[:1])).close()
    query = (
        "SELECT group_concat(sql, ';') FROM (SELECT sql FROM sqlite_schema WHERE sql NOTNULL ORDER BY name)"
    )
    assert value(released, query) == value(current, query)


async def test_a_first_version_opens_with_all_that_it_holds(path: Path) -> None:
    make_version_1(path)
    async with open_store(path) as store:
        assert len(await store.records.read("c")) == 3
        assert [entry.decided_by for entry in (await store.ledger.page()).entries] == ["person"]
        assert await store.drafts.all() == {"c": "half a thought"}
    assert value(path, "PRAGMA user_version") == len(MIGRATIONS)
    assert value(path, "PRAGMA application_id") == APPLICATION_ID


async def test_a_migration_leaves_a_private_copy_of_what_was_there(path: Path) -> None:
    make_version_1(path)
    database = await Database.open(path, migrations=NEXT_VERSION)
    report = database.report
    assert report.migrated_from == 1
    assert report.backup == path.with_name(f"{path.name}.v1-backup")
    assert str(report.backup) in report.sentence
    assert mode_of(report.backup) == 0o600
    assert value(report.backup, "PRAGMA user_version") == 1
    assert value(report.backup, "SELECT count(*) FROM records") == 3
    drafts = await database.read(lambda c: c.execute("SELECT key, text, caret FROM drafts").fetchall())
    assert drafts == [("c", "half a thought", 0)]
    await database.close()
    assert value(path, "PRAGMA user_version") == len(NEXT_VERSION)


async def test_a_second_backup_does_not_take_the_place_of_the_first(path: Path) -> None:
    make_version_1(path)
    taken = path.with_name(f"{path.name}.v1-backup")
    taken.write_text("an earlier copy")
    database = await Database.open(path, migrations=NEXT_VERSION)
    assert database.report.backup == path.with_name(f"{path.name}.v1-backup-2")
    assert taken.read_text() == "an earlier copy"
    await database.close()


async def test_a_migration_that_fails_changes_nothing(path: Path) -> None:
    make_version_1(path)
    broken = (*MIGRATIONS[:1], "ALTER TABLE drafts ADD COLUMN caret INTEGER; SELECT * FROM no_such_table;")
    with pytest.raises(StoreError, match="no_such_table"):
        await Database.open(path, migrations=broken)
    assert value(path, "PRAGMA user_version") == 1
    assert value(path, "SELECT count(*) FROM pragma_table_info('drafts') WHERE name = 'caret'") == 0


async def test_a_file_that_another_console_has_open_is_not_migrated(path: Path) -> None:
    await fill(path, 1)
    async with child("lease", path, "c") as other:
        await other.expect("taken")
        with pytest.raises(StoreLocked, match="Quit every other console"):
            await Database.open(path, migrations=NEXT_VERSION)
    database = await Database.open(path, migrations=NEXT_VERSION)
    assert database.report.migrated_from == len(MIGRATIONS)
    await database.close()


async def test_a_backup_put_back_in_its_place_works(path: Path) -> None:
    make_version_1(path)
    database = await Database.open(path, migrations=NEXT_VERSION)
    await database.close()
    assert database.report.backup is not None
    database.report.backup.replace(path)
    async with open_store(path) as store:
        assert await store.database.read(lambda c: c.execute("PRAGMA journal_mode").fetchone()[0]) == "wal"
        assert await store.records.append("c", 3, boxes([3])) == 4


@pytest.fixture
def shared_folder() -> Generator[Path]:
    """A folder that everybody can use."""
    folder = Path(tempfile.mkdtemp(prefix="quarterdeck-"))
    folder.chmod(0o777)
    yield folder
    shutil.rmtree(folder)


async def test_a_folder_that_cannot_be_written_is_said_to_be(shared_folder: Path) -> None:
    shared_folder.chmod(0o555)
    with not_root(), pytest.raises(StoreError, match="cannot be written") as raised:
        await Database.open(shared_folder / "quarterdeck.sqlite3")
    assert raised.value.todo
    assert list(shared_folder.iterdir()) == []


async def test_a_file_that_cannot_be_written_is_said_to_be(shared_folder: Path) -> None:
    path = shared_folder / "data" / "quarterdeck.sqlite3"
    with not_root():
        await fill(path, 1)
        path.chmod(0o400)
        with pytest.raises(StoreError, match="cannot be written"):
            await Database.open(path)
        assert mode_of(path) == 0o400


async def test_a_path_through_a_file_is_said_to_be_unusable(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="cannot be opened"):
        await Database.open(tmp_path / "file" / "quarterdeck.sqlite3")


async def test_a_database_that_another_process_keeps_for_itself_is_said_to_be_locked(path: Path) -> None:
    await fill(path, 1)
    hog = sqlite3.connect(path, isolation_level=None)
    hog.execute("PRAGMA locking_mode = EXCLUSIVE")
    hog.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreLocked):
        await Database.open(path, busy_timeout_ms=50)
    hog.close()
    await (await Database.open(path)).close()


async def test_an_open_that_is_cancelled_leaves_nothing_open(path: Path) -> None:
    begun = asyncio.create_task(Database.open(path))
    await asyncio.sleep(0)
    begun.cancel()
    with pytest.raises(asyncio.CancelledError):
        await begun
    database = await Database.open(path, migrations=NEXT_VERSION)
    assert database.report.migrated_from == len(MIGRATIONS)
    await database.close()


def test_a_file_that_is_filled_in_one_step_is_as_one_that_took_them_all() -> None:
    found: list[list[tuple[str, str, str]]] = []
    for way in (schema.fill, schema.migrate):
        with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
            way(connection, MIGRATIONS)
            assert schema.version_of(connection) == len(MIGRATIONS)
            found.append(
                connection.execute("SELECT type, name, sql FROM sqlite_schema ORDER BY 1, 2").fetchall()
            )
    assert found[0] == found[1]


def test_a_file_whose_filling_was_cut_short_is_empty() -> None:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        with pytest.raises(sqlite3.OperationalError):
            schema.fill(connection, (*MIGRATIONS, "CREATE NONSENSE;"))
        assert schema.version_of(connection) == 0
        assert connection.execute("SELECT count(*) FROM sqlite_schema").fetchone() == (0,)
