"""The toolset `knowledge`, as a model uses it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.access.policy import OPERATOR, AccessContext, AccessPolicy
from core.agent.requests import ToolResult
from core.errors import NotFound
from core.knowledge.base import KnowledgeBase
from core.knowledge.documents import Origin, Visible
from core.knowledge.tools import PAGE, knowledge_toolset
from core.tools.actions import ThreadActions
from core.tools.arguments import check_schema
from tests.core.knowledge.conftest import AGENT, CONVERSATION, SEEN, WORKSPACE


@pytest.fixture
def actions(base: KnowledgeBase) -> ThreadActions:
    async def visible_to(conversation_id: str) -> Visible:
        if conversation_id != "c":
            raise NotFound(f"There is no conversation {conversation_id}")
        return SEEN

    made = ThreadActions(knowledge_toolset(base, visible_to).tools, conversation_id="c")
    made.bind_authorization(AccessContext("/somewhere"), OPERATOR.id, AccessPolicy.shipped())
    return made


async def call(actions: ThreadActions, tool: str, **arguments: Any) -> ToolResult:
    return await actions.launch(f"knowledge_{tool}", json.dumps(arguments))


def test_the_schemas_are_schemas(base: KnowledgeBase) -> None:
    async def visible_to(conversation_id: str) -> Visible:
        return SEEN

    for tool in knowledge_toolset(base, visible_to).tools:
        check_schema(tool)


async def test_what_is_written_is_found_and_read(actions: ThreadActions, base: KnowledgeBase) -> None:
    written = await call(actions, "write", name="pump", text="# Bilge\nThe pump is in the stern.")
    assert written.success and "conversation: pump, written by the model" in written.text
    found = await call(actions, "search", query="pump")
    assert "Source: conversation: pump" in found.text and "in the stern" in found.text
    read = await call(actions, "read", name="pump")
    assert read.text.endswith("# Bilge\nThe pump is in the stern.")
    info = (await base.read([CONVERSATION], "pump")).info
    assert (info.origin, info.pinned) == (Origin.MODEL, False)


async def test_a_document_is_shared_with_the_workspace_only_when_said(
    actions: ThreadActions, base: KnowledgeBase
) -> None:
    await call(actions, "write", name="n", text="shared", owner="workspace")
    assert (await base.read([WORKSPACE], "n")).text == "shared"
    assert not (await call(actions, "write", name="n", text="all", owner="agent")).success


async def test_a_persons_document_is_not_replaced(actions: ThreadActions, base: KnowledgeBase) -> None:
    await base.write(WORKSPACE, "mine", "by hand")
    result = await call(actions, "write", name="mine", text="taken over", owner="workspace")
    assert not result.success and "a person wrote or pinned it" in result.text
    assert (await base.read([WORKSPACE], "mine")).text == "by hand"


async def test_a_long_document_is_read_in_pages(actions: ThreadActions, base: KnowledgeBase) -> None:
    text = "".join(f"line {number}\n" for number in range(PAGE // 5))
    await base.write(AGENT, "long", text)
    pages, offset = "", 0
    while True:
        result = await call(actions, "read", name="long", offset=offset)
        page = result.text.split("\n\n", 1)[1].split("\n[")[0]
        pages, offset = pages + page, offset + len(page)
        if "more characters" not in result.text:
            break
        assert f"read on at offset {offset}]" in result.text
    assert pages == text


async def test_the_owner_tells_two_of_a_name_apart(actions: ThreadActions, base: KnowledgeBase) -> None:
    await base.write(AGENT, "n", "of all")
    await base.write(CONVERSATION, "n", "of this one")
    assert "of this one" in (await call(actions, "read", name="n")).text
    assert "of all" in (await call(actions, "read", name="n", owner="agent")).text


async def test_what_is_not_there_is_said_to_be(actions: ThreadActions) -> None:
    assert (await call(actions, "search", query="pump")).text == "Nothing was found."
    result = await call(actions, "read", name="pump")
    assert not result.success and "no document 'pump'" in result.text


async def test_hostile_arguments_are_refused_or_harmless(actions: ThreadActions) -> None:
    for query in ('"', "NEAR(", "title:*", "\x00", "\ud800"):
        assert (await call(actions, "search", query=query)).text == "Nothing was found."
    for name in ("a\nb", "\x1b[2J", "\ud800"):
        assert "a name is one line" in (await call(actions, "write", name=name, text="x")).text
        assert "There is no document" in (await call(actions, "read", name=name)).text
    assert (await call(actions, "write", name="n", text="\ud800\x00")).success
    assert (await call(actions, "read", name="n")).text.endswith("��")
