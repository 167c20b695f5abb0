"""The ledger of an engine, on the real Codex, and what is written of it to files."""

from __future__ import annotations

import asyncio
import csv
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.access.ledger import Fate, LedgerFilter, Who
from core.agent.requests import Choice, Decide, dump_answer
from core.conversation.info import Conversation
from core.decided import PAGE, DecisionLedger
from core.demo.scratch import Scratch
from core.engine import Engine, open_engine
from core.errors import Conflict, InvalidRequest, QuarterdeckError
from core.ledger_lines import intact
from core.rows import DecisionDraft
from core.settings import Settings
from core.store.store import Store
from core.thread.boxes import TOOL_CALL, TOOL_RETURN
from tests.support.watcher import Watcher


async def told(engine: Engine, where: LedgerFilter) -> list[str]:
    """What is told of the newest decision there is."""
    count = await engine.ledger.count(where)
    (newest,) = await engine.ledger.summaries(where, count.newest, 0, 1)
    return [outcome.outcome for outcome in newest.outcomes]


async def decided(watcher: Watcher, conversation: Conversation, kind: str) -> None:
    """Accept what is asked, and wait until Codex has it and its turn is over."""
    asked = await watcher.asked(kind, conversation)
    await watcher.choose(asked, "accept")
    await watcher.outcome(asked)
    await watcher.settled(conversation)


async def test_the_exit_code_of_an_approved_command_is_joined_and_leads_to_its_box(
    engine: Engine, scratch: Scratch
) -> None:
    watcher = Watcher(engine)
    conversation = await engine.create(scratch.project)
    await conversation.send("/run! sh -c 'exit 3'", "k1")
    await decided(watcher, conversation, "command")
    mine = LedgerFilter('"exit 3"', conversation_id=conversation.id, who=Who.PERSON)
    assert set(await told(engine, mine)) == {"sent", "delivered", "exit 3"}
    count = await engine.ledger.count(LedgerFilter(fate=Fate.FAILED))
    entry = await engine.ledger.entry(count.newest)
    assert intact(entry)
    call = (await watcher.box(conversation, TOOL_CALL)).id
    assert await engine.ledger.box_of(entry) == call


async def test_a_patch_that_was_applied_says_so(engine: Engine, scratch: Scratch, tmp_path: Path) -> None:
    watcher = Watcher(engine)
    conversation = await engine.create(scratch.project)
    target = tmp_path / "outside.txt"
    await conversation.send(f"/patch\n*** Add File: {target}\n+hello", "k1")
    await decided(watcher, conversation, "file_change")
    where = LedgerFilter("outside", kind="file_change")
    assert set(await told(engine, where)) == {"sent", "delivered", "applied"}
    assert target.read_text("utf-8") == "hello\n"


async def test_what_ends_while_no_console_is_there_is_joined_at_the_next_start(
    settings: Settings, scratch: Scratch
) -> None:
    first = await open_engine(settings)
    watcher = Watcher(first)
    conversation = await first.create(scratch.project)
    await conversation.send("/run! sh -c 'while [ ! -e go ]; do sleep 0.05; done; exit 7'", "k1")
    await watcher.choose(await watcher.asked("command", conversation), "accept")
    await watcher.box(conversation, TOOL_CALL)
    await first.close()
    (scratch.project / "go").touch()
    second = await open_engine(settings)
    try:
        await Watcher(second).box(conversation, TOOL_RETURN)
        assert "exit 7" in await told(second, LedgerFilter(kind="command"))
    finally:
        await second.close()


async def test_a_call_of_our_own_tool_is_in_the_ledger_with_who_let_it_run(
    engine: Engine, scratch: Scratch
) -> None:
    watcher = Watcher(engine)
    conversation = await engine.create(scratch.project)
    await conversation.send('/tool knowledge_search {"query": "lighthouse"}', "k1")
    await watcher.settled(conversation)
    count = await engine.ledger.count(LedgerFilter("lighthouse", kind="tool", who=Who.PROFILE))
    entry = await engine.ledger.entry(count.newest)
    assert (entry.decided_by, intact(entry)) == ("profile operator", True)


# What is written to files.


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = await Store.open(tmp_path / "q.sqlite3", console="test")
    yield opened
    await opened.close()


async def fill(store: Store, count: int) -> None:
    answer = dump_answer(Decide(choice=Choice(verb="accept", label="Accept", raw='"accept"')))
    drafts = (
        DecisionDraft(None, "you", "command", json.dumps({"command": f"make {n}"}), "hash", answer)
        for n in range(count)
    )
    await asyncio.gather(*(store.ledger.record(draft) for draft in drafts))


async def test_an_export_holds_every_decision_that_is_looked_for(store: Store, tmp_path: Path) -> None:
    await fill(store, 2 * PAGE + 1)
    ledger = DecisionLedger(store.ledger)
    lines, table = tmp_path / "all.jsonl", tmp_path / "some.csv"
    assert (await ledger.export(lines)).count == 2 * PAGE + 1
    lines_told = [json.loads(line) for line in lines.read_text("utf-8").splitlines()]
    assert [one["content"]["command"] for one in lines_told] == [
        f"make {n}" for n in reversed(range(2 * PAGE + 1))
    ]
    assert (await ledger.export(table, LedgerFilter('"make 7"'))).count == 1
    with table.open(encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    assert json.loads(row["content"]) == {"command": "make 7"}
    assert table.stat().st_mode & 0o077 == 0


async def test_an_export_replaces_nothing_and_leaves_nothing_half(store: Store, tmp_path: Path) -> None:
    await fill(store, 1)
    ledger = DecisionLedger(store.ledger)
    kept = tmp_path / "kept.jsonl"
    kept.write_text("mine", "utf-8")
    with pytest.raises(Conflict):
        await ledger.export(kept)
    assert kept.read_text("utf-8") == "mine"
    with pytest.raises(InvalidRequest):
        await ledger.export(tmp_path / "all.xlsx")
    with pytest.raises(QuarterdeckError):
        await ledger.export(tmp_path / "nowhere" / "all.csv")
    assert not (tmp_path / "all.xlsx").exists()
