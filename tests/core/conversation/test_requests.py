"""What Codex asks besides commands and patches: questions, rights, MCP tools, our own tools."""

from __future__ import annotations

import pytest

from core.agent.requests import Elicited, Grant, McpForm, PermissionsApproval, Question, Reply
from core.conversation.info import Conversation
from core.demo.process import ModelProcess
from core.demo.scratch import Scratch
from core.engine import Engine, open_engine
from core.errors import InvalidRequest
from core.knowledge.documents import Visible
from core.settings import Settings
from core.thread.boxes import (
    ASSISTANT,
    NOTICE,
    TOOL_CALL,
    TOOL_MESSAGE,
    TOOL_RETURN,
    USER,
    InputMeta,
    hidden_of,
)
from core.tools.toolset import Arguments, Tool, ToolContext
from tests.support.watcher import Watcher


@pytest.fixture
async def conversation(engine: Engine, scratch: Scratch) -> Conversation:
    return await engine.create(scratch.project)


async def test_a_question_is_answered_and_the_model_hears_it(
    conversation: Conversation, watcher: Watcher, engine: Engine
) -> None:
    await conversation.send("/ask Which way? | left: the long one | right: the short one", "k1")
    asked = await watcher.asked("question", conversation)
    assert isinstance(asked.request, Question)
    part = asked.request.parts[0]
    assert [option.label for option in part.options] == ["left", "right"]
    await engine.decide(asked.id, Reply(answers={part.id: ("right",)}), asked.shown_hash)
    await watcher.settled(conversation)
    kept = await watcher.box(conversation, NOTICE)
    assert kept.contents == "Answered by you:\nWhich way?\n→ right"
    assert (await watcher.outcome(asked)).state.value == "delivered"


async def test_rights_are_granted_in_part(
    conversation: Conversation, watcher: Watcher, engine: Engine
) -> None:
    await conversation.send("/permissions network, write /var/tmp", "k1")
    asked = await watcher.asked("permissions", conversation)
    assert isinstance(asked.request, PermissionsApproval)
    assert len(asked.request.rights) == 2
    await engine.decide(asked.id, Grant(rights=asked.request.rights[:1]), asked.shown_hash)
    await watcher.settled(conversation)
    granted, refused = (right.label for right in asked.request.rights)
    kept = await watcher.box(conversation, NOTICE)
    assert kept.contents == f"Allowed by you, for this turn: {granted}\nDeclined by you: {refused}"
    assert (await watcher.outcome(asked)).state.value == "delivered"


async def test_an_mcp_tool_asks_first(conversation: Conversation, watcher: Watcher, engine: Engine) -> None:
    await conversation.send('/mcp demo tide {"harbour": "Lisbon"}', "k1")
    asked = await watcher.asked("mcp_form", conversation)
    assert isinstance(asked.request, McpForm)
    await engine.decide(asked.id, Elicited(action="accept"), asked.shown_hash)
    await watcher.settled(conversation)
    assert (await watcher.box(conversation, TOOL_CALL)).contents.startswith("{")


async def _depth(context: ToolContext, arguments: Arguments) -> str:
    await context.progress("the lead goes down")
    return f"3 fathoms at the {arguments['at']}"


DEPTH = Tool("depth", "Measure the depth.", {"type": "object", "properties": {}}, _depth)


async def test_a_tool_of_ours_is_recorded_run_once_and_answered(
    settings: Settings, scratch: Scratch, model: ModelProcess
) -> None:
    engine = await open_engine(settings, [DEPTH])
    try:
        watcher = Watcher(engine)
        conversation = await engine.create(scratch.project)
        await conversation.send('/tool depth {"at": "bow"}\n/say It is {{output}}', "k1")
        await watcher.settled(conversation)
        assert (await watcher.box(conversation, TOOL_RETURN)).contents == "3 fathoms at the bow"
        assert (await watcher.box(conversation, TOOL_MESSAGE)).contents == "the lead goes down"
        assert "3 fathoms" in (await watcher.box(conversation, ASSISTANT)).contents
    finally:
        await engine.close()


async def test_a_tool_that_would_shadow_one_of_codex_is_refused(settings: Settings) -> None:
    with pytest.raises(InvalidRequest, match="exec_command"):
        await open_engine(settings, [Tool("exec_command", "", {"type": "object"}, _depth)])


async def test_the_model_may_ask_the_person_by_a_tool_of_ours(
    conversation: Conversation, watcher: Watcher, engine: Engine
) -> None:
    await conversation.send(
        '/tool ask_user {"question": "Port?", "options": ["Oban"]}\n/say To {{output}}', "k1"
    )
    asked = await watcher.asked("question", conversation)
    assert isinstance(asked.request, Question)
    await engine.decide(asked.id, Reply(answers={"answer": ("Oban",)}), asked.shown_hash)
    await watcher.settled(conversation)
    assert (await watcher.box(conversation, ASSISTANT)).contents == "To Oban"
    assert (await watcher.outcome(asked)).state.value == "delivered"


async def test_a_question_of_ours_ends_with_its_turn(conversation: Conversation, watcher: Watcher) -> None:
    await conversation.send('/tool ask_user {"question": "Port?"}', "k1")
    asked = await watcher.asked("question", conversation)
    await conversation.interrupt()
    await watcher.settled(conversation)
    assert (await watcher.outcome(asked)).state.value == "withdrawn"


async def test_what_is_known_goes_before_a_message_and_is_named(
    conversation: Conversation, watcher: Watcher, engine: Engine, model: ModelProcess
) -> None:
    owner = Visible.to(conversation.id, "").conversation
    document = await engine.knowledge.write(owner, "tides", "High water is at noon.")
    await engine.knowledge.pin(owner, document.name, True)
    await conversation.send("/say noted", "k1")
    await watcher.settled(conversation)
    (user,) = watcher.boxes(conversation, USER)
    meta = hidden_of(user)
    assert isinstance(meta, InputMeta)
    assert meta.typed == "/say noted"
    assert "tides" in meta.sources[0]
    assert "High water is at noon." in user.contents
