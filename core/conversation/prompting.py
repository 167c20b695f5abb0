"""A prompt: what a program asks for, checked and completed before anything is sent (seed 002, `prepare_prompt`)."""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel

from core.agent.port import Agent, TurnOptions
from core.conversation.ports import Rendered
from core.conversation.selection import Selection, resolve_selection
from core.conversation.structured import Json, StructuredOutput
from core.conversation.workspace import Choices, Defaults, Workspace
from core.errors import InvalidRequest

LONGEST_TEXT = 1_000_000

Renderer = Callable[[str], Awaitable[Rendered]]
"""Puts what is known to the conversation into a prompt's text."""


def _new_key() -> str:
    return uuid.uuid4().hex


@dataclass(frozen=True, slots=True)
class PromptRequest:
    """What is asked. What is left None comes from the conversation, then its workspace, then Codex.

    `cwd` is relative to the workspace; `shape` a JSON Schema as text, or a pydantic model, that the answer
    must have; `seconds` the time for everything, from preflight to answer. `key` makes the same request
    harmless to repeat.
    """

    text: str
    model: str | None = None
    effort: str | None = None
    personality: str | None = None
    cwd: Path | None = None
    shape: str | type[BaseModel] | None = None
    seconds: float | None = None
    key: str = field(default_factory=_new_key)

    def validate(self) -> None:
        """Raises InvalidRequest."""
        if not self.text.strip():
            raise InvalidRequest("There is nothing to ask", todo="Give a text.")
        if len(self.text) > LONGEST_TEXT:
            raise InvalidRequest(
                "The prompt is too long",
                why=f"it has {len(self.text):,} characters, {LONGEST_TEXT:,} are the most",
                todo="Put it into a file of the workspace.",
            )
        if self.seconds is not None and self.seconds <= 0:
            raise InvalidRequest("The time for a prompt must be more than nothing")


@dataclass(frozen=True, slots=True)
class PromptResponse:
    """`value` is the parsed answer where a shape was asked for."""

    text: str
    value: Json | BaseModel = None


@dataclass(frozen=True, slots=True)
class Prepared:
    """A prompt that may be sent."""

    rendered: Rendered
    options: TurnOptions
    selection: Selection
    structured: StructuredOutput | None


async def prepare(
    request: PromptRequest,
    structured: StructuredOutput | None,
    conversation: Choices,
    workspace: Workspace,
    previous: Selection | None,
    agent: Agent,
    render: Renderer,
) -> Prepared:
    """Complete a validated request. Raises InvalidRequest, NotFound, CodexError."""
    cwd = workspace.resolve(request.cwd)[1] if request.cwd is not None else None
    asked = Defaults(model=request.model, effort=request.effort, personality=request.personality)
    selection = resolve_selection(asked, conversation, workspace.defaults, previous, await agent.models())
    return Prepared(
        rendered=await render(request.text),
        options=TurnOptions(
            model=selection.model,
            effort=selection.effort,
            personality=selection.personality,
            cwd=str(cwd) if cwd is not None else None,
            schema_json=structured.schema_json if structured is not None else None,
        ),
        selection=selection,
        structured=structured,
    )
