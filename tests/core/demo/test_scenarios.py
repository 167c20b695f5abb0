"""What people can try in the demo, on the real Codex."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.demo.request import ModelRequest, parse_request
from core.demo.scenarios import SCENARIOS, answer, load
from core.demo.scratch import Scratch
from core.demo.steps import Say
from tests.core.demo.codex import Codex

ASKED = (
    "item/commandExecution/requestApproval",
    "item/fileChange/requestApproval",
    "item/tool/requestUserInput",
    "item/permissions/requestApproval",
    "mcpServer/elicitation/request",
)


def agree(asked: dict[str, Any]) -> dict[str, Any]:
    """Yes to whatever is asked, in the shape of the request."""
    if "questions" in asked:
        return {"answers": {part["id"]: {"answers": ["yes"]} for part in asked["questions"]}}
    if "serverName" in asked:
        return {"action": "accept", "content": {"ship": "Aurora", "length": 9}}
    if "permissions" in asked:
        return {"permissions": asked["permissions"], "scope": "turn"}
    return {"decision": "accept"}


def refuse(asked: dict[str, Any]) -> dict[str, Any]:
    """No to whatever is asked."""
    if "questions" in asked:
        return {"answers": {}}
    if "serverName" in asked:
        return {"action": "decline"}
    if "permissions" in asked:
        return {"permissions": {}, "scope": "turn"}
    return {"decision": "decline"}


def request(metadata: dict[str, Any] | None = None, **body: Any) -> ModelRequest:
    return parse_request(
        json.dumps(
            {"client_metadata": {"x-codex-turn-metadata": json.dumps(metadata or {})}, **body}
        ).encode()
    )


async def test_the_tour_shows_every_kind_of_box_and_prompt(codex: Codex) -> None:
    codex.answers = dict.fromkeys(ASKED, agree)

    turn = await codex.play("tour")

    assert turn["status"] == "completed"
    shown = {params["item"]["type"] for params in codex.of("item/completed")}
    assert shown >= {
        "agentMessage",
        "reasoning",
        "commandExecution",
        "fileChange",
        "mcpToolCall",
        "imageView",
        "webSearch",
        "collabAgentToolCall",
    }
    assert all(codex.of(method) for method in ASKED)
    assert len(codex.of("item/commandExecution/outputDelta")) >= 3, "a command with live output"
    assert codex.of("turn/plan/updated")[-1]["plan"][-1]["status"] == "completed"
    markdown = "\n".join(codex.texts())
    assert all(mark in markdown for mark in ("\n## ", "\n| ", "\n```python\n", "**"))


async def test_the_tour_goes_to_its_end_when_every_answer_is_no(codex: Codex, scratch: Scratch) -> None:
    codex.answers = dict.fromkeys(ASKED, refuse)
    before = sorted(path.name for path in scratch.folder.iterdir())

    assert (await codex.play("everything, please"))["status"] == "completed"

    assert sorted(path.name for path in scratch.folder.iterdir()) == before
    assert {item["status"] for item in codex.items("fileChange")} == {"declined"}


async def test_each_scenario_completes_and_shows_its_kind_of_item(codex: Codex) -> None:
    codex.answers = dict.fromkeys(ASKED, agree)
    shows = {
        "Run a command": "commandExecution",
        "ask for approval": "commandExecution",
        "edit a file": "fileChange",
        "edit a file again": "fileChange",
        "Think!": "reasoning",
        "use a tool": "mcpToolCall",
        "fill in a form": "mcpToolCall",
        "open a link": "mcpToolCall",
        "start an agent": "collabAgentToolCall",
        "search": "webSearch",
        "look at an image": "imageView",
        "type into a command": "commandExecution",
        "strange output": "commandExecution",
    }

    for message, kind in shows.items():
        codex.seen.clear()
        assert (await codex.play(message))["status"] == "completed", message
        assert codex.items(kind), message
        assert all(item.get("status", "completed") == "completed" for item in codex.items(kind)), message
        assert codex.texts(), message


async def test_other_words_are_answered_with_what_can_be_tried(codex: Codex) -> None:
    await codex.play("hello there")

    assert "| `tour` |" in codex.texts()[0]


async def test_failing_scenarios_fail(codex: Codex) -> None:
    for message in ("fail", "limit", "cut"):
        assert (await codex.play(message))["status"] == "failed"


@pytest.mark.parametrize("name", [name for _, name in SCENARIOS])
def test_every_scenario_is_named_in_the_help(name: str) -> None:
    (help_step,) = load("help")
    assert isinstance(help_step, Say)
    offered = [word.strip("`") for word in help_step.text.split("`")[1::2]]
    asked = request()

    assert any(answer(asked, phrase) == load(name) for phrase in offered)


def test_directives_are_listed_for_those_who_ask() -> None:
    (step,) = answer(request(), "which directives are there?")

    assert isinstance(step, Say)
    assert "/run CMD" in step.text


def test_a_thread_title_is_made_of_the_first_words() -> None:
    schema = {
        "type": "object",
        "properties": {"title": {"type": "string", "minLength": 1, "maxLength": 36}},
        "required": ["title"],
    }
    asked = request(
        {"thread_source": "thread_title"}, text={"format": {"type": "json_schema", "schema": schema}}
    )

    (step,) = answer(asked, "Generate a title.\n\nUser prompt:\nfix the lights of the harbour, please")

    assert step == Say('{"title": "Fix the lights of the"}')


def test_a_compaction_is_a_summary_of_what_was_said() -> None:
    said = {
        "type": "message",
        "role": "user",
        "id": "msg_1",
        "content": [{"type": "input_text", "text": "hello"}],
    }

    (step,) = answer(request({"request_kind": "compaction"}, input=[said]), "")

    assert isinstance(step, Say)
    assert "- hello" in step.text
