"""What Codex sends to a Responses API, as far as the scripted model reads it.

Codex sends the whole history with each request (`store` is false). Beside what the person wrote, its own
context comes with role `user` too: the environment, AGENTS.md, notes on aborted turns. `said` leaves that out.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import cast

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from core.errors import InvalidRequest

SUMMARY_MARK = "Summary by the scripted model"

_CONTEXT = re.compile(
    r"\s*(<(environment_context|user_instructions|turn_aborted|skill|user_shell_command|subagent_notification"
    r"|model_switch|permissions instructions|collaboration_mode|personality_spec|goal_context|hook_prompt)\b"
    r"|# AGENTS\.md instructions)"
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
    """Something a person said. `key` tells it from every other message of its thread."""

    key: str
    text: str


@dataclass(frozen=True, slots=True)
class Output:
    """What a tool gave back."""

    call_id: str
    text: str


@dataclass(frozen=True, slots=True)
class Boundary:
    """Everything else that the history holds: what the model put out, and notes that end a turn."""

    text: str = ""


Entry = Message | Output | Boundary


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """`kind` is Codex's request_kind: `turn`, or a request of its own, such as a compaction."""

    thread_id: str
    turn_id: str
    kind: str
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
    def newest(self) -> tuple[Message, ...]:
        """What was said since the model last put something out."""
        newest: list[Message] = []
        for entry in reversed(self.history):
            if not isinstance(entry, Message):
                break
            newest.insert(0, entry)
        return tuple(newest)


def parse_request(raw: bytes) -> ModelRequest:
    """Raises InvalidRequest if it is not a Responses API request."""
    try:
        body = _Body.model_validate_json(raw)
    except ValidationError as error:
        raise InvalidRequest("The request cannot be read", why=str(error)) from error
    return ModelRequest(
        thread_id=body.client_metadata.get("thread_id", ""),
        turn_id=body.client_metadata.get("turn_id", ""),
        kind=_kind(body.client_metadata),
        model=body.model,
        history=_history(body.input),
        tools=_tool_names(body.tools),
        schema=body.text.format.schema_ if body.text and body.text.format else None,
        size=len(raw),
    )


def _kind(metadata: dict[str, str]) -> str:
    try:
        turn: object = json.loads(metadata.get("x-codex-turn-metadata", "{}"))
    except ValueError:
        return "turn"
    if not isinstance(turn, dict):
        return "turn"
    return str(cast("dict[str, object]", turn).get("request_kind", "turn"))


def _history(entries: list[_Entry]) -> tuple[Entry, ...]:
    history: list[Entry] = []
    count = 0
    for entry in entries:
        if entry.type == "message" and entry.role == "user":
            text = entry.text
            if SUMMARY_MARK in text or text.lstrip().startswith("<turn_aborted>"):
                history.append(Boundary(text))
            elif not _CONTEXT.match(text):
                count += 1
                history.append(Message(_key(entry.id, count), text))
        elif entry.type.endswith("_output"):
            history.append(Output(entry.call_id, _output_text(entry.output)))
        elif entry.role != "developer":
            history.append(Boundary())
    return tuple(history)


def _key(entry_id: str | None, count: int) -> str:
    """The message's own id, shortened to its random end; its place where Codex gives none."""
    return re.sub(r"[^0-9a-zA-Z]", "", entry_id)[-12:] if entry_id else f"m{count}"


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
