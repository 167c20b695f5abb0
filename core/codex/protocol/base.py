"""The base of every wire model, and what a call is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

CALL_SECONDS = 30.0
LONG_CALL_SECONDS = 120.0
"""For calls that read whole sessions from disk or wait for what a thread starts with (MCP servers)."""


class Wire(BaseModel):
    """A JSON object of the protocol. Python's snake_case is camelCase on the wire."""

    model_config = ConfigDict(frozen=True, extra="ignore", alias_generator=to_camel, populate_by_name=True)

    def to_json(self) -> str:
        """As it is sent: what is None is left out."""
        return self.model_dump_json(by_alias=True, exclude_none=True)


R = TypeVar("R", bound=Wire)


@dataclass(frozen=True, slots=True)
class Method(Generic[R]):
    """A call: its name, what the answer is, and how many seconds it may take altogether."""

    name: str
    result: type[R]
    seconds: float = CALL_SECONDS


class Nothing(Wire):
    """Parameters or an answer in which there is nothing for us."""
