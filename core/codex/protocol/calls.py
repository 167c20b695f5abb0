"""Every call that we make, as a `Method`, with the parameters and answers of those that `threads` has not."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, JsonValue

from core.codex.protocol.base import LONG_CALL_SECONDS, Method, Nothing, Wire
from core.codex.protocol.notifications import RateLimitsUpdated
from core.codex.protocol.threads import (
    ItemList,
    LoadedThreads,
    OpenedThread,
    ResumedThread,
    StartedTurn,
    Terminals,
    ThreadList,
    TurnList,
)


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
    description: str = ""


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


class ConfigReadParams(Wire):
    cwd: str
    include_layers: bool = False


class Config(Wire):
    """Of Codex's settings those that a thread starts with. These are named as in its config.toml."""

    model: str | None = None
    model_reasoning_effort: str | None = Field(default=None, alias="model_reasoning_effort")
    sandbox_mode: str | None = Field(default=None, alias="sandbox_mode")
    approval_policy: JsonValue = Field(default=None, alias="approval_policy")


class ConfigRead(Wire):
    config: Config


class ReadFileParams(Wire):
    path: str


class FileContents(Wire):
    data_base64: str


INITIALIZE = Method("initialize", Initialized, 15.0)
DIAGNOSTICS = Method("server/diagnostics", Diagnostics)
THREAD_START = Method("thread/start", OpenedThread, LONG_CALL_SECONDS)
THREAD_RESUME = Method("thread/resume", ResumedThread, LONG_CALL_SECONDS)
THREAD_UNSUBSCRIBE = Method("thread/unsubscribe", Nothing)
THREAD_ARCHIVE = Method("thread/archive", Nothing)
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
MODEL_LIST = Method("model/list", ModelList)
RATE_LIMITS = Method("account/rateLimits/read", RateLimitsUpdated)
CONFIG_READ = Method("config/read", ConfigRead)
READ_FILE = Method("fs/readFile", FileContents, LONG_CALL_SECONDS)
