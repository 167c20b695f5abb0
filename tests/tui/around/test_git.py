"""What is changed in a folder, on the real git, and that it stays true."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.tui.around.repository import Repository
from tui.inspector import git
from tui.inspector.following import Following, Seen
from tui.inspector.git import branch_of, read_diff, read_tree


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path)
    made.write("pier/boats.txt", "one\n")
    made.commit()
    return made


async def test_the_branch_is_told_also_for_none_and_for_a_second_working_tree(
    repository: Repository, tmp_path_factory: pytest.TempPathFactory
) -> None:
    assert branch_of(repository.folder / "pier") == "main"
    other = tmp_path_factory.mktemp("other") / "tree"
    repository.git("worktree", "add", "-q", "-b", "lamp", str(other))
    assert branch_of(other) == "lamp"
    repository.git("checkout", "-q", "--detach")
    assert branch_of(repository.folder) == repository.git("rev-parse", "HEAD")[:8]
    assert branch_of(tmp_path_factory.mktemp("no-repository")) == ""


async def test_changed_and_new_files_are_told_with_their_diffs(repository: Repository) -> None:
    repository.write("pier/boats.txt", "one\ntwo\n")
    repository.write("new.txt", "hello\n")
    tree = await read_tree(repository.folder / "pier", 100)
    assert tree is not None
    changed, new = tree.files
    assert (changed.path, changed.added, changed.removed, changed.tracked) == ("pier/boats.txt", 1, 0, True)
    assert (new.path, new.tracked) == ("new.txt", False)
    (diff,) = await read_diff(tree, changed)
    assert diff.diff.endswith(" one\n+two\n")
    (fresh,) = await read_diff(tree, new)
    assert (fresh.verb, fresh.diff) == ("add", "hello\n")


async def test_a_repository_without_a_commit_and_a_folder_without_a_repository(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    fresh = Repository(tmp_path_factory.mktemp("fresh"))
    fresh.write("a.txt", "a\n")
    fresh.git("add", "a.txt")
    tree = await read_tree(fresh.folder, 100)
    assert tree is not None
    assert [(file.path, file.added) for file in tree.files] == [("a.txt", 1)]
    assert await read_tree(tmp_path_factory.mktemp("none"), 100) is None


async def test_no_more_files_are_listed_than_can_be_read(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git, "MOST_FILES", 3)
    for number in range(5):
        repository.write(f"{number}.txt", "")
    tree = await read_tree(repository.folder, 100)
    assert tree is not None
    assert (len(tree.files), tree.more) == (3, 2)


async def test_a_repository_cannot_have_a_command_of_its_own_run(
    repository: Repository, tmp_path: Path
) -> None:
    trap = tmp_path / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\n")
    trap.chmod(0o755)
    repository.git("config", "core.fsmonitor", str(trap))
    repository.git("config", "diff.external", str(trap))
    repository.git("config", "diff.lamp.textconv", str(trap))
    repository.write(".gitattributes", "*.txt diff=lamp\n")
    repository.write("pier/boats.txt", "two\n")
    tree = await read_tree(repository.folder, 100)
    assert tree is not None
    await read_diff(tree, next(file for file in tree.files if file.tracked))
    assert not (tmp_path / "sprung").exists()


class Heard:
    def __init__(self) -> None:
        self.seen: asyncio.Queue[Seen] = asyncio.Queue()

    async def until(self, paths: list[str]) -> Seen:
        async with asyncio.timeout(20):
            while True:
                seen = await self.seen.get()
                if seen.tree is not None and [file.path for file in seen.tree.files] == paths:
                    return seen


async def test_the_working_tree_is_told_anew_as_it_changes(repository: Repository) -> None:
    heard = Heard()
    following = Following(repository.folder, heard.seen.put_nowait)
    try:
        assert (await heard.until([])).watched
        repository.write("pier/boats.txt", "two\n")
        await heard.until(["pier/boats.txt"])
        repository.write("far/away/new.txt", "")
        await heard.until(["pier/boats.txt", "far/away/new.txt"])
        repository.write("far/away/newer.txt", "")
        await heard.until(["pier/boats.txt", "far/away/new.txt", "far/away/newer.txt"])
        repository.commit()
        await heard.until([])
    finally:
        await following.close()


async def test_a_folder_without_a_repository_is_read_again_only_when_asked(tmp_path: Path) -> None:
    heard = Heard()
    following = Following(tmp_path, heard.seen.put_nowait)
    try:
        first = await asyncio.wait_for(heard.seen.get(), 5)
        assert (first.tree, first.problem) == (None, "")
        Repository(tmp_path)
        following.read_again()
        await heard.until([])
    finally:
        await following.close()
