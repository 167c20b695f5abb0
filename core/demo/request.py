"""What Codex sends to a Responses API, as far as the scripted model reads it.

Codex sends the whole history with each request (`store` is false). Beside what the person wrote, its own
context comes with role `user` too: the environment, AGENTS.md, notes on aborted turns. `said` leaves that out.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from core.errors import InvalidRequest

_CONTEXT = re.compile(
    r"\s*(<(environment_context|user_instructions|turn_aborted|skill|user_shell_command|subagent_notification"
    r"|model_switch|permissions instructions|collaboration_mode|personality_spec|goal_context|hook_prompt)\b"
    r"|# AGENTS\.md instructions|Another language model started to solve this problem)"
)


class _Loose(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class _Part(_Loose):
    type: str = ""
    text: str = ""


class _Entry(_Loose):
    """One entry of `input`: a message, a call or a call's output."""

    type: str = "message"
    id: str | None = None
    role: str = ""
    content: list[_Part] | str | None = None
    call_id: str = ""
    name: str = ""
    output: JsonValue = None

    @property
    def text(self) -> str:
        if isinstance(self.content, str):
            return self.content
        return "\n".join(part.text for part in self.content or () if part.text)


class _Tool(_Loose):
    type: str = ""
    name: str = ""
    tools: list[_Tool] = Field(default_factory=list["_Tool"])


class _Format(_Loose):
    type: str = ""
    schema_: JsonValue = Field(default=None, alias="schema")


class _Text(_Loose):
    format: _Format | None = None


class _Body(_Loose):
    model: str = ""
    input: list[_Entry] = Field(default_factory=list[_Entry])
    tools: list[_Tool] = Field(default_factory=list[_Tool])
    text: _Text | None = None
    client_metadata: dict[str, str] = Field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Message:
    """Something a person said. `id` is Codex's: a UUID of version 7, so it tells when."""

    id: str
    text: str

    @property
    def key(self) -> str:
        """Tells it from every other message of its thread; letters and digits only."""
        return re.sub(r"[^0-9a-zA-Z]", "", self.id)[-12:]


@dataclass(frozen=True, slots=True)
class Output:
    """What a tool gave back."""

    call_id: str
    text: str


Entry = Message | Output


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """`kind` is Codex's request_kind: `turn` or `compaction`; `source` its thread_source: `user`,
    `thread_title` (a thread of Codex's own that wants a title for another one)…
    """

    thread_id: str
    turn_id: str
    kind: str
    source: str
    model: str
    history: tuple[Entry, ...]
    tools: tuple[str, ...]
    schema: JsonValue
    size: int

    @property
    def said(self) -> tuple[Message, ...]:
        return tuple(entry for entry in self.history if isinstance(entry, Message))

    @property
    def outputs(self) -> tuple[Output, ...]:
        return tuple(entry for entry in self.history if isinstance(entry, Output))

    @property
    def said_in_turn(self) -> tuple[Message, ...]:
        """What began the turn, then its steers. A message's id is younger than that of its own turn."""
        return tuple(message for message in self.said if message.id > self.turn_id)


def parse_request(raw: bytes) -> ModelRequest:
    """Raises InvalidRequest if it is not a Responses API request."""
    try:
        body = _Body.model_validate_json(raw)
    except ValidationError as error:
        raise InvalidRequest("The request cannot be read", why=str(error)) from error
    kind, source = _kind_and_source(body.client_metadata)
    return ModelRequest(
        thread_id=body.client_metadata.get("thread_id", ""),
        turn_id=body.client_metadata.get("turn_id", ""),
        kind=kind,
        source=source,
        model=body.model,
        history=_history(body.input),
        tools=_tool_names(body.tools),
        schema=body.text.format.schema_ if body.text and body.text.format else None,
        size=len(raw),
    )


class _TurnMetadata(_Loose):
    request_kind: str = "turn"
    thread_source: str = "user"


def _kind_and_source(metadata: dict[str, str]) -> tuple[str, str]:
    try:
        turn = _TurnMetadata.model_validate_json(metadata.get("x-codex-turn-metadata", "{}"))
    except ValidationError:
        turn = _TurnMetadata()
    return turn.request_kind, turn.thread_source


def _history(entries: list[_Entry]) -> tuple[Entry, ...]:
    history: list[Entry] = []
    for entry in entries:
        if entry.type.endswith("_output"):
            history.append(Output(entry.call_id, _output_text(entry.output)))
        elif entry.type == "message" and entry.role == "user" and not _CONTEXT.match(entry.text):
            history.append(Message((entry.id or "").removeprefix("msg_"), entry.text))
    return tuple(history)


def _output_text(output: JsonValue) -> str:
    if isinstance(output, str):
        return output
    if isinstance(output, list):
        parts = [part.get("text") for part in output if isinstance(part, dict)]
        return "\n".join(part for part in parts if isinstance(part, str))
    return "" if output is None else json.dumps(output)


def _tool_names(tools: list[_Tool]) -> tuple[str, ...]:
    names: list[str] = []
    for tool in tools:
        if tool.tools:
            names.extend(f"{tool.name}.{inner.name}" for inner in tool.tools)
        else:
            names.append(tool.name or tool.type)
    return tuple(names)
