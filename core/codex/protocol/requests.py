"""What Codex waits for an answer to, and the answers (PROTOCOL, Requests from the server)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, JsonValue

from core.codex.protocol.base import Wire

JsonObject = dict[str, JsonValue]


class NetworkContext(Wire):
    host: str
    protocol: str = ""


class CommandRequest(Wire):
    """`kind`: command, or writeStdin for input to a command that runs."""

    thread_id: str
    turn_id: str
    item_id: str
    started_at_ms: int = 0
    kind: str = "command"
    command: str | None = None
    cwd: str | None = None
    reason: str | None = None
    network_approval_context: NetworkContext | None = None
    additional_permissions: JsonObject | None = None
    proposed_execpolicy_amendment: tuple[str, ...] | None = None
    available_decisions: tuple[JsonValue, ...] | None = None


class FileChangeRequest(Wire):
    thread_id: str
    turn_id: str
    item_id: str
    started_at_ms: int = 0
    reason: str | None = None
    grant_root: str | None = None


class PermissionsRequest(Wire):
    thread_id: str
    turn_id: str
    item_id: str
    started_at_ms: int = 0
    cwd: str
    reason: str | None = None
    permissions: JsonObject


class QuestionOption(Wire):
    label: str
    description: str = ""


class QuestionPart(Wire):
    id: str
    header: str = ""
    question: str
    is_other: bool = False
    is_secret: bool = False
    options: tuple[QuestionOption, ...] | None = None


class QuestionRequest(Wire):
    thread_id: str
    turn_id: str
    item_id: str
    questions: tuple[QuestionPart, ...]
    is_blocking: bool = True


class ElicitationMeta(Wire):
    """Codex's own `_meta` of an elicitation: there when it asks whether an MCP tool may be called."""

    approval_kind: str | None = Field(default=None, alias="codex_approval_kind")
    persist: tuple[str, ...] = ()
    tool_params: JsonValue = Field(default=None, alias="tool_params")


class ElicitationRequest(Wire):
    """`mode`: form, openai/form, openaiForm, url and what may come. `meta` is any JSON of the MCP server's."""

    thread_id: str
    turn_id: str | None = None
    server_name: str
    mode: str
    message: str = ""
    requested_schema: JsonValue = None
    url: str | None = None
    meta: JsonValue = Field(default=None, alias="_meta")


class ToolCallRequest(Wire):
    thread_id: str
    turn_id: str
    call_id: str
    tool: str
    namespace: str | None = None
    arguments: JsonValue = None


class DecisionAnswer(Wire):
    """To commands and file changes. `decision` is a word or an object with one key."""

    decision: JsonValue


class PermissionsAnswer(Wire):
    permissions: JsonObject
    scope: Literal["turn", "session"]


class QuestionAnswers(Wire):
    answers: tuple[str, ...]


class QuestionAnswer(Wire):
    answers: dict[str, QuestionAnswers]


class PersistMeta(Wire):
    persist: str


class ElicitationAnswer(Wire):
    action: Literal["accept", "decline", "cancel"]
    content: JsonValue = None
    meta: PersistMeta | None = Field(default=None, serialization_alias="_meta")


class TextContent(Wire):
    type: Literal["inputText"] = "inputText"
    text: str


class ToolCallAnswer(Wire):
    success: bool
    content_items: tuple[TextContent, ...]


AnswerModel = DecisionAnswer | PermissionsAnswer | QuestionAnswer | ElicitationAnswer | ToolCallAnswer
