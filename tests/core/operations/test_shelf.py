"""Titles, putting away, bringing back and deleting, on the real Codex."""

from __future__ import annotations

import pytest

from core.codex.client import CodexAgent
from core.conversation.info import Conversation
from core.demo.process import ModelProcess
from core.demo.scratch import Scratch
from core.engine import Engine, open_engine
from core.errors import Closed, Conflict, InvalidRequest, StoreError
from core.hosting import host_options
from core.operations.journal import Kind
from core.operations.shelf import NewTitle
from core.settings import Settings
from core.thread.boxes import ASSISTANT
from tests.core.operations.conftest import contents
from tests.support.watcher import Watcher


async def _titles(engine: Engine) -> list[str]:
    return [info.title for info in await engine.conversations()]


async def _names_at_codex(engine: Engine) -> list[str | None]:
    return [thread.name for thread in (await engine._agent.threads()).entries]


async def test_a_new_title_is_codexs_name_of_the_thread_too(engine: Engine, talk: Conversation) -> None:
    await engine.operations.rename(talk.id, "  Count\n the boats ")
    assert await _titles(engine) == ["Count the boats"]
    assert await _names_at_codex(engine) == ["Count the boats"]
    with pytest.raises(InvalidRequest):
        await engine.operations.rename(talk.id, " \n ")


async def test_a_title_that_could_not_be_begun_is_not_half_given(
    engine: Engine, talk: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = await _titles(engine)

    async def full(*_: object) -> int:
        raise StoreError("The disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(engine._store.operations, "begin", full)
        with pytest.raises(StoreError):
            await engine.operations.rename(talk.id, "Half given")
    assert await _titles(engine) == before


async def test_a_title_that_was_only_begun_is_given_later(engine: Engine, talk: Conversation) -> None:
    (before,) = await _titles(engine)
    begun = NewTitle(title="Begun", before=before).model_dump_json()
    await engine._store.operations.begin(talk.id, Kind.RENAME, begun)
    await engine.operations.settle()
    assert (await _titles(engine), await _names_at_codex(engine)) == (["Begun"], ["Begun"])


async def test_of_titles_that_wait_for_the_thread_the_last_one_is_given(
    engine: Engine, watcher: Watcher, scratch: Scratch
) -> None:
    conversation = await engine.create(scratch.project)
    for title in ("One", "Two", "One"):
        await engine.operations.rename(conversation.id, title)
    assert len(await engine._store.operations.pending()) == 1
    await conversation.send("/say hello", "k1")
    await watcher.settled(conversation)
    while await _names_at_codex(engine) != ["One"]:
        await watcher.news()
    assert await _titles(engine) == ["One"]


async def test_a_title_that_is_given_before_the_first_message_reaches_codex_with_it(
    engine: Engine, watcher: Watcher, scratch: Scratch
) -> None:
    conversation = await engine.create(scratch.project)
    await engine.operations.rename(conversation.id, "Named first")
    await conversation.send("/say hello", "k1")
    await watcher.settled(conversation)
    while await _names_at_codex(engine) != ["Named first"]:
        await watcher.news()
    assert await _titles(engine) == ["Named first"]


async def test_what_was_put_away_is_read_and_goes_on_when_it_is_back(
    engine: Engine, watcher: Watcher, talk: Conversation
) -> None:
    await engine.operations.archive(talk.id)
    assert await _titles(engine) == []
    assert [info.id for info in await engine.operations.archived()] == [talk.id]
    away = await engine.open(talk.id)
    assert await contents(away, ASSISTANT) == ["one", "two", "three"]
    with pytest.raises(Conflict, match="unarchive"):
        await away.send("/say now?", "k4")

    await engine.operations.unarchive(talk.id)
    back = await engine.open(talk.id)
    await back.send("/say back", "k5")
    await watcher.settled(back)
    assert (await contents(back, ASSISTANT))[-1] == "back"


async def test_what_was_deleted_is_gone_here_and_at_codex_and_stays_so(
    settings: Settings, engine: Engine, talk: Conversation
) -> None:
    await engine.operations.delete(talk.id)
    assert await _titles(engine) == []
    assert await _names_at_codex(engine) == []
    with pytest.raises(Closed):
        await engine.open(talk.id)
    await engine.close()
    second = await open_engine(settings)
    try:
        await Watcher(second).until(lambda: second.host.phase.value == "ready")
        assert await _titles(second) == []
    finally:
        await second.close()


async def test_what_another_was_forked_from_is_not_deleted_and_goes_on(
    engine: Engine, watcher: Watcher, talk: Conversation
) -> None:
    copy = await engine.operations.fork(talk.id)
    with pytest.raises(Conflict, match="forked from it"):
        await engine.operations.delete(talk.id)
    assert len(await _titles(engine)) == 2
    await talk.send("/say still here", "k4")
    await watcher.settled(talk)
    assert (await contents(talk, ASSISTANT))[-1] == "still here"
    await engine.operations.delete(copy)
    await engine.operations.delete(talk.id)
    assert await _titles(engine) == []


async def test_what_runs_is_neither_put_away_nor_deleted(
    engine: Engine, watcher: Watcher, talk: Conversation, model: ModelProcess
) -> None:
    await talk.send("/hold gate\n/say four", "k4")
    await watcher.until(lambda: talk.state.turn_id)
    for refused in (engine.operations.archive, engine.operations.delete, engine.operations.compact):
        with pytest.raises(Conflict, match="Interrupt it"):
            await refused(talk.id)
    await model.release("gate")
    await watcher.settled(talk)
    assert (await contents(talk, ASSISTANT))[-1] == "four"


async def test_another_consoles_conversation_is_not_touched(
    settings: Settings, engine: Engine, talk: Conversation
) -> None:
    other = await open_engine(settings)
    try:
        for refused in (
            other.operations.archive,
            other.operations.delete,
            other.operations.compact,
            other.operations.plan_revert,
        ):
            with pytest.raises(Conflict, match="another console"):
                await refused(talk.id)
        with pytest.raises(Conflict):
            await other.operations.rename(talk.id, "Mine")
    finally:
        await other.close()


async def test_a_conversation_that_was_closed_for_good_is_let_go_of(
    engine: Engine, talk: Conversation
) -> None:
    handle = await engine.handle(talk.id)
    await handle.close()
    assert engine._registry.opened(talk.id) is None
    with pytest.raises(Closed):
        await engine.open(talk.id)


async def test_what_another_client_puts_away_brings_back_or_deletes_is_seen(
    engine: Engine, watcher: Watcher, talk: Conversation
) -> None:
    thread_id = talk.info.thread_id
    assert thread_id is not None
    await engine._agent.archive(thread_id)
    while await _titles(engine):
        await watcher.news()
    await engine._agent.operations.unarchive(thread_id)
    while not await _titles(engine):
        await watcher.news()
    await engine._agent.operations.delete(thread_id)
    await watcher.until(
        lambda: any("Another client" in getattr(event, "text", "") for event in watcher.events)
    )
    assert await _titles(engine) == []


async def test_what_another_client_put_away_meanwhile_is_seen_at_the_next_start(
    settings: Settings, engine: Engine, talk: Conversation
) -> None:
    thread_id = talk.info.thread_id
    assert thread_id is not None
    await engine.close()
    other = CodexAgent(host_options(settings))
    await other.open()
    await other.archive(thread_id)
    await other.release()
    second = await open_engine(settings)
    try:
        watcher = Watcher(second)
        while await _titles(second):
            await watcher.news()
        assert [info.id for info in await second.operations.archived()] == [talk.id]
    finally:
        await second.close()
