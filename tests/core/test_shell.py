"""What a person runs herself is in the ledger as her decision."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import cast

import pytest

from core.access.ledger import parse_filter
from core.access.policy import AccessPolicy, Verdict
from core.access.rules import RuleDraft
from core.agent.lookups import CommandOutput, Lookups, ShellCommand
from core.decided import DecisionLedger
from core.errors import CallRefused, CodexError, ConnectionLost
from core.ledger_lines import Form, intact
from core.rows import LedgerSummary
from core.rulebook import Rulebook
from core.shell import Shell
from core.store.store import Store
from tests.core.store.helpers import add_conversations
from tests.core.test_rulebook import draft

Ran = Callable[[], int]


class Ending:
    """Stands for Codex: a command ends as it is told, or never."""

    def __init__(self, ran: Ran | None) -> None:
        self._ran = ran
        self.begun = asyncio.Event()

    async def run(self, command: ShellCommand, hear: Callable[[CommandOutput], None]) -> int:
        self.begun.set()
        return await asyncio.Future[int]() if self._ran is None else self._ran()


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = await Store.open(tmp_path / "q.sqlite3", console="test")
    await add_conversations(opened, "c")
    yield opened
    await opened.close()


def shell(store: Store, ran: Ran | None) -> tuple[Shell, Ending]:
    codex = Ending(ran)
    return Shell(cast(Lookups, codex), store.ledger), codex


async def found(store: Store, text: str = "") -> list[LedgerSummary]:
    ledger, where = DecisionLedger(store.ledger), parse_filter(text, 0)
    return list(await ledger.summaries(where, (await ledger.count(where)).newest, 0))


async def run(store: Store, line: str, ran: Ran | None, conversation_id: str | None = "c") -> None:
    runs, _ = shell(store, ran)
    await runs.run(runs.command(line, Path("/quay"), "read-only"), lambda _: None, conversation_id)


async def test_it_is_hers_with_its_exit_code_and_found_by_its_words(store: Store) -> None:
    await run(store, "make pier", lambda: 2)
    await run(store, "make boat", lambda: 0, None)
    (pier,) = await found(store, "pier who:person kind:command is:accepted outcome:failed")
    assert (pier.headline, pier.decided_by, pier.conversation_id) == ("make pier", "you", "c")
    assert [one.outcome for one in pier.outcomes] == ["exit 2"]
    (boat,) = await found(store, "outcome:worked")
    assert (boat.headline, boat.conversation_id) == ("make boat", None)
    ledger = DecisionLedger(store.ledger)
    assert intact(await ledger.entry(pier.id))
    lines = [json.loads(line) async for line in ledger.lines(parse_filter("pier", 0), Form.JSON_LINES)]
    assert lines[0]["answer"] == {"kind": "ran", "sandbox": "read-only"}


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (ConnectionLost("Codex is gone"), "cut off"),
        (CallRefused("Codex refused", code=1, message="no"), "not run"),
    ],
)
async def test_one_whose_end_nobody_saw_says_so(store: Store, error: CodexError, outcome: str) -> None:
    def fails() -> int:
        raise error

    with pytest.raises(type(error)):
        await run(store, "make pier", fails)
    (only,) = await found(store)
    assert only.outcomes[0].outcome.startswith(outcome)
    assert only.fate == "open"


async def test_it_is_recorded_before_it_starts_and_when_the_console_ends_under_it(store: Store) -> None:
    runs, codex = shell(store, None)
    running = asyncio.create_task(runs.run(runs.command("sleep 9", Path("/quay"), ""), lambda _: None, "c"))
    async with asyncio.timeout(10):
        await codex.begun.wait()
    assert [one.headline for one in await found(store)] == ["sleep 9"]
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    (only,) = await found(store)
    assert only.outcomes[0].outcome.startswith("cut off")


async def test_a_rule_could_not_have_decided_it(store: Store) -> None:
    await run(store, "make pier", lambda: 0)
    rule: RuleDraft = draft("make …", Verdict.ALLOW)
    foreseen = await Rulebook(store.rules, store.ledger, AccessPolicy.shipped()).foresee((rule,))
    assert (foreseen.matched, foreseen.missed) == ((), ())
