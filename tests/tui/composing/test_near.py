"""Before anything of a path is typed: what changed in the working tree, then what lies in the folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.tui.around.repository import Repository
from tests.tui.conftest import OpenConsole
from tests.tui.fake_engine import FakeEngine
from tests.tui.host import press, until
from tui.composing import near as nearness
from tui.composing.near import near
from tui.launch import Launch


@pytest.fixture
def harbour(tmp_path: Path) -> Repository:
    repository = Repository(tmp_path)
    for path in ("boats.py", "ropes.md", "pier/plan.txt", ".hidden"):
        repository.write(path, "as it was\n")
    repository.commit()
    return repository


async def test_what_changed_comes_first_the_newest_before_the_others(harbour: Repository) -> None:
    harbour.write("ropes.md", "coiled\n")
    harbour.write("pier/new plan.txt", "new\n")
    harbour.remove("boats.py")
    os.utime(harbour.folder / "ropes.md", (1_000, 1_000))
    found = await near(harbour.folder)
    assert [(one.path, one.changed, one.folder) for one in found] == [
        ("pier/new plan.txt", True, False),
        ("ropes.md", True, False),
        ("pier", False, True),
    ]
    assert [one.path for one in await near(harbour.folder / "pier")] == ["new plan.txt", "plan.txt"]


async def test_outside_of_a_repository_it_is_what_lies_in_the_folder(tmp_path: Path) -> None:
    (tmp_path / "b.txt").touch()
    (tmp_path / "a").mkdir()
    (tmp_path / ".secret").touch()
    assert [one.path for one in await near(tmp_path)] == ["b.txt", "a"]
    assert await near(tmp_path / "nowhere") == []


async def test_it_is_never_more_than_a_list_holds(harbour: Repository) -> None:
    for number in range(200):
        harbour.write(f"changed{number}", "new")
    found = await near(harbour.folder)
    assert len(found) == nearness.MOST
    assert sum(one.changed for one in found) == nearness.MOST_CHANGED


async def test_where_git_takes_too_long_the_folder_is_offered_alone(
    harbour: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    harbour.write("ropes.md", "coiled\n")
    monkeypatch.setattr(nearness, "SECONDS", 0.0)
    found = await near(harbour.folder)
    assert [one.path for one in found] == ["boats.py", "ropes.md", "pier"]
    assert not any(one.changed for one in found)


async def test_the_sign_alone_offers_them_and_letters_ask_codex(
    console: OpenConsole, engine: FakeEngine, harbour: Repository
) -> None:
    harbour.write("ropes.md", "coiled\n")
    engine.catalogs.paths = ("pier/plan.txt",)
    async with console(Launch(harbour.folder)) as (screen, pilot):
        completions = screen.composer._completer.list
        await press(pilot, "@")
        await until(pilot, lambda: completions.display)
        lines = [" ".join(str(option.prompt).split()) for option in completions.options]
        assert lines == ["ropes.md changed", "boats.py", "pier folder"]
        assert engine.catalogs.asked == []
        await press(pilot, *"pl")
        await until(pilot, lambda: engine.catalogs.asked[-1:] == ["pl"] and completions.option_count == 1)
        await press(pilot, *["backspace"] * 2)
        await until(pilot, lambda: completions.option_count == 3)
        await press(pilot, "enter")
        assert screen.composer.input.text == "ropes.md "
