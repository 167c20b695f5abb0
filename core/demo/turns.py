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

Scenario = Callable[[ModelRequest, str], str]
"""A script for what a person said in their own words."""

_CALL_ID = re.compile(r"call_(?P<key>[0-9a-zA-Z]+)_(?P<index>\d+)$")
_SESSION = re.compile(r"session ID (\d+)")
_AGENT = re.compile(r'"agent_id"\s*:\s*"([^"]+)"')


@dataclass(frozen=True, slots=True)
class Planned:
    """A step and its name, which is the same however often the history is sent: `KEY_INDEX`."""

    name: str
    step: Step


@dataclass(slots=True)
class _Turn:
    left: deque[Planned]
    known: set[str]


@dataclass(slots=True)
class Turns:
    """Remembers every turn by Codex's turn id, and which messages were ever seen."""

    scenario: Scenario
    _turns: dict[str, _Turn] = field(default_factory=dict[str, _Turn])
    _seen: dict[str, set[str]] = field(default_factory=dict[str, set[str]])

    def forget(self) -> None:
        """As if just started."""
        self._turns.clear()
        self._seen.clear()

    def response(self, request: ModelRequest) -> Iterator[Planned]:
        """The steps of one response, each taken off the turn when it is asked for.

        It ends after a tool call and those joined to it, or with the script.
        """
        left = self._turn(request).left
        while left:
            planned = left.popleft()
            yield Planned(planned.name, _filled(planned.step, request.outputs))
            if isinstance(planned.step, ToolStep) and not (left and _is_joined(left[0].step)):
                return

    def _turn(self, request: ModelRequest) -> _Turn:
        seen = self._seen.setdefault(request.thread_id, set())
        turn = self._turns.get(request.turn_id)
        if turn is None:
            turn = self._first(request, seen)
            self._turns[request.turn_id] = turn
        else:
            for message in request.said:
                if message.key not in turn.known:
                    turn.left.extendleft(reversed(self._steps(request, message, steered=True)))
        turn.known = {message.key for message in request.said}
        seen |= turn.known
        return turn

    def _first(self, request: ModelRequest, seen: set[str]) -> _Turn:
        """A turn's first request: the newest messages begin it, or we were restarted in its middle."""
        fresh = [message for message in request.newest if message.key not in seen]
        if not fresh:
            return _Turn(self._rest(request), set())
        left: deque[Planned] = deque(self._steps(request, fresh[0], steered=False))
        for steer in fresh[1:]:
            left.extendleft(reversed(self._steps(request, steer, steered=True)))
        return _Turn(left, set())

    def _rest(self, request: ModelRequest) -> deque[Planned]:
        """What follows the last call in the history. Its id says whose step it was."""
        for output in reversed(request.outputs):
            found = _CALL_ID.match(output.call_id)
            owner = next((m for m in request.said if found and m.key == found["key"]), None)
            if found and owner:
                steps = self._steps(request, owner, steered=False)
                return deque(steps[int(found["index"]) + 1 :])
        return deque()

    def _steps(self, request: ModelRequest, message: Message, *, steered: bool) -> list[Planned]:
        return [
            Planned(f"{message.key}_{index}", step)
            for index, step in enumerate(self._script(request, message, steered=steered))
        ]

    def _script(self, request: ModelRequest, message: Message, *, steered: bool) -> tuple[Step, ...]:
        if steered and not is_script(message.text):
            return (Say(f"steered: {message.text}"),)
        script = message.text if is_script(message.text) else self.scenario(request, message.text)
        try:
            return parse_script(script.strip())
        except InvalidRequest as error:
            return (Say(str(error)),)


def _is_joined(step: Step) -> bool:
    return isinstance(step, ToolStep) and step.joined


def _filled(step: Step, outputs: tuple[Output, ...]) -> Step:
    """Typing and joining need what earlier calls gave back."""
    if isinstance(step, Type):
        session = int(_last(_SESSION, outputs) or 0)
        return Call("write_stdin", json.dumps({"session_id": session, "chars": f"{step.text}\n"}))
    if isinstance(step, Join):
        agents = [found for output in outputs for found in _AGENT.findall(output.text)]
        return Call("wait_agent", json.dumps({"targets": agents}), "multi_agent_v1")
    return step


def _last(pattern: re.Pattern[str], outputs: tuple[Output, ...]) -> str | None:
    for output in reversed(outputs):
        found = pattern.findall(output.text)
        if found:
            return found[-1]
    return None
