"""Which steps come next, for histories as Codex sends them."""

from __future__ import annotations

import json
from typing import Any

from core.demo.request import ModelRequest, parse_request
from core.demo.steps import Call, Say, Step
from core.demo.turns import Turns

TURN = "01a22bc3-2f42-7170-a9b4-000000000001"
FIRST = "01a22bc3-2f7f-7ec1-9085-0000000000aa"
SECOND = "01a22bc3-3000-7ec1-9085-0000000000bb"
EARLIER = "01a22bc3-0000-7ec1-9085-0000000000cc"


def said(text: str, message_id: str = FIRST, role: str = "user") -> dict[str, Any]:
    content = [{"type": "input_text", "text": text}]
    return {"type": "message", "id": f"msg_{message_id}", "role": role, "content": content}


def returned(call_id: str, text: str = "ok") -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": call_id, "output": text}


def request(*entries: dict[str, Any], turn: str = TURN, kind: str = "turn") -> ModelRequest:
    metadata = {
        "thread_id": "thread",
        "turn_id": turn,
        "x-codex-turn-metadata": json.dumps({"request_kind": kind}),
    }
    return parse_request(json.dumps({"input": entries, "client_metadata": metadata}).encode())


def echo(_: ModelRequest, text: str) -> tuple[Step, ...]:
    return (Say(f"echo: {text}"),)


def steps(turns: Turns, asked: ModelRequest) -> list[Step]:
    return [planned.step for planned in turns.response(asked)]


def commands(found: list[Step]) -> list[str]:
    return [json.loads(step.arguments)["cmd"] for step in found if isinstance(step, Call)]


def test_a_response_ends_with_a_call_and_the_next_one_goes_on() -> None:
    turns = Turns(echo)
    script = said("/say a\n/run one\n/+run two\n/say b\n/run three\n/say c")

    first = steps(turns, request(script))
    second = steps(turns, request(script, returned("call_0000000000aa_1"), returned("call_0000000000aa_2")))
    third = steps(turns, request(script, returned("call_0000000000aa_4")))

    assert (first[0], commands(first)) == (Say("a"), ["one", "two"])
    assert (second[0], commands(second)) == (Say("b"), ["three"])
    assert third == [Say("c")]


def test_a_call_that_codex_did_not_take_is_made_again_after_the_steer() -> None:
    turns = Turns(echo)
    script = said("/run one\n/say end")
    steps(turns, request(script))

    again = steps(turns, request(script, said("wait", SECOND)))
    end = steps(turns, request(script, said("wait", SECOND), returned("call_0000000000aa_0")))

    assert again[0] == Say("steered: wait")
    assert commands(again) == ["one"]
    assert end == [Say("end")]


def test_a_step_that_was_not_asked_for_is_left_for_later() -> None:
    turns = Turns(echo)
    script = said("/say a\n/say b")
    next(turns.response(request(script)))

    assert steps(turns, request(script, said("now", SECOND))) == [Say("steered: now"), Say("b")]


def test_a_failed_or_interrupted_earlier_message_is_not_played_again() -> None:
    turns = Turns(echo)

    assert steps(turns, request(said("/say old", EARLIER), said("/say new"))) == [Say("new")]


def test_what_codex_adds_under_the_persons_role_is_not_answered() -> None:
    turns = Turns(echo)
    context = [
        said("<environment_context>\n<cwd>/</cwd>", SECOND),
        said("# AGENTS.md instructions for /x\n\n/say no", SECOND),
        said("<turn_aborted>\nThe user interrupted", SECOND),
        said("be brief", SECOND, role="developer"),
    ]

    assert steps(turns, request(*context, said("hello"))) == [Say("echo: hello")]


def test_a_message_in_angle_brackets_is_the_persons_own() -> None:
    assert steps(Turns(echo), request(said("<b> is bold?"))) == [Say("echo: <b> is bold?")]


def test_a_model_that_starts_in_the_middle_of_a_turn_goes_on_after_the_last_call() -> None:
    script = said("/say a\n/run one\n/say b\n/run two\n/say c")
    history = request(script, returned("call_0000000000aa_1"), returned("call_0000000000aa_3"))

    assert steps(Turns(echo), history) == [Say("c")]


def test_a_request_of_codex_s_own_does_not_move_the_turn() -> None:
    turns = Turns(echo)
    script = said("/run one\n/say end")
    steps(turns, request(script))

    aside = steps(turns, request(script, said("Summarise.", SECOND), kind="compaction"))

    assert aside == [Say("echo: ")]
    assert steps(turns, request(script, returned("call_0000000000aa_0"))) == [Say("end")]


def test_join_waits_only_for_agents_of_this_turn_that_have_not_ended() -> None:
    turns = Turns(echo)
    script = said("/agent a\n/+agent b\n/join\n/join\n/say end")
    spawned = [
        returned("call_0000000000aa_0", '{"agent_id":"A"}'),
        returned("call_0000000000aa_1", '{"agent_id":"B"}'),
    ]
    old = returned("call_0000000000cc_0", '{"agent_id":"OLD"}')
    steps(turns, request(old, script))

    (both,) = steps(turns, request(old, script, *spawned))
    ended = returned("call_0000000000aa_2", '{"status":{"A":{"completed":"done"}},"timed_out":false}')
    (other,) = steps(turns, request(old, script, *spawned, ended))

    assert isinstance(both, Call)
    assert isinstance(other, Call)
    assert json.loads(both.arguments)["targets"] == ["A", "B"]
    assert json.loads(other.arguments)["targets"] == ["B"]


def test_output_stands_for_what_the_last_tool_of_the_turn_gave_back() -> None:
    turns = Turns(echo)
    script = said("/run one\n/say it said {{output}}")
    steps(turns, request(script))

    assert steps(turns, request(script, returned("call_0000000000aa_0", "hi"))) == [Say("it said hi")]


def test_a_response_that_codex_dropped_takes_no_more_steps() -> None:
    turns = Turns(echo)
    script = said("/say a\n/say b\n/say c")
    dropped = turns.response(request(script))
    next(dropped)

    fresh = turns.response(request(script))

    assert next(fresh).step == Say("b")
    assert list(dropped) == []
    assert [planned.step for planned in fresh] == [Say("c")]
