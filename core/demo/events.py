"""Steps -> what goes over the wire: the events of a Responses API stream, and the pauses between them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from core.demo.steps import (
    Call,
    Fail,
    Failure,
    Hold,
    Join,
    Say,
    Search,
    Step,
    Stream,
    Think,
    Type,
    Wait,
    split_text,
)
from core.demo.turns import Planned

Json = dict[str, object]


@dataclass(frozen=True, slots=True)
class Event:
    """One server-sent event; `data` has no `type` yet."""

    type: str
    data: Json


@dataclass(frozen=True, slots=True)
class Pause:
    """Wait. `seconds` None: the server's own pace between two deltas."""

    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Gate:
    """Wait until it is released by name."""

    name: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """Answer with an HTTP error instead of a stream. Possible only before the first event."""

    status: int
    body: Json


@dataclass(frozen=True, slots=True)
class Cut:
    """Close the connection in the middle of the stream."""


Emission = Event | Pause | Gate | Refusal | Cut

_REFUSALS: dict[Failure, Refusal] = {
    Failure.RATE: Refusal(
        429, {"error": {"type": "usage_limit_reached", "message": "The usage limit has been reached"}}
    ),
    Failure.SERVER: Refusal(
        500, {"error": {"type": "server_error", "message": "The scripted model fails on purpose"}}
    ),
    Failure.OVERLOADED: Refusal(
        503, {"error": {"code": "server_is_overloaded", "message": "The scripted model is overloaded"}}
    ),
}
_FAILED: dict[Failure, tuple[str, str]] = {
    Failure.RATE: ("rate_limit_exceeded", "Rate limit reached"),
    Failure.SERVER: ("server_error", "The scripted model fails on purpose"),
    Failure.OVERLOADED: ("server_is_overloaded", "The scripted model is overloaded"),
    Failure.CONTEXT: ("context_length_exceeded", "The input exceeds the context window of this model"),
    Failure.QUOTA: ("insufficient_quota", "You exceeded your current quota"),
}


@dataclass(slots=True)
class Response:
    """One response under way. `input_tokens` is what the usage will say."""

    id: str
    input_tokens: int
    _started: bool = False
    _ended: bool = False
    _output_tokens: int = 0
    _index: int = 0

    def emit(self, steps: Iterable[Planned]) -> Iterator[Emission]:
        """Everything of a response, from `response.created` to its end. A step is asked for when it is its turn."""
        for planned in steps:
            yield from self._step(planned.name, planned.step)
            if self._ended:
                return
        yield from self._start()
        yield Event("response.completed", {"response": {"id": self.id, "usage": self._usage()}})

    def _start(self) -> Iterator[Emission]:
        if not self._started:
            self._started = True
            yield Event("response.created", {"response": {"id": self.id}})

    def _step(self, name: str, step: Step) -> Iterator[Emission]:
        if isinstance(step, Fail):
            yield from self._fail(step.how)
            return
        yield from self._start()
        match step:
            case Say(text):
                parts = (piece for part in split_text(text) for piece in _pieces(part))
                yield from self._text(name, parts, None)
            case Stream(words, per_second):
                parts = (f"word{number} " for number in range(1, words + 1))
                yield from self._text(name, parts, per_second)
            case Think(thoughts):
                yield from self._reasoning(name, thoughts)
            case Wait() | Hold():
                yield _silence(step)
            case Search(query):
                yield from self._done(_search(f"ws_{name}", query))
            case Call():
                yield from self._call(name, step)
            case Type() | Join():
                raise AssertionError(f"{step} must have been turned into a call before")

    def _fail(self, how: Failure) -> Iterator[Emission]:
        self._ended = True
        if not self._started and how in _REFUSALS:
            yield _REFUSALS[how]
            return
        yield from self._start()
        if how is Failure.CUT:
            yield Cut()
            return
        code, message = _FAILED[how]
        error = {"code": code, "message": message}
        yield Event("response.failed", {"response": {"id": self.id, "status": "failed", "error": error}})

    def _text(
        self, name: str, parts: Iterable[str | Wait | Hold | Fail], per_second: float | None
    ) -> Iterator[Emission]:
        item = f"msg_{name}"
        yield self._item("response.output_item.added", _message(item, ""))
        pause = Pause(1 / per_second if per_second else None)
        text: list[str] = []
        for part in parts:
            if isinstance(part, Fail):
                yield from self._fail(part.how)
                return
            if not isinstance(part, str):
                yield _silence(part)
                continue
            text.append(part)
            self._output_tokens += 1
            yield Event("response.output_text.delta", self._at(item, content_index=0, delta=part))
            yield pause
        yield from self._done(_message(item, "".join(text)))

    def _reasoning(self, name: str, parts: tuple[str, ...]) -> Iterator[Emission]:
        item = f"rs_{name}"
        yield self._item("response.output_item.added", {"type": "reasoning", "id": item, "summary": []})
        for number, part in enumerate(parts):
            yield Event("response.reasoning_summary_part.added", self._at(item, summary_index=number))
            for piece in _pieces(part):
                self._output_tokens += 1
                yield Event(
                    "response.reasoning_summary_text.delta",
                    self._at(item, summary_index=number, delta=piece),
                )
                yield Pause()
        summary = [{"type": "summary_text", "text": part} for part in parts]
        yield from self._done({"type": "reasoning", "id": item, "summary": summary})

    def _call(self, name: str, call: Call) -> Iterator[Emission]:
        self._output_tokens += len(call.arguments) // 4
        item: Json = {
            "type": "function_call",
            "id": f"fc_{name}",
            "call_id": f"call_{name}",
            "name": call.name,
            "arguments": call.arguments,
        }
        if call.namespace is not None:
            item["namespace"] = call.namespace
        yield from self._done(item)

    def _item(self, kind: str, item: Json) -> Event:
        return Event(kind, {"output_index": self._index, "item": item})

    def _done(self, item: Json) -> Iterator[Emission]:
        yield self._item("response.output_item.done", item)
        self._index += 1

    def _at(self, item: str, **data: object) -> Json:
        return {"item_id": item, "output_index": self._index, **data}

    def _usage(self) -> Json:
        return {
            "input_tokens": self.input_tokens,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": self._output_tokens,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": self.input_tokens + self._output_tokens,
        }


def _message(item: str, text: str) -> Json:
    content = [{"type": "output_text", "text": text}] if text else []
    return {"type": "message", "id": item, "role": "assistant", "content": content}


def _search(item: str, query: str) -> Json:
    action = {"type": "search", "query": query}
    return {"type": "web_search_call", "id": item, "status": "completed", "action": action}


def _silence(step: Wait | Hold) -> Emission:
    return Pause(step.seconds) if isinstance(step, Wait) else Gate(step.name)


def _pieces(part: str | Wait | Hold | Fail) -> Iterator[str | Wait | Hold | Fail]:
    """A text in pieces of about a token, spaces kept; anything else as it is."""
    if isinstance(part, str):
        yield from (found.group() for found in re.finditer(r"\s*\S+|\s+$", part))
    else:
        yield part
