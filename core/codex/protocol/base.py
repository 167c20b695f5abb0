"""The base of every wire model, and what a call is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Concatenate, Generic, ParamSpec, TypeVar

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

CALL_SECONDS = 30.0
LONG_CALL_SECONDS = 120.0
"""For calls that read whole sessions from disk or wait for what a thread starts with (MCP servers)."""


class Wire(BaseModel):
    """A JSON object of the protocol. Python's snake_case is camelCase on the wire."""

    model_config = ConfigDict(
        frozen=True, extra="ignore", alias_generator=to_camel, populate_by_name=True, defer_build=True
    )

    def to_json(self) -> str:
        """As it is sent: what is None is left out."""
        return self.model_dump_json(by_alias=True, exclude_none=True)


R = TypeVar("R", bound=Wire)
W = TypeVar("W", bound=Wire)
T = TypeVar("T")
P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class Method(Generic[R]):
    """A call: its name, what the answer is, and how many seconds it may take altogether (None: any)."""

    name: str
    result: type[R]
    seconds: float | None = CALL_SECONDS


@dataclass(frozen=True, slots=True)
class Reader(Generic[W, P, T]):
    """How one kind of message is read: what it is on the wire, and what is made of that."""

    model: type[W]
    make: Callable[Concatenate[W, P], T]

    def __call__(self, raw: object, *args: P.args, **kwargs: P.kwargs) -> T:
        """Raises ValueError for what is not of the model."""
        return self.make(self.model.model_validate(raw), *args, **kwargs)


class Nothing(Wire):
    """Parameters or an answer in which there is nothing for us."""
