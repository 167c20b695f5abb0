"""A conversation of three answered messages, on the real Codex."""

from __future__ import annotations

import pytest

from core.conversation.info import Conversation
from core.demo.scratch import Scratch
from core.engine import Engine
from tests.support.watcher import Watcher


@pytest.fixture
async def talk(engine: Engine, watcher: Watcher, scratch: Scratch) -> Conversation:
    """Boxes 1 to 6: three messages and their answers."""
    conversation = await engine.create(scratch.project)
    for number in ("one", "two", "three"):
        await conversation.send(f"/say {number}", f"key-{number}")
        await watcher.settled(conversation)
    return conversation


async def contents(conversation: Conversation, box_type: str = "") -> list[str]:
    """What stands in it, as a person reads it."""
    return [box.contents for box in await conversation.page() if box_type in ("", box.box_type)]
