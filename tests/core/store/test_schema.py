"""What the tables refuse by themselves, from a connection that knows nothing of our code."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from pathlib import Path

import pytest

from core.rows import DecisionDraft, NotificationDraft
from core.store.store import Store
from tests.core.store.helpers import boxes, event

BOX = "INSERT INTO records (conversation_id, seq, box_id, box_type, contents, hidden_type, hidden_contents, recorded_at_ms) "
EVENT = "INSERT INTO records (conversation_id, seq, after_box_id, event_index, kind, data, recorded_at_ms) "


@pytest.fixture
async def raw(store: Store, path: Path) -> sqlite3.Connection:
    """A second writer beside the store, whose conversation `c` has the boxes 1 and 2 and an event (seq 3)."""
    await store.records.append("c", 0, [*boxes([1, 2]), event(2)])
    await store.notifications.raise_(NotificationDraft("c", "thread", "host", "0", "command", "{}"))
    decision = await store.ledger.record(DecisionDraft("c", "person", "command", "{}", "hash", "{}"))
    await store.ledger.add_outcome(decision, "sent")
    return sqlite3.connect(path, isolation_level=None)


@pytest.fixture(autouse=True)
def closed(raw: sqlite3.Connection) -> Generator[None]:
    yield
    raw.close()


@pytest.mark.parametrize(
    "row",
    [
        BOX + "VALUES ('c', 5, 3, 'user', '', '', '', 0)",
        BOX + "VALUES ('c', 3, 3, 'user', '', '', '', 0)",
        BOX + "VALUES ('c', 0, 3, 'user', '', '', '', 0)",
        BOX + "VALUES ('c', NULL, 3, 'user', '', '', '', 0)",
        BOX.replace("INSERT", "INSERT OR REPLACE") + "VALUES ('c', 2, 2, 'user', 'other', '', '', 0)",
        BOX.replace("INSERT", "INSERT OR REPLACE") + "VALUES ('c', 4, 2, 'user', 'other', '', '', 0)",
    ],
    ids=["gap", "duplicate", "zero", "none", "replaced seq", "replaced box"],
)
def test_a_record_out_of_sequence_is_refused(raw: sqlite3.Connection, row: str) -> None:
    before = raw.execute("SELECT * FROM records").fetchall()
    with pytest.raises(sqlite3.IntegrityError, match="records"):
        raw.execute(row)
    assert raw.execute("SELECT * FROM records").fetchall() == before


@pytest.mark.parametrize(
    "row",
    [
        BOX + "VALUES ('c', 4, 4, 'user', '', '', '', 0)",
        BOX + "VALUES ('c', 4, 2, 'user', '', '', '', 0)",
        EVENT + "VALUES ('c', 4, 2, 1, 'llm_done', '{}', 0)",
        EVENT + "VALUES ('c', 4, 2, 3, 'llm_done', '{}', 0)",
        EVENT + "VALUES ('c', 4, 3, 1, 'llm_done', '{}', 0)",
        EVENT + "VALUES ('c', 4, 1, 0, 'llm_done', '{}', 0)",
    ],
    ids=["box gap", "box twice", "event twice", "event gap", "event after no box", "event zero"],
)
def test_a_number_that_does_not_go_on_is_refused(raw: sqlite3.Connection, row: str) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="numbered without a gap"):
        raw.execute(row)


@pytest.mark.parametrize(
    "row",
    [
        BOX + "VALUES ('c', 4, 3, 'user', NULL, '', '', 0)",
        EVENT + "VALUES ('c', 4, 2, 2, NULL, '{}', 0)",
        "INSERT INTO records (conversation_id, seq, box_id, box_type, contents, hidden_type, hidden_contents, kind, "
        "recorded_at_ms) VALUES ('c', 4, 3, 'user', '', '', '', 'llm_done', 0)",
    ],
    ids=["half a box", "half an event", "both"],
)
def test_a_record_is_a_whole_box_or_a_whole_event(raw: sqlite3.Connection, row: str) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="CHECK"):
        raw.execute(row)


def test_the_next_record_is_taken(raw: sqlite3.Connection) -> None:
    raw.execute(BOX + "VALUES ('c', 4, 3, 'user', '', '', '', 0)")
    raw.execute(EVENT + "VALUES ('c', 5, 1, 1, 'seen', '{}', 0)")
    raw.execute(EVENT + "VALUES ('c', 6, 2, 2, 'llm_done', '{}', 0)")
    raw.execute(EVENT + "VALUES ('d', 1, 0, 1, 'opened', '{}', 0)")
    assert raw.execute("SELECT count(*) FROM records").fetchone()[0] == 7


@pytest.mark.parametrize("table", ["records", "decisions", "outcomes", "notifications"])
def test_what_is_recorded_cannot_be_deleted(raw: sqlite3.Connection, table: str) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="never changed or deleted"):
        raw.execute(f"DELETE FROM {table}")


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE records SET contents = 'other' WHERE seq = 1",
        "UPDATE records SET recorded_at_ms = 5",
        "UPDATE records SET rowid = rowid + 100",
        "UPDATE decisions SET answer = 'other'",
        "UPDATE outcomes SET outcome = 'other'",
    ],
)
def test_what_is_recorded_cannot_be_changed(raw: sqlite3.Connection, change: str) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="never changed or deleted"):
        raw.execute(change)


DECIDED = (
    "UPDATE notifications SET state = 'decided', decided_by = 'person', answer = '{}', shown_hash = 'h', "
    "decided_at_ms = 1, decision_id = 1"
)


@pytest.mark.parametrize(
    ("path_taken", "refused"),
    [
        ([], "UPDATE notifications SET state = 'pending'"),
        ([], "UPDATE notifications SET state = 'decided'"),
        ([], "UPDATE notifications SET state = 'sent'"),
        ([], "UPDATE notifications SET state = 'delivered'"),
        ([], "UPDATE notifications SET outcome = 'moved by nothing'"),
        ([], "UPDATE notifications SET state = 'died', request = 'another'"),
        ([DECIDED], DECIDED),
        ([DECIDED], "UPDATE notifications SET state = 'pending'"),
        ([DECIDED], "UPDATE notifications SET state = 'delivered'"),
        ([DECIDED], "UPDATE notifications SET state = 'sent', answer = 'another'"),
        ([DECIDED], "UPDATE notifications SET state = 'sent', decided_by = 'somebody else'"),
        ([DECIDED, "UPDATE notifications SET state = 'sent'"], "UPDATE notifications SET state = 'decided'"),
        (["UPDATE notifications SET state = 'withdrawn'"], DECIDED),
        (["UPDATE notifications SET state = 'died'"], "UPDATE notifications SET state = 'withdrawn'"),
    ],
)
def test_a_notification_never_moves_backwards_or_changes(
    raw: sqlite3.Connection, path_taken: list[str], refused: str
) -> None:
    for step in path_taken:
        raw.execute(step)
    with pytest.raises(sqlite3.IntegrityError):
        raw.execute(refused)
