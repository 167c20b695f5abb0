"""The rules of an engine, on a real store."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.access.ledger import LedgerFilter
from core.access.patterns import CommandPattern
from core.access.policy import AccessPolicy, Verdict
from core.access.rules import Place, Reach, Rule, RuleDraft, Scope
from core.agent.requests import CommandApproval, RequestKey, dump_request
from core.errors import Conflict, InvalidRequest, InvalidState, NotFound
from core.rows import DecisionDraft
from core.rulebook import Rulebook
from core.store.store import Store
from tests.core.store.helpers import add_conversations

FOLDER = Path("/somewhere")
HERE = Scope(Reach.WORKSPACE, "/somewhere")


def draft(words: str, verdict: Verdict = Verdict.ALLOW, scope: Scope = HERE) -> RuleDraft:
    return RuleDraft(verdict=verdict, pattern=CommandPattern.parse(words), scope=scope)


def command(words: str) -> CommandApproval:
    return CommandApproval(
        key=RequestKey(generation="g", id=0),
        thread_id="t",
        turn_id="u",
        item_id="i",
        command=words,
        cwd="/somewhere",
        choices=(),
    )


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = await Store.open(tmp_path / "q.sqlite3", console="test")
    await add_conversations(opened, "c")
    yield opened
    await opened.close()


@pytest.fixture
def book(store: Store) -> Rulebook:
    return Rulebook(store.rules, store.ledger, AccessPolicy.shipped())


async def ids(book: Rulebook) -> list[int]:
    return [rule.id for rule in (await book.read()).rules]


async def test_what_is_tried_says_which_rule_decides_and_why(book: Rulebook) -> None:
    await book.add((draft("git push …", Verdict.DENY), draft("git …")))
    assert (await book.test("git log", FOLDER)).rules == (2,)
    denied = await book.test("git status && git push", FOLDER)
    assert (denied.verdict, denied.rules) == (Verdict.DENY, (1,))
    assert (await book.test("make", FOLDER)).why == "No rule matches make."
    assert (await book.test("git log", Path("/elsewhere"))).verdict is Verdict.ASK
    assert "observer" in (await book.test("git log", FOLDER, "observer")).by
    with pytest.raises(NotFound):
        await book.test("git log", FOLDER, "nobody")
    with pytest.raises(InvalidRequest):
        await book.test(" ", FOLDER)


async def test_a_revoked_rule_is_put_back_where_it_was_with_its_hits(book: Rulebook, store: Store) -> None:
    await book.add((draft("a"), draft("b"), draft("c")))
    await store.rules.hit([2], 5)
    listed = await book.read()
    rule = listed.rules[1]
    revision = await book.revoke(2, listed.revision)
    assert await ids(book) == [1, 3]
    with pytest.raises(Conflict):
        await book.restore(rule, listed.revision, 1)
    await book.restore(rule, revision, 1)
    assert (await book.read()).rules[1] == rule
    with pytest.raises(Conflict):
        await book.restore(rule, (await book.read()).revision, 1)


async def test_a_rule_is_switched_and_moved(book: Rulebook) -> None:
    await book.add((draft("git …", Verdict.DENY), draft("git log")))
    listed = await book.read()
    revision = await book.move(2, listed.revision, 0)
    assert (await book.test("git log", FOLDER)).verdict is Verdict.ALLOW
    first: Rule = (await book.read()).rules[0]
    await book.switch(first, revision)
    assert (await book.test("git log", FOLDER)).verdict is Verdict.DENY


async def test_a_rule_that_cannot_be_read_can_be_revoked(book: Rulebook, store: Store) -> None:
    await book.add((draft("a"), draft("b")))

    def spoil(connection: sqlite3.Connection) -> None:
        connection.execute("UPDATE rules SET pattern = '{}' WHERE id = 1")

    await store.database.write(spoil)
    with pytest.raises(InvalidState, match="rules revoke 1"):
        await book.read()
    await book.revoke(1, await book.revision())
    assert await ids(book) == [2]


async def test_every_change_of_the_rules_is_in_the_ledger(book: Rulebook, store: Store) -> None:
    await book.add((draft("make …"),), "c")
    listed = await book.read()
    revision = await book.switch(listed.rules[0], listed.revision)
    revision = await book.change(1, revision, draft("make test"))
    revision = await book.move(1, revision, 0)
    rule = (await book.read()).rules[0]
    revision = await book.revoke(1, revision)
    await book.restore(rule, revision, 0)
    count = await store.ledger.count(LedgerFilter(kind="rule"))
    told = await store.ledger.summaries(LedgerFilter(kind="rule"), count.newest, 0, 10)
    assert [one.headline for one in told] == [
        "restored: allow make test",
        "revoked: allow make test",
        "moved to place 1: allow make test",
        "enabled: allow make test",
        "disabled: allow make …",
        "made: allow make …",
    ]
    assert {(one.decided_by, one.kind) for one in told} == {("you", "rule")}
    assert told[-1].conversation_id == "c"


async def test_an_edited_text_is_taken_whole_or_not_at_all(book: Rulebook, store: Store) -> None:
    await book.add((draft("a"), draft("b"), draft("c")))
    await store.rules.hit([3], 5)
    text = await book.text()
    tables = text.split("[[rule]]")
    swapped = "[[rule]]".join([tables[0], tables[3], tables[1].replace('"a"', '"anew"')])
    with pytest.raises(InvalidRequest, match="line"):
        await book.take(swapped + '[[rule]]\nverdict = "no"\n')
    assert await ids(book) == [1, 2, 3]
    assert await book.take(swapped + '[[rule]]\nverdict = "ask"\ncommand = "d"\n') == 3
    assert [(str(rule), rule.hits) for rule in (await book.read()).rules] == [
        ("allow c", 1),
        ("allow anew", 0),
        ("ask d", 0),
    ]


async def test_what_is_foreseen_comes_from_the_ledger_each_from_its_own_place(
    book: Rulebook, store: Store
) -> None:
    for number, words in enumerate(("git status", "git log", "git status", "make")):
        content = dump_request(command(words))
        await store.ledger.record(DecisionDraft("c", "you", "command", content, "", f'{{"n":{number}}}'))
    await store.ledger.record(
        DecisionDraft(None, "you", "command", dump_request(command("git status")), "", "")
    )
    found = await book.foresee((draft("git status"),))
    assert [(one.decision_id, one.times) for one in found.matched] == [(3, 2)]
    assert [one.why for one in found.missed] == ["No rule matches git log."]
    elsewhere = Scope(Reach.WORKSPACE, "/elsewhere")
    assert (await book.foresee((draft("git status", scope=elsewhere),))).matched == ()


async def test_what_is_proposed_can_be_kept_and_decides(book: Rulebook) -> None:
    request = command("/bin/bash -lc 'cargo test --all'")
    (exact, wider) = book.propose(request, Place("c", "/somewhere"), Reach.WORKSPACE)
    await book.add(wider.rules)
    assert (await book.test("cargo test --one", FOLDER)).verdict is Verdict.ALLOW
    assert (await book.test("cargo build", FOLDER)).verdict is Verdict.ASK
    assert exact.label == "allow cargo test --all"
