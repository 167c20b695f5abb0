"""The message in an editor: changed, left as it is, or not opened at all; never lost."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.conversation.feed import Detached
from core.errors import QuarterdeckError
from tests.tui.conftest import FOLDER, ConsoleApp, OpenConsole
from tests.tui.fake_engine import FakeEngine
from tests.tui.host import press, until
from tui import outside


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
        await until(pilot, lambda: "/nowhere/edit" in str(screen.notices.render()))
        assert screen.composer.input.text == "half"


async def test_what_an_editor_saved_that_fails_afterwards_stays_in_its_file(
    console: OpenConsole, editor: Path, tmp_path: Path
) -> None:
    editor.write_text(f'echo "$1" > {tmp_path}/seen; echo "a thousand words" > "$1"; exit 1')
    async with console() as (screen, pilot):
        await press(pilot, *"half", "ctrl+g")
        await until(pilot, lambda: screen.notices.showing)
        file = Path((tmp_path / "seen").read_text().strip())
        assert str(file) in "".join(str(screen.notices.render()).split("\n"))
        assert file.read_text() == "a thousand words\n"
        assert screen.composer.input.text == "half"
    shutil.rmtree(file.parent)


async def test_what_was_edited_is_written_where_it_was_begun(
    console: OpenConsole, engine: FakeEngine, editor: Path, tmp_path: Path
) -> None:
    editor.write_text(f'while [ ! -e {tmp_path}/left ]; do sleep 0.01; done; echo "and more" > "$1"')
    begun, other = engine.add(FOLDER, "begun"), engine.add(FOLDER, "other")
    async with console() as (screen, pilot):
        screen.go_to(begun.id)
        await until(pilot, lambda: screen.desk is not None and screen.desk.current.id == begun.id)
        await press(pilot, *"half", "ctrl+g")
        screen.go_to(other.id)
        await until(pilot, lambda: screen.desk is not None and screen.desk.current.id == other.id)
        (tmp_path / "left").touch()
        await until(pilot, lambda: engine.drafts.get(begun.id) == "and more")
        assert screen.composer.input.text == ""
        screen.go_to(begun.id)
        await until(pilot, lambda: screen.composer.input.text == "and more")


async def test_what_was_edited_of_a_conversation_that_is_gone_can_be_recalled(
    console: OpenConsole, engine: FakeEngine, editor: Path, tmp_path: Path
) -> None:
    editor.write_text(f'while [ ! -e {tmp_path}/left ]; do sleep 0.01; done; echo "and more" > "$1"')
    gone = engine.add(FOLDER, "gone")
    async with console() as (screen, pilot):
        screen.go_to(gone.id)
        await until(pilot, lambda: screen.desk is not None and screen.desk.current.id == gone.id)
        await press(pilot, *"half", "ctrl+g")
        del engine.open_conversations[gone.id]
        engine.feed.tell(Detached(gone.id))
        await until(pilot, lambda: screen.desk is not None and screen.desk.current.id is None)
        (tmp_path / "left").touch()
        await until(pilot, lambda: engine.drafts.get(gone.id) == "and more")
        await press(pilot, "up")
        assert screen.composer.input.text == "and more"


async def test_the_editor_is_opened_once(console: OpenConsole, editor: Path, tmp_path: Path) -> None:
    editor.write_text(
        f'echo x >> {tmp_path}/begun; while [ ! -e {tmp_path}/left ]; do sleep 0.01; done; echo done > "$1"'
    )
    async with console() as (screen, pilot):
        await press(pilot, *"half", "ctrl+g", "ctrl+g")
        await until(pilot, lambda: "another program has the terminal" in str(screen.notices.render()))
        (tmp_path / "left").touch()
        await until(pilot, lambda: screen.composer.input.text == "done")
    assert (tmp_path / "begun").read_text() == "x\n"


def test_the_editor_is_the_persons_choice(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("nano", "vi", "code"):
        (tmp_path / name).write_text("#!/bin/sh")
        (tmp_path / name).chmod(0o700)
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in ("VISUAL", "EDITOR"):
        monkeypatch.delenv(name, raising=False)
    assert outside.editor() == ["nano"]
    monkeypatch.setenv("EDITOR", "vi")
    assert outside.editor() == ["vi"]
    monkeypatch.setenv("VISUAL", "code -w 'a b'")
    assert outside.editor() == ["code", "-w", "a b"]
    monkeypatch.setitem(os.environ, "VISUAL", "code 'half")
    with pytest.raises(QuarterdeckError):
        outside.editor()
