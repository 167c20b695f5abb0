"""The steps that the scripted model can take, and the marks inside its texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


class Failure(StrEnum):
    """How a response goes wrong."""

    RATE = "429"
    SERVER = "500"
    OVERLOADED = "503"
    CONTEXT = "context"
    QUOTA = "quota"
    CUT = "cut"


@dataclass(frozen=True, slots=True)
class Say:
    text: str


@dataclass(frozen=True, slots=True)
class Stream:
    """`per_second` None: the server's own pace."""

    words: int
    per_second: float | None = None


@dataclass(frozen=True, slots=True)
class Think:
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wait:
    seconds: float


@dataclass(frozen=True, slots=True)
class Hold:
    name: str


@dataclass(frozen=True, slots=True)
class Search:
    query: str


@dataclass(frozen=True, slots=True)
class Fail:
    how: Failure


@dataclass(frozen=True, slots=True)
class Call:
    """A function call. `arguments` is JSON text; `joined` puts it beside the call before."""

    name: str
    arguments: str
    namespace: str | None = None
    joined: bool = False


@dataclass(frozen=True, slots=True)
class Type:
    """Text for the command that still runs; which one it is comes from the outputs so far."""

    text: str
    joined: bool = False


@dataclass(frozen=True, slots=True)
class Join:
    """Wait for a sub-agent that the turn started; their ids come from the outputs so far."""

    joined: bool = False


Step = Say | Stream | Think | Wait | Hold | Search | Fail | Call | Type | Join
ToolStep = Call | Type | Join

OUTPUT = "{{output}}"
"""Stands in a text for what the last tool gave back."""

_MARK = re.compile(r"\{\{(hold|wait|fail) ([\w.-]+)\}\}")


def split_text(text: str) -> Iterator[str | Wait | Hold | Fail]:
    """A /say's text and the marks in it, in order. A mark that makes no sense is text."""
    end = 0
    for found in _MARK.finditer(text):
        step = _marked(found[1], found[2])
        if step is not None:
            yield text[end : found.start()]
            yield step
            end = found.end()
    yield text[end:]


def _marked(name: str, argument: str) -> Wait | Hold | Fail | None:
    if name == "hold":
        return Hold(argument)
    if name == "fail":
        return Fail(Failure(argument)) if argument in list(Failure) else None
    return Wait(float(argument)) if re.fullmatch(r"\d+(\.\d+)?", argument) else None
