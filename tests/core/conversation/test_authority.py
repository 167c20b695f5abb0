"""What a turn really runs with: never more than its profile lets it, whoever begins it, whatever Codex's own settings are."""

from __future__ import annotations

import pytest

from core.agent.operations import InWords
from core.agent.port import Sandbox, TurnOptions
from core.conversation.info import Conversation
from core.conversation.live import LiveConversation
from core.conversation.prompting import PromptRequest
from core.conversation.workspace import Choices
from core.demo.scratch import Scratch
from core.engine import Engine
from core.errors import InvalidRequest, Unauthorized
from core.settings import Settings
from tests.support.loose import let_codex_do_all
from tests.support.watcher import Watcher

WRITE = "/run touch written && echo done\n/say Wrote: {{output}}"


@pytest.fixture
def settings(settings: Settings, scratch: Scratch) -> Settings:
    """Before the host starts."""
    let_codex_do_all(scratch)
    return settings


@pytest.fixture
async def observed(engine: Engine, watcher: Watcher, scratch: Scratch) -> Conversation:
    """A conversation that may only look."""
    await watcher.until(lambda: engine.host.phase.value == "ready")
    return await engine.create(scratch.project, Choices(profile="observer"))


async def test_a_message_writes_nothing_under_a_profile_that_only_looks_whatever_was_tried_before(
    observed: Conversation, watcher: Watcher, scratch: Scratch
) -> None:
    with pytest.raises(Unauthorized, match="no wider than read-only"):
        await observed.select(Choices(sandbox=Sandbox.FULL_ACCESS))
    await observed.send(WRITE, "message")
    await watcher.settled(observed)
    assert "Read-only file system" in _output(watcher, observed)
    assert not (scratch.project / "written").exists()


async def test_a_prompt_writes_nothing_under_a_profile_that_only_looks(
    observed: Conversation, engine: Engine, scratch: Scratch
) -> None:
    handle = await engine.handle(observed.id)
    response = await handle.prompt(PromptRequest(WRITE, effort="high", seconds=20))
    assert "Read-only file system" in response.text
    assert not (scratch.project / "written").exists()


async def test_a_prompt_runs_with_what_was_switched_before_it(
    engine: Engine, watcher: Watcher, scratch: Scratch
) -> None:
    await watcher.until(lambda: engine.host.phase.value == "ready")
    conversation = await engine.create(scratch.project)
    handle = await engine.handle(conversation.id)
    assert "Wrote" in (await handle.prompt(PromptRequest(WRITE, seconds=20))).text
    await conversation.select(Choices(profile="observer"))
    again = await handle.prompt(PromptRequest("/run touch more\n/say {{output}}", seconds=20))
    assert "Read-only file system" in again.text
    assert not (scratch.project / "more").exists()


async def test_a_review_writes_nothing_under_a_profile_that_only_looks(
    observed: Conversation, engine: Engine, watcher: Watcher, scratch: Scratch
) -> None:
    await engine.operations.review(observed.id, InWords(WRITE))
    await watcher.settled(observed)
    assert not (scratch.project / "written").exists()


async def test_what_codex_does_for_a_goal_is_held_to_the_profile_too(
    observed: Conversation, engine: Engine, watcher: Watcher
) -> None:
    await engine.operations.set_goal(observed.id, "Paint the pier", "active")
    await watcher.until(
        lambda: (observed.selection.sandbox, observed.selection.coming) == ("read-only", set())
    )
    await engine.operations.clear_goal(observed.id)


async def test_a_message_cannot_ask_for_a_sandbox_of_its_own(
    observed: Conversation, watcher: Watcher
) -> None:
    assert isinstance(observed, LiveConversation)
    with pytest.raises(InvalidRequest, match="Switch them"):
        await observed.send(WRITE, "wide", TurnOptions(sandbox=Sandbox.FULL_ACCESS))
    assert observed.outbox == ()


def _output(watcher: Watcher, conversation: Conversation) -> str:
    return "\n".join(box.contents for box in watcher.boxes(conversation))
