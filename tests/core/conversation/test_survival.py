"""The console, the host or the database goes away: nothing that was typed, decided or seen is lost."""

from __future__ import annotations

import os
import signal
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from core.agent.items import CommandRun, load_item
from core.agent.items import Status as ItemStatus
from core.conversation import runtime
from core.conversation.feed import HostChanged, HostPhase
from core.conversation.info import Conversation
from core.conversation.live import LiveConversation
from core.conversation.reconcile import HOST_ENDED
from core.demo.process import ModelProcess
from core.demo.scratch import Scratch
from core.engine import DATABASE, Engine, open_engine
from core.errors import Conflict, StoreError
from core.process import identify
from core.settings import Settings
from core.thread.boxes import ASSISTANT, NOTICE, TOOL_RETURN, USER, ResultMeta, hidden_of
from core.thread.state import Status
from tests.support.watcher import Watcher


async def test_a_turn_goes_on_without_its_console_and_is_there_in_the_next(
    settings: Settings, scratch: Scratch, model: ModelProcess
) -> None:
    first = await open_engine(settings)
    conversation = await first.create(scratch.project)
    watcher = Watcher(first)
    await conversation.send("/hold away\n/say while you were out", "k1")
    await watcher.until(lambda: conversation.state.turn_id)
    assert "goes on" in await first.close()
    await model.release("away")
    second = await open_engine(settings)
    try:
        watcher = Watcher(second)
        again = await second.open(conversation.id)
        await watcher.box(again, ASSISTANT)
        await watcher.until(lambda: again.state.status is Status.IDLE)
        contents = [box.contents for box in await again.page()]
        assert contents == ["/hold away\n/say while you were out", "while you were out"]
    finally:
        await second.close()


async def test_an_approval_is_still_pending_in_the_next_console(settings: Settings, scratch: Scratch) -> None:
    first = await open_engine(settings)
    conversation = await first.create(scratch.project)
    await conversation.send("/run! echo later", "k1")
    asked = await Watcher(first).asked("command", conversation)
    await first.close()
    second = await open_engine(settings)
    try:
        watcher = Watcher(second)
        again = await second.open(conversation.id)
        still = await watcher.asked("command", again)
        assert (still.id, still.shown_hash) == (asked.id, asked.shown_hash)
        await watcher.until(lambda: second.host.phase is HostPhase.READY)
        await watcher.choose(still, "accept")
        await watcher.settled(again)
        assert (await watcher.box(again, TOOL_RETURN)).contents == "later\n"
    finally:
        await second.close()


async def test_what_was_declined_two_consoles_ago_is_shown_as_declined(
    settings: Settings, scratch: Scratch, model: ModelProcess
) -> None:
    """Codex tells the end of the item only to the connection that it asked first."""
    first = await open_engine(settings)
    conversation = await first.create(scratch.project)
    await conversation.send("/run! touch ran\n/hold here\n/say It was declined.", "k1")
    await Watcher(first).asked("command", conversation)
    await first.close()
    second = await open_engine(settings)
    watcher = Watcher(second)
    again = await second.open(conversation.id)
    asked = await watcher.asked("command", again)
    await watcher.choose(asked, "decline")
    await watcher.outcome(asked)
    await second.close()
    third = await open_engine(settings)
    try:
        watcher = Watcher(third)
        last = await third.open(conversation.id)
        await model.release("here")
        await watcher.box(last, ASSISTANT, "It was declined.")
        await watcher.until(lambda: last.state.status is Status.IDLE)
        (meta,) = [hidden_of(box) for box in await last.page() if box.box_type == TOOL_RETURN]
        assert isinstance(meta, ResultMeta)
        assert load_item(meta.metadata_contents).status is ItemStatus.DECLINED  # type: ignore[union-attr]
    finally:
        await third.close()


async def test_what_is_declined_in_the_next_console_is_shown_as_declined(
    settings: Settings, scratch: Scratch
) -> None:
    first = await open_engine(settings)
    conversation = await first.create(scratch.project)
    await conversation.send("/run! touch ran", "k1")
    await Watcher(first).asked("command", conversation)
    await first.close()
    second = await open_engine(settings)
    try:
        watcher = Watcher(second)
        again = await second.open(conversation.id)
        still = await watcher.asked("command", again)
        await watcher.until(lambda: second.host.phase is HostPhase.READY)
        await watcher.choose(still, "decline")
        await watcher.settled(again)
        returned = hidden_of(await watcher.box(again, TOOL_RETURN))
        assert isinstance(returned, ResultMeta)
        item = load_item(returned.metadata_contents)
        assert isinstance(item, CommandRun)
        assert item.status is ItemStatus.DECLINED
    finally:
        await second.close()


async def test_a_dead_host_stalls_its_turns_and_is_started_again(
    engine: Engine, watcher: Watcher, scratch: Scratch, model: ModelProcess
) -> None:
    conversation = await engine.create(scratch.project)
    await conversation.send("/say first", "k1")
    await watcher.settled(conversation)
    await conversation.send("/say half of {{hold it}} an answer", "k2")
    await watcher.until(lambda: "half" in watcher.streamed(conversation))
    os.kill(_host_pid(engine), signal.SIGKILL)
    await watcher.until(lambda: conversation.state.status is Status.STALLED)
    assert _phases(watcher)[-2:] == [HostPhase.LOST, HostPhase.READY]
    assert conversation.state.problem == HOST_ENDED
    await watcher.until(lambda: _answers(watcher, conversation) == watcher.streamed(conversation))
    await model.release("it")
    await conversation.restart()
    await watcher.until(lambda: conversation.state.status is Status.IDLE)
    assert [box.contents for box in watcher.boxes(conversation, USER)] == [
        "/say first",
        "/say half of {{hold it}} an answer",
    ]


async def test_an_approval_dies_undecided_with_its_host(
    engine: Engine, watcher: Watcher, scratch: Scratch
) -> None:
    conversation = await engine.create(scratch.project)
    await conversation.send("/run! echo never", "k1")
    asked = await watcher.asked("command", conversation)
    os.kill(_host_pid(engine), signal.SIGKILL)
    gone = await watcher.outcome(asked)
    assert (gone.state.value, gone.answer) == ("died", None)
    await watcher.until(lambda: conversation.state.status is Status.STALLED)


async def test_a_command_that_outlives_its_host_is_named_and_ended_on_a_persons_word(
    engine: Engine, watcher: Watcher, scratch: Scratch
) -> None:
    conversation = await engine.create(scratch.project)
    await conversation.send("/run! sleep 70 & sleep 0.5; echo started; wait; echo over", "k1")
    await watcher.choose(await watcher.asked("command", conversation), "accept")
    await watcher.until(lambda: "started" in watcher.streamed(conversation))
    os.kill(_host_pid(engine), signal.SIGKILL)
    named = await watcher.box(conversation, NOTICE, "outlived its host")
    assert "sleep 70" in named.contents
    (orphan,) = conversation.orphans
    await conversation.end_orphans()
    assert identify(orphan.pid) is None
    await watcher.box(conversation, NOTICE, f"Ended process {orphan.pid}")


async def test_a_full_disk_refuses_a_message_and_the_same_message_goes_once_there_is_room(
    engine: Engine, watcher: Watcher, scratch: Scratch
) -> None:
    conversation = await engine.create(scratch.project)
    await _allow_pages(engine, 0)
    text = "/say there is room again\n" + "x" * 200_000
    with pytest.raises(StoreError) as refused:
        await conversation.send(text, "k1")
    assert refused.value.todo
    await _allow_pages(engine, 1_000_000)
    await conversation.send(text, "k1")
    await watcher.settled(conversation)
    said = [box.contents for box in await conversation.page() if box.box_type == USER]
    assert said == [text]


async def test_a_message_that_a_full_disk_refused_and_that_was_changed_goes_out_once(
    engine: Engine, watcher: Watcher, scratch: Scratch
) -> None:
    conversation = await engine.create(scratch.project)
    await _allow_pages(engine, 0)
    with pytest.raises(StoreError):
        await conversation.send("/say first\n" + "x" * 200_000, "k1")
    assert conversation.state.status is Status.IDLE and not conversation.outbox
    await _allow_pages(engine, 1_000_000)
    await conversation.send("/say changed", "k2")
    await watcher.settled(conversation)
    boxes = [box.contents for box in await conversation.page()]
    assert boxes == ["/say changed", "changed"]


async def test_a_message_is_taken_where_only_the_title_could_not_be_written(
    engine: Engine, watcher: Watcher, scratch: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    conversation = await engine.create(scratch.project)
    assert isinstance(conversation, LiveConversation)

    async def full(conversation_id: str, title: str) -> None:
        raise StoreError("The disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(conversation._catalog, "entitle", full)
        await conversation.send("/say first", "k1")
        await watcher.settled(conversation)
    assert conversation.info.title == ""
    await conversation.send("/say second", "k2")
    assert conversation.info.title == "/say first"
    await watcher.settled(conversation)


async def test_a_message_that_is_on_disk_is_taken_though_its_place_could_not_be_written_at_once(
    engine: Engine, watcher: Watcher, scratch: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runtime, "WRITE_AGAIN_SECONDS", 0.01)
    conversation = await engine.create(scratch.project)
    assert isinstance(conversation, LiveConversation)
    session, writes = conversation.runtime.thread._session, 0
    persist = session.persist

    async def second_fails(*batch: Any) -> None:
        nonlocal writes
        writes += 1
        if writes == 2:
            raise StoreError("The disk is full")
        await persist(*batch)

    monkeypatch.setattr(session, "persist", second_fails)
    await conversation.send("/say hello", "k1")
    await watcher.settled(conversation)
    assert [box.contents for box in await conversation.page()] == ["/say hello", "hello"]


async def _allow_pages(engine: Engine, more: int) -> None:
    """Let the database grow by so many pages at the most."""

    def limit(connection: sqlite3.Connection) -> None:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + more}")

    await engine._store.database.write(limit)


async def test_two_consoles_share_a_database_and_one_writes_a_conversation(
    settings: Settings, scratch: Scratch
) -> None:
    first, second = await open_engine(settings), await open_engine(settings)
    try:
        ours = await first.create(scratch.project)
        theirs = await second.open(ours.id)
        assert "another console" in theirs.writer
        watcher, follower = Watcher(first), Watcher(second)
        await ours.send("/say seen by both", "k1")
        await watcher.settled(ours)
        assert (await follower.box(theirs, ASSISTANT)).contents == "seen by both"
        try:
            await theirs.send("me too", "k2")
            raise AssertionError("a follower wrote")
        except Conflict as error:
            assert "another console" in error.why
        await first.close()
        taken = await second.open(ours.id)
        assert taken.writer == ""
        await taken.send("/say mine now", "k3")
        await follower.settled(taken)
        assert (await follower.box(taken, ASSISTANT, "mine now")).contents == "mine now"
    finally:
        await second.close()
        await first.close()


async def test_a_damaged_database_is_moved_aside_and_sessions_are_read_again_from_codex(
    settings: Settings, scratch: Scratch
) -> None:
    first = await open_engine(settings)
    watcher = Watcher(first)
    conversation = await first.create(scratch.project)
    await conversation.send("/say kept by Codex", "k1")
    await watcher.settled(conversation)
    await first.close()
    database = settings.data_dir / DATABASE
    database.write_bytes(b"this is no database" * 500)
    second = await open_engine(settings)
    try:
        assert "moved to" in second.report
        assert any(b"no database" in path.read_bytes() for path in _moved(settings.data_dir))
        watcher = Watcher(second)
        found = await watcher.listed(1)
        again = await second.open(found[0].id)
        await watcher.box(again, ASSISTANT)
        assert [box.contents for box in await again.page()] == ["/say kept by Codex", "kept by Codex"]
    finally:
        await second.close()


def _moved(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and path.name != DATABASE]


def _answers(watcher: Watcher, conversation: Conversation) -> str:
    """What stands in the conversation of Codex's words."""
    return "".join(box.contents for box in watcher.boxes(conversation, ASSISTANT))


def _phases(watcher: Watcher) -> list[HostPhase]:
    return [event.phase for event in watcher.events if isinstance(event, HostChanged)]


def _host_pid(engine: Engine) -> int:
    process = engine._agent._link.standing.process
    assert process is not None
    return process.pid
