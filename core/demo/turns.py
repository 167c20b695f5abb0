"""Which steps come next: a turn's script, how far it is, and the steers that came in between.

A steer makes Codex drop the response that is under way and ask anew. Text that was begun then counts as done;
a tool call that Codex did not take is made again, after the steer's answer.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from core.demo.request import Message, ModelRequest, Output
from core.demo.script import is_script, parse_script
from core.demo.steps import OUTPUT, Call, Join, Say, Step, ToolStep, Type
from core.errors import InvalidRequest

Scenario = Callable[[ModelRequest, str], tuple[Step, ...]]
"""The steps for what a person said in their own words."""

_CALL_ID = re.compile(r"call_(?P<key>[0-9a-zA-Z]+)_(?P<index>\d+)$")
_SESSION = re.compile(r"session ID (\d+)")
_AGENT = re.compile(r'"agent_id"\s*:\s*"([^"]+)"')
_ENDED = re.compile(r'"([^"]+)"\s*:\s*\{\s*"(?:completed|errored|interrupted|shutdown)"')

JOIN_MS = 3_600_000
"""The longest that Codex allows; a person may take their time over a sub-agent's approval."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A step and its name, the same however often the history is sent: message key, `_`, place in the script."""

    name: str
    step: Step


@dataclass(slots=True)
class _Turn:
    """`known` are the keys of its messages so far, `called` the calls of the last response."""

    left: deque[Planned]
    known: set[str]
    called: list[Planned] = field(default_factory=list[Planned])
    responses: int = 0


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

        It ends after a tool call and those joined to it, or with the script; and when another request for
        the turn came in between, since Codex has dropped this one then.
        """
        turn = self._turn(request)
        turn.responses += 1
        mine = turn.responses
        outputs = tuple(output for output in request.outputs if _owner(output) in turn.known)
        while turn.left and turn.responses == mine:
            planned = turn.left.popleft()
            is_call = isinstance(planned.step, ToolStep)
            if is_call:
                turn.called.append(planned)
            yield Planned(planned.name, _filled(planned.step, outputs))
            if is_call and not (turn.left and _is_joined(turn.left[0].step)):
                return

    def _turn(self, request: ModelRequest) -> _Turn:
        if request.kind != "turn":
            return _Turn(
                deque(Planned(f"{request.kind}_0", step) for step in self.scenario(request, "")), set()
            )
        turn = self._turns.get(request.turn_id)
        if turn is None:
            turn = self._turns[request.turn_id] = self._begin(request)
        self._insert(request, turn)
        return turn

    def _insert(self, request: ModelRequest, turn: _Turn) -> None:
        """Put what came since the last response before what is left: first new steers, then calls not taken."""
        taken = {output.call_id for output in request.outputs}
        fresh = [message for message in request.said_in_turn if message.key not in turn.known]
        steps = [planned for message in fresh for planned in self._steps(request, message, steered=True)]
        steps += [planned for planned in turn.called if f"call_{planned.name}" not in taken]
        turn.left.extendleft(reversed(steps))
        turn.called.clear()
        turn.known.update(message.key for message in fresh)

    def _begin(self, request: ModelRequest) -> _Turn:
        """A turn not seen before. It may have begun before we did: the id of its last call tells how far it is."""
        said = request.said_in_turn or request.said[-1:]
        if not said:
            return _Turn(deque(), set())
        keys = {message.key: message for message in said}
        for output in reversed(request.outputs):
            owner = keys.get(_owner(output))
            if owner is not None:
                done = int(output.call_id.rpartition("_")[2])
                return _Turn(deque(self._steps(request, owner, steered=False)[done + 1 :]), set(keys))
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


def _owner(output: Output) -> str:
    """The key of the message whose script made the call; empty for a call that is not ours."""
    found = _CALL_ID.match(output.call_id)
    return found["key"] if found else ""


def _filled(step: Step, outputs: tuple[Output, ...]) -> Step:
    """The step with what earlier calls of its turn gave back put in."""
    match step:
        case Say(text):
            return Say(text.replace(OUTPUT, outputs[-1].text if outputs else ""))
        case Type(text):
            session = int(_last(_SESSION, outputs) or 0)
            return Call("write_stdin", json.dumps({"session_id": session, "chars": f"{text}\n"}))
        case Join():
            return Call("wait_agent", json.dumps(_waiting(outputs)), "multi_agent_v1")
        case _:
            return step


def _waiting(outputs: tuple[Output, ...]) -> dict[str, object]:
    """Arguments for wait_agent: every sub-agent that no earlier wait has told the end of."""
    text = "\n".join(output.text for output in outputs)
    ended = set(_ENDED.findall(text))
    targets = [agent for agent in _AGENT.findall(text) if agent not in ended]
    return {"targets": targets, "timeout_ms": JOIN_MS}


def _last(pattern: re.Pattern[str], outputs: tuple[Output, ...]) -> str | None:
    for output in reversed(outputs):
        found = pattern.findall(output.text)
        if found:
            return found[-1]
    return None
