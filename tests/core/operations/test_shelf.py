"""Titles, putting away, bringing back and deleting, on the real Codex."""

from __future__ import annotations

import pytest

from core.conversation.info import Conversation
from core.demo.process import ModelProcess
from core.demo.scratch import Scratch
from core.engine import Engine, open_engine
from core.errors import Closed, Conflict, InvalidRequest
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
        with pytest.raises(Conflict, match="Esc"):
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
