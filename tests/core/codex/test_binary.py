"""Which Codex is taken, and what is said when there is none."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

import pytest

from core.codex import binary
from core.codex.binary import MINIMUM, bundled_binary, find_binary, parse_version, version_of, version_text
from core.codex.options import HostOptions
from core.errors import CodexNotFound, CodexTooOld

NEW = version_text((MINIMUM[0], MINIMUM[1] + 1, 0))
OLD = version_text((MINIMUM[0], MINIMUM[1] - 1, 9))


def fake_codex(folder: Path, says: str, code: int = 0) -> Path:
    """A program that answers `--version`, and counts how often it ran."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "codex"
    path.write_text(f'#!/bin/sh\necho run >> "{folder}/runs"\necho "{says}"\nexit {code}\n')
    path.chmod(0o755)
    return path


@pytest.fixture
def options(tmp_path: Path) -> HostOptions:
    """Options under which nothing is on PATH but what a test puts there."""
    path = os.pathsep.join((str(tmp_path / "path"), "/usr/bin", "/bin"))
    return HostOptions(codex_home=tmp_path / "home", state_dir=tmp_path / "state", env={"PATH": path})


@pytest.fixture
def nothing_bundled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binary, "bundled_binary", lambda: None)


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("codex-cli 0.163.0", (0, 163, 0)),
        ("codex-tui/0.171.12 (Debian 12.0.0; x86_64)", (0, 171, 12)),
        ("codex-cli 1.0.0-alpha.3", (1, 0, 0)),
        ("no version", None),
        ("", None),
    ],
)
def test_versions_are_read_from_what_codex_says(text: str, version: binary.Version | None) -> None:
    assert parse_version(text) == version


async def test_the_setting_comes_first(options: HostOptions, tmp_path: Path) -> None:
    fake_codex(tmp_path / "path", f"codex-cli {NEW}")
    own = fake_codex(tmp_path / "own", f"codex-cli {NEW}")
    assert await find_binary(dataclasses.replace(options, binary=own)) == own


async def test_a_new_enough_codex_on_path_comes_before_the_bundled_one(
    options: HostOptions, tmp_path: Path
) -> None:
    on_path = fake_codex(tmp_path / "path", f"codex-cli {NEW}")
    assert await find_binary(options) == on_path


@pytest.mark.parametrize("says", [f"codex-cli {OLD}", "something else"])
async def test_the_bundled_one_stands_in_for_one_on_path_that_is_too_old_or_strange(
    options: HostOptions, tmp_path: Path, says: str, codex_binary: Path
) -> None:
    fake_codex(tmp_path / "path", says)
    assert await find_binary(options) == codex_binary


async def test_the_bundled_codex_is_new_enough(codex_binary: Path) -> None:
    assert bundled_binary() == codex_binary
    version = await version_of(codex_binary)
    assert version is not None
    assert version >= MINIMUM


@pytest.mark.usefixtures("nothing_bundled")
async def test_an_old_codex_on_path_and_no_other_is_too_old(options: HostOptions, tmp_path: Path) -> None:
    on_path = fake_codex(tmp_path / "path", f"codex-cli {OLD}")
    with pytest.raises(CodexTooOld) as refused:
        await find_binary(options)
    assert OLD in str(refused.value)
    assert version_text(MINIMUM) in str(refused.value)
    assert str(on_path) in str(refused.value)
    assert refused.value.todo


@pytest.mark.usefixtures("nothing_bundled")
async def test_no_codex_at_all_is_said_with_what_to_do(options: HostOptions) -> None:
    with pytest.raises(CodexNotFound) as refused:
        await find_binary(options)
    assert "Install Codex" in refused.value.todo


async def test_a_setting_that_names_nothing_is_never_replaced_by_another(
    options: HostOptions, tmp_path: Path
) -> None:
    fake_codex(tmp_path / "path", f"codex-cli {NEW}")
    with pytest.raises(CodexNotFound, match="no such file"):
        await find_binary(dataclasses.replace(options, binary=tmp_path / "nowhere"))
    with pytest.raises(CodexNotFound, match="not an executable file"):
        await find_binary(dataclasses.replace(options, binary=tmp_path))


async def test_a_setting_that_names_an_old_one_is_too_old(options: HostOptions, tmp_path: Path) -> None:
    own = fake_codex(tmp_path / "own", f"codex-cli {OLD}")
    with pytest.raises(CodexTooOld, match=OLD):
        await find_binary(dataclasses.replace(options, binary=own))


async def test_a_binary_is_asked_for_its_version_once_and_again_when_it_changes(tmp_path: Path) -> None:
    path = fake_codex(tmp_path / "own", f"codex-cli {NEW}")
    for _ in range(3):
        assert version_text(await version_of(path) or (0, 0, 0)) == NEW
    runs = tmp_path / "own" / "runs"
    assert runs.read_text().count("run") == 1
    fake_codex(tmp_path / "own", f"codex-cli {OLD}, and longer")
    assert version_text(await version_of(path) or (0, 0, 0)) == OLD
    assert runs.read_text().count("run") == 2


async def test_a_binary_that_hangs_has_no_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binary, "VERSION_SECONDS", 0.1)
    path = fake_codex(tmp_path / "own", "late")
    path.write_text("#!/bin/sh\nexec sleep 60\n")
    assert await version_of(path) is None
