"""The index by itself: what is found and how it is ranked, what goes on after a kill, and broken files."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.agent.items import AgentMessage, Item, UserMessage
from core.agent.port import Agent, ItemEntry, Page
from core.demo.scratch import Scratch
from core.engine import Engine
from core.errors import CallRefused, Conflict, InvalidRequest, NotFound
from core.sessions.contents import Contents
from core.sessions.disk import look_at
from core.sessions.listing import facts_of_file
from core.sessions.model import Kind, SessionMatch, SessionQuery, SessionState, Sort
from core.sessions.rows import BoxMark, ConversationFacts, Marks, Reading, Standing, Text, ThreadFacts
from core.sessions.texts import KEPT_AT_EACH_END, bounded, texts_of_item
from core.store.sessions.index import SessionIndex
from core.store.sessions.search import SessionSearch
from tests.core.sessions import rollouts
from tests.core.sessions.conftest import Finder

DAY_MS = 86_400_000
NOW_MS = 1_800_000_000_000


@pytest.fixture
async def index(tmp_path: Path) -> AsyncIterator[SessionIndex]:
    opened = await SessionIndex.open(tmp_path / "sessions.sqlite3")
    yield opened
    await opened.close()


def _thread(number: int, title: str = "", **changes: object) -> ThreadFacts:
    facts = ThreadFacts(
        thread_id=rollouts.thread_id(number),
        name=title,
        preview=f"preview {number}",
        folder="/harbour",
        branch="main",
        source="cli",
        model="m",
        provider="p",
        created_at_ms=NOW_MS - 400 * DAY_MS,
        updated_at_ms=NOW_MS - 300 * DAY_MS,
        archived=False,
    )
    return replace(facts, **changes)  # type: ignore[arg-type]


async def _put(index: SessionIndex, facts: ThreadFacts, *texts: Text) -> None:
    await index.note_threads([facts])
    unread = await index.next_unread()
    assert unread is not None
    await index.add_texts(unread.session, texts, Reading(stamp=unread.stamp))


async def _found(index: SessionIndex, text: str, **filters: object) -> tuple[SessionMatch, ...]:
    query = SessionQuery(text=text, **filters)  # type: ignore[arg-type]
    return (await SessionSearch(index.database).page(query, None, 50, Standing(), NOW_MS)).matches


def _text(kind: Kind, text: str, item: str = "i") -> Text:
    return Text(kind, text, item, "t", NOW_MS)


async def test_titles_count_more_than_own_words_and_those_more_than_the_rest(index: SessionIndex) -> None:
    await _put(index, _thread(1), _text(Kind.OUTPUT, "the lighthouse"))
    await _put(index, _thread(2), _text(Kind.USER, "the lighthouse"))
    await _put(index, _thread(3, "the lighthouse"))
    await _put(index, _thread(4), _text(Kind.ASSISTANT, "the lighthouse"))
    order = [match.entry.thread_id for match in await _found(index, "lighthouse")]
    assert order == [rollouts.thread_id(number) for number in (3, 2, 4, 1)]


async def test_of_two_alike_the_recent_one_comes_first(index: SessionIndex) -> None:
    await _put(index, _thread(1), _text(Kind.USER, "the lighthouse"))
    await _put(index, _thread(2, updated_at_ms=NOW_MS - DAY_MS), _text(Kind.USER, "the lighthouse"))
    order = [match.entry.thread_id for match in await _found(index, "lighthouse")]
    assert order == [rollouts.thread_id(2), rollouts.thread_id(1)]


@pytest.mark.parametrize(
    "words", ["cafe", "CAFÉ", "caf", '"small café"', "small caf*", "café small", "münster"]
)
async def test_words_are_found_by_beginning_phrase_and_without_accents(
    index: SessionIndex, words: str
) -> None:
    await _put(index, _thread(1), _text(Kind.USER, "A small café in Munster."))
    match = (await _found(index, words))[0]
    assert any(hit for _, hit in match.hits[0].pieces)
    assert "".join(piece for piece, _ in match.hits[0].pieces) == "A small café in Munster."


async def test_a_phrase_is_in_its_order(index: SessionIndex) -> None:
    await _put(index, _thread(1), _text(Kind.USER, "a café that is small"))
    assert not await _found(index, '"small café"')


async def test_folder_branch_and_tags_are_found(index: SessionIndex) -> None:
    facts = _thread(1, folder="/home/ann/lobster", branch="feature/pots")
    await _put(index, facts)
    await index.note_marks(Marks(facts.thread_id, True, ("shellfish",)))
    for words in ("lobster", "pots", "shellfish", "lobster pots"):
        assert len(await _found(index, words)) == 1
    assert (await _found(index, "lobster"))[0].entry.tags == ("shellfish",)


async def test_marks_wait_for_their_session(index: SessionIndex) -> None:
    facts = _thread(1)
    await index.note_marks(Marks(facts.thread_id, True, ("boats",)))
    await _put(index, facts)
    entry = (await _found(index, "", tag="boats"))[0].entry
    assert entry.pinned


async def test_a_conversation_and_its_thread_are_one_session(index: SessionIndex) -> None:
    facts = ConversationFacts("c1", None, "Ours", "/harbour", NOW_MS, NOW_MS, "idle", 1, closed=False)
    noted = await index.note_conversation(facts)
    assert noted is not None
    await index.add_texts(noted[0], [_text(Kind.USER, "hello")], BoxMark(3, 5))
    await index.note_threads([_thread(1)])
    assert (
        await index.note_conversation(replace(facts, thread_id=rollouts.thread_id(1), recency=2)) is not None
    )
    page = await SessionSearch(index.database).page(SessionQuery(), None, 50, Standing(), NOW_MS)
    assert page.total == 1
    entry = page.matches[0].entry
    assert (entry.key, entry.conversation_id, entry.title) == (rollouts.thread_id(1), "c1", "Ours")


async def test_a_thread_that_codex_lost_goes_and_our_conversation_of_it_stays(index: SessionIndex) -> None:
    await index.note_threads([_thread(1), _thread(2)])
    facts = ConversationFacts(
        "c1", rollouts.thread_id(1), "Ours", "/harbour", NOW_MS, NOW_MS, "idle", 1, closed=False
    )
    await index.note_conversation(facts)
    await index.note_missing([rollouts.thread_id(1), rollouts.thread_id(2)], "gone")
    entries = [match.entry for match in await _found(index, "")]
    assert [(entry.conversation_id, entry.why) for entry in entries] == [("c1", "gone")]


async def test_an_item_is_there_once_whoever_tells_of_it(index: SessionIndex) -> None:
    await _put(index, _thread(1), _text(Kind.USER, "ahoy", "k1"))
    noted = await index.note_conversation(
        ConversationFacts("c1", rollouts.thread_id(1), "", "/h", NOW_MS, NOW_MS, "idle", 1, closed=False)
    )
    assert noted is not None
    await index.add_texts(noted[0], [replace(_text(Kind.USER, "ahoy", "k1"), box_id=7)], BoxMark(1, 4))
    match = (await _found(index, "ahoy"))[0]
    assert [hit.box_id for hit in match.hits] == [7]
    assert match.entry.items == 1


async def test_filters_and_sorts(index: SessionIndex) -> None:
    await _put(index, _thread(1, "b", rollout_bytes=10))
    await _put(index, _thread(2, "A", archived=True), _text(Kind.FILES, "sails.py"))
    await _put(index, _thread(3, "C", parent_id="p", updated_at_ms=NOW_MS))

    async def names(**filters: object) -> str:
        return "".join(match.entry.title for match in await _found(index, "", **filters))

    assert await names() == "b"
    assert await names(archived=None, sub_agents=True, sort=Sort.TITLE) == "AbC"
    assert await names(archived=None, sub_agents=True, sort=Sort.SIZE) == "bAC"
    assert await names(archived=None, sub_agents=True, sort=Sort.OLDEST) == "bAC"
    assert await names(archived=True) == "A"
    assert await names(archived=None, has_changes=True) == "A"
    assert await names(since_ms=NOW_MS, sub_agents=True) == "C"
    assert await names(state=SessionState.IDLE) == "b"
    assert await names(state=SessionState.RUNNING) == ""
    assert await names(folder="/other") == ""


async def test_what_a_session_does_now_can_be_filtered_by(index: SessionIndex) -> None:
    await _put(index, _thread(1, "a"))
    await _put(index, _thread(2, "b"))
    standing = Standing({rollouts.thread_id(1): SessionState.RUNNING})
    search = SessionSearch(index.database)
    for state, title in ((SessionState.RUNNING, "a"), (SessionState.IDLE, "b")):
        page = await search.page(SessionQuery(state=state), None, 50, standing, NOW_MS)
        assert [match.entry.title for match in page.matches] == [title]
        assert page.matches[0].entry.state is state


async def test_pages_follow_each_other(index: SessionIndex) -> None:
    for number in range(1, 8):
        await _put(index, _thread(number, updated_at_ms=NOW_MS - number), _text(Kind.USER, "lighthouse"))
    search = SessionSearch(index.database)
    for query in (SessionQuery(), SessionQuery(text="lighthouse")):
        seen: list[str] = []
        cursor: str | None = None
        while True:
            page = await search.page(query, cursor, 3, Standing(), NOW_MS)
            assert page.total == 7
            seen += [match.entry.key for match in page.matches]
            cursor = page.cursor
            if cursor is None:
                break
        assert seen == [rollouts.thread_id(number) for number in range(1, 8)]


async def test_a_cursor_that_is_none_is_refused(index: SessionIndex) -> None:
    with pytest.raises(InvalidRequest):
        await SessionSearch(index.database).page(SessionQuery(), "7; DROP", 3, Standing(), NOW_MS)
    with pytest.raises(NotFound):
        await SessionSearch(index.database).entry("nobody", Standing())


async def test_items_come_in_order_and_around_a_place(index: SessionIndex) -> None:
    texts = [_text(Kind.USER, f"number {number}", f"i{number}") for number in range(20)]
    await _put(index, _thread(1), *texts)
    search = SessionSearch(index.database)
    key = rollouts.thread_id(1)
    last = await search.items(key, None, 5)
    assert [item.text for item in last] == [f"number {number}" for number in range(15, 20)]
    around = await search.items(key, last[0].place, 4)
    assert [item.text for item in around] == [f"number {number}" for number in (13, 14, 15, 16)]


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    text=st.text(max_size=60)
    | st.sampled_from(['"', "*", "a OR", "NOT", "NEAR(", "col:x", "^a", "a-b", "(("])
)
def test_whatever_is_typed_is_no_syntax_error(tmp_path: Path, text: str) -> None:
    async def search() -> None:
        index = await SessionIndex.open(tmp_path / "typed.sqlite3")
        try:
            await _found(index, text)
        finally:
            await index.close()

    asyncio.run(search())


def test_a_long_output_keeps_both_ends_and_says_so() -> None:
    text, cut = bounded("a" * KEPT_AT_EACH_END + "amidships" + "b" * KEPT_AT_EACH_END)
    assert cut
    assert "amidships" not in text
    assert text.startswith("a")
    assert text.endswith("b")


def test_colours_do_not_part_a_word() -> None:
    assert bounded("har\x1b[31mbour\x1b[0m\x02") == ("harbour", False)


class _PagedAgent:
    """Lists the items of one thread, two a page; the cursor is the number of the next one."""

    def __init__(self, items: list[Item], refuses: bool = False) -> None:
        self.items_of = items
        self.refuses = refuses
        self.code = -32600
        self.asked: list[str | None] = []

    async def items(
        self,
        thread_id: str,
        turn_id: str | None = None,
        cursor: str | None = None,
        *,
        newest_first: bool = False,
        limit: int | None = None,
    ) -> Page[ItemEntry]:
        self.asked.append(cursor)
        if self.refuses:
            raise CallRefused("thread/items/list", self.code, "no rollout")
        order = self.items_of[::-1] if newest_first else self.items_of
        first = int(cursor or 0)
        entries = tuple(ItemEntry("t", item, NOW_MS) for item in order[first : first + 2])
        return Page(entries, str(first + 2) if first + 2 < len(order) else None)


def _contents(agent: _PagedAgent, index: SessionIndex) -> Contents:
    return Contents(cast("Agent", agent), index)


def _messages(count: int) -> list[Item]:
    kinds = (UserMessage, AgentMessage)
    return [kinds[number % 2](id=f"i{number}", text=f"word{number}") for number in range(count)]


async def test_an_indexer_that_was_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "sessions.sqlite3"
    first = await SessionIndex.open(path)
    await first.note_threads([_thread(1)])
    unread = await first.next_unread()
    assert unread is not None
    await _contents(_PagedAgent(_messages(5)), first).read_on(unread)
    await first.close()
    second = await SessionIndex.open(path)
    try:
        agent = _PagedAgent(_messages(5))
        while (unread := await second.next_unread()) is not None:
            await _contents(agent, second).read_on(unread)
        assert agent.asked == ["2", "4"]
        items = await SessionSearch(second.database).items(rollouts.thread_id(1), None, 50)
        assert [item.text for item in items] == [f"word{number}" for number in range(5)]
    finally:
        await second.close()


async def test_only_what_is_new_is_read_again(index: SessionIndex) -> None:
    agent = _PagedAgent(_messages(9))
    await index.note_threads([_thread(1)])
    while (unread := await index.next_unread()) is not None:
        await _contents(agent, index).read_on(unread)
    agent.items_of = _messages(12)
    agent.asked.clear()
    await index.note_threads([_thread(1, rollout_bytes=99)])
    while (unread := await index.next_unread()) is not None:
        await _contents(agent, index).read_on(unread)
    assert agent.asked == [None, "2", "4"]
    items = await SessionSearch(index.database).items(rollouts.thread_id(1), None, 50)
    assert [item.text for item in items] == [f"word{number}" for number in range(12)]


async def test_what_codex_refuses_is_read_from_its_file(index: SessionIndex, tmp_path: Path) -> None:
    path = rollouts.path_of(tmp_path, 1)
    path.write_bytes(rollouts.whole(1, "trawler"))
    await index.note_threads([_thread(1, rollout=str(path))])
    unread = await index.next_unread()
    assert unread is not None
    await _contents(_PagedAgent([], refuses=True), index).read_on(unread)
    assert len(await _found(index, "trawler")) == 1
    assert await index.next_unread() is None


async def test_a_large_file_leaves_others_their_turn(index: SessionIndex, tmp_path: Path) -> None:
    path = rollouts.path_of(tmp_path, 1)
    rollouts.write_large(path, 1, 12)
    await index.note_threads([_thread(1, rollout=str(path), listed=False)])
    contents = _contents(_PagedAgent([]), index)
    steps = 0
    while (unread := await index.next_unread()) is not None:
        await contents.read_on(unread)
        steps += 1
    assert steps > 1
    items = await SessionSearch(index.database).items(rollouts.thread_id(1), None, 10_000)
    assert len(items) == len({(item.item_id, item.kind) for item in items}) > 4_000


async def test_what_nobody_can_read_says_why_and_is_tried_once(index: SessionIndex) -> None:
    await index.note_threads([_thread(1)])
    unread = await index.next_unread()
    assert unread is not None
    await _contents(_PagedAgent([], refuses=True), index).read_on(unread)
    await index.note_threads([_thread(1)])
    assert await index.next_unread() is None
    entry = (await _found(index, ""))[0].entry
    assert entry.state is SessionState.UNREADABLE
    assert "no rollout" in entry.why


async def test_a_busy_codex_is_left_alone_and_asked_again_later(index: SessionIndex) -> None:
    agent = _PagedAgent(_messages(1), refuses=True)
    agent.code = -32001
    await index.note_threads([_thread(1)])
    unread = await index.next_unread()
    assert unread is not None
    with pytest.raises(CallRefused):
        await _contents(agent, index).read_on(unread)
    assert await index.next_unread() == unread


async def test_a_damaged_index_is_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "sessions.sqlite3"
    first = await SessionIndex.open(path)
    await first.note_threads([_thread(1)])
    await first.close()
    path.write_bytes(b"no database at all" * 500)
    second = await SessionIndex.open(path)
    assert (await second.counts()).sessions == 0
    await second.close()
    assert not list(tmp_path.glob("*damaged*"))


async def test_the_text_index_matches_its_texts_after_changes(index: SessionIndex) -> None:
    facts = _thread(1, "first title")
    await _put(index, facts, _text(Kind.USER, "one", "i1"), _text(Kind.OUTPUT, "two", "i1"))
    await index.note_threads([replace(facts, name="second title", rollout_bytes=5)])
    await index.add_texts(1, [_text(Kind.USER, "three", "i1")], Reading())
    assert not await _found(index, "first")
    assert not await _found(index, "one")
    await index.note_missing([facts.thread_id], "gone")

    def check(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO texts_index (texts_index) VALUES ('integrity-check')")

    await index.database.write(check)
    assert (await index.counts()).sessions == 0


def test_of_an_item_nothing_is_found_where_it_says_nothing() -> None:
    assert texts_of_item(AgentMessage(id="m", text=" \n"), "t", 0) == ()


async def test_broken_files_are_found_or_explained_beside_a_real_codex(
    engine: Engine, finder: Finder, scratch: Scratch
) -> None:
    made = rollouts.write_broken(scratch.home)
    for word in ("tornboat", "nulboat", "badboat", "headlessboat", "twiceboat", "strangeboat"):
        await finder.one(word)
    headless = await finder.one("headlessboat")
    with pytest.raises(Conflict, match="no header"):
        await engine.sessions.open(headless.entry.key)
    assert [item.text for item in await engine.sessions.items(headless.entry.key)][-1] == "It has no head."
    page = await finder.page(SessionQuery(archived=None, sub_agents=True), len(made))
    why = {Path(match.entry.rollout).name: match.entry for match in page.matches}
    for name in ("empty", "garbage"):
        entry = why[made[name].name]
        assert entry.state is SessionState.UNREADABLE
        assert entry.why
    assert json.dumps(sorted(why)) == json.dumps(sorted(path.name for path in made.values()))
    assert look_at(made["empty"], archived=False) is not None
    assert not facts_of_file(look_at(made["empty"], archived=False) or pytest.fail()).readable
