"""The message in an editor: changed, left as it is, or not opened at all; never lost."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.errors import QuarterdeckError
from tests.tui.conftest import ConsoleApp, OpenConsole
from tests.tui.host import press, until
from tui.composing.editor import editor_command


@contextmanager
def nothing() -> Iterator[None]:
    yield


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A script that is the editor; the terminal is not really given away."""
    script = tmp_path / "editor"
    monkeypatch.setenv("VISUAL", f"sh {script}")
    monkeypatch.setattr(ConsoleApp, "suspend", lambda app: nothing())
    return script


async def test_what_the_editor_saves_is_the_message(
    console: OpenConsole, editor: Path, tmp_path: Path
) -> None:
    editor.write_text(f'stat -c "%a %n" "$1" > {tmp_path}/seen; echo "$(cat "$1") and more" > "$1"')
    async with console() as (screen, pilot):
        await press(pilot, *"half", "ctrl+g")
        await until(pilot, lambda: screen.composer.input.text == "half and more")
        await press(pilot, "ctrl+z")
        assert screen.composer.input.text == "half"
    mode, _, name = (tmp_path / "seen").read_text().strip().partition(" ")
    assert int(mode, 8) == stat.S_IRUSR | stat.S_IWUSR
    assert not Path(name).exists() and not Path(name).parent.exists()


@pytest.mark.parametrize("does", ["exit 3", 'rm "$1"', "printf '\\377' > \"$1\""])
async def test_an_editor_that_fails_changes_nothing_and_says_so(
    console: OpenConsole, editor: Path, does: str
) -> None:
    editor.write_text(does)
    async with console() as (screen, pilot):
        await press(pilot, *"half", "ctrl+g")
        await until(pilot, lambda: screen.notices.showing)
        assert screen.composer.input.text == "half"


async def test_an_editor_that_is_not_there_is_named(
    console: OpenConsole, editor: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VISUAL", "/nowhere/edit -w")
    async with console() as (screen, pilot):
        await press(pilot, *"half", "ctrl+g")
        await until(pilot, lambda: "/nowhere/edit cannot be started" in str(screen.notices.render()))
        assert screen.composer.input.text == "half"


def test_the_editor_is_the_persons_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("VISUAL", "EDITOR"):
        monkeypatch.delenv(name, raising=False)
    assert editor_command() == ("vi",)
    monkeypatch.setenv("EDITOR", "nano")
    assert editor_command() == ("nano",)
    monkeypatch.setenv("VISUAL", "code -w 'a b'")
    assert editor_command() == ("code", "-w", "a b")
    monkeypatch.setitem(os.environ, "VISUAL", "code 'half")
    with pytest.raises(QuarterdeckError):
        editor_command()
