"""The log file: private, masked, begun anew when it is large; one that cannot be written stops nothing."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from core import logfile
from core.logfile import LARGEST, logging_to

log = logging.getLogger("core.test")


def test_what_is_logged_is_in_a_private_file_without_its_secrets(tmp_path: Path) -> None:
    path = tmp_path / "logs" / "quarterdeck.log"
    with logging_to(path):
        log.info("signed in with %s", "sk-" + "a" * 40)
        logging.getLogger("elsewhere").warning("a warning")
        logging.getLogger("elsewhere").debug("a detail")
    log.info("afterwards")
    text = path.read_text(encoding="utf-8")
    assert "signed in with [secret]" in text
    assert "a warning" in text
    assert "a detail" not in text
    assert "afterwards" not in text
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_trace_is_masked_too_and_a_lone_surrogate_is_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "quarterdeck.log"
    with logging_to(path):
        try:
            raise ValueError("password=hunter2hunter2 \ud800")
        except ValueError:
            log.exception("it failed")
    text = path.read_text(encoding="utf-8")
    assert "it failed" in text
    assert "hunter2" not in text
    assert "\\ud800" in text


def test_a_large_file_is_kept_aside_at_the_next_start(tmp_path: Path) -> None:
    path = tmp_path / "quarterdeck.log"
    path.write_text("x" * (LARGEST + 1))
    with logging_to(path):
        log.info("anew")
    assert "anew" in path.read_text()
    assert path.stat().st_size < 1_000
    assert (tmp_path / "quarterdeck.log.1").stat().st_size == LARGEST + 1


def test_without_a_place_for_it_nothing_is_logged_and_nothing_fails(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with logging_to(tmp_path / "file" / "quarterdeck.log"):
        log.warning("nowhere")
    assert (tmp_path / "file").read_text() == ""


def test_a_file_that_grows_large_while_it_is_written_is_begun_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logfile, "LARGEST", 2_000)
    path, kept = tmp_path / "quarterdeck.log", tmp_path / "quarterdeck.log.1"
    with logging_to(path), logging_to(path):  # Two consoles.
        for number in range(200):
            log.info("line %d", number)
            assert path.stat().st_size < 2_300
    assert kept.stat().st_size < 2_300
    lines = (kept.read_text() + path.read_text()).splitlines()
    assert [line.rpartition(" ")[2] for line in lines[-4:]] == ["198", "198", "199", "199"]
    assert path.stat().st_mode & 0o777 == 0o600
