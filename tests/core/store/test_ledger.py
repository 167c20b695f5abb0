from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from itertools import count
from pathlib import Path

import pytest

from core.access.ledger import Decided, Fate, LedgerFilter, Who
from core.agent.items import CommandRun, FileChange, Status, dump_item
from core.agent.requests import Choice, CommandApproval, Decide, RequestKey, dump_answer, dump_request
from core.errors import NotFound
from core.rows import DecisionDraft, LedgerEntry, OutcomeRow
from core.store.database import Database
from core.store.ledger import OF_ITEM, insert_decision
from core.store.migrations import MIGRATIONS
from core.store.store import Store
from core.thread.boxes import BoxId, CallMeta, ChatBox, ResultMeta, draft
from core.thread.records import BoxRecord
from tests.core.store.helpers import open_store


def decision(number: int, conversation: str | None = "c") -> DecisionDraft:
    return DecisionDraft(
        conversation, "profile careful", "tool", f'{{"n":{number}}}', f"hash {number}", '"deny"'
    )


async def test_an_entry_holds_the_decision_and_what_became_of_it(path: Path) -> None:
    times = count(1)
    async with open_store(path, clock=lambda: next(times)) as store:
        number = await store.ledger.record(decision(1, None))
        await store.ledger.add_outcome(number, "sent")
        await store.ledger.add_outcome(number, "late")
        outcomes = (OutcomeRow(2, "sent"), OutcomeRow(3, "late"))
        assert await store.ledger.entry(number) == LedgerEntry(
            number, 1, None, "profile careful", "tool", '{"n":1}', "hash 1", '"deny"', outcomes
        )


async def test_pages_go_from_the_newest_to_the_first(store: Store) -> None:
    ids = [await store.ledger.record(decision(number)) for number in range(5)]
    for number in (ids[0], ids[4], ids[2]):
        await store.ledger.add_outcome(number, f"outcome of {number}")
    seen: list[LedgerEntry] = []
    cursor = None
    for _ in range(3):
        page = await store.ledger.page(before=cursor, limit=2)
        seen.extend(page.entries)
        cursor = page.cursor
    assert cursor is None
    assert [entry.id for entry in seen] == ids[::-1]
    assert [len(entry.outcomes) for entry in seen] == [1, 0, 1, 0, 1]
    assert seen[0].outcomes[0].outcome == f"outcome of {ids[4]}"


async def test_a_page_that_ends_with_the_first_decision_is_the_last(store: Store) -> None:
    for number in range(4):
        await store.ledger.record(decision(number))
    first = await store.ledger.page(limit=2)
    assert first.cursor is not None
    assert (await store.ledger.page(before=first.cursor, limit=2)).cursor is None
    assert await store.ledger.page(before=1) == await store.ledger.page(LedgerFilter(conversation_id="d"))


async def test_a_conversation_has_its_own_decisions(store: Store) -> None:
    for number, conversation in enumerate(["c", "d", None, "c"]):
        await store.ledger.add_outcome(await store.ledger.record(decision(number, conversation)), f"{number}")
    entries = (await store.ledger.page(LedgerFilter(conversation_id="c"))).entries
    assert [(entry.content, entry.outcomes[0].outcome) for entry in entries] == [
        ('{"n":3}', "3"),
        ('{"n":0}', "0"),
    ]


async def test_what_does_not_exist_is_said_not_to(store: Store) -> None:
    await store.ledger.record(decision(1))
    for missing in (
        store.ledger.entry(7),
        store.ledger.add_outcome(7, "sent"),
        store.ledger.record(decision(1, "nobody")),
    ):
        with pytest.raises(NotFound):
            await missing


def asked(command: str, item: str = "item-1") -> str:
    request = CommandApproval(
        key=RequestKey(generation="gen", id=1),
        thread_id="thread-9",
        turn_id="turn-9",
        item_id=item,
        command=command,
        cwd="/somewhere/harbour",
        reason="to see the lights",
        choices=(ACCEPT, DECLINE),
    )
    return dump_request(request)


ACCEPT = Choice(verb="accept", label="Accept", raw='"accept"')
DECLINE = Choice(verb="decline", label="Decline", raw='"decline"')


async def record(
    store: Store,
    command: str,
    *,
    by: str = "you",
    choice: Choice | None = ACCEPT,
    item: str = "item-1",
    kind: str = "command",
    outcomes: Sequence[str] = (),
    conversation: str | None = "c",
) -> int:
    answer = dump_answer(Decide(choice=choice)) if choice is not None else ""
    draft = DecisionDraft(conversation, by, kind, asked(command, item), "hash", answer)
    number = await store.ledger.record(draft)
    for outcome in outcomes:
        await store.ledger.add_outcome(number, outcome)
    return number


async def found(store: Store, where: LedgerFilter) -> list[int]:
    ids = [entry.id for entry in (await store.ledger.page(where)).entries]
    count = await store.ledger.count(where)
    summaries = await store.ledger.summaries(where, count.newest, 0, 100)
    assert [summary.id for summary in summaries] == ids
    assert (count.count, count.newest) == (len(ids), max(ids, default=0))
    return ids


async def test_every_word_of_what_was_asked_is_found_and_no_id_is(store: Store) -> None:
    number = await record(store, "git push --force origin")
    await record(store, "ls docs")
    for words in ("push", "origin force", '"git push"', "lights harb", "PUSH"):
        assert number in await found(store, LedgerFilter(words)), words
    for words in ("thread-9", "gen", "Accept", "kind", "nothing"):
        assert await found(store, LedgerFilter(words)) == [], words
    assert await found(store, LedgerFilter("--")) == [number]


async def test_each_filter_finds_what_it_says(store: Store) -> None:
    mine = await record(store, "one", outcomes=("sent", "delivered", "exit 0"))
    ruled = await record(store, "two", by="rule 3: allow git …", outcomes=("sent", "exit 2", "delivered"))
    profiled = await record(store, "three", by="profile observer", choice=DECLINE, conversation="d")
    died = await record(store, "four", by="nobody", choice=None, outcomes=("died undecided",))
    late = await record(
        store, "five", by="you, at pts/3", outcomes=("sent", "too late: the request was gone")
    )
    away = await record(
        store,
        "six",
        by="nobody",
        choice=None,
        kind="tool",
        outcomes=("answered elsewhere, or its turn ended",),
    )
    expected = {
        LedgerFilter(who=Who.PERSON): [late, mine],
        LedgerFilter(who=Who.RULE): [ruled],
        LedgerFilter(who=Who.PROFILE): [profiled],
        LedgerFilter(who=Who.NOBODY): [away, died],
        LedgerFilter(by="Rule 3"): [ruled],
        LedgerFilter(decided=Decided.ACCEPTED): [late, ruled, mine],
        LedgerFilter(decided=Decided.DECLINED): [profiled],
        LedgerFilter(decided=Decided.UNDECIDED): [away, died],
        LedgerFilter(fate=Fate.WORKED): [mine],
        LedgerFilter(fate=Fate.FAILED): [ruled],
        LedgerFilter(fate=Fate.DIED): [died],
        LedgerFilter(fate=Fate.LATE): [late],
        LedgerFilter(fate=Fate.WITHDRAWN): [away],
        LedgerFilter(fate=Fate.OPEN): [profiled],
        LedgerFilter(kind="tool"): [away],
        LedgerFilter(conversation_id="d"): [profiled],
        LedgerFilter("two", who=Who.RULE, fate=Fate.FAILED): [ruled],
        LedgerFilter("two", who=Who.PERSON): [],
    }
    for where, ids in expected.items():
        assert await found(store, where) == ids, where


async def test_a_time_span_begins_and_ends_where_it_says(path: Path) -> None:
    times = count(1)
    async with open_store(path, clock=lambda: next(times)) as store:
        ids = [await store.ledger.record(decision(number, None)) for number in range(4)]
        assert await found(store, LedgerFilter(since_ms=2, until_ms=4)) == [ids[2], ids[1]]


async def test_a_list_is_read_in_any_order_while_more_is_decided(store: Store) -> None:
    for number in range(9):
        await record(store, f"command {number}")
    count = await store.ledger.count()
    tail = await store.ledger.summaries(LedgerFilter(), count.newest, 6, 3)
    await record(store, "later")
    head = await store.ledger.summaries(LedgerFilter(), count.newest, 0, 6)
    assert [one.headline for one in (*head, *tail)] == [f"command {n}" for n in reversed(range(9))]
    assert {(one.decided, one.fate, one.kind) for one in head} == {("accepted", "open", "command")}


async def test_how_a_command_ended_is_said_of_its_decisions_as_it_is_recorded(store: Store) -> None:
    ours = await record(store, "make", item="one")
    typed = await record(store, "y", item="one", by="rule 1: allow make")
    others = [
        await record(store, "make", item="two"),
        await record(store, "make", item="one", conversation="d"),
    ]
    run = CommandRun(id="one", command="make", cwd="/", status=Status.FAILED, exit_code=2)
    await store.records.append("c", 0, ended(run))
    for number in (ours, typed):
        assert [one.outcome for one in (await store.ledger.entry(number)).outcomes] == ["exit 2"]
    for number in others:
        assert (await store.ledger.entry(number)).outcomes == ()


@pytest.mark.parametrize(
    ("status", "outcome"),
    [(Status.DONE, "applied"), (Status.FAILED, "failed"), (Status.DECLINED, "not applied")],
)
async def test_what_became_of_a_patch_is_said(store: Store, status: Status, outcome: str) -> None:
    number = await record(store, "patch", kind="file_change", item="one")
    await store.records.append("c", 0, ended(FileChange(id="one", changes=(), status=status)))
    assert [one.outcome for one in (await store.ledger.entry(number)).outcomes] == [outcome]


async def test_the_decisions_of_an_item_are_found_by_an_index(store: Store) -> None:
    def plan(connection: sqlite3.Connection) -> str:
        return str(connection.execute(f"EXPLAIN QUERY PLAN {OF_ITEM}", ("c", "one")).fetchall())

    assert "decisions_by_item" in await store.database.read(plan)


async def test_the_box_of_an_item_is_found(store: Store) -> None:
    run = CommandRun(id="one", command="make", cwd="/", status=Status.DONE, exit_code=0)
    await store.records.append("c", 0, ended(run))
    assert await store.ledger.box_of("c", "one") == 1
    assert await store.ledger.box_of("c", "two") is None


async def test_decisions_from_before_there_was_an_index_are_found(path: Path) -> None:
    old = await Database.open(path, migrations=MIGRATIONS[:3])

    def insert(connection: sqlite3.Connection) -> None:
        insert_decision(connection, DecisionDraft(None, "you", "command", asked("git push"), "", ""), 1)
        insert_decision(connection, DecisionDraft(None, "you", "command", "no JSON", "", ""), 1)

    await old.write(insert)
    await old.close()
    async with open_store(path) as store:
        assert await found(store, LedgerFilter("push")) == [1]
        assert await found(store, LedgerFilter("JSON")) == [2]


def ended(item: CommandRun | FileChange) -> list[BoxRecord]:
    """Its beginning and its end, as the first two boxes."""
    call = draft(
        "tool_call",
        "x",
        CallMeta(name="x", item_id=item.id, turn_id="t", item_json=dump_item(item)),
    )
    meta = ResultMeta(tool_call_id=1, success=True, metadata_type="item", metadata_contents=dump_item(item))
    result = draft("tool_return", "", meta)
    return [
        BoxRecord(ChatBox(BoxId(number), one.box_type, one.contents, one.hidden_type, one.hidden_contents))
        for number, one in enumerate((call, result), 1)
    ]
