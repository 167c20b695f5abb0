"""What was seen is kept with a delay, and what came while nobody looked is marked in the next console too."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

from core.agent.events import Channel
from core.conversation.feed import LiveDelta
from core.demo.process import ModelProcess
from core.demo.scratch import Scratch
from core.engine import Engine, open_engine
from core.errors import StoreError
from core.settings import HostSettings, Settings
from core.thread.boxes import ASSISTANT, draft
from core.thread.state import Status
from tests.support.watcher import Watcher
from tests.tui.conftest import FOLDER
from tests.tui.fake_engine import FakeEngine
from tui.desk import Desk, new_key
from tui.seen import SeenKeeper
from tui.widgets.writing import Writing


def desk_of(engine: FakeEngine | Engine, folder: Path = FOLDER) -> Desk:
    return Desk(engine, folder, Writing(new_key), wake=lambda: None, failed=lambda error: None)  # type: ignore[arg-type]


class Disk:
    def __init__(self) -> None:
        self.full = False
        self.marked: list[dict[str, int]] = []
        self.written = asyncio.Event()

    async def mark(self, boxes: Mapping[str, int]) -> None:
        if self.full:
            raise StoreError("What was seen is not kept")
        self.marked.append(dict(boxes))
        self.written.set()


async def test_many_boxes_seen_in_a_row_are_one_write_a_moment_later() -> None:
    disk = Disk()
    keeper = SeenKeeper(disk.mark, delay=0.01)
    for box_id in range(1, 100):
        keeper.saw("a", box_id)
    keeper.saw("a", 98)
    keeper.saw("b", 7)
    assert disk.marked == []
    await asyncio.wait_for(disk.written.wait(), 5)
    assert disk.marked == [{"a": 99, "b": 7}]
    await keeper.close()
    assert len(disk.marked) == 1


async def test_closing_keeps_what_is_not_kept_yet_and_a_full_disk_does_no_harm() -> None:
    disk = Disk()
    keeper = SeenKeeper(disk.mark, delay=60)
    keeper.saw("a", 1)
    await keeper.close()
    assert disk.marked == [{"a": 1}]
    disk.full = True
    keeper.saw("a", 2)
    await keeper.close()
    assert disk.marked == [{"a": 1}]


async def test_what_is_shown_is_seen_and_what_comes_elsewhere_is_not() -> None:
    engine = FakeEngine()
    one, two = (
        engine.add(FOLDER, "one", draft(ASSISTANT, "a")),
        engine.add(FOLDER, "two", draft(ASSISTANT, "b")),
    )
    engine.seen.unseen_of = {two.id}
    desk = desk_of(engine)
    await desk.open(one.id)
    await desk.reload()
    assert desk.unread == {two.id}
    one.add(draft(ASSISTANT, "c"))
    two.add(draft(ASSISTANT, "d"))
    engine.feed.tell(LiveDelta(one.id, "item", Channel.MESSAGE, "streams"))
    desk.take()
    await desk.close()
    assert engine.seen.boxes == {one.id: 2}
    assert desk.unread == {two.id}


async def test_a_conversation_that_is_opened_is_seen_to_its_end() -> None:
    engine = FakeEngine()
    two = engine.add(FOLDER, "two", draft(ASSISTANT, "a"), draft(ASSISTANT, "b"))
    engine.seen.unseen_of = {two.id}
    desk = desk_of(engine)
    await desk.open(two.id)
    await desk.reload()
    assert desk.unread == set()
    await desk.reload()
    assert desk.unread == set()
    await desk.close()
    assert engine.seen.boxes == {two.id: 2}


async def test_what_came_while_no_console_ran_is_marked_in_the_next_ones_until_it_is_looked_at(
    scratch: Scratch, codex_binary: Path, tmp_path: Path, model: ModelProcess
) -> None:
    settings = Settings(
        data_dir=tmp_path / "data", host=HostSettings(codex=codex_binary, codex_home=scratch.home)
    )
    first = await open_engine(settings)
    conversation = await first.create(scratch.project)
    desk = desk_of(first, scratch.project)
    await desk.open(conversation.id)
    await conversation.send("/hold away\n/say while you were out", "k1")
    await Watcher(first).until(lambda: conversation.state.turn_id)
    desk.take()
    await desk.close()
    assert await first.seen.unseen() == set()
    await first.close()
    await model.release("away")
    for life in ("hears it", "never looks", "looks"):
        engine = await open_engine(settings)
        try:
            desk = desk_of(engine, scratch.project)
            if life == "hears it":
                again = await engine.open(conversation.id)
                await Watcher(engine).until(lambda again=again: again.state.status is Status.IDLE)
            await desk.reload()
            desk.take()
            assert desk.unread == {conversation.id}
            if life == "looks":
                await desk.open(conversation.id)
                assert desk.unread == set()
            await desk.close()
            if life == "looks":
                assert await engine.seen.unseen() == set()
        finally:
            await engine.close()
