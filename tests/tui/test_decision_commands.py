"""The ledger on the command line."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from core.agent.requests import dump_answer, dump_request
from core.conversation.asked import draft_of
from core.conversation.grounds import Grounds
from core.engine import DATABASE
from core.rows import DecisionDraft
from core.settings import config_path, load_settings
from core.store.store import Store
from tests.tui import examples
from tests.tui.ledger.fake import ACCEPT, DECLINE
from tui import decision_commands
from tui.commands import command


def ledger(*words: str) -> Result:
    return CliRunner().invoke(command("ledger"), list(words))


def kept(*drafts: DecisionDraft) -> None:
    """Record decisions in the ledger of the settings' own folder."""

    async def record() -> None:
        store = await Store.open(load_settings(config_path()).data_dir / DATABASE, console="test")
        for draft in drafts:
            await store.ledger.add_outcome(await store.ledger.record(draft), "exit 2")
        await store.close()

    asyncio.run(record())


@pytest.fixture
def some(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Callable[[], None]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("ledger")))
    hostile = examples.COMMAND.model_copy(update={"command": "=cmd \x1b[31mred"})
    return lambda: kept(
        DecisionDraft(None, "you", "command", dump_request(examples.COMMAND), "h", dump_answer(ACCEPT)),
        DecisionDraft(None, "rule 3: deny x", "command", dump_request(hostile), "h", dump_answer(DECLINE)),
    )


def test_the_ledger_is_a_table_for_a_person_and_steers_no_terminal(some: Callable[[], None]) -> None:
    some()
    done = ledger()
    assert done.exit_code == 0
    newest, oldest = done.stdout.splitlines()
    assert "declined" in newest
    assert "␛[31mred" in newest
    assert "git push origin main" in oldest
    assert "\x1b" not in done.output


def test_a_ledger_with_nothing_in_it_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert ledger().stdout == "Nothing was decided yet.\n"


def test_what_is_looked_for_is_told_as_json_and_as_csv(some: Callable[[], None]) -> None:
    some()
    (told,) = map(json.loads, ledger("--json", "--who", "rule").stdout.splitlines())
    assert told["decided_by"] == "rule 3: deny x"
    (row,) = csv.DictReader(io.StringIO(ledger("--csv", "--search", "origin", "--is", "accepted").stdout))
    assert json.loads(row["content"])["command"] == examples.COMMAND.command
    assert len(ledger("--json", "--limit", "1").stdout.splitlines()) == 1
    assert ledger("--json", "--since", "2999-01-01").stdout == ""
    assert "No decision" in ledger("--search", "whale").stdout


@pytest.mark.parametrize("words", [("--who", "me"), ("--since", "soon"), ("--json", "--csv")])
def test_what_cannot_be_looked_for_is_said(words: tuple[str, ...], some: Any) -> None:
    done = ledger(*words)
    assert done.exit_code == 2
    assert done.stderr


# Approvals.


def approvals(*words: str) -> Result:
    return CliRunner().invoke(command("approvals"), list(words))


PLAIN = Grounds()


def waits(text: str, grounds: Grounds = PLAIN) -> int:
    """The number of a command that waits now."""

    async def raised() -> int:
        store = await Store.open(load_settings(config_path()).data_dir / DATABASE, console="test")
        request = examples.COMMAND.model_copy(update={"command": text})
        row, _ = await store.notifications.raise_(draft_of(None, request, grounds))
        await store.close()
        return row.id

    return asyncio.run(raised())


@pytest.fixture
def asked(some: Any) -> int:
    """The number of a command that waits."""
    return waits("make\x1b]0;x\x07 all")


@pytest.fixture
def at_a_terminal(some: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person is there, and no console, which would send what is decided."""
    monkeypatch.setattr(decision_commands, "_check_somebody_is_here", lambda: None)
    monkeypatch.setattr("core.approvals.SECONDS", 0.01)


def accepted(number: int, typed: str) -> Result:
    return CliRunner().invoke(command("approvals"), ["accept", str(number)], input=typed)


@pytest.mark.usefixtures("at_a_terminal")
def test_what_looks_destructive_is_accepted_only_by_saying_so_twice() -> None:
    number = waits("rm -rf build", Grounds(sandbox="workspace-write", cautions=("rm -r",)))
    for typed in ("y\n", "y\nn\n"):
        done = accepted(number, typed)
        assert done.exit_code == 1
        assert "It may destroy something (rm -r)" in done.stdout
        assert "the sandbox workspace-write" in done.stdout
    assert approvals("show", str(number)).stdout.count("It may destroy something") == 1
    assert accepted(number, "y\ny\n").exit_code == 6


@pytest.mark.usefixtures("at_a_terminal")
def test_what_hides_characters_is_accepted_only_by_saying_so_twice() -> None:
    number = waits("make\u202e all")
    assert accepted(number, "y\n").exit_code == 1
    assert accepted(number, "y\ny\n").exit_code == 6


@pytest.mark.usefixtures("at_a_terminal")
def test_what_cannot_be_shown_whole_is_not_accepted_and_shown_without_a_hash() -> None:
    number = waits(f"echo {'a' * 200_000} && rm -rf ~")
    done = accepted(number, "y\ny\n")
    assert done.exit_code == 2
    assert "too much to show whole" in done.stderr
    assert "hash " not in approvals("show", str(number)).stdout
    (told,) = json.loads(approvals("list", "--json").stdout)
    assert told["request"]["command"].endswith("rm -rf ~")


@pytest.mark.usefixtures("at_a_terminal")
def test_what_is_plain_is_accepted_by_saying_so_once() -> None:
    assert accepted(waits("make all"), "y\n").exit_code == 6


def test_what_waits_is_listed_and_shown_with_its_hash_and_steers_no_terminal(asked: int) -> None:
    listed, shown = approvals("list"), approvals("show", str(asked))
    (told,) = json.loads(approvals("list", "--json").stdout)
    assert f"hash {told['hash']}" in shown.stdout
    assert told["request"]["command"] == "make\x1b]0;x\x07 all"
    for done in (listed, shown):
        assert (done.exit_code, "\x1b" in done.output) == (0, False)
        assert "make␛" in done.stdout


def test_nothing_is_decided_without_a_terminal_or_the_hash_of_what_was_seen(asked: int) -> None:
    for words, code in (
        (("accept", str(asked)), 2),
        (("accept", str(asked), "--hash", "abc"), 2),
        (("accept", str(asked), "--hash", "0" * 64), 3),
        (("decline", "77", "--hash", "0" * 64), 3),
    ):
        done = approvals(*words)
        assert (done.exit_code, bool(done.stderr)) == (code, True), words
    assert len(json.loads(approvals("list", "--json").stdout)) == 1


def test_where_nothing_waits_it_says_so(some: Any) -> None:
    assert "Nothing waits" in approvals("list").stdout
