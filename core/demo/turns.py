"""Which steps come next: a turn's script, how far it is, and the steers that came in between.

A step that was begun is never begun again: a stream that an interrupt or a steer cut counts as done.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from core.demo.request import Message, ModelRequest, Output
from core.demo.script import Call, Join, Say, Step, ToolStep, Type, is_script, parse_script
from core.errors import InvalidRequest

Scenario = Callable[[ModelRequest, str], tuple[Step, ...]]
"""The steps for what a person said in their own words."""

OUTPUT = "{{output}}"
"""Stands in a text for what the last tool gave back."""

_CALL_ID = re.compile(r"call_(?P<key>[0-9a-zA-Z]+)_(?P<index>\d+)$")
_SESSION = re.compile(r"session ID (\d+)")
_AGENT = re.compile(r'"agent_id"\s*:\s*"([^"]+)"')


@dataclass(frozen=True, slots=True)
class Planned:
    """A step and its name, the same however often the history is sent: message key, `_`, place in the script."""

    name: str
    step: Step


@dataclass(slots=True)
class _Turn:
    left: deque[Planned]
    known: set[str]


@dataclass(slots=True)
class Turns:
    """What is left of each turn, by Codex's turn id."""

    scenario: Scenario
    _turns: dict[str, _Turn] = field(default_factory=dict[str, _Turn])

    def forget(self) -> None:
        """As if just started."""
        self._turns.clear()

    def response(self, request: ModelRequest) -> Iterator[Planned]:
        """The steps of one response, each taken off its turn when it is asked for.

        It ends after a tool call and those joined to it, or with the script.
        """
        left = self._left(request)
        while left:
            planned = left.popleft()
            yield Planned(planned.name, _filled(planned.step, request.outputs))
            if isinstance(planned.step, ToolStep) and not (left and _is_joined(left[0].step)):
                return

    def _left(self, request: ModelRequest) -> deque[Planned]:
        if request.kind != "turn":
            return deque([Planned(f"{request.kind}_0", step) for step in self.scenario(request, "")])
        turn = self._turns.get(request.turn_id)
        if turn is None:
            turn = self._turns[request.turn_id] = self._begin(request)
        for message in request.said_in_turn:
            if message.key not in turn.known:
                turn.known.add(message.key)
                turn.left.extendleft(reversed(self._steps(request, message, steered=True)))
        return turn.left

    def _begin(self, request: ModelRequest) -> _Turn:
        """A turn not seen before. It may have begun before we did: the id of its last call tells how far it is."""
        said = request.said_in_turn or request.said[-1:]
        if not said:
            return _Turn(deque(), set())
        for output in reversed(request.outputs):
            found = _CALL_ID.match(output.call_id)
            owner = next((m for m in said if found and m.key == found["key"]), None)
            if found and owner:
                steps = self._steps(request, owner, steered=False)
                return _Turn(deque(steps[int(found["index"]) + 1 :]), {message.key for message in said})
        return _Turn(deque(self._steps(request, said[0], steered=False)), {said[0].key})

    def _steps(self, request: ModelRequest, message: Message, *, steered: bool) -> list[Planned]:
        steps = _script(message.text)
        if steps is None:
            words = message.text
            steps = (Say(f"steered: {words}"),) if steered else self.scenario(request, words)
        return [Planned(f"{message.key}_{index}", step) for index, step in enumerate(steps)]


def _script(text: str) -> tuple[Step, ...] | None:
    """None if it is no script. One that cannot be read is answered with what is wrong with it."""
    if not is_script(text):
        return None
    try:
        return parse_script(text)
    except InvalidRequest as error:
        return (Say(str(error)),)


def _is_joined(step: Step) -> bool:
    return isinstance(step, ToolStep) and step.joined


def _filled(step: Step, outputs: tuple[Output, ...]) -> Step:
    """The step with what earlier calls gave back put in."""
    match step:
        case Say(text):
            return Say(text.replace(OUTPUT, outputs[-1].text if outputs else ""))
        case Type(text):
            session = int(_last(_SESSION, outputs) or 0)
            return Call("write_stdin", json.dumps({"session_id": session, "chars": f"{text}\n"}))
        case Join():
            agents = [found for output in outputs for found in _AGENT.findall(output.text)]
            return Call("wait_agent", json.dumps({"targets": agents}), "multi_agent_v1")
        case _:
            return step


def _last(pattern: re.Pattern[str], outputs: tuple[Output, ...]) -> str | None:
    for output in reversed(outputs):
        found = pattern.findall(output.text)
        if found:
            return found[-1]
    return None
