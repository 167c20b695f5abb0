"""An export is written whole or not at all, and over nothing that is there."""

from __future__ import annotations

import os
import stat
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.errors import Conflict, QuarterdeckError, StoreError
from core.export.reading import file_name
from core.export.writing import write_file


async def pieces(*texts: str) -> AsyncIterator[str]:
    for text in texts:
        yield text


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


async def fails_after(text: str) -> AsyncIterator[str]:
    yield text
    raise StoreError("the database is gone")


async def test_the_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    assert await write_file(path, pieces("ab", "cd"), overwrite=False) == 4
    assert path.read_text() == "abcd"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert names(tmp_path) == ["a.md"]


async def test_a_file_that_is_there_stays_unless_told(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("mine")
    with pytest.raises(Conflict):
        await write_file(path, pieces("other"), overwrite=False)
    assert path.read_text() == "mine"
    await write_file(path, pieces("other"), overwrite=True)
    assert path.read_text() == "other"


async def test_no_link_that_somebody_made_ready_is_written_through(tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    (tmp_path / "precious").write_text("theirs")
    (folder / f".a.md.{os.getpid()}.part").symlink_to(tmp_path / "precious")
    await write_file(folder / "a.md", pieces("ours"), overwrite=False)
    assert (tmp_path / "precious").read_text() == "theirs"
    assert not (folder / "a.md").is_symlink()


async def test_a_file_that_came_meanwhile_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.md"

    async def meanwhile() -> AsyncIterator[str]:
        path.write_text("theirs")
        yield "ours"

    with pytest.raises(Conflict):
        await write_file(path, meanwhile(), overwrite=False)
    assert path.read_text() == "theirs"
    assert names(tmp_path) == ["a.md"]


async def test_nothing_is_left_of_a_file_that_could_not_be_finished(tmp_path: Path) -> None:
    with pytest.raises(StoreError):
        await write_file(tmp_path / "a.md", fails_after("half"), overwrite=False)
    assert names(tmp_path) == []


async def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(QuarterdeckError, match="not written"):
        await write_file(tmp_path / "nowhere" / "a.md", pieces("x"), overwrite=False)


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Fix the login page!", "fix-the-login-page-0123abcd.md"),
        ("../../etc/passwd", "etc-passwd-0123abcd.md"),
        ("\x1b[31mred\nblue", "31mred-blue-0123abcd.md"),
        ("日本語", "conversation-0123abcd.md"),
    ],
)
def test_a_file_name_comes_from_the_title_and_stays_in_the_folder(title: str, name: str) -> None:
    assert file_name(title, "0123abcdef", "md") == name
