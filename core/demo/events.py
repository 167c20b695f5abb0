"""Steps -> what goes over the wire: the events of a Responses API stream, and the pauses between them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from core.demo.script import Call, Fail, Failure, Hold, Say, Search, Stream, Think, Wait
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
    """One response under way: `emit` its steps, then `complete` it, unless one of them ended it."""

    id: str
    input_tokens: int
    ended: bool = False
    _started: bool = False
    _output_tokens: int = 0
    _index: int = field(default=0)

    def emit(self, steps: Iterable[Planned]) -> Iterator[Emission]:
        """Everything of a response, from `response.created` to its end."""
        for planned in steps:
            if isinstance(planned.step, Fail):
                yield from self._fail(planned.step.how)
                return
            yield from self._start()
            yield from self._step(planned)
        yield from self._start()
        yield Event("response.completed", {"response": {"id": self.id, "usage": self._usage()}})

    def _start(self) -> Iterator[Emission]:
        if not self._started:
            self._started = True
            yield Event("response.created", {"response": {"id": self.id}})

    def _fail(self, how: Failure) -> Iterator[Emission]:
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

    def _step(self, planned: Planned) -> Iterator[Emission]:
        name = planned.name
        match planned.step:
            case Say(text):
                yield from self._text(name, _pieces(text), None)
            case Stream(words, per_second):
                pieces = (f"word{number} " for number in range(1, words + 1))
                yield from self._text(name, pieces, per_second)
            case Think(parts):
                yield from self._reasoning(name, parts)
            case Wait(seconds):
                yield Pause(seconds)
            case Hold(gate):
                yield Gate(gate)
            case Search(query):
                yield from self._done(
                    {
                        "type": "web_search_call",
                        "id": f"ws_{name}",
                        "status": "completed",
                        "action": {"type": "search", "query": query},
                    }
                )
            case Call() as call:
                yield from self._call(name, call)
            case step:
                raise AssertionError(f"{step} must have been filled in before")

    def _text(self, name: str, pieces: Iterable[str], per_second: float | None) -> Iterator[Emission]:
        item = f"msg_{name}"
        yield self._item("response.output_item.added", _message(item, ""))
        pause = Pause(1 / per_second if per_second else None)
        text: list[str] = []
        for piece in pieces:
            text.append(piece)
            self._output_tokens += 1
            yield Event("response.output_text.delta", self._at(item, content_index=0, delta=piece))
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


def _pieces(text: str) -> Iterator[str]:
    """A text in pieces of about a token, spaces kept."""
    return (found.group() for found in re.finditer(r"\s*\S+|\s+$", text))
