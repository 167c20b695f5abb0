from __future__ import annotations

import asyncio
from itertools import count
from pathlib import Path

import pytest

from core.errors import Conflict, InvalidRequest, NotFound
from core.rows import NotificationDraft, NotificationRow, NotificationState
from core.store.notifications import NOBODY
from core.store.store import Store
from tests.core.store.helpers import open_store

DELIVERED, DIED, SENT, WITHDRAWN = (
    NotificationState.DELIVERED,
    NotificationState.DIED,
    NotificationState.SENT,
    NotificationState.WITHDRAWN,
)


def draft(
    request_id: str = "0", generation: str = "host 1", conversation: str | None = "c"
) -> NotificationDraft:
    return NotificationDraft(conversation, "t1", generation, request_id, "command", '{"command":"ls"}')


async def decide(store: Store, row: NotificationRow, by: str = "person") -> NotificationRow:
    return await store.notifications.decide(
        row.id, decided_by=by, answer='{"verb":"accept"}', shown_hash="h1"
    )


async def ledger_of(store: Store) -> list[tuple[str, list[str]]]:
    page = await store.ledger.page()
    return [(entry.decided_by, [outcome.outcome for outcome in entry.outcomes]) for entry in page.entries]


async def test_a_request_that_is_replayed_is_the_same_row(store: Store) -> None:
    first, new = await store.notifications.raise_(draft())
    assert new
    assert (first.state, first.request, first.decided_by, first.outcome) == (
        NotificationState.PENDING,
        '{"command":"ls"}',
        None,
        "",
    )
    decided = await decide(store, first)
    assert await store.notifications.raise_(draft(conversation=None)) == (decided, False)


async def test_requests_are_told_apart_by_host_and_by_kind_of_id(store: Store) -> None:
    drafts = [draft("0"), draft('"0"'), draft("0", "host 2"), draft("1", conversation=None)]
    raised = [await store.notifications.raise_(one) for one in drafts]
    assert all(new for _, new in raised)
    assert [row.id for row in await store.notifications.pending()] == [row.id for row, _ in raised]
    assert await store.notifications.find("host 1", '"0"') == raised[1][0]
    assert await store.notifications.find("host 3", "0") is None


async def test_a_request_of_an_unknown_conversation_is_refused(store: Store) -> None:
    with pytest.raises(NotFound):
        await store.notifications.raise_(draft(conversation="nobody"))


async def test_of_two_that_decide_one_succeeds_and_the_other_is_told_who(store: Store) -> None:
    row, _ = await store.notifications.raise_(draft())
    results = await asyncio.gather(
        decide(store, row, "rule read-only"), decide(store, row, "person"), return_exceptions=True
    )
    assert isinstance(results[0], NotificationRow) and results[0].decided_by == "rule read-only"
    assert isinstance(results[1], Conflict) and "rule read-only decided it" in str(results[1])
    assert await ledger_of(store) == [("rule read-only", [])]


async def test_of_two_consoles_that_decide_one_succeeds(store: Store, path: Path) -> None:
    row, _ = await store.notifications.raise_(draft())
    async with open_store(path) as other:
        results = await asyncio.gather(decide(store, row), decide(other, row), return_exceptions=True)
    assert sorted(type(result).__name__ for result in results) == ["Conflict", "NotificationRow"]


async def test_a_decision_is_followed_to_its_end_in_the_ledger(path: Path) -> None:
    times = count(100)
    async with open_store(path, clock=lambda: next(times)) as store:
        row, _ = await store.notifications.raise_(draft(conversation=None))
        decided = await decide(store, row)
        await store.notifications.move(row.id, SENT)
        delivered = await store.notifications.move(row.id, DELIVERED, "Codex went on")
        assert (decided.state, decided.decided_at_ms, decided.shown_hash) == (
            NotificationState.DECIDED,
            101,
            "h1",
        )
        assert (delivered.state, delivered.outcome) == (DELIVERED, "Codex went on")
        assert decided.decision_id is not None
        entry = await store.ledger.entry(decided.decision_id)
        assert (entry.at_ms, entry.decided_by, entry.kind) == (101, "person", "command")
        assert (entry.content, entry.content_hash, entry.answer) == (
            '{"command":"ls"}',
            "h1",
            '{"verb":"accept"}',
        )
        assert [(outcome.at_ms, outcome.outcome) for outcome in entry.outcomes] == [
            (102, "sent"),
            (103, "Codex went on"),
        ]
        assert await store.notifications.unsettled() == []


async def test_a_decision_is_sent_at_most_once(store: Store) -> None:
    row, _ = await store.notifications.raise_(draft())
    await decide(store, row)
    results = await asyncio.gather(
        store.notifications.move(row.id, SENT), store.notifications.move(row.id, SENT), return_exceptions=True
    )
    assert [type(result) for result in results] == [NotificationRow, Conflict]
    assert await ledger_of(store) == [("person", ["sent"])]


@pytest.mark.parametrize("end", [DELIVERED, WITHDRAWN, DIED])
async def test_what_has_ended_stays_ended(store: Store, end: NotificationState) -> None:
    row, _ = await store.notifications.raise_(draft())
    await decide(store, row)
    await store.notifications.move(row.id, SENT)
    ended = await store.notifications.move(row.id, end)
    for later in (SENT, DELIVERED, WITHDRAWN, DIED):
        with pytest.raises(Conflict, match=f"It is {end} already"):
            await store.notifications.move(row.id, later)
    with pytest.raises(Conflict, match="person decided it"):
        await decide(store, row)
    assert await store.notifications.get(row.id) == ended
    assert await ledger_of(store) == [("person", ["sent", end])]


async def test_a_request_cannot_be_sent_undecided(store: Store) -> None:
    row, _ = await store.notifications.raise_(draft())
    for early in (SENT, DELIVERED):
        with pytest.raises(Conflict):
            await store.notifications.move(row.id, early)
    for state in (NotificationState.PENDING, NotificationState.DECIDED):
        with pytest.raises(InvalidRequest):
            await store.notifications.move(row.id, state)
    assert await store.notifications.get(row.id) == row
    assert await ledger_of(store) == []


async def test_a_request_that_ends_undecided_is_in_the_ledger_too(store: Store) -> None:
    row, _ = await store.notifications.raise_(draft())
    await store.notifications.move(row.id, WITHDRAWN, "answered in another client")
    assert await ledger_of(store) == [(NOBODY, ["answered in another client"])]
    with pytest.raises(Conflict, match="answered in another client"):
        await decide(store, row)


async def test_what_a_dead_host_waited_for_dies_with_it(store: Store) -> None:
    rows = [(await store.notifications.raise_(draft(str(number))))[0] for number in range(4)]
    other, _ = await store.notifications.raise_(draft("0", "host 2"))
    for row in rows[1:]:
        await decide(store, row)
    for row in rows[2:]:
        await store.notifications.move(row.id, SENT)
    await store.notifications.move(rows[3].id, DELIVERED)
    died = await store.notifications.host_died("host 1")
    assert [(row.id, row.state) for row in died] == [(row.id, DIED) for row in rows[:3]]
    assert [row.outcome for row in died] == [
        "died undecided",
        "died before it was sent",
        "died before Codex confirmed it",
    ]
    assert await store.notifications.unsettled() == [other]
    assert await store.notifications.host_died("host 1") == []


async def test_what_does_not_exist_is_said_not_to(store: Store) -> None:
    for missing in (
        store.notifications.get(7),
        store.notifications.move(7, DIED),
        store.notifications.decide(7, decided_by="person", answer="{}", shown_hash=""),
    ):
        with pytest.raises(NotFound):
            await missing


async def test_how_an_item_ended_is_said_once_of_the_decision_on_it_alone(store: Store) -> None:
    for thread, item in (("t1", "i1"), ("t2", "i1"), ("t1", "i2")):
        asked = f'{{"command":"ls","thread_id":"{thread}","item_id":"{item}"}}'
        row, _ = await store.notifications.raise_(
            NotificationDraft("c", thread, "host 1", f"{thread} {item}", "command", asked)
        )
        await decide(store, row, f"{thread} {item}")
    for _ in range(2):
        await store.notifications.item_ended("c", "t1", "i1", "exit 3")
    assert await ledger_of(store) == [("t1 i2", []), ("t2 i1", []), ("t1 i1", ["exit 3"])]
