"""The feedback file: what is needed, nothing secret, and nothing is overwritten or sent."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from core.errors import Conflict, InvalidRequest
from core.feedback import write_feedback
from core.settings import HostSettings, Settings

KEY = "sk-abcdefghijklmnopqrstuvwxyz012345"


async def test_it_has_versions_settings_findings_and_the_log_and_no_secret(tmp_path: Path) -> None:
    log = tmp_path / "crash.log"
    log.write_text(f"Traceback: it broke with OPENAI_API_KEY={KEY}\n")
    settings = Settings(
        data_dir=tmp_path / "data",
        host=HostSettings(mode="websocket", url="ws://127.0.0.1:1/", token="the-secret-token"),
    )
    path = await write_feedback(settings, "Codex 0.163.0", tmp_path / "feedback.txt", [log])
    text = path.read_text()
    for part in ("Quarterdeck", "Codex 0.163.0", '"mode": "websocket"', "database:", "it broke with"):
        assert part in text
    assert KEY not in text and "the-secret-token" not in text
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


async def test_a_file_that_is_there_stays_and_a_folder_that_is_not_is_said(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data", host=HostSettings(codex=tmp_path / "no-codex"))
    there = tmp_path / "there.txt"
    there.write_text("mine")
    with pytest.raises(Conflict, match="there already"):
        await write_feedback(settings, "", there, [tmp_path / "none.log"])
    assert there.read_text() == "mine"
    with pytest.raises(InvalidRequest, match="cannot be written"):
        await write_feedback(settings, "", tmp_path / "nowhere" / "f.txt", [tmp_path / "none.log"])
