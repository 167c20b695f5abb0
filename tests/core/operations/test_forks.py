"""Copies of conversations on the real Codex."""

from __future__ import annotations

import pytest

from core.conversation.info import Conversation
from core.demo.process import ModelProcess
from core.demo.scratch import Scratch
from core.engine import Engine
from core.errors import Conflict, InvalidRequest
from core.thread.boxes import ASSISTANT, NOTICE, USER
from core.thread.state import Status
from tests.core.operations.conftest import contents
from tests.support.watcher import Watcher


async def test_a_copy_and_its_origin_go_on_apart(
    engine: Engine, watcher: Watcher, talk: Conversation, model: ModelProcess
) -> None:
    copy = await engine.open(await engine.operations.fork(talk.id))
    assert (await contents(copy))[:6] == await contents(talk)
    assert "copy of “/say one”" in (await contents(copy, NOTICE))[0]
    assert (copy.info.title, copy.info.forked_from) == ("/say one (copy)", talk.id)

    await copy.send("/say only in the copy", "k-copy")
    await watcher.settled(copy)
    await talk.send("/say only in the origin", "k-origin")
    await watcher.settled(talk)
    assert (await contents(copy, ASSISTANT))[-1] == "only in the copy"
    assert (await contents(talk, ASSISTANT))[-1] == "only in the origin"
    in_copy, in_origin = (entry.said for entry in (await model.requests())[-2:])
    before = ("/say one", "/say two", "/say three")
    assert in_copy == (*before, "/say only in the copy")
    assert in_origin == (*before, "/say only in the origin")


async def test_a_copy_in_which_nothing_was_said_yet_is_no_difference(
    engine: Engine, watcher: Watcher, talk: Conversation
) -> None:
    copy = await engine.open(await engine.operations.fork(talk.id))
    differing = {one.thread_id for one in await engine.sessions.differences()}
    assert copy.info.thread_id not in differing


async def test_a_copy_ends_with_the_turn_of_the_box_that_was_chosen(
    engine: Engine, watcher: Watcher, talk: Conversation
) -> None:
    copy = await engine.open(await engine.operations.fork(talk.id, after_box=3))
    assert (await contents(copy))[:-1] == ["/say one", "one", "/say two", "two"]
    await copy.send("/say four", "k4")
    assert await watcher.settled(copy) is Status.IDLE
    assert await contents(copy, ASSISTANT) == ["one", "two", "four"]


async def test_a_copy_of_a_copy_can_be_made_and_gone_back_in(
    engine: Engine, watcher: Watcher, talk: Conversation
) -> None:
    first = await engine.operations.fork(talk.id, after_box=4)
    second = await engine.open(await engine.operations.fork(first, after_box=2))
    assert await contents(second, USER) == ["/say one"]
    await engine.operations.revert(first, await engine.operations.plan_revert(first))
    assert await contents(await engine.open(first), USER) == ["/say one"]


async def test_a_running_turn_is_not_copied_but_what_came_before_it_is(
    engine: Engine, watcher: Watcher, talk: Conversation, model: ModelProcess
) -> None:
    await talk.send("/hold gate\n/say four", "k4")
    await watcher.until(lambda: talk.state.turn_id)
    with pytest.raises(Conflict, match="Interrupt it"):
        await engine.operations.fork(talk.id)
    copy = await engine.open(await engine.operations.fork(talk.id, after_box=6))
    assert await contents(copy, ASSISTANT) == ["one", "two", "three"]
    await model.release("gate")
    await watcher.settled(talk)
    assert (await contents(talk, ASSISTANT))[-1] == "four"


async def test_what_has_nothing_said_in_it_is_not_copied(engine: Engine, scratch: Scratch) -> None:
    empty = await engine.create(scratch.project)
    with pytest.raises(InvalidRequest, match="Send a message first"):
        await engine.operations.fork(empty.id)
