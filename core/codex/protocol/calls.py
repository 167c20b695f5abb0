"""The calls that we make: parameters, answers, and a `Method` that ties the two together."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, JsonValue

from core.codex.protocol.base import LONG_CALL_SECONDS, Method, Nothing, Wire
from core.codex.protocol.notifications import ThreadStatus, Turn

JsonObject = dict[str, JsonValue]


class ClientInfo(Wire):
    name: str
    title: str
    version: str


class Capabilities(Wire):
    experimental_api: bool = True


class InitializeParams(Wire):
    client_info: ClientInfo
    capabilities: Capabilities = Capabilities()


class Initialized(Wire):
    """`user_agent` is `NAME/VERSION (…)`, with the version of the host."""

    user_agent: str
    codex_home: str = ""


class Gauge(Wire):
    name: str
    value: int


class ProcessInfo(Wire):
    id: int


class Diagnostics(Wire):
    """A gauge that was never set is left out: it counts as 0."""

    process: ProcessInfo
    gauges: tuple[Gauge, ...] = ()

    def gauge(self, name: str) -> int:
        return next((gauge.value for gauge in self.gauges if gauge.name == name), 0)


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


class ThreadForkParams(Wire):
    thread_id: str
    exclude_turns: bool = True


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
    path: str | None = None
    git_info: GitInfo | None = None
    parent_thread_id: str | None = None
    forked_from_id: str | None = None


class SandboxInfo(Wire):
    """`type`: readOnly, workspaceWrite, dangerFullAccess, externalSandbox."""

    type: str


class TurnWithItems(Turn):
    items: tuple[JsonObject, ...] = ()


class TurnsPage(Wire):
    data: tuple[TurnWithItems, ...]


class OpenedThread(Wire):
    """The answer to start, resume and fork. `approval_policy` is a word or an object."""

    thread: Thread
    model: str
    model_provider: str
    reasoning_effort: str | None = None
    sandbox: SandboxInfo
    approval_policy: JsonValue
    initial_turns_page: TurnsPage | None = None


class ThreadParams(Wire):
    """Of every call that needs no more than a thread."""

    thread_id: str


class ThreadRevertParams(Wire):
    thread_id: str
    before_turn_id: str


class ThreadNameParams(Wire):
    thread_id: str
    name: str


class ThreadListParams(Wire):
    cwd: str | None = None
    cursor: str | None = None
    limit: int | None = None
    model_providers: tuple[str, ...] = ()
    source_kinds: tuple[str, ...]
    sort_key: Literal["created_at", "updated_at", "recency_at"] = "updated_at"
    archived: bool | None = None
    search_term: str | None = None


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
    sort_direction: Literal["asc", "desc"] = "asc"


class ListedItem(Wire):
    turn_id: str
    item: JsonObject


class ItemList(Wire):
    data: tuple[ListedItem, ...]
    next_cursor: str | None = None


class TerminalsParams(Wire):
    thread_id: str
    limit: int | None = None


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


class SandboxPolicy(Wire):
    type: Literal["readOnly", "workspaceWrite", "dangerFullAccess"]


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


class AccountInfo(Wire):
    """`type`: apiKey, chatgpt (with email and plan), amazonBedrock and what may come."""

    type: str
    email: str | None = None
    plan_type: str | None = None


class AccountRead(Wire):
    account: AccountInfo | None = None
    requires_openai_auth: bool = True


class LoginParams(Wire):
    type: Literal["apiKey", "chatgpt", "chatgptDeviceCode"]
    api_key: str | None = Field(default=None, repr=False)


class LoginStarted(Wire):
    type: str
    login_id: str | None = None
    auth_url: str | None = None
    verification_url: str | None = None
    user_code: str | None = None


class EffortOption(Wire):
    reasoning_effort: str


class ModelInfo(Wire):
    model: str
    display_name: str
    description: str = ""
    supported_reasoning_efforts: tuple[EffortOption, ...] = ()
    default_reasoning_effort: str | None = None
    is_default: bool = False


class ModelList(Wire):
    data: tuple[ModelInfo, ...]
    next_cursor: str | None = None


class ReadFileParams(Wire):
    path: str


class FileContents(Wire):
    data_base64: str


INITIALIZE = Method("initialize", Initialized)
DIAGNOSTICS = Method("server/diagnostics", Diagnostics)
THREAD_START = Method("thread/start", OpenedThread, LONG_CALL_SECONDS)
THREAD_RESUME = Method("thread/resume", OpenedThread, LONG_CALL_SECONDS)
THREAD_FORK = Method("thread/fork", OpenedThread, LONG_CALL_SECONDS)
THREAD_UNSUBSCRIBE = Method("thread/unsubscribe", Nothing)
THREAD_ARCHIVE = Method("thread/archive", Nothing)
THREAD_DELETE = Method("thread/delete", Nothing)
THREAD_REVERT = Method("thread/revert", Nothing)
THREAD_COMPACT = Method("thread/compact/start", Nothing)
THREAD_NAME = Method("thread/name/set", Nothing)
THREAD_LIST = Method("thread/list", ThreadList, LONG_CALL_SECONDS)
THREADS_LOADED = Method("thread/loaded/list", LoadedThreads)
TERMINALS = Method("thread/backgroundTerminals/list", Terminals)
TURNS_LIST = Method("thread/turns/list", TurnList, LONG_CALL_SECONDS)
ITEMS_LIST = Method("thread/items/list", ItemList, LONG_CALL_SECONDS)
TURN_START = Method("turn/start", StartedTurn)
TURN_STEER = Method("turn/steer", Nothing)
TURN_INTERRUPT = Method("turn/interrupt", Nothing)
ACCOUNT_READ = Method("account/read", AccountRead)
LOGIN_START = Method("account/login/start", LoginStarted)
LOGIN_CANCEL = Method("account/login/cancel", Nothing)
MODEL_LIST = Method("model/list", ModelList)
READ_FILE = Method("fs/readFile", FileContents, LONG_CALL_SECONDS)
