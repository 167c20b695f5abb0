"""What a person said is found again, newest first."""

from __future__ import annotations

from core.store import said
from core.store.store import Store
from core.thread.boxes import ASSISTANT, USER, BoxId, ChatBox, InputMeta, draft
from core.thread.records import BoxRecord
from tests.core.store.helpers import add_conversations


async def say(store: Store, conversation: str, *texts: str, typed: str | None = None) -> None:
    after = await store.records.last_seq(conversation)
    for number, text in enumerate(texts, after + 1):
        box = draft(USER, text, InputMeta(key=f"{conversation}{number}", typed=typed))
        placed = ChatBox(BoxId(number), USER, text, box.hidden_type, box.hidden_contents)
        await store.records.append(conversation, number - 1, [BoxRecord(placed)])


async def found(store: Store, text: str = "", **how: object) -> list[str]:
    return [row.text for row in await store.said.find(text, **how)]  # type: ignore[arg-type]


async def test_the_newest_comes_first_and_the_same_text_once(store: Store) -> None:
    await add_conversations(store, "a", "b")
    await say(store, "a", "paint the pier", "count the boats")
    await say(store, "b", "paint the pier")
    assert await found(store) == ["paint the pier", "count the boats"]
    assert await found(store, limit=1) == ["paint the pier"]


async def test_every_word_has_to_be_in_it_in_any_case(store: Store) -> None:
    await add_conversations(store, "a")
    await say(store, "a", "Größe des Hafens", "größe", "100% of it")
    assert await found(store, "GRÖSSE hafens") == ["Größe des Hafens"]
    assert await found(store, "0%") == ["100% of it"]
    assert await found(store, "nowhere") == []


async def test_one_folder_is_searched_or_all(store: Store) -> None:
    await add_conversations(store, "a")
    await say(store, "a", "here")
    (row,) = await store.said.find()
    assert await found(store, folder=row.path) == ["here"]
    assert await found(store, folder="/elsewhere") == []


async def test_what_was_put_before_a_message_was_not_said(store: Store) -> None:
    await add_conversations(store, "a")
    await say(store, "a", "a whole manual\n\nwhat now?", typed="what now?")
    assert await found(store, "what") == ["what now?"]
    assert await found(store, "manual") == []


async def test_what_a_model_told_a_sub_agent_was_said_by_nobody(store: Store) -> None:
    await add_conversations(store, "a", "child")
    await store.conversations.change("child", parent_id="a")
    await say(store, "child", "look into the pier")
    await say(store, "a", "what about the pier?")
    assert await found(store) == ["what about the pier?"]


async def test_what_codex_said_is_not_read_at_all(store: Store) -> None:
    await add_conversations(store, "a")
    await store.records.append("a", 0, [BoxRecord(ChatBox(BoxId(1), ASSISTANT, "an answer"))])
    assert await found(store) == []
    plan = await store.database.read(
        lambda c: c.execute(f"EXPLAIN QUERY PLAN {said._SAID}", {"folder": None}).fetchall()
    )
    assert "SEARCH r USING INDEX records_said (box_type=?)" in [row[3] for row in plan]
    assert not any("TEMP B-TREE" in row[3] for row in plan)
