"""The calls about threads, turns and items: parameters and answers."""

from __future__ import annotations

from typing import Literal

from pydantic import JsonValue

from core.codex.protocol.base import Wire
from core.codex.protocol.notifications import ModeTold, SandboxInfo, ThreadStatus, Turn

JsonObject = dict[str, JsonValue]


class FunctionTool(Wire):
    type: Literal["function"] = "function"
    name: str
    description: str
    input_schema: JsonValue


class ThreadStartParams(Wire):
    cwd: str
    sandbox: str | None = None
    approval_policy: str | None = None
    model: str | None = None
    dynamic_tools: tuple[FunctionTool, ...] | None = None
    config: JsonObject | None = None


class TurnsPageParams(Wire):
    limit: int
    items_view: Literal["notLoaded", "summary", "full"]


class ThreadResumeParams(Wire):
    thread_id: str
    exclude_turns: bool = True
    initial_turns_page: TurnsPageParams | None = None


class GitInfo(Wire):
    branch: str | None = None


class Thread(Wire):
    """Times are Unix seconds. `source` is a word or an object whose one key is the word."""

    id: str
    cwd: str
    preview: str
    name: str | None = None
    created_at: int
    updated_at: int
    status: ThreadStatus
    model: str | None = None
    model_provider: str
    reasoning_effort: str | None = None
    source: JsonValue = None
    originator: str | None = None
    path: str | None = None
    git_info: GitInfo | None = None
    parent_thread_id: str | None = None
    forked_from_id: str | None = None
    ephemeral: bool = False


class TurnWithItems(Turn):
    items: tuple[JsonObject, ...] = ()


class TurnsPage(Wire):
    data: tuple[TurnWithItems, ...]


class OpenedThread(Wire):
    """The answer to start and fork. `approval_policy` is a word or an object."""

    thread: Thread
    model: str
    model_provider: str
    reasoning_effort: str | None = None
    sandbox: SandboxInfo
    approval_policy: JsonValue


class ResumedThread(OpenedThread):
    collaboration_mode: ModeTold | None = None
    initial_turns_page: TurnsPage | None = None


class ThreadParams(Wire):
    """Of every call that needs no more than a thread."""

    thread_id: str


class ThreadNameParams(Wire):
    thread_id: str
    name: str


class ThreadListParams(Wire):
    cwd: str | None = None
    cursor: str | None = None
    limit: int | None = None
    archived: bool = False
    model_providers: tuple[str, ...] = ()
    source_kinds: tuple[str, ...]
    sort_key: Literal["created_at", "updated_at", "recency_at"] = "updated_at"


class ThreadList(Wire):
    data: tuple[Thread, ...]
    next_cursor: str | None = None


class CursorParams(Wire):
    cursor: str | None = None


class LoadedThreads(Wire):
    data: tuple[str, ...]
    next_cursor: str | None = None


class TurnsListParams(Wire):
    thread_id: str
    cursor: str | None = None
    items_view: Literal["notLoaded", "summary", "full"] = "notLoaded"
    sort_direction: Literal["asc", "desc"] = "desc"


class TurnList(Wire):
    data: tuple[Turn, ...]
    next_cursor: str | None = None


class ItemsListParams(Wire):
    thread_id: str
    turn_id: str | None = None
    cursor: str | None = None
    limit: int | None = None
    sort_direction: Literal["asc", "desc"] = "asc"


class ListedItem(Wire):
    turn_id: str
    item: JsonObject
    started_at_ms: int | None = None


class ItemList(Wire):
    data: tuple[ListedItem, ...]
    next_cursor: str | None = None


class Terminal(Wire):
    command: str


class Terminals(Wire):
    data: tuple[Terminal, ...]


class TextInput(Wire):
    type: Literal["text"] = "text"
    text: str


class LocalImageInput(Wire):
    type: Literal["localImage"] = "localImage"
    path: str


SandboxType = Literal["readOnly", "workspaceWrite", "dangerFullAccess"]


class SandboxPolicy(Wire):
    type: SandboxType


class TurnStartParams(Wire):
    thread_id: str
    input: tuple[TextInput | LocalImageInput, ...]
    client_user_message_id: str
    model: str | None = None
    effort: str | None = None
    personality: str | None = None
    cwd: str | None = None
    sandbox_policy: SandboxPolicy | None = None
    approval_policy: str | None = None
    output_schema: JsonValue = None


class StartedTurn(Wire):
    turn: Turn


class TurnSteerParams(Wire):
    thread_id: str
    expected_turn_id: str
    input: tuple[TextInput | LocalImageInput, ...]
    client_user_message_id: str


class TurnInterruptParams(Wire):
    thread_id: str
    turn_id: str
