"""On the real Codex: sub-agents, and what other programs added, are in an export too."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.demo.scratch import Scratch
from core.engine import Engine, open_engine
from core.errors import NotFound
from core.export.command import ExportOrder, export, take
from core.export.parsing import Taken, parse
from core.export.parts import Format
from core.settings import Settings
from core.thread.boxes import ASSISTANT
from core.thread.records import BoxRecord
from tests.support.watcher import Watcher


def read(path: Path) -> Taken:
    return parse(path.read_bytes().splitlines(keepends=True), path.name)


def answers(taken: Taken, number: int = 0) -> list[str]:
    boxes = [
        one.record.box for one in taken.conversations[number].records if isinstance(one.record, BoxRecord)
    ]
    return [box.contents for box in boxes if box.box_type == ASSISTANT]


async def test_sub_agents_come_with_a_conversation_and_are_imported_with_it(
    engine: Engine, scratch: Scratch, tmp_path: Path
) -> None:
    watcher = Watcher(engine)
    conversation = await engine.create(scratch.project)
    await conversation.send("/agent\n\\/say From below.\n/join\n/say From above.", "k1")
    await watcher.settled(conversation)
    file = tmp_path / "out.jsonl"
    done = await engine.export.to_file(conversation.id, file, Format.JSONL)
    assert done.missing == ()
    taken = read(file)
    assert [one.begin.parent_id for one in taken.conversations] == [None, conversation.id]
    assert answers(taken) == ["From above."]
    assert answers(taken, 1) == ["From below."]
    imported = await engine.export.take(file)
    assert imported.sub_agents == 1
    there = await engine.open(imported.conversation_id)
    assert await there.page() == await conversation.page()
    assert there.info.thread_id is None
    latest = await engine.latest(scratch.project)
    assert latest is not None and latest.id == conversation.id


async def test_what_another_program_added_is_in_the_export(
    settings: Settings, scratch: Scratch, tmp_path: Path
) -> None:
    first = await open_engine(settings)
    conversation = await first.create(scratch.project)
    await conversation.send("/say one", "k1")
    await Watcher(first).settled(conversation)
    await first.close()
    other = await open_engine(settings.model_copy(update={"data_dir": tmp_path / "other"}))
    watcher = Watcher(other)
    (info,) = await watcher.listed(1)
    theirs = await other.open(info.id)
    await theirs.send("/say two", "k2")
    await watcher.box(theirs, ASSISTANT, "two")
    await watcher.settled(theirs)
    await other.close()
    file = tmp_path / "out.jsonl"
    order = ExportOrder(None, scratch.project, Format.JSONL, str(file), secrets=False, overwrite=False)
    (told,) = await export(settings, order)
    assert str(file) in told
    assert answers(read(file)) == ["one", "two"]
    again = await take(settings, file)
    assert not again.again and again.title == "/say one"


async def test_a_conversation_that_is_not_there_is_said_so(settings: Settings, tmp_path: Path) -> None:
    order = ExportOrder("nowhere", tmp_path, Format.HTML, None, secrets=False, overwrite=False)
    with pytest.raises(NotFound):
        await export(settings, order)
