"""Files, skills and commands of a person's, from the real Codex and outside of any thread."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.conversation.feed import HostPhase
from core.demo.scratch import Scratch
from core.engine import Engine, open_engine
from core.settings import HostSettings, Settings
from tests.support.watcher import Watcher


@pytest.fixture
async def engine(scratch: Scratch, codex_binary: Path, tmp_path: Path) -> AsyncIterator[Engine]:
    host = HostSettings(codex=codex_binary, codex_home=scratch.home)
    opened = await open_engine(Settings(data_dir=tmp_path / "data", host=host))
    await Watcher(opened).until(lambda: opened.host.phase is HostPhase.READY)
    yield opened
    await opened.close()


@pytest.fixture
def said() -> list[str]:
    return []


async def test_files_are_found_by_some_of_their_letters(engine: Engine, scratch: Scratch) -> None:
    (scratch.project / "deep").mkdir()
    (scratch.project / "deep" / "anchor windlass.py").touch()
    found = await engine.catalogs.files(scratch.project, "ancwind")
    assert [one.path for one in found][:1] == ["deep/anchor windlass.py"]
    (scratch.project / ".git" / "anchor windlass").mkdir(parents=True)
    found = await engine.catalogs.files(scratch.project, "ancwind")
    assert [one.path for one in found] == ["deep/anchor windlass.py"]
    assert await engine.catalogs.files(scratch.project, "no such file at all") == ()


async def test_a_skill_of_the_user_is_listed(engine: Engine, scratch: Scratch) -> None:
    folder = scratch.home / "skills" / "moor"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text("---\nname: moor\ndescription: Make a boat fast.\n---\nUse two lines.\n")
    skills = {skill.name: skill for skill in await engine.catalogs.skills(scratch.project)}
    assert skills["moor"].description == "Make a boat fast."


async def test_a_command_tells_what_it_says_and_how_it_ended(
    engine: Engine, scratch: Scratch, said: list[str]
) -> None:
    command = engine.shell.command("echo hi; printf 'l\\303\\244nge\\n' >&2; exit 3", scratch.project, "")
    assert await engine.shell.run(command, lambda output: said.append(output.text)) == 3
    assert sorted("".join(said).split()) == ["hi", "länge"]


async def test_a_command_stays_in_the_sandbox_it_is_given(
    engine: Engine, scratch: Scratch, said: list[str]
) -> None:
    for sandbox, made in (("read-only", False), ("workspace-write", True)):
        command = engine.shell.command("touch made", scratch.project, sandbox)
        await engine.shell.run(command, lambda output: said.append(output.text))
        assert (scratch.project / "made").exists() is made


async def test_a_command_that_does_not_end_is_stopped(
    engine: Engine, scratch: Scratch, said: list[str]
) -> None:
    begun = asyncio.Event()
    command = engine.shell.command("echo begun; sleep 600", scratch.project, "")
    running = asyncio.create_task(engine.shell.run(command, lambda output: begun.set()))
    await asyncio.wait_for(begun.wait(), 20)
    await engine.shell.stop(command)
    assert await asyncio.wait_for(running, 20) != 0
    await engine.shell.stop(command)


async def test_a_flood_of_output_is_cut_and_says_so(
    engine: Engine, scratch: Scratch, said: list[str]
) -> None:
    cut: list[bool] = []
    command = engine.shell.command("yes harbour | head -c 5000000", scratch.project, "")

    def hear(output: object) -> None:
        cut.append(output.cut)  # type: ignore[attr-defined]
        said.append(output.text)  # type: ignore[attr-defined]

    await engine.shell.run(command, hear)
    assert any(cut)
    assert len("".join(said)) <= 2 * 1024 * 1024
