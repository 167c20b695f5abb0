"""Out of one database and into another: nothing is lost, nothing is added."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.access.ledger import LedgerFilter
from core.agent.port import ItemEntry, Page, TurnInfo
from core.agent.requests import Question, QuestionPart, Reply, RequestKey, dump_answer, dump_request
from core.errors import CodexError, HostUnavailable, InvalidRequest, Unsupported
from core.export.export import Export
from core.export.lines import JsonLines
from core.export.parsing import parse
from core.export.parts import Begin, Decided, Format, Head, Recorded, masked
from core.rows import DecisionDraft, LedgerEntry, NotificationDraft
from core.sessions.texts import decision_text
from core.store.ledger import insert_decision, insert_outcome
from core.store.records import insert_records
from core.store.store import Store
from core.thread.boxes import ASSISTANT, TOOL_CALL, BoxDraft, CallMeta, draft
from core.thread.records import EventRecord, Record
from tests.core.export.logs import ledgers, logs, record
from tests.core.store.helpers import add_conversations, open_store

Log = list[tuple[int, Record]]
ENTRY = LedgerEntry(1, 1, "c", "you", "command", "{}", "", "", ())
BEGIN = Begin("c", "Title", "/somewhere", 1, 2)


class Away:
    """A Codex that is not there."""

    async def turns(self, thread_id: str, cursor: str | None = None) -> Page[TurnInfo]:
        raise self._away()

    async def items(
        self, thread_id: str, turn_id: str | None = None, cursor: str | None = None
    ) -> Page[ItemEntry]:
        raise self._away()

    def _away(self) -> CodexError:
        return HostUnavailable("Codex is not there")


def written(log: Log, ledger: list[LedgerEntry], begin: Begin = BEGIN, at_ms: int = 5) -> bytes:
    writer = JsonLines()
    parts = [begin, *(Recorded(at, one) for at, one in log), *(Decided(entry) for entry in ledger)]
    text = writer.begin(Head(at_ms, "1", masked=False)) + "".join(map(writer.part, parts)) + writer.end()
    return text.encode()


def lines(data: bytes) -> list[bytes]:
    return data.splitlines(keepends=True)


async def fill(store: Store, conversation_id: str, log: Log, ledger: list[LedgerEntry]) -> None:
    def operation(connection: object) -> None:
        for seq, (at_ms, one) in enumerate(log):
            insert_records(connection, conversation_id, seq, [one], at_ms)  # type: ignore[arg-type]
        for entry in ledger:
            made = DecisionDraft(
                conversation_id, entry.decided_by, entry.kind, entry.content, entry.content_hash, entry.answer
            )
            number = insert_decision(connection, made, entry.at_ms)  # type: ignore[arg-type]
            for one in entry.outcomes:
                insert_outcome(connection, number, one.outcome, one.at_ms)  # type: ignore[arg-type]

    await store.database.write(operation)


async def contents(store: Store, conversation_id: str) -> tuple[Log, list[LedgerEntry]]:
    records = await store.transfer.records(conversation_id, 0, 10_000)
    page = await store.ledger.page(LedgerFilter(conversation_id=conversation_id))
    same = [replace(entry, id=0, conversation_id=None) for entry in reversed(page.entries)]
    return [(at_ms, one) for _, at_ms, one in records], same


@given(logs(), ledgers(), st.booleans())
def test_what_is_written_is_read_back_exactly(log: Log, ledger: list[LedgerEntry], sub_agent: bool) -> None:
    parts = [BEGIN, *(Recorded(at, one) for at, one in log), *(Decided(entry) for entry in ledger)]
    below = [replace(BEGIN, id="below", parent_id="c"), *parts[1:]] if sub_agent else []
    writer = JsonLines()
    text = (
        writer.begin(Head(5, "1", masked=True)) + "".join(map(writer.part, [*parts, *below])) + writer.end()
    )
    taken = parse(lines(text.encode()), "file")
    assert taken.masked
    assert [part for one in taken.conversations for part in (one.begin, *one.records, *one.decisions)] == [
        *parts,
        *below,
    ]


@given(logs(st.sampled_from(["API_KEY=abcdef12", "plain", '{"token":"abcdef12"}'])), ledgers())
def test_a_masked_export_can_still_be_read(log: Log, ledger: list[LedgerEntry]) -> None:
    covered = [masked(Recorded(at, one)) for at, one in log]
    data = written([(one.at_ms, one.record) for one in covered if isinstance(one, Recorded)], ledger)
    assert b"abcdef12" not in data
    assert len(parse(lines(data), "file").conversations[0].records) == len(log)


@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(logs(), ledgers())
def test_from_one_database_into_another_nothing_changes(log: Log, ledger: list[LedgerEntry]) -> None:
    async def there_and_back(folder: Path) -> None:
        file = folder / "c.jsonl"
        async with open_store(folder / "a" / "q.sqlite3") as store:
            await add_conversations(store, "c")
            await fill(store, "c", log, ledger)
            await Export(store, Away()).to_file("c", file, Format.JSONL, secrets=True)
            before = await contents(store, "c")
        async with open_store(folder / "b" / "q.sqlite3") as store:
            taken = await Export(store, Away()).take(file)
            assert await contents(store, taken.conversation_id) == before
            again = await Export(store, Away()).take(file)
            assert again.again and again.conversation_id == taken.conversation_id
            assert len(await store.conversations.recent()) == 1

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(there_and_back(Path(folder)))


async def test_the_same_contents_exported_later_are_recognised(store: Store, tmp_path: Path) -> None:
    log: Log = [(1, record(1, BoxDraft(ASSISTANT, "hello")))]
    (tmp_path / "first").write_bytes(written(log, [], at_ms=5))
    (tmp_path / "second").write_bytes(written(log, [], at_ms=6))
    export = Export(store, Away())
    first = await export.take(tmp_path / "first")
    assert (await export.take(tmp_path / "second")).conversation_id == first.conversation_id


@given(logs(), st.data())
def test_a_file_that_was_cut_or_changed_is_refused_with_its_line(log: Log, data: st.DataObject) -> None:
    whole = written(log, [])
    at = data.draw(st.integers(0, len(whole) - 1))
    broken = data.draw(st.sampled_from([whole[:at], whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :]]))
    head_end = whole.index(b"\n")
    if len(broken) == len(whole) and at < head_end:
        return
    with pytest.raises(InvalidRequest, match=r"line \d+: "):
        parse(lines(broken), "file")


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "line 1: it is no export"),
        (b"# A title\n", "line 1: it is no export"),
        (b"\x00\xff\xfe\n", "line 1: it is no export"),
        (b'{"quarterdeck":"something","version":1}\n', "line 1: it is a 'something'"),
        (b'{"quarterdeck":"conversation export","version":2}\n', "line 1: its version is 2"),
        (b'{"quarterdeck":"conversation export","version":1}\n', "line 1: its last line is missing"),
        (b'{"quarterdeck":"conversation export","version":1}\n{"line":"story"}\n', "line 2: "),
        (
            b'{"quarterdeck":"conversation export","version":1}\n'
            b'{"line":"event","at_ms":1,"after_box_id":0,"event_index":1,"kind":"a","data":"{}"}\n',
            "line 2: it belongs to no conversation",
        ),
    ],
)
def test_a_foreign_file_is_refused(data: bytes, why: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        parse(lines(data), "file")
    assert why in refused.value.why


async def test_a_log_with_a_gap_is_refused_and_nothing_is_taken(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "gap.jsonl"
    file.write_bytes(
        written([(1, record(1, BoxDraft(ASSISTANT, "a"))), (1, record(3, BoxDraft(ASSISTANT, "b")))], [])
    )
    with pytest.raises(InvalidRequest, match="line 4: "):
        await Export(store, Away()).take(file)
    assert {row.id for row in await store.conversations.recent()} == {"c", "d"}


@pytest.mark.parametrize(
    ("log", "ledger", "why"),
    [
        ([EventRecord(0, 1, "job_begun", '{"job":1,"key":"k","boxes":[5]}')], [], "not there"),
        (
            [
                record(
                    1,
                    draft(
                        TOOL_CALL,
                        "make",
                        CallMeta(name="command", item_id="i", turn_id="t", item_json="nonsense"),
                    ),
                )
            ],
            [],
            "an item",
        ),
        ([], [replace(ENTRY, content="no JSON")], "what was decided on is no JSON"),
        ([], [replace(ENTRY, answer="{")], "the answer is no JSON"),
    ],
    ids=["event", "item", "request", "answer"],
)
def test_what_cannot_be_read_later_is_refused_at_once(
    log: list[Record], ledger: list[LedgerEntry], why: str
) -> None:
    with pytest.raises(InvalidRequest) as refused:
        parse(lines(written([(1, one) for one in log], ledger)), "file")
    assert why in refused.value.why


async def test_a_secret_that_a_person_gave_as_an_answer_leaves_in_no_format(store: Store) -> None:
    asked = Question(
        key=RequestKey(generation="g", id=1),
        thread_id="t",
        turn_id="u",
        item_id="i",
        parts=(QuestionPart(id="word", header="", text="Password?", secret=True),),
    )
    answer = dump_answer(Reply(answers={"word": ("open sesame",)}))
    drafted = NotificationDraft("c", "t", "g", "1", "question", dump_request(asked))
    row, _ = await store.notifications.raise_(drafted)
    row = await store.notifications.decide(row.id, decided_by="you", answer=answer, shown_hash="h")
    assert row.answer == answer, "Codex is still to get it"
    before = replace(ENTRY, kind="question", content=dump_request(asked), answer=answer)
    await fill(store, "c", [], [before])
    export = Export(store, Away())
    for format_ in Format:
        text = await joined(export.pieces("c", format_, secrets=True).text)
        assert "Password?" in text and "open sesame" not in text
    (kept,) = [entry for entry in (await store.ledger.page()).entries if entry.content_hash == "h"]
    assert "open sesame" not in kept.answer
    assert "open sesame" not in decision_text(1, before.content, before.answer, 1).text


async def test_a_secret_is_covered_unless_it_is_asked_for(store: Store) -> None:
    await fill(store, "c", [(1, record(1, BoxDraft(ASSISTANT, "API_KEY=abcdef123")))], [])
    export = Export(store, Away())
    for format_ in Format:
        assert "abcdef123" not in await joined(export.pieces("c", format_).text)
        assert "abcdef123" in await joined(export.pieces("c", format_, secrets=True).text)


async def test_the_name_of_a_file_tells_no_secret_of_the_title(store: Store) -> None:
    await store.conversations.change("c", title="Use API_KEY=abcdef123 here")
    assert "abcdef123" not in await Export(store, Away()).name("c", Format.MARKDOWN)


async def joined(texts: AsyncIterator[str]) -> str:
    return "".join([text async for text in texts])


async def test_what_was_imported_is_never_gone_on_with() -> None:
    from core.conversation.imported import ImportedConversation
    from core.conversation.info import ConversationInfo

    info = ConversationInfo("c", "", "/somewhere", 1, "idle", 0, None)
    conversation = ImportedConversation(info, None, None)  # type: ignore[arg-type]
    with pytest.raises(Unsupported):
        await conversation.send("go on", "k")
    assert conversation.writer
