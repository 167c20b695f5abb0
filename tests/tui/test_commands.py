"""The commands that open no screen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tui.commands import WORDS, command


@pytest.mark.parametrize("word", sorted(WORDS))
def test_each_command_explains_itself(word: str) -> None:
    done = CliRunner().invoke(command(word), ["--help"])
    assert done.exit_code == 0
    assert "Usage" in done.output


def test_the_doctor_says_what_it_looked_at() -> None:
    done = CliRunner().invoke(command("doctor"), ["--json"])
    diagnosis = json.loads(done.stdout)
    names = {finding["name"] for finding in diagnosis["findings"]}
    assert names >= {"terminal", "database", "index", "codex", "sandbox"}
    assert (done.exit_code == 0) == diagnosis["ok"]


def test_exec_answers_on_the_demo() -> None:
    done = CliRunner().invoke(command("exec"), ["/say forty-two", "--demo"])
    assert (done.exit_code, done.stdout) == (0, "forty-two\n")


def test_exec_refuses_a_schema_that_is_not_there(tmp_path: Path) -> None:
    done = CliRunner().invoke(command("exec"), ["x", "--schema", str(tmp_path / "none.json")])
    assert done.exit_code == 2
    assert "none.json" in done.stderr


def test_what_is_added_is_listed_found_and_dropped(tmp_path: Path) -> None:
    (tmp_path / "tides.md").write_text("# Tides\n\nHigh water is at noon.\n")

    def knowledge(*words: str) -> str:
        done = CliRunner().invoke(command("knowledge"), [*words, "--cd", str(tmp_path)])
        assert done.exit_code == 0, done.output
        return done.stdout

    assert "1 documents" in knowledge("add", str(tmp_path / "tides.md"), "--pin")
    listed = knowledge("list")
    assert listed.startswith("* tides")
    assert "noon" in knowledge("search", "water")
    knowledge("drop", listed.split()[1])
    assert "Nothing is known" in knowledge("list")


def test_rules_are_added_listed_and_revoked(tmp_path: Path) -> None:
    def rules(*words: str) -> str:
        done = CliRunner().invoke(command("rules"), [*words])
        assert done.exit_code == 0, done.output
        return done.stdout

    added = rules("add", "allow", "git status ...", "--cd", str(tmp_path))
    assert "allow git status" in added
    assert "git status" in rules("list")
    rules("revoke", added.split()[1].rstrip(":"))
    assert "no rules" in rules("list")


def test_rules_are_switched_moved_tried_written_and_taken_back(tmp_path: Path) -> None:
    def rules(*words: str, code: int = 0) -> str:
        done = CliRunner().invoke(command("rules"), [*words])
        assert done.exit_code == code, done.output
        return done.output

    here = ("--cd", str(tmp_path))
    first = rules("add", "deny", "git push ...", *here).split()[1].rstrip(":")
    second = rules("add", "allow", "git ...", *here).split()[1].rstrip(":")
    assert f"Rule {first}" in rules("test", "git push", *here)
    rules("disable", first)
    assert "disabled" in rules("list")
    assert "would be allowed" in rules("test", "git push", *here)
    rules("enable", first)
    rules("move", second, "1")
    assert "would be allowed" in rules("test", "git push", *here)
    assert "You are asked" in rules("test", "make", *here)
    file = tmp_path / "rules.toml"
    rules("export", str(file))
    rules("export", str(file), code=2)
    file.write_text(file.read_text("utf-8").replace('verdict = "deny"', 'verdict = "never"'), "utf-8")
    assert "rule.2.verdict" in rules("import", str(file), code=1)
    assert "deny git push" in rules("list")
    file.write_text(rules("export").replace('verdict = "deny"', 'verdict = "ask"'), "utf-8")
    assert "2 rules" in rules("import", str(file))
    assert "ask git push" in rules("list")
    rules("import", str(tmp_path / "none.toml"), code=2)
    for number in (first, second):
        rules("revoke", number)
    rules("revoke", first, code=1)
