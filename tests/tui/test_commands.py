"""The commands that open no screen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tui.commands import WORDS


@pytest.mark.parametrize("word", sorted(WORDS))
def test_each_command_explains_itself(word: str) -> None:
    done = CliRunner().invoke(WORDS[word], ["--help"])
    assert done.exit_code == 0
    assert "Usage" in done.output


def test_the_doctor_says_what_it_looked_at() -> None:
    done = CliRunner().invoke(WORDS["doctor"], ["--json"])
    findings = json.loads(done.stdout)
    assert {finding["name"] for finding in findings} == {"database", "codex"}
    assert (done.exit_code == 0) == all(finding["ok"] for finding in findings)


def test_exec_answers_on_the_demo() -> None:
    done = CliRunner().invoke(WORDS["exec"], ["/say forty-two", "--demo"])
    assert (done.exit_code, done.stdout) == (0, "forty-two\n")


def test_exec_refuses_a_schema_that_is_not_there(tmp_path: Path) -> None:
    done = CliRunner().invoke(WORDS["exec"], ["x", "--schema", str(tmp_path / "none.json")])
    assert done.exit_code == 2
    assert "none.json" in done.stderr
