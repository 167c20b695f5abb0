"""Sessions on the real Codex: found, live, and true to what other programs do."""

from __future__ import annotations

import asyncio
import time
import uuid

import pytest

from core.conversation.info import Conversation
from core.demo.scratch import Scratch
from core.engine import Engine, open_engine
from core.sessions import sessions
from core.sessions.model import Kind, SessionMatch, SessionQuery, SessionState
from core.sessions.ours import OwnConversations
from core.settings import Settings
from core.thread.state import Status
from tests.core.sessions.conftest import Finder, OfficialCodex
from tests.support.watcher import Watcher


async def _said(engine: Engine, scratch: Scratch, text: str) -> Conversation:
    conversation = await engine.create(scratch.project)
    watcher = Watcher(engine)
    await conversation.send(text, uuid.uuid4().hex)
    await watcher.settled(conversation)
    return conversation


async def test_what_was_said_here_is_found_with_its_box(
    engine: Engine, finder: Finder, scratch: Scratch
) -> None:
    conversation = await _said(engine, scratch, "/say The harbour of Tobermory is small.")
    match = await finder.one("tobermory small")
    assert match.entry.conversation_id == conversation.id
    assert match.entry.source == "quarterdeck"
    kinds = {hit.kind for hit in match.hits}
    assert Kind.ASSISTANT in kinds or Kind.USER in kinds
    assert all(hit.box_id for hit in match.hits if hit.kind is not Kind.TITLE)
    assert any(("Tobermory", True) in hit.pieces for hit in match.hits)


async def test_a_session_of_codex_exec_is_found_within_seconds(
    engine: Engine, finder: Finder, official: OfficialCodex
) -> None:
    await finder.connected()
    await official.exec("/say Ullapool is in the north.")
    began = time.monotonic()
    match = await finder.one("ullapool", seconds=10)
    assert time.monotonic() - began < 5
    assert match.entry.source == "exec"
    assert match.entry.thread_id is not None
    # It is found from the first of its lines on that was read.
    await finder.until(lambda: _holds(engine, match, [Kind.USER, Kind.ASSISTANT]))


async def _holds(engine: Engine, match: SessionMatch, kinds: list[Kind]) -> bool:
    return [item.kind for item in await engine.sessions.items(match.entry.key)] == kinds


async def test_a_session_of_codex_exec_goes_on_here(
    engine: Engine, finder: Finder, official: OfficialCodex
) -> None:
    await finder.connected()
    await official.exec("/say Mallaig has a ferry.")
    match = await finder.one("mallaig ferry")
    conversation = await engine.open(await engine.sessions.open(match.entry.key))
    watcher = Watcher(engine)
    await conversation.send("/say It goes to Skye.", "k1")
    await watcher.box(conversation, "assistant", "It goes to Skye.")
    assert await watcher.settled(conversation) is Status.IDLE
    assert (await finder.one("goes skye")).entry.key == match.entry.key
    page = await engine.sessions.search(SessionQuery(text="mallaig"))
    assert page.total == 1


async def test_pins_and_tags_outlive_the_index(engine: Engine, finder: Finder, scratch: Scratch) -> None:
    first = await _said(engine, scratch, "/say one")
    await _said(engine, scratch, "/say two")
    await finder.page(SessionQuery(), 2)
    await engine.sessions.pin(first.id)
    await engine.sessions.tag(first.id, "boats")
    page = await finder.page(SessionQuery(tag="boats"))
    assert page.total == 1
    assert page.matches[0].entry.pinned
    listed = await engine.sessions.search(SessionQuery())
    assert listed.matches[0].entry.conversation_id == first.id
    assert [facet.value for facet in (await engine.sessions.facets()).tags] == ["boats"]


async def test_a_conversation_that_runs_is_listed_as_running(
    engine: Engine, finder: Finder, scratch: Scratch
) -> None:
    conversation = await engine.create(scratch.project)
    await conversation.send("/run! echo waits", "k1")
    await Watcher(engine).asked("command", conversation)
    page = await finder.page(SessionQuery(state=SessionState.NEEDS_YOU))
    assert page.matches[0].entry.conversation_id == conversation.id
    assert page.matches[0].entry.pending == 1


async def test_a_second_console_sees_the_same_and_goes_on_with_the_index(
    engine: Engine, settings: Settings, finder: Finder, scratch: Scratch
) -> None:
    await _said(engine, scratch, "/say Corpach has a lock.")
    await finder.one("corpach")
    second = await open_engine(settings)
    try:
        beside = Finder(second)
        await beside.one("corpach")
        conversation = await engine.create(scratch.project)
        await conversation.send("/say Banavie has eight.", "k1")
        await beside.one("banavie")
        await engine.close()
        await _said(second, scratch, "/say Gairlochy has two.")
        await beside.one("gairlochy")
    finally:
        await second.close()


async def test_a_fault_of_its_own_ends_the_index_and_is_said(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(self: object) -> bool:
        raise ZeroDivisionError("boats / 0")

    monkeypatch.setattr(OwnConversations, "catch_up", broken)
    engine = await open_engine(settings)
    try:
        finder = Finder(engine)

        async def said() -> bool:
            return "ZeroDivisionError('boats / 0')" in engine.sessions.progress.note

        await finder.until(said)
    finally:
        await engine.close()


async def test_what_was_deleted_leaves_the_list_though_no_file_is_watched(
    settings: Settings, scratch: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def unwatched(*_: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(sessions, "watch_rollouts", unwatched)
    engine = await open_engine(settings)
    try:
        finder = Finder(engine)
        conversation = await _said(engine, scratch, "/say Kirkwall has a cathedral.")
        match = await finder.one("kirkwall")
        await finder.until(lambda: _listed(engine, match.entry.key))
        await engine.operations.delete(conversation.id)

        async def gone() -> bool:
            return not (await engine.sessions.search(SessionQuery(text="kirkwall"))).matches

        await finder.until(gone)
    finally:
        await engine.close()


async def _listed(engine: Engine, key: str) -> bool:
    """Is it known of a session that Codex lists it?"""
    return bool((await engine.sessions.entry(key)).rollout)
