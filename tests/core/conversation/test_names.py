"""What another client of the same Codex calls a thread, its conversation is called here."""

from __future__ import annotations

from pathlib import Path

from core.demo.scratch import Scratch
from core.engine import Engine, open_engine
from core.settings import Settings
from tests.support.watcher import Watcher


async def test_another_client_names_a_thread_and_the_list_shows_it(
    engine: Engine, watcher: Watcher, settings: Settings, scratch: Scratch, tmp_path: Path
) -> None:
    conversation = await engine.create(scratch.project)
    await conversation.send("/say one", "k1")
    await watcher.settled(conversation)
    other = await open_engine(settings.model_copy(update={"data_dir": tmp_path / "other"}))
    try:
        (theirs,) = await Watcher(other).listed(1)
        await other.operations.rename(theirs.id, "A longer name " * 8)
        wanted = ("A longer name " * 8).strip()
        await watcher.until(lambda: conversation.info.title == wanted)
        (info,) = await engine.conversations()
        assert info.title == wanted
    finally:
        await other.close()
