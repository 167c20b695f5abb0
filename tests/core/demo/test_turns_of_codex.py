"""Turns that do not simply run to their end: steered, interrupted, failed; and requests of Codex's own."""

from __future__ import annotations

import json

from core.demo.scratch import Scratch
from tests.core.demo.codex import Codex

COMMAND = "item/commandExecution/requestApproval"


async def steer(codex: Codex, turn: str, text: str) -> None:
    said = [{"type": "text", "text": text}]
    await codex.call("turn/steer", threadId=codex.thread, expectedTurnId=turn, input=said)


async def test_a_steer_in_mid_stream_is_answered_before_the_rest_of_the_script(
    codex: Codex, scratch: Scratch
) -> None:
    script = "/say half {{hold gate}} and half\n/run true\n/say end"
    turn = await codex.start_turn(script)
    await codex.until("item/agentMessage/delta", delta="half")

    await steer(codex, turn, "hurry")
    await codex.end_of_turn(turn)

    assert codex.texts() == ["steered: hurry", "end"]
    assert len(codex.items("commandExecution")) == 1
    requests = await scratch.model.requests()
    assert [request.outcome for request in requests] == ["dropped", "completed", "completed"]
    assert requests[-1].said == (script, "hurry")


async def test_a_steer_while_a_command_runs_comes_with_its_output(codex: Codex, scratch: Scratch) -> None:
    turn = await codex.start_turn("/run sleep 0.4; echo ran; sleep 0.4\n/say after")
    await codex.until("item/commandExecution/outputDelta")

    await steer(codex, turn, "also this")
    await codex.end_of_turn(turn)

    assert codex.texts() == ["steered: also this", "after"]
    assert len(codex.items("commandExecution")) == 1
    assert (await scratch.model.requests())[-1].said.count("also this") == 1


async def test_a_steer_may_be_a_script(codex: Codex) -> None:
    turn = await codex.start_turn("/hold gate\n/say end")

    await steer(codex, turn, "/say in between\n/run true")
    await codex.end_of_turn(turn)

    assert codex.texts() == ["in between", "end"]


async def test_two_steers_are_answered_in_their_order(codex: Codex, scratch: Scratch) -> None:
    turn = await codex.start_turn("/run! true\n/say end")
    asked = await codex.until(COMMAND)
    await steer(codex, turn, "first")
    await steer(codex, turn, "second")

    codex.answer(asked, {"decision": "accept"})
    await codex.end_of_turn(turn)

    assert codex.texts() == ["steered: first", "steered: second", "end"]


async def test_an_interrupted_turn_is_not_gone_on_with(codex: Codex, scratch: Scratch) -> None:
    turn = await codex.start_turn("/say in the middle {{hold gate}} of it\n/say never")
    await codex.until("item/agentMessage/delta", delta=" middle")

    await codex.call("turn/interrupt", threadId=codex.thread, turnId=turn)
    assert (await codex.end_of_turn(turn))["status"] == "interrupted"
    await codex.play("/say next")

    assert codex.texts() == ["next"]
    assert [request.outcome for request in await scratch.model.requests()] == ["dropped", "completed"]


async def test_hold_waits_until_it_is_released(codex: Codex, scratch: Scratch) -> None:
    turn = await codex.start_turn("/stream 1\n/hold gate\n/say released")
    await codex.until("item/agentMessage/delta", delta="word1 ")
    assert (await scratch.model.requests())[0].outcome == "running"

    await scratch.model.release("gate")

    assert (await codex.end_of_turn(turn))["status"] == "completed"
    assert codex.texts()[-1] == "released"


async def test_fail_fails_the_turn_and_the_next_one_works(codex: Codex) -> None:
    failures = {
        "/fail 429": "usageLimitExceeded",
        "/fail 500": "internalServerError",
        "/fail 503": "serverOverloaded",
        "/fail context": "contextWindowExceeded",
        "/fail quota": "usageLimitExceeded",
        "/fail cut": "other",
        "/say so far\n/fail 429": "rateLimitExceeded",
        "/say so far\n/fail 503": "serverOverloaded",
        "/say so {{fail cut}} far": "other",
    }

    for script, info in failures.items():
        turn = await codex.play(script)
        assert turn["status"] == "failed", script
        assert turn["error"]["codexErrorInfo"] == info, script
        assert (await codex.play("/say again"))["status"] == "completed", script


async def test_nobody_has_to_sign_in(codex: Codex) -> None:
    account = await codex.call("account/read")

    assert account["account"] is None
    assert account["requiresOpenaiAuth"] is False


async def test_codex_knows_the_scripted_model_and_warns_of_nothing(codex: Codex) -> None:
    await codex.play("/say hello")

    models = (await codex.call("model/list"))["data"]
    assert [model["id"] for model in models] == ["scripted"]
    assert codex.of("warning") == []


async def test_a_review_is_answered(codex: Codex) -> None:
    target = {"type": "uncommittedChanges"}
    turn = (await codex.call("review/start", threadId=codex.thread, target=target, delivery="inline"))["turn"]

    await codex.end_of_turn(turn["id"])

    assert "lights.py" in codex.items("exitedReviewMode")[0]["review"]


async def test_each_message_and_each_output_is_in_the_newest_request_once(
    codex: Codex, scratch: Scratch
) -> None:
    for text in ("/say one", "/run echo two\n/say two", "in my own words"):
        await codex.play(text)

    newest = (await scratch.model.requests())[-1]
    assert newest.said == ("/say one", "/run echo two\n/say two", "in my own words")
    assert len(newest.outputs) == 1
    assert newest.thread_id == codex.thread


async def test_a_turn_goes_on_although_the_model_forgot_it_while_a_person_decided(
    codex: Codex, scratch: Scratch
) -> None:
    turn = await codex.start_turn("/say before\n/run! true\n/say after\n/run true\n/say end")
    asked = await codex.until(COMMAND)

    scratch.model.reset()
    codex.answer(asked, {"decision": "accept"})
    await codex.end_of_turn(turn)

    assert codex.texts() == ["before", "after", "end"]


async def test_an_answer_has_the_shape_that_the_turn_asks_for(codex: Codex) -> None:
    schema = {
        "type": "object",
        "properties": {"boats": {"type": "array", "items": {"type": "integer"}}, "name": {"type": "string"}},
        "required": ["boats", "name"],
        "additionalProperties": False,
    }

    await codex.play("hello", outputSchema=schema)

    assert json.loads(codex.texts()[0]) == {"boats": [1], "name": "hello"}


async def test_a_compacted_thread_goes_on(codex: Codex, scratch: Scratch) -> None:
    await codex.play("/say one")

    codex.seen.clear()
    await codex.call("thread/compact/start", threadId=codex.thread)
    await codex.until("turn/completed", threadId=codex.thread)
    await codex.play("/say two")

    kinds = [request.kind for request in await scratch.model.requests()]
    assert kinds == ["turn", "compaction", "turn"]
    assert codex.texts()[-1] == "two"


async def test_plan_mode_makes_a_plan_item(codex: Codex) -> None:
    mode = {"mode": "plan", "settings": {"model": "scripted"}}

    await codex.play(
        "/say <proposed_plan>\n# Repair\n\n- the light\n</proposed_plan>", collaborationMode=mode
    )

    assert "the light" in codex.items("plan")[0]["text"]
