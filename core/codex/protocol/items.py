"""The items of a turn, as Codex sends them (PROTOCOL, Items). Each kind is told by its `type`."""

from __future__ import annotations

from pydantic import Field, JsonValue

from core.codex.protocol.base import Wire


class UserInput(Wire):
    """A part of a user's message: text, image, localImage, skill, mention and what may come."""

    type: str
    text: str = ""
    url: str | None = None
    path: str | None = None
    name: str | None = None


class UserMessageItem(Wire):
    id: str
    client_id: str | None = None
    content: tuple[UserInput, ...]


class HookFragment(Wire):
    text: str


class HookPromptItem(Wire):
    id: str
    fragments: tuple[HookFragment, ...]


class AgentMessageItem(Wire):
    id: str
    text: str
    phase: str | None = None


class PlanItem(Wire):
    id: str
    text: str


class ReasoningItem(Wire):
    id: str
    summary: tuple[str, ...] = ()
    content: tuple[str, ...] = ()


class CommandExecutionItem(Wire):
    id: str
    command: str
    cwd: str
    status: str
    source: str = "agent"
    process_id: str | None = None
    aggregated_output: str | None = None
    exit_code: int | None = None
    duration_ms: int | None = None


class ChangeKind(Wire):
    """`type` is add, delete or update; its other field is snake_case on the wire."""

    type: str
    move_path: str | None = Field(default=None, alias="move_path")


class FileUpdateChange(Wire):
    path: str
    kind: ChangeKind
    diff: str


class FileChangeItem(Wire):
    id: str
    changes: tuple[FileUpdateChange, ...]
    status: str


class McpResult(Wire):
    content: tuple[JsonValue, ...]
    structured_content: JsonValue = None


class McpError(Wire):
    message: str


class McpToolCallItem(Wire):
    id: str
    server: str
    tool: str
    status: str
    arguments: JsonValue = None
    result: McpResult | None = None
    error: McpError | None = None
    duration_ms: int | None = None


class OutputContent(Wire):
    """A part of what a dynamic tool gave back: inputText, inputImage, inputAudio."""

    type: str
    text: str | None = None


class DynamicToolCallItem(Wire):
    id: str
    tool: str
    status: str
    namespace: str | None = None
    arguments: JsonValue = None
    content_items: tuple[OutputContent, ...] | None = None
    success: bool | None = None
    duration_ms: int | None = None


class CollabAgentToolCallItem(Wire):
    id: str
    tool: str
    status: str
    receiver_thread_ids: tuple[str, ...] = ()
    prompt: str | None = None


class SubAgentActivityItem(Wire):
    id: str
    kind: str
    agent_path: str


class WebSearchItem(Wire):
    id: str
    query: str


class ImageViewItem(Wire):
    id: str
    path: str


class ImageGenerationItem(Wire):
    id: str
    status: str
    saved_path: str | None = None


class SleepItem(Wire):
    id: str
    duration_ms: int


class FunctionCallOutputItem(Wire):
    id: str
    name: str
    output: JsonValue = None


class ReviewModeItem(Wire):
    id: str
    review: str


class ContextCompactionItem(Wire):
    id: str
