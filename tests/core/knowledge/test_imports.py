"""Imported files and folders, and that their documents stay true."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from core.errors import InvalidRequest, NotFound
from core.knowledge import folders, following
from core.knowledge.base import KnowledgeBase
from core.knowledge.documents import Skipped
from core.knowledge.watching import Next, watching
from core.store.store import Store
from tests.core.knowledge.conftest import AGENT, CONVERSATION, SEEN, WORKSPACE, Changes


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    made = tmp_path / "docs"
    (made / "deep" / "er").mkdir(parents=True)
    (made / "a.md").write_text("# Tides\nebb\n")
    (made / "deep" / "er" / "b.markdown").write_text("flood\n")
    return made


async def texts(base: KnowledgeBase) -> dict[str, str]:
    infos = await base.listing(SEEN.owners)
    return {info.name: (await base.read([info.owner], info.name)).text for info in infos}


def says(base: KnowledgeBase, **expected: str) -> Callable[[], Awaitable[bool]]:
    """Whether the documents of `docs` are these, by the stem of their names."""

    async def holds() -> bool:
        with suppress(NotFound):  # One may go between the list and the reading of it.
            return await said() == expected
        return False

    async def said() -> dict[str, str]:
        return {Path(name).stem: text for name, text in (await texts(base)).items()}

    return holds


async def test_a_folder_is_imported_with_all_below_it(base: KnowledgeBase, docs: Path) -> None:
    (docs / "other.txt").write_text("no Markdown")
    (docs / ".hidden.md").write_text("hidden")
    (docs / ".git").mkdir()
    (docs / ".git" / "c.md").write_text("hidden")
    report = await base.import_path(WORKSPACE, docs)
    assert (report.documents, report.skipped) == (2, ())
    assert await texts(base) == {"docs/a.md": "# Tides\nebb\n", "docs/deep/er/b.markdown": "flood\n"}
    first = (await base.read(SEEN.owners, "docs/a.md")).info
    assert (first.title, first.path) == ("Tides", str(docs / "a.md"))
    assert base.imports() == [report]


async def test_changed_new_renamed_and_deleted_files_are_followed(
    base: KnowledgeBase, docs: Path, changes: Changes
) -> None:
    await base.import_path(WORKSPACE, docs)
    (docs / "a.md").write_text("neap")
    await changes.until(says(base, a="neap", b="flood\n"))
    (docs / "c.md").write_text("spring")
    await changes.until(says(base, a="neap", b="flood\n", c="spring"))
    (docs / "c.md").rename(docs / "deep" / "d.md")
    await changes.until(says(base, a="neap", b="flood\n", d="spring"))
    (docs / "a.md").unlink()
    await changes.until(says(base, b="flood\n", d="spring"))
    swap = docs / "swap.tmp"
    swap.write_text("slack")
    swap.replace(docs / "deep" / "d.md")
    await changes.until(says(base, b="flood\n", d="slack"))


async def test_folders_that_come_go_and_move_are_followed(
    base: KnowledgeBase, docs: Path, changes: Changes
) -> None:
    await base.import_path(WORKSPACE, docs)
    (docs / "new").mkdir()
    (docs / "new" / "c.md").write_text("one")
    await changes.until(says(base, a="# Tides\nebb\n", b="flood\n", c="one"))
    (docs / "new" / "c.md").write_text("two")
    await changes.until(says(base, a="# Tides\nebb\n", b="flood\n", c="two"))
    (docs / "new").rename(docs / "deep" / "er" / "old")
    await changes.until(says(base, a="# Tides\nebb\n", b="flood\n", c="two"))
    shutil.rmtree(docs / "deep")
    await changes.until(says(base, a="# Tides\nebb\n"))
    (docs / "deep").mkdir()
    (docs / "deep" / "e.md").write_text("again")
    await changes.until(says(base, a="# Tides\nebb\n", e="again"))


async def test_a_folder_that_is_made_anew_at_once_is_still_watched(
    base: KnowledgeBase, docs: Path, changes: Changes
) -> None:
    await base.import_path(WORKSPACE, docs)
    (docs / "a.md").write_text("seen, so it is watched")
    await changes.until(says(base, a="seen, so it is watched", b="flood\n"))
    (docs / "a.md").unlink()
    shutil.rmtree(docs / "deep" / "er")
    (docs / "deep" / "er").mkdir()
    (docs / "deep" / "er" / "b.md").write_text("one")
    await changes.until(says(base, b="one"))
    (docs / "deep" / "er" / "b.md").write_text("two")
    await changes.until(says(base, b="two"))


async def test_an_import_that_goes_away_is_taken_up_again_when_it_is_back(
    base: KnowledgeBase, docs: Path, changes: Changes, tmp_path: Path
) -> None:
    await base.import_path(WORKSPACE, docs)
    docs.rename(tmp_path / "elsewhere")

    async def missed() -> bool:
        (report,) = base.imports()
        return report.documents == 0 and [skipped.path for skipped in report.skipped] == [""]

    await changes.until(missed)
    assert await texts(base) == {}
    (tmp_path / "elsewhere").rename(docs)
    await changes.until(says(base, a="# Tides\nebb\n", b="flood\n"))
    (docs / "a.md").write_text("neap")
    await changes.until(says(base, a="neap", b="flood\n"))


async def test_a_single_file_is_followed_through_the_way_editors_save(
    base: KnowledgeBase, docs: Path, changes: Changes
) -> None:
    await base.import_path(WORKSPACE, docs / "a.md")
    assert await texts(base) == {"a.md": "# Tides\nebb\n"}
    swap = docs / ".a.md.swp"
    for text in ("one", "two"):
        swap.write_text(text)
        swap.replace(docs / "a.md")
        await changes.until(says(base, a=text))
    (docs / "a.md").unlink()
    await changes.until(says(base))
    (docs / "a.md").write_text("three")
    await changes.until(says(base, a="three"))


async def test_what_changed_while_nobody_watched_is_seen_at_the_next_start(
    store: Store, docs: Path, changes: Changes
) -> None:
    first = KnowledgeBase(store.knowledge, store.imports)
    await first.import_path(WORKSPACE, docs)
    (docs / "a.md").write_text("neap")
    (docs / "deep" / "er" / "b.markdown").unlink()
    second = KnowledgeBase(store.knowledge, store.imports, changes)
    second.start()
    await changes.until(says(second, a="neap"))
    await second.close()


async def test_an_old_file_is_not_read_again(base: KnowledgeBase, store: Store, docs: Path) -> None:
    os.utime(docs / "a.md", (1, 1))
    await base.import_path(WORKSPACE, docs)
    (followed,) = await store.imports.all()
    assert [text.stamp for text in folders.scan(followed, {}).changed] == ["", ""], "they are too young"
    # The change time cannot be set: as if the file had been old when it was looked at.
    status = (docs / "a.md").stat()
    stamp = f"{status.st_ino} {status.st_size} {status.st_mtime_ns} {status.st_ctime_ns}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(folders, "_YOUNG_NS", 0)
        found = folders.scan(followed, {"docs/a.md": stamp, "docs/deep/er/b.markdown": "another"})
    assert found.unchanged == {"docs/a.md"}
    assert [text.name for text in found.changed] == ["docs/deep/er/b.markdown"]


async def test_nothing_leads_out_of_the_folder(base: KnowledgeBase, docs: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "s.md").write_text("secret")
    (docs / "file.md").symlink_to(secret / "s.md")
    (docs / "folder").symlink_to(secret)
    (docs / "folder.md").symlink_to(secret)
    (docs / "loop").symlink_to(docs)
    (docs / "dangling.md").symlink_to(tmp_path / "nowhere")
    report = await base.import_path(WORKSPACE, docs)
    assert set(await texts(base)) == {"docs/a.md", "docs/deep/er/b.markdown"}
    assert [skipped.path for skipped in report.skipped] == ["docs/dangling.md", "docs/file.md"]


async def test_a_file_that_is_replaced_by_a_link_is_no_document_any_more(
    base: KnowledgeBase, docs: Path, changes: Changes, tmp_path: Path
) -> None:
    (tmp_path / "secret.md").write_text("secret")
    await base.import_path(WORKSPACE, docs)
    (docs / "a.md").unlink()
    (docs / "a.md").symlink_to(tmp_path / "secret.md")
    await changes.until(says(base, b="flood\n"))


async def test_what_is_no_text_or_too_much_is_skipped_and_told(
    base: KnowledgeBase, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders, "FILES_AT_MOST", 3)
    (docs / "b-large.md").write_bytes(b"x" * (folders.LARGEST_FILE + 1))
    (docs / "b-binary.md").write_bytes(b"\xff\xfe\x00")
    os.mkfifo(docs / "b-pipe.md")
    (docs / "b\x1b[2J.md").write_text("odd name")
    (docs / "c-bom.md").write_bytes(b"\xef\xbb\xbf# Hi \x1b[31m\x00")
    report = await base.import_path(WORKSPACE, docs)
    reasons = {skipped.path: skipped.reason for skipped in report.skipped}
    assert reasons.pop("docs/b [2J.md").startswith("a name is one line")
    assert reasons == {
        "docs/b-large.md": "it is larger than 512 KiB",
        "docs/b-binary.md": "it is no UTF-8 text",
        "docs/b-pipe.md": "it is no ordinary file",
    }
    assert (await texts(base))["docs/c-bom.md"] == "# Hi �[31m�"
    (docs / "d.md").write_text("one too many")
    (docs / "deep" / "e.md").write_text("one too many")
    report = await base.import_path(WORKSPACE, docs)
    assert Skipped("docs/deep/e.md", "there are more than 3 files") in report.skipped


async def test_a_folder_of_any_size_is_read_and_told_of_within_bounds(
    base: KnowledgeBase, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders, "READ_AT_MOST", 1_000)
    monkeypatch.setattr(folders, "FOLDERS_AT_MOST", 3)
    monkeypatch.setattr(folders, "TOLD_AT_MOST", 4)
    for number in range(9):
        (docs / f"b{number}.md").write_text("x" * 400)
        (docs / "deep" / "er" / f"er{number}").mkdir()
    report = await base.import_path(WORKSPACE, docs)
    assert report.documents == 4
    assert len(report.skipped) == 4
    (docs / "b0.md").unlink()
    monkeypatch.setattr(folders, "TOLD_AT_MOST", 100)
    report = await base.import_path(WORKSPACE, docs)
    assert Skipped("deep/er", "there are more than 3 folders") in report.skipped


async def test_a_file_does_not_take_the_place_of_what_was_written(base: KnowledgeBase, docs: Path) -> None:
    await base.write(WORKSPACE, "docs/a.md", "by hand")
    report = await base.import_path(WORKSPACE, docs)
    assert report.skipped == (Skipped("docs/a.md", "another document has its name"),)
    assert report.documents == 1
    assert (await texts(base))["docs/a.md"] == "by hand"


async def test_a_dropped_import_takes_its_documents_and_leaves_its_files(
    base: KnowledgeBase, docs: Path, changes: Changes
) -> None:
    report = await base.import_path(WORKSPACE, docs)
    await base.import_path(AGENT, docs / "a.md")
    await base.drop_import(report.followed)
    assert set(await texts(base)) == {"a.md"}
    assert (docs / "a.md").exists()

    async def told() -> bool:
        return [part.followed.owner for part in base.imports()] == [AGENT]

    await changes.until(told)
    (docs / "a.md").write_text("still followed")
    await changes.until(says(base, a="still followed"))


async def test_a_forgotten_owner_is_followed_no_longer(
    base: KnowledgeBase, docs: Path, changes: Changes
) -> None:
    await base.import_path(CONVERSATION, docs)
    await base.import_path(WORKSPACE, docs / "a.md")
    await base.forget(CONVERSATION)
    (docs / "a.md").write_text("neap")
    await changes.until(says(base, a="neap"))
    assert set(await texts(base)) == {"a.md"}


async def test_watching_that_is_refused_is_told_and_tried_again(
    store: Store, docs: Path, changes: Changes, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = asyncio.Event()

    @asynccontextmanager
    async def no_watches_left(
        folders: Collection[str], roots: Collection[Path], stop: asyncio.Event
    ) -> AsyncGenerator[Next]:
        if not refused.is_set():
            raise OSError("no space left on device")
        async with watching(folders, roots, stop) as next_change:
            yield next_change

    monkeypatch.setattr(following, "watching", no_watches_left)
    monkeypatch.setattr(following, "RETRY_SECONDS", 0.01)
    base = KnowledgeBase(store.knowledge, store.imports, changes)
    await base.import_path(WORKSPACE, docs)
    base.start()
    await changes.until(lambda: truth("no space left" in base.trouble))
    refused.set()
    await changes.until(lambda: truth(base.trouble == ""))
    (docs / "a.md").write_text("neap")
    await changes.until(says(base, a="neap", b="flood\n"))
    await base.close()


async def truth(value: bool) -> bool:
    return value


async def test_a_folder_that_goes_before_it_is_watched_is_no_trouble(
    store: Store, docs: Path, changes: Changes
) -> None:
    base = KnowledgeBase(store.knowledge, store.imports, changes)
    await base.import_path(WORKSPACE, docs)
    shutil.rmtree(docs / "deep")
    base.start()
    await changes.until(says(base, a="# Tides\nebb\n"))
    (docs / "a.md").write_text("neap")
    await changes.until(says(base, a="neap"))
    assert base.trouble == ""
    await base.close()


async def test_only_folders_and_markdown_can_be_imported(base: KnowledgeBase, docs: Path) -> None:
    (docs / "a.txt").touch()
    os.mkfifo(docs / "pipe.md")
    for path in (docs / "a.txt", docs / "pipe.md"):
        with pytest.raises(InvalidRequest, match="cannot be imported"):
            await base.import_path(WORKSPACE, path)
    with pytest.raises(NotFound):
        await base.import_path(WORKSPACE, docs / "nowhere")
    assert base.imports() == []
