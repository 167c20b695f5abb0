"""`--demo` of the commands that open no screen."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import cast

import pytest
from click.testing import CliRunner, Result

from core.agent.requests import dump_answer, dump_request
from core.codex.status import host_status
from core.demo import place
from core.engine import DATABASE, GOES_ON, Engine
from core.hosting import host_options
from core.rows import DecisionDraft
from core.settings import Settings
from core.store.store import Store
from tests.tui import examples
from tests.tui.ledger.fake import ACCEPT
from tui.commands import WORDS, command
from tui.startup import ENDS, Session


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path


def called(*words: str) -> Result:
    return CliRunner().invoke(command(words[0]), list(words[1:]))


async def decided_once(settings: Settings) -> None:
    store = await Store.open(settings.data_dir / DATABASE, console="test")
    asked = dump_request(examples.COMMAND)
    await store.ledger.record(DecisionDraft(None, "you", "command", asked, "h", dump_answer(ACCEPT)))
    await store.close()


def lived_in() -> Settings:
    """The settings of a demo that was there once."""
    place.project().mkdir(parents=True)
    return place.kept(Settings())


def test_a_demo_that_never_ran_says_how_to_run_it() -> None:
    done = called("ledger", "--demo")
    assert done.exit_code == 1
    assert "quarterdeck --demo" in done.stderr


def test_what_was_decided_in_the_demo_is_in_its_ledger_only() -> None:
    asyncio.run(decided_once(lived_in()))
    assert "accepted" in called("ledger", "--demo").stdout
    assert "Nothing was decided yet." in called("ledger").stdout


def test_here_is_the_demos_own_folder() -> None:
    lived_in()
    assert called("rules", "add", "deny", "make", "--demo").exit_code == 0
    assert str(place.project()) in called("rules", "list", "--demo").stdout


def test_a_command_that_talks_to_codex_has_the_demos_and_ends_it() -> None:
    settings = lived_in()
    (settings.host.codex_home or Path()).mkdir()
    done = called("sessions", "--json", "--demo")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")
    assert asyncio.run(host_status(host_options(settings))) is None


@pytest.mark.parametrize("word", sorted(set(WORDS) - {"exec"}))
def test_each_command_that_keeps_or_shows_something_has_it(word: str) -> None:
    found = command(word)
    commands = list(getattr(found, "commands", {"": found}).values())
    with_it = [one.name for one in commands if any("--demo" in parameter.opts for parameter in one.params)]
    assert with_it == [one.name for one in commands if one.name != "stop"]


@pytest.mark.parametrize(("demo", "then"), [(True, ENDS), (False, GOES_ON)])
async def test_at_quit_it_is_said_what_becomes_of_what_still_runs(demo: bool, then: str) -> None:
    class Running:
        async def close(self, then: str) -> str:
            return f"1 turn still runs: {then}"

    session = Session(cast(Engine, Running()), Settings(), Path(), AsyncExitStack(), demo=demo)
    assert await session.close() == f"1 turn still runs: {then}"
