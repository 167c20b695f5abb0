"""Diffs taken apart by file: as the real git writes them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tui.around.repository import Repository
from tui.inspector.diff import files_of, unquoted


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path)


def test_each_file_has_its_verb_its_counts_and_its_text(repository: Repository) -> None:
    repository.write("kept.txt", "one\ntwo\nthree\n")
    repository.write("gone.txt", "a\nb\n")
    repository.write("old name.txt", "".join(f"{n}\n" for n in range(40)))
    repository.commit()
    repository.write("kept.txt", "one\n2\nthree\nfour\n")
    repository.remove("gone.txt")
    repository.git("mv", "old name.txt", "new name.txt")
    repository.write("fresh.txt", "hello\n")
    repository.git("add", "-A")
    files = {file.path: file for file in files_of(repository.git("diff", "HEAD", "--find-renames"))}
    assert {path: (file.verb, file.added, file.removed) for path, file in files.items()} == {
        "kept.txt": ("update", 2, 1),
        "gone.txt": ("delete", 0, 2),
        "fresh.txt": ("add", 1, 0),
        "new name.txt": ("update", 0, 0),
    }
    assert files["fresh.txt"].diff == "hello\n"
    assert files["gone.txt"].diff == "a\nb\n"
    assert files["kept.txt"].diff.startswith("@@ -1,3 +1,4 @@")
    assert files["new name.txt"].moved_from == "old name.txt"


def test_a_binary_file_and_a_name_that_git_quotes_are_named(repository: Repository) -> None:
    repository.write("tide\t1.txt", "x\n")
    repository.write("ship.bin", "\0\0")
    repository.git("add", "-A")
    repository.commit()
    repository.write("tide\t1.txt", "y\n")
    repository.write("ship.bin", "\0\1")
    names = {file.path for file in files_of(repository.git("diff", "HEAD"))}
    assert names == {"tide\t1.txt", "ship.bin"}


def test_what_is_no_diff_gives_no_files() -> None:
    assert files_of("") == []
    assert files_of("Binary files differ\n@@ -1 +1 @@\n") == []


@given(st.text(max_size=200))
def test_any_text_at_all_is_taken_apart_without_failing(text: str) -> None:
    files_of("diff --git " + text)
    unquoted('"' + text + '"')


def test_a_quoted_path_is_as_git_had_it() -> None:
    assert unquoted('"a\\303\\251\\tb"') == "aé\tb"
    assert unquoted("plain") == "plain"
