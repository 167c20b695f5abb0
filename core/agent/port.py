"""What the engine needs of an agent. `core.codex.client.CodexAgent` is the one that ships.

Every method that asks the agent raises `CodexError`: `ConnectionLost` when it goes away meanwhile,
`CallTimedOut`, or `CallRefused` with Codex's own words.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from pydantic import TypeAdapter

from core.agent.events import AgentEvent, RateLimits, RunSettings, TurnFailure, TurnStatus
from core.agent.items import Item
from core.agent.requests import Answer, RequestKey

if TYPE_CHECKING:
    from core.agent.operations import ThreadOperations

T = TypeVar("T")


class Sandbox(StrEnum):
    READ_ONLY = "read-only"
    WORKSPACE_WRITE = "workspace-write"
    FULL_ACCESS = "danger-full-access"


class Approvals(StrEnum):
    UNTRUSTED = "untrusted"
    ON_REQUEST = "on-request"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A dynamic tool; `schema_json` is the JSON schema of its arguments."""

    name: str
    description: str
    schema_json: str


@dataclass(frozen=True, slots=True)
class ThreadSpec:
    """How a thread is to run. None leaves it to the user's own Codex settings.

    `config_json` is a JSON object of Codex settings for this thread alone (PROTOCOL: features, MCP servers).
    """

    cwd: str
    sandbox: Sandbox | None = None
    approvals: Approvals | None = None
    model: str | None = None
    tools: tuple[ToolSpec, ...] = ()
    config_json: str | None = None


@dataclass(frozen=True, slots=True)
class ThreadInfo:
    """A thread as Codex describes it. Times are Unix seconds; `path` is its rollout file.

    `source` is Codex's word for what began it, and "quarterdeck" for our own, which Codex takes for an editor's.
    `waits` for a person; `ephemeral`: one of Codex's own, never kept.
    """

    id: str
    cwd: str
    preview: str
    name: str | None
    created_at: int
    updated_at: int
    active: bool
    model: str
    model_provider: str
    effort: str | None = None
    sandbox: str | None = None
    approvals: str | None = None
    source: str = ""
    path: str | None = None
    branch: str | None = None
    parent_id: str | None = None
    sub_agent: bool = False
    forked_from_id: str | None = None
    waits: bool = False
    ephemeral: bool = False
    planning: bool = False


def run_settings(thread: ThreadInfo) -> RunSettings:
    """What a thread that was started or resumed runs with."""
    return RunSettings(thread.model, thread.effort, thread.sandbox, thread.approvals, thread.planning)


@dataclass(frozen=True, slots=True)
class TurnInput:
    """What to say. `client_id` comes back on the user message item: the key of exactly-once delivery."""

    texts: tuple[str, ...]
    client_id: str
    images: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnOptions:
    """Overrides; they stick for later turns, except `schema_json` (PROTOCOL, Turns)."""

    model: str | None = None
    effort: str | None = None
    personality: str | None = None
    cwd: str | None = None
    sandbox: Sandbox | None = None
    approvals: Approvals | None = None
    schema_json: str | None = None


_OPTIONS = TypeAdapter(TurnOptions)


def dump_options(options: TurnOptions) -> str:
    """The options as JSON text."""
    return _OPTIONS.dump_json(options, exclude_none=True).decode()


def load_options(text: str) -> TurnOptions:
    """The options from JSON text. Raises ValueError for anything else."""
    return _OPTIONS.validate_json(text)


@dataclass(frozen=True, slots=True)
class TurnInfo:
    """A turn as Codex has it on disk; `status` None while it runs. `started_at` in Unix seconds."""

    id: str
    status: TurnStatus | None
    failure: TurnFailure | None = None
    started_at: int | None = None


@dataclass(frozen=True, slots=True)
class ItemEntry:
    """An item with the turn it belongs to; `at_ms` is when it began (Unix milliseconds, 0: unknown)."""

    turn_id: str
    item: Item
    at_ms: int = 0


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """One page of a listing; `cursor` None on the last."""

    entries: tuple[T, ...]
    cursor: str | None


@dataclass(frozen=True, slots=True)
class Account:
    """Who is signed in. `needed` False: the provider wants no OpenAI login (a local or scripted one)."""

    signed_in: bool
    needed: bool
    label: str = ""


@dataclass(frozen=True, slots=True)
class Login:
    """A login under way. `url` to open; `code` to type there, for the device flow."""

    id: str
    url: str
    code: str = ""


@dataclass(frozen=True, slots=True)
class Model:
    """`effort_words` describes each of `efforts`."""

    id: str
    name: str
    description: str
    efforts: tuple[str, ...]
    default_effort: str | None
    is_default: bool
    effort_words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Orphan:
    """A command that outlived its host. `started` tells the process from a later one of the same id."""

    pid: int
    started: str
    item_id: str
    command: str


Listener = Callable[[AgentEvent], None]
"""Called on the event loop, in wire order; it must not block and must not raise."""


class Agent(Protocol):
    """One Codex that we talk to."""

    @property
    def operations(self) -> ThreadOperations:
        """What can be done with a thread besides talking in it."""
        ...

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Hear everything from now on; the returned function stops it."""
        ...

    async def start_thread(self, spec: ThreadSpec) -> ThreadInfo: ...

    async def resume_thread(self, thread_id: str) -> ThreadInfo:
        """Subscribe to a thread; pending requests are raised again (PROTOCOL, Transports).

        Raises WrittenElsewhere where another process than the host writes it, NoRollout before its first turn.
        """
        ...

    async def unsubscribe(self, thread_id: str) -> None: ...

    async def start_turn(self, thread_id: str, said: TurnInput, options: TurnOptions) -> str:
        """The id of the turn that runs now."""
        ...

    async def steer(self, thread_id: str, turn_id: str, said: TurnInput) -> None: ...

    async def interrupt(self, thread_id: str, turn_id: str) -> None: ...

    async def answer(self, key: RequestKey, answer: Answer) -> bool:
        """Send a decision. False: the request is gone (settled, or of an earlier host)."""
        ...

    async def threads(
        self, cwd: str | None = None, cursor: str | None = None, *, archived: bool = False
    ) -> Page[ThreadInfo]:
        """Newest first, of every provider and every source; either those that are archived or the others."""
        ...

    async def turns(self, thread_id: str, cursor: str | None = None) -> Page[TurnInfo]:
        """Newest first."""
        ...

    async def items(
        self,
        thread_id: str,
        turn_id: str | None = None,
        cursor: str | None = None,
        *,
        newest_first: bool = False,
        limit: int | None = None,
    ) -> Page[ItemEntry]:
        """Oldest first, or newest first. Needs no resumed thread."""
        ...

    async def archive(self, thread_id: str) -> None: ...

    async def read_file(self, path: str) -> bytes:
        """A file where the agent runs; `path` is absolute."""
        ...

    async def writer_of(self, thread_id: str) -> str:
        """Which process other than the host writes a thread, in words; "" for none, or where nobody can tell."""
        ...

    async def orphans(self, thread_id: str) -> tuple[Orphan, ...]:
        """Commands of this thread that outlived a host that died; none where the system does not tell."""
        ...

    async def end_orphan(self, orphan: Orphan) -> bool:
        """True if it is gone. Raises Unsupported where it may not be ended."""
        ...

    async def rename(self, thread_id: str, name: str) -> None: ...

    async def account(self) -> Account: ...

    async def login_chatgpt(self, device: bool) -> Login: ...

    async def login_api_key(self, key: str) -> None: ...

    async def models(self) -> tuple[Model, ...]: ...

    async def beginning(self, cwd: str) -> RunSettings:
        """What a thread that is started in this folder now begins with; "" and None where nothing is set."""
        ...

    async def rate_limits(self) -> RateLimits:
        """The limits of the account. Codex refuses where nobody is signed in with one."""
        ...
