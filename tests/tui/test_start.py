"""Up to the first paint only what it needs is imported, and the command line answers in one sentence."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tui import cli
from tui.host_command import host

HEAVY = (
    "aiohttp",
    "PIL",
    "aiosqlite",
    "core.agent",
    "core.engine",
    "core.rows",
    "jsonschema",
    "markdown_it",
    "pydantic",
    "pygments",
    "tui.sessions.command",
    "watchfiles",
    "websockets",
)


def test_the_first_paint_imports_nothing_heavy() -> None:
    script = "import sys, tui.cli, tui.app; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
    )
    loaded = set(done.stdout.split())
    assert "tui.screens.console" in loaded
    assert not loaded.intersection(HEAVY)


@pytest.mark.parametrize(("asked", "frames"), [(None, "120"), ("30", "30")])
def test_it_draws_often_unless_told_otherwise_and_tells_nobody(asked: str | None, frames: str) -> None:
    script = (
        "import os; from tui import cli; cli._application(); from textual import constants;"
        "print(constants.MAX_FPS, os.environ.get('TEXTUAL_FPS'))"
    )
    env = {name: value for name, value in os.environ.items() if name != "TEXTUAL_FPS"}
    if asked is not None:
        env["TEXTUAL_FPS"] = asked
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True, env=env
    )
    assert done.stdout.split() == [frames, str(asked)]


def test_help_and_version_import_no_screen() -> None:
    for option in ("--help", "--version"):
        script = f"import sys, tui.cli; sys.argv=['quarterdeck', '{option}']\ntry: tui.cli.main()\nexcept SystemExit: pass\nprint('textual' in sys.modules)"
        done = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
        )
        assert done.stdout.splitlines()[-1] == "False"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli.console, arguments)


def test_help_says_what_there_is() -> None:
    result = run("--help")
    assert result.exit_code == 0
    for word in ("--cd", "--continue", "--demo", "MESSAGE", "quarterdeck exec"):
        assert word in result.output


def test_version_names_the_program() -> None:
    result = run("--version")
    assert result.exit_code == 0
    assert result.output.startswith("quarterdeck 0.")


@pytest.mark.parametrize("kind", ["missing", "a file", "unreadable"])
def test_a_folder_that_cannot_be_used_is_one_sentence_and_code_2(tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "there"
    if kind == "a file":
        folder.write_text("")
    elif kind == "unreadable":
        folder.mkdir(mode=0o000)
        if folder.stat().st_uid == 0:
            pytest.skip("root reads everything")
    result = run("--cd", str(folder))
    assert result.exit_code == 2
    assert str(folder) in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert "Traceback" not in result.stderr


def test_without_a_terminal_it_says_so(tmp_path: Path) -> None:
    result = run("--cd", str(tmp_path))
    assert result.exit_code == 2
    assert "needs a terminal" in result.stderr


def test_the_words_of_the_command_line_are_one_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    launched = []
    monkeypatch.setattr(cli, "run_console", lambda launch: launched.append(launch) or 0)
    result = run("--cd", str(tmp_path), "--continue", "--demo", "fix", "the", "boats")
    assert result.exit_code == 0
    (launch,) = launched
    assert (launch.folder, launch.message, launch.latest, launch.demo) == (
        tmp_path,
        "fix the boats",
        True,
        True,
    )


def test_host_is_a_command_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEX_HOME", str(tmp_path))
    for word in ("status", "stop"):
        result = CliRunner().invoke(host, [word])
        assert result.exit_code == 0
        assert "No Codex host runs here" in result.output


def test_settings_that_cannot_be_used_are_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    config = tmp_path / "quarterdeck" / "config.toml"
    config.parent.mkdir()
    config.write_text("theme = 3\n")
    result = CliRunner().invoke(host, ["status"])
    assert result.exit_code == 1
    assert "theme" in result.stderr
    assert "Traceback" not in result.stderr
