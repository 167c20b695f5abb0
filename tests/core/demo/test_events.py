"""The stream of one response: its order, its pauses, its ends."""

from __future__ import annotations

from core.demo.events import Cut, Emission, Event, Gate, Pause, Refusal, Response
from core.demo.script import parse_script
from core.demo.turns import Planned


def emitted(script: str) -> list[Emission]:
    planned = [Planned(f"m_{index}", step) for index, step in enumerate(parse_script(script))]
    return list(Response("resp_1", 7).emit(planned))


def kinds(emissions: list[Emission]) -> list[str]:
    return [emission.type for emission in emissions if isinstance(emission, Event)]


def test_a_response_opens_its_items_in_order_and_completes_with_its_usage() -> None:
    emissions = emitted("/think a\n/say b c\n/run ls")

    assert kinds(emissions) == [
        "response.created",
        "response.output_item.added",
        "response.reasoning_summary_part.added",
        "response.reasoning_summary_text.delta",
        "response.output_item.done",
        "response.output_item.added",
        "response.output_text.delta",
        "response.output_text.delta",
        "response.output_item.done",
        "response.output_item.done",
        "response.completed",
    ]
    last = emissions[-1]
    assert isinstance(last, Event)
    usage = last.data["response"]["usage"]  # type: ignore[index]
    assert usage["input_tokens"] == 7
    assert usage["total_tokens"] == 7 + usage["output_tokens"]


def test_every_delta_is_followed_by_a_pause_of_the_servers_pace_or_the_scripts() -> None:
    assert emitted("/say a b").count(Pause(None)) == 2
    assert emitted("/stream 3 at 4").count(Pause(0.25)) == 3


def test_holds_and_waits_come_where_they_are_written() -> None:
    emissions = emitted("/wait 2\n/say a{{hold gate}}b")

    assert emissions[1] == Pause(2.0)
    gate = emissions.index(Gate("gate"))
    deltas = [n for n, e in enumerate(emissions) if isinstance(e, Event) and e.type.endswith("text.delta")]
    assert deltas[0] < gate < deltas[1]


def test_a_failure_before_anything_else_is_an_http_status_and_later_an_event() -> None:
    (refusal,) = emitted("/fail 429\n/say never")
    assert isinstance(refusal, Refusal)
    assert refusal.status == 429
    assert kinds(emitted("/say a\n/fail 429\n/say never"))[-1] == "response.failed"


def test_nothing_follows_a_cut() -> None:
    emissions = emitted("/say half {{fail cut}} a word\n/say never")

    assert emissions[-1] == Cut()
    assert "response.output_item.done" not in kinds(emissions)
