"""The doctor on a real Codex: what it finds, why things differ, and what it does on request."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from core.abilities import abilities
from core.codex.sandbox import try_sandbox
from core.conversation.feed import IndexProgress
from core.demo.scratch import Scratch
from core.doctor import Diagnosis, compact_all, look, rebuild_index
from core.engine import open_engine
from core.errors import StoreLocked
from core.sessions.model import IndexPhase, Progress, SessionQuery
from core.sessions.sessions import INDEX
from core.settings import HostSettings, Settings
from tests.core.sessions import rollouts
from tests.core.sessions.conftest import OfficialCodex


@pytest.fixture
def official(codex_binary: Path, scratch: Scratch) -> OfficialCodex:
    return OfficialCodex(codex_binary, scratch)


def _found(diagnosis: Diagnosis) -> dict[str, bool]:
    return {finding.name: finding.ok for finding in diagnosis.findings}


async def test_all_is_well_on_a_fresh_machine(settings: Settings) -> None:
    diagnosis = await look(settings)
    assert _found(diagnosis) == dict.fromkeys(
        ("terminal", "database", "index", "codex", "sandbox", "login", "sessions"), True
    )
    assert diagnosis.ok
    assert not list(settings.data_dir.glob("*.sqlite3"))


async def test_every_difference_has_its_reason(
    settings: Settings, scratch: Scratch, official: OfficialCodex
) -> None:
    await official.exec("/say hello")
    rollouts.path_of(scratch.home, 1).write_bytes(rollouts.empty(1))
    rollouts.path_of(scratch.home, 2).write_bytes(rollouts.garbage(2))
    diagnosis = await look(settings)
    why = {
        one.thread_id: (one.listed, one.on_disk, one.known, one.wrong, one.why)
        for one in diagnosis.differences
    }
    assert why.pop(rollouts.thread_id(1)) == (False, True, False, True, "The file is empty.")
    assert "format is unknown" in why.pop(rollouts.thread_id(2))[4]
    assert list(why.values()) == [(True, True, False, False, "It was never opened here.")]
    assert _found(diagnosis)["sessions"] is False


async def test_a_file_that_is_gone_is_said(
    settings: Settings, scratch: Scratch, official: OfficialCodex
) -> None:
    await official.exec("/say hello")
    listed = (await look(settings)).differences[0]
    Path(listed.rollout).unlink()
    after = (await look(settings)).differences
    assert [(one.thread_id, one.wrong) for one in after] in ([(listed.thread_id, True)], [])


async def test_before_the_first_start_nothing_is_wrong(settings: Settings, tmp_path: Path) -> None:
    host = settings.host.model_copy(update={"codex_home": tmp_path / "none"})
    diagnosis = await look(settings.model_copy(update={"host": host}))
    assert diagnosis.ok
    assert not (tmp_path / "none").exists()


async def test_without_codex_it_says_so(settings: Settings, tmp_path: Path) -> None:
    missing = settings.model_copy(update={"host": HostSettings(codex=tmp_path / "none")})
    diagnosis = await look(missing)
    assert _found(diagnosis)["codex"] is False


async def test_the_index_is_built_anew_and_made_small(settings: Settings, official: OfficialCodex) -> None:
    await official.exec("/say Lochinver is quiet.")
    told: list[Progress] = []
    said = await rebuild_index(settings, told.append)
    assert "1 sessions" in said
    assert told[-1].phase is IndexPhase.READY
    assert "before" in compact_all(settings)
    engine = await open_engine(settings)
    try:
        page = await engine.sessions.search(SessionQuery(text="lochinver"))
        assert page.total == 1
        with pytest.raises(StoreLocked):
            await rebuild_index(settings, told.append)
        with pytest.raises(StoreLocked):
            compact_all(settings)
    finally:
        await engine.close()


async def test_a_damaged_index_is_named(settings: Settings) -> None:
    engine = await open_engine(settings)
    ready = asyncio.Event()
    engine.feed.listen(
        lambda event: (
            ready.set()
            if isinstance(event, IndexProgress) and event.progress.phase is IndexPhase.READY
            else None
        )
    )
    await asyncio.wait_for(ready.wait(), 20)
    await engine.close()
    path = settings.data_dir / INDEX
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * 8192 + whole[12288:])
    diagnosis = await look(settings)
    assert _found(diagnosis)["index"] is False
    text = next(finding.text for finding in diagnosis.findings if finding.name == "index")
    assert "--rebuild-index" in text


async def test_the_sandbox_is_tried(codex_binary: Path) -> None:
    trial = await try_sandbox(codex_binary)
    assert (trial.runs, trial.holds) == (True, True)
    broken = await try_sandbox(Path("/bin/false"))
    assert not broken.runs


@pytest.mark.parametrize(
    ("env", "size", "said", "enough"),
    [
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, (80, 24), "true colour", True),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"}, (80, 24), "whole frames are told", True),
        ({"TERM": "screen", "TMUX": "x"}, (120, 40), "8 colours", True),
        ({"TERM": "xterm", "SSH_TTY": "x"}, (40, 10), "over SSH", False),
        ({}, (80, 24), "no colours", False),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, (60, 20), "no colours", True),
    ],
)
def test_what_the_terminal_can_do(
    env: dict[str, str], size: tuple[int, int], said: str, enough: bool
) -> None:
    found = abilities(env, *size)
    assert said in found.sentence
    assert found.enough is enough
