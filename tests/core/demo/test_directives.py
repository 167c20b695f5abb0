"""Each directive, played by the real Codex."""

from __future__ import annotations

from typing import Any

from core.demo.scratch import Scratch
from tests.core.demo.codex import Codex

COMMAND = "item/commandExecution/requestApproval"
FILES = "item/fileChange/requestApproval"
QUESTION = "item/tool/requestUserInput"
PERMISSIONS = "item/permissions/requestApproval"
ELICITATION = "mcpServer/elicitation/request"
TOOL = "item/tool/call"


def accept(_: dict[str, Any]) -> dict[str, Any]:
    return {"decision": "accept"}


def decline(_: dict[str, Any]) -> dict[str, Any]:
    return {"decision": "decline"}


async def test_say_streams_its_text_in_deltas(codex: Codex) -> None:
    turn = await codex.play("/say Hello  there,\n\n- you")

    assert turn["status"] == "completed"
    assert codex.texts() == ["Hello  there,\n\n- you"]
    deltas = [params["delta"] for params in codex.of("item/agentMessage/delta")]
    assert len(deltas) > 2
    assert "".join(deltas) == "Hello  there,\n\n- you"


async def test_stream_makes_as_many_words_as_asked(codex: Codex) -> None:
    await codex.play("/stream 300")

    assert codex.texts()[0].split() == [f"word{number}" for number in range(1, 301)]


async def test_think_gives_reasoning_in_parts_before_the_answer(codex: Codex) -> None:
    await codex.play("/think **Looking**\n\nat it\n/say answer")

    assert codex.items("reasoning")[0]["summary"] == ["**Looking**", "at it"]
    completed = [params["item"]["type"] for params in codex.of("item/completed")]
    assert completed == ["userMessage", "reasoning", "agentMessage"]


async def test_run_runs_in_the_sandbox_without_asking(codex: Codex, scratch: Scratch) -> None:
    await codex.play("/say first\n/run sleep 0.4; cat notes.md; touch made\nexit 3\n/say last")

    command = codex.items("commandExecution")[0]
    assert command["status"] == "failed"
    assert command["exitCode"] == 3
    assert "the light at the pier" in command["aggregatedOutput"]
    assert not (scratch.project / "made").exists(), "the sandbox is read-only"
    assert codex.of(COMMAND) == []
    assert codex.texts() == ["first", "last"]


async def test_an_approved_run_bang_leaves_the_sandbox(codex: Codex, scratch: Scratch) -> None:
    codex.answers[COMMAND] = accept

    await codex.play("/run! touch ../made\n/say done")

    asked = codex.of(COMMAND)[0]
    assert "touch ../made" in asked["command"]
    assert asked["reason"]
    assert (scratch.folder / "made").exists()


async def test_a_declined_run_bang_is_told_to_the_model_and_the_turn_goes_on(
    codex: Codex, scratch: Scratch
) -> None:
    codex.answers[COMMAND] = decline

    turn = await codex.play("/run! touch ../made\n/say {{output}}")

    assert turn["status"] == "completed"
    assert codex.items("commandExecution")[0]["status"] == "declined"
    assert "rejected" in codex.texts()[0]
    assert not (scratch.folder / "made").exists()


async def test_joined_calls_come_in_one_response(codex: Codex, scratch: Scratch) -> None:
    await codex.play("/run echo one\n/+run echo two\n/say both")

    assert len(codex.items("commandExecution")) == 2
    requests = await scratch.model.requests()
    assert [len(request.outputs) for request in requests] == [0, 2]


async def test_type_reaches_a_command_in_the_background(codex: Codex) -> None:
    await codex.play('/background read name; echo "hello $name"\n/type Quarterdeck\n/say {{output}}')

    assert "hello Quarterdeck" in codex.texts()[0]
    assert codex.of("item/commandExecution/terminalInteraction")[0]["stdin"] == "Quarterdeck\n"


async def test_an_accepted_patch_becomes_a_file_change_and_is_made(codex: Codex, scratch: Scratch) -> None:
    codex.answers[FILES] = accept

    await codex.play(
        "/patch\n*** Update File: notes.md\n@@\n # Notes\n+- new\n*** Add File: a/b.md\n+\\+\n/say done"
    )

    change = codex.items("fileChange")[0]
    assert change["status"] == "completed"
    assert {entry["kind"]["type"] for entry in change["changes"]} == {"add", "update"}
    assert codex.of(FILES)[0]["itemId"] == change["id"]
    assert (scratch.project / "notes.md").read_text().startswith("# Notes\n- new\n")


async def test_a_declined_patch_changes_nothing(codex: Codex, scratch: Scratch) -> None:
    codex.answers[FILES] = decline
    before = (scratch.project / "notes.md").read_text()

    turn = await codex.play("/patch\n*** Update File: notes.md\n@@\n # Notes\n+- new\n/say done")

    assert turn["status"] == "completed"
    assert codex.items("fileChange")[0]["status"] == "declined"
    assert (scratch.project / "notes.md").read_text() == before


async def test_ask_asks_questions_with_options(codex: Codex) -> None:
    codex.answers[QUESTION] = lambda asked: {
        "answers": {part["id"]: {"answers": [part["options"][1]["label"]]} for part in asked["questions"]}
    }

    await codex.play("/ask Which? | Red: warm | Green\nWhen? | Now | Later\n/say {{output}}")

    asked = codex.of(QUESTION)[0]["questions"]
    assert [part["question"] for part in asked] == ["Which?", "When?"]
    assert asked[0]["options"] == [
        {"label": "Red", "description": "warm"},
        {"label": "Green", "description": "Green"},
    ]
    assert "Green" in codex.texts()[0]
    assert "Later" in codex.texts()[0]


async def test_permissions_asks_for_rights_and_the_model_hears_what_was_granted(codex: Codex) -> None:
    codex.answers[PERMISSIONS] = lambda asked: {
        "permissions": {"network": asked["permissions"]["network"]},
        "scope": "turn",
    }

    await codex.play("/permissions network, write ../shared\n/say {{output}}")

    asked = codex.of(PERMISSIONS)[0]["permissions"]
    assert asked["network"] == {"enabled": True}
    assert asked["fileSystem"]["write"][0].endswith("/shared")
    assert "network" in codex.texts()[0]
    assert "shared" not in codex.texts()[0]


async def test_plan_updates_the_plan(codex: Codex) -> None:
    await codex.play("/plan x one | > two | three")

    plan = codex.of("turn/plan/updated")[0]["plan"]
    assert [(entry["step"], entry["status"]) for entry in plan] == [
        ("one", "completed"),
        ("two", "inProgress"),
        ("three", "pending"),
    ]


async def test_an_mcp_tool_asks_whether_it_may_run_and_then_asks_by_itself(codex: Codex) -> None:
    filled = {"ship": "Aurora", "length": 9, "side": "port", "power": False}
    codex.answers[ELICITATION] = lambda asked: {
        "action": "accept",
        "content": filled if asked["requestedSchema"]["properties"] else {},
    }

    await codex.play('/mcp demo book_berth {"harbour": "Oban"}')

    whether, form = codex.of(ELICITATION)
    assert whether["_meta"]["codex_approval_kind"] == "mcp_tool_call"
    assert set(form["requestedSchema"]["properties"]) == set(filled)
    call = codex.items("mcpToolCall")[0]
    assert call["status"] == "completed"
    assert "Aurora" in call["result"]["content"][0]["text"]


async def test_an_mcp_tool_can_ask_to_open_a_link(codex: Codex) -> None:
    codex.answers[ELICITATION] = lambda _: {"action": "accept", "content": {}}

    await codex.play('/mcp demo open_chart {"harbour": "Oban"}')

    link = codex.of(ELICITATION)[1]
    assert link["mode"] == "url"
    assert link["url"] == "https://charts.example/Oban"


async def test_a_dynamic_tool_is_called_with_its_arguments(codex: Codex) -> None:
    codex.answers[TOOL] = lambda asked: {
        "success": True,
        "contentItems": [{"type": "inputText", "text": f"{asked['arguments']['boat']} is at berth 1"}],
    }
    schema = {"type": "object", "properties": {"boat": {"type": "string"}}, "required": ["boat"]}
    await codex.start_thread(
        dynamicTools=[{"name": "berth", "description": "Where a boat lies", "inputSchema": schema}]
    )

    await codex.play('/tool berth {"boat": "Aurora"}\n/say {{output}}')

    assert codex.items("dynamicToolCall")[0]["success"] is True
    assert "Aurora is at berth 1" in codex.texts()[0]


async def test_a_sub_agent_plays_a_script_of_its_own_and_asks_under_its_own_thread(
    codex: Codex, scratch: Scratch
) -> None:
    codex.answers[COMMAND] = accept

    await codex.play("/agent\n\\/run! touch ../made\n\\/say child is done\n/join\n/say {{output}}")

    spawned = codex.items("collabAgentToolCall")[0]
    child = spawned["receiverThreadIds"][0]
    assert codex.of(COMMAND)[0]["threadId"] == child != codex.thread
    assert (scratch.folder / "made").exists()
    assert "child is done" in codex.texts()[-1]


async def test_search_view_image_and_sleep_become_items(codex: Codex) -> None:
    await codex.play(
        '/search tides\n/tool view_image {"path": "flag.png"}\n/tool clock.sleep {"duration_ms": 1}'
    )

    assert codex.items("webSearch")[0]["query"] == "tides"
    assert codex.items("imageView")[0]["path"].endswith("flag.png")
    assert len(codex.items("sleep")) == 1


async def test_a_script_that_cannot_be_read_is_answered_with_its_fault(codex: Codex) -> None:
    turn = await codex.play("/say fine\n/runn ls")

    assert turn["status"] == "completed"
    assert "line 2" in codex.texts()[0]
    assert "/runn" in codex.texts()[0]


async def test_a_script_without_steps_that_answer_completes_without_an_answer(codex: Codex) -> None:
    turn = await codex.play("/wait 0")

    assert turn["status"] == "completed"
    assert codex.texts() == []
