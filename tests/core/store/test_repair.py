from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import StoreDamaged
from core.knowledge.documents import DocumentDraft, Owner, OwnerKind
from core.rows import DecisionDraft
from core.store.files import companion
from core.store.repair import Salvaged, salvage
from core.store.store import Store
from tests.core.store.helpers import add_conversations, box, boxes, child, open_store
from tests.core.store.test_opening import make_version_1

PAGE = 4_096
COUNT = 300
WE = Owner(OwnerKind.AGENT, "codex")


@pytest.fixture
async def damaged(path: Path) -> Path:
    """A database with two logs of 300 boxes, written in turn."""
    async with open_store(path) as store:
        await add_conversations(store, "c", "d")
        for done in range(0, COUNT, 5):
            for name in ("c", "d"):
                await store.records.append(name, done, boxes(range(done + 1, done + 6)))
        await store.drafts.save("c", "half a thought")
        await store.ledger.record(DecisionDraft("c", "person", "command", "{}", "hash", "{}"))
        await store.knowledge.put(DocumentDraft.checked(WE, "tides", "High water at noon."))
    return path


def spoil_page_of(path: Path, text: bytes) -> None:
    """Overwrite the page that holds the text."""
    data = path.read_bytes()
    offset = data.index(text) // PAGE * PAGE
    path.write_bytes(data[:offset] + b"\xa5" * PAGE + data[offset + PAGE :])


async def whole_logs(path: Path) -> dict[str, int]:
    """How many records each log has, of a store that opens without a word and has them in order."""
    async with open_store(path) as store:
        assert store.report.sentence == ""
        lengths: dict[str, int] = {}
        for name in ("c", "d"):
            records = await store.records.read(name)
            assert records == [box(number) for number in range(1, len(records) + 1)]
            lengths[name] = len(records)
        return lengths


def by_table(report: tuple[Salvaged, ...]) -> dict[str, Salvaged]:
    return {part.table: part for part in report}


async def test_a_sound_file_is_taken_whole(damaged: Path, tmp_path: Path) -> None:
    report = salvage(damaged, tmp_path / "repaired")
    assert all(part.to_the_end and part.refused == part.unreadable == 0 for part in report)
    assert by_table(report)["records"].taken == 2 * COUNT
    assert await whole_logs(tmp_path / "repaired") == {"c": COUNT, "d": COUNT}


async def test_documents_are_found_again_by_their_words(damaged: Path, tmp_path: Path) -> None:
    salvage(damaged, tmp_path / "repaired")
    async with open_store(tmp_path / "repaired") as store:
        assert [hit.info.name for hit in await store.knowledge.search([WE], '"noon"', 5)] == ["tides"]


async def test_logs_are_taken_up_to_the_first_lost_record(damaged: Path, tmp_path: Path) -> None:
    spoil_page_of(damaged, b"box 200 ")
    report = by_table(salvage(damaged, tmp_path / "repaired"))
    records = report["records"]
    assert records.to_the_end and records.unreadable > 0 and records.refused > 0
    assert records.taken + records.refused + records.unreadable == 2 * COUNT
    lengths = await whole_logs(tmp_path / "repaired")
    assert 150 < min(lengths.values()) < 200
    async with open_store(tmp_path / "repaired") as store:
        assert await store.drafts.load("c") == "half a thought"
        assert len((await store.ledger.page()).entries) == 1
        assert [row.id for row in await store.conversations.recent()] == ["d", "c"]


async def test_a_lost_workspace_takes_what_belongs_to_it_and_nothing_else(
    damaged: Path, tmp_path: Path
) -> None:
    spoil_page_of(damaged, b"/somewhere{}{}")
    report = by_table(salvage(damaged, tmp_path / "repaired"))
    assert not report["workspaces"].to_the_end
    assert report["records"].refused == 2 * COUNT
    assert report["drafts"].taken == 1
    assert await whole_logs(tmp_path / "repaired") == {"c": 0, "d": 0}


async def test_text_that_was_torn_is_not_taken_for_text(damaged: Path, tmp_path: Path) -> None:
    damaged.write_bytes(damaged.read_bytes().replace(b"box 100 xxx", b"box 100 \xff\xff\xff"))
    report = by_table(salvage(damaged, tmp_path / "repaired"))
    assert report["records"].unreadable == 2
    assert await whole_logs(tmp_path / "repaired") == {"c": 99, "d": 99}


async def test_what_is_no_database_cannot_be_repaired(tmp_path: Path) -> None:
    (tmp_path / "damaged").write_bytes(b"\xa5" * 10_000)
    with pytest.raises(StoreDamaged):
        salvage(tmp_path / "damaged", tmp_path / "repaired")
    assert not (tmp_path / "repaired").exists()


async def test_a_file_of_the_first_version_is_repaired_into_the_newest(path: Path, tmp_path: Path) -> None:
    make_version_1(path)
    report = by_table(salvage(path, tmp_path / "repaired"))
    assert report["records"].taken == 3 and report["drafts"].taken == 1
    assert "documents" not in report
    async with open_store(tmp_path / "repaired") as store:
        assert await store.knowledge.listing([WE]) == []


async def test_a_repair_never_overwrites(store: Store, path: Path, tmp_path: Path) -> None:
    (tmp_path / "repaired").write_text("mine")
    with pytest.raises(FileExistsError):
        salvage(path, tmp_path / "repaired")
    assert (tmp_path / "repaired").read_text() == "mine"


async def test_the_damaged_file_and_its_log_are_only_read(damaged: Path, tmp_path: Path) -> None:
    async with child("append", damaged, str(tmp_path / "promises"), "0", "c") as killed:
        await killed.lines(20)
    spoil_page_of(damaged, b"box 200 ")
    before = [companion(damaged, suffix).read_bytes() for suffix in ("", "-wal")]
    report = by_table(salvage(damaged, tmp_path / "repaired"))
    assert [companion(damaged, suffix).read_bytes() for suffix in ("", "-wal")] == before
    records = report["records"]
    assert records.taken + records.refused + records.unreadable >= 2 * COUNT + 20
