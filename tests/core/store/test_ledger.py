from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from core.errors import NotFound
from core.rows import DecisionDraft, LedgerEntry, OutcomeRow
from core.store.store import Store
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
    assert await store.ledger.page(before=1) == await store.ledger.page(conversation_id="d")


async def test_a_conversation_has_its_own_decisions(store: Store) -> None:
    for number, conversation in enumerate(["c", "d", None, "c"]):
        await store.ledger.add_outcome(await store.ledger.record(decision(number, conversation)), f"{number}")
    entries = (await store.ledger.page(conversation_id="c")).entries
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
