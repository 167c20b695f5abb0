"""Changing config.toml: checked first, written whole, and explained."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.errors import SettingsError
from core.settings import load_settings
from core.settings_about import Holds, Kind, parsed_value, settings_about, shown_value, value_at
from core.settings_file import write_setting


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "quarterdeck" / "config.toml"


def test_the_first_setting_makes_the_file(file: Path) -> None:
    assert write_setting(file, ("away", "notify"), "bell").away.notify == "bell"
    assert load_settings(file).away.notify == "bell"
    assert write_setting(file, ("away", "notify"), None).away.notify == "auto"


def test_a_value_that_cannot_be_is_named_and_nothing_is_written(file: Path) -> None:
    write_setting(file, ("theme",), "quarterdeck-light")
    before = file.read_bytes()
    with pytest.raises(SettingsError, match=r"line 4: knowledge\.budget_tokens"):
        write_setting(file, ("knowledge", "budget_tokens"), -1)
    with pytest.raises(SettingsError, match="There is no profile named pirate"):
        write_setting(file, ("defaults", "profile"), "pirate")
    assert file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir()] == ["config.toml"]


def test_a_link_its_rights_and_a_byte_order_mark_stay(file: Path, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.toml"
    real.write_bytes('\ufefftheme = "a"\n'.encode())
    real.chmod(0o600)
    file.parent.mkdir()
    file.symlink_to(real)
    write_setting(file, ("theme",), "b")
    assert file.is_symlink()
    assert real.read_bytes() == '\ufefftheme = "b"\n'.encode()
    assert real.stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_said(file: Path) -> None:
    file.parent.mkdir()
    file.parent.chmod(0o500)
    with pytest.raises(SettingsError, match="cannot be written"):
        write_setting(file, ("theme",), "b")


def test_every_setting_is_explained() -> None:
    unexplained = [about.name for about in settings_about() if not about.words]
    assert unexplained == []


def test_a_setting_knows_how_it_is_written_and_what_it_is(file: Path) -> None:
    by_name = {about.name: about for about in settings_about()}
    assert by_name["host.mode"].choices[0] == "control-socket"
    assert by_name["defaults.sandbox"].choices == ("read-only", "workspace-write", "danger-full-access")
    assert (by_name["defaults.model"].default, by_name["knowledge.budget_tokens"].default) == ("", "4000")
    assert by_name["away.title"].kind is Kind.SWITCH
    assert by_name["theme"].holds is Holds.AT_ONCE
    settings = write_setting(file, ("tools", "off"), ("knowledge", "dice"))
    assert shown_value(value_at(settings, ("tools", "off"))) == "knowledge, dice"


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("away.title", "false", False),
        ("knowledge.budget_tokens", " 12 ", 12),
        ("tools.off", "a, b,", ("a", "b")),
        ("tools.off", "", ()),
        ("defaults.model", "", None),
        ("defaults.model", "gpt", "gpt"),
    ],
)
def test_what_is_typed_becomes_a_value(name: str, text: str, value: object) -> None:
    about = next(about for about in settings_about() if about.name == name)
    assert parsed_value(about, text) == value
