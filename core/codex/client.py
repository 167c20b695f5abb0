"""Codex as `core.agent.port.Agent`: a method a call, over a link that keeps itself alive."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable
from typing import TypeVar

from core.agent.events import RateLimits, RunSettings
from core.agent.port import (
    Account,
    Agent,
    ItemEntry,
    Listener,
    Login,
    Model,
    Orphan,
    Page,
    ThreadInfo,
    ThreadSpec,
    TurnInfo,
    TurnInput,
    TurnOptions,
)
from core.agent.requests import Answer, RequestKey
from core.codex import farewell
from core.codex.farewell import Released
from core.codex.first_moments import once_written
from core.codex.host import Host
from core.codex.hub import Hub
from core.codex.link import Link
from core.codex.listing import (
    to_account,
    to_beginning,
    to_entry,
    to_limits,
    to_model,
    to_opened_thread,
    to_thread,
    to_turn,
)
from core.codex.lookups import CodexLookups
from core.codex.operations import CodexOperations
from core.codex.options import HostOptions
from core.codex.orphans import end_orphan, find_orphans
from core.codex.pages import whole
from core.codex.params import start_params, steer_params, turn_params
from core.codex.patches import Patch, is_file_change, patch_of
from core.codex.protocol import calls
from core.codex.protocol import threads as wire
from core.codex.protocol.base import Method, Nothing, Wire
from core.codex.protocol.requests import FileChangeRequest
from core.codex.status import HostStatus, status_of
from core.codex.translate import to_item
from core.codex.writers import find_writer
from core.errors import CallRefused, NoRollout, Unsupported, WrittenElsewhere

SOURCES = (
    "cli",
    "vscode",
    "exec",
    "appServer",
    "subAgent",
    "subAgentReview",
    "subAgentCompact",
    "subAgentThreadSpawn",
    "subAgentOther",
    "unknown",
)
"""Every kind of source: by default Codex lists those of its own programs only (PROTOCOL, Threads)."""

PAGE = 100
_NO_ROLLOUT = ("no rollout found", "no archived rollout found", "thread not found")
"""How Codex's refusals begin for a thread that it has nothing of (any more)."""
_ACTIVE_WRITER = "already has an active writer"
"""In Codex's refusal to resume a thread that another process writes (PROTOCOL, Transports)."""

R = TypeVar("R", bound=Wire)


class CodexAgent(Agent):
    """One Codex. `open` it, use it, `close` it; while its host is gone every call raises ConnectionLost."""

    def __init__(self, options: HostOptions) -> None:
        self._host = Host(options)
        self._hub = Hub(self._fetch_patch)
        self._link = Link(self._host, self._hub)
        self._opened: set[str] = set()
        self.lookups = CodexLookups(self._link, self._hub)
        self._operations = CodexOperations(self._call, self._keep)

    @property
    def operations(self) -> CodexOperations:
        return self._operations

    async def open(self) -> None:
        """Attach to a host or start one. Raises HostUnavailable, CodexNotFound, CodexTooOld.

        From then on a host that dies is started again: HostLost, then HostReady with another generation.
        """
        await self._link.open()

    async def close(self) -> None:
        """Let go of the host; it goes on, except a private child. Twice does no harm."""
        await self._link.close()
        await self._hub.close()

    async def release(self) -> Released:
        """Close, and end a host of ours that nobody needs any more. Unsubscribe from every thread before."""
        released = await farewell.release(self._host, self._link, frozenset(self._opened))
        await self._hub.close()
        return released

    async def status(self) -> HostStatus:
        """What the host is and does. Raises as every call."""
        return await status_of(self._link.standing)

    def listen(self, listener: Listener) -> Callable[[], None]:
        return self._hub.listen(listener)

    async def answer(self, key: RequestKey, answer: Answer) -> bool:
        return await self._hub.answer(self._link.standing, key, answer)

    async def start_thread(self, spec: ThreadSpec) -> ThreadInfo:
        """The folder has to exist: Codex takes any silently (PROTOCOL, Threads)."""
        opened = await self._call(calls.THREAD_START, start_params(spec))
        return self._keep(opened)

    async def resume_thread(self, thread_id: str) -> ThreadInfo:
        self._hub.intake.resuming(thread_id)
        try:
            opened = await self._call(calls.THREAD_RESUME, wire.ThreadResumeParams(thread_id=thread_id))
        except CallRefused as error:
            if _ACTIVE_WRITER not in error.message:
                raise
            raise WrittenElsewhere(
                "This thread cannot be gone on with", why=error.message, todo="End what writes it."
            ) from error
        self._hub.intake.resumed(thread_id)
        return self._keep(opened)

    async def unsubscribe(self, thread_id: str) -> None:
        await self._call(calls.THREAD_UNSUBSCRIBE, wire.ThreadParams(thread_id=thread_id))

    async def start_turn(self, thread_id: str, said: TurnInput, options: TurnOptions) -> str:
        started = await self._call(calls.TURN_START, turn_params(thread_id, said, options))
        return started.turn.id

    async def steer(self, thread_id: str, turn_id: str, said: TurnInput) -> None:
        await self._call(calls.TURN_STEER, steer_params(thread_id, turn_id, said))

    async def interrupt(self, thread_id: str, turn_id: str) -> None:
        await self._call(calls.TURN_INTERRUPT, wire.TurnInterruptParams(thread_id=thread_id, turn_id=turn_id))

    async def threads(
        self, cwd: str | None = None, cursor: str | None = None, *, archived: bool = False
    ) -> Page[ThreadInfo]:
        params = wire.ThreadListParams(
            cwd=cwd, cursor=cursor, limit=PAGE, source_kinds=SOURCES, archived=archived
        )
        listed = await self._call(calls.THREAD_LIST, params)
        return Page(tuple(to_thread(thread) for thread in listed.data), listed.next_cursor)

    async def turns(self, thread_id: str, cursor: str | None = None) -> Page[TurnInfo]:
        params = wire.TurnsListParams(thread_id=thread_id, cursor=cursor)
        listed = await self._call(calls.TURNS_LIST, params)
        return Page(tuple(to_turn(turn) for turn in listed.data), listed.next_cursor)

    async def items(
        self,
        thread_id: str,
        turn_id: str | None = None,
        cursor: str | None = None,
        *,
        newest_first: bool = False,
        limit: int | None = None,
    ) -> Page[ItemEntry]:
        params = wire.ItemsListParams(
            thread_id=thread_id,
            turn_id=turn_id,
            cursor=cursor,
            limit=limit,
            sort_direction="desc" if newest_first else "asc",
        )
        listed = await self._call(calls.ITEMS_LIST, params)
        return Page(tuple(to_entry(entry) for entry in listed.data), listed.next_cursor)

    async def writer_of(self, thread_id: str) -> str:
        host = self._link.standing.process
        home = self._host.options.codex_home.expanduser()
        writer = await asyncio.to_thread(find_writer, home, thread_id, host.pid if host else None)
        return str(writer) if writer is not None else ""

    async def orphans(self, thread_id: str) -> tuple[Orphan, ...]:
        return await asyncio.to_thread(find_orphans, thread_id, self._link.standing.process)

    async def end_orphan(self, orphan: Orphan) -> bool:
        try:
            return await end_orphan(orphan)
        except PermissionError as error:
            raise Unsupported(
                f"Process {orphan.pid} was not ended", why="it is another user's", todo="End it yourself."
            ) from error

    async def rename(self, thread_id: str, name: str) -> None:
        await self._call(calls.THREAD_NAME, wire.ThreadNameParams(thread_id=thread_id, name=name))

    async def archive(self, thread_id: str) -> None:
        await self._call(calls.THREAD_ARCHIVE, wire.ThreadParams(thread_id=thread_id))

    async def read_file(self, path: str) -> bytes:
        """A file where the host runs. `path` is absolute."""
        contents = await self._call(calls.READ_FILE, calls.ReadFileParams(path=path))
        return base64.b64decode(contents.data_base64)

    async def account(self) -> Account:
        return to_account(await self._call(calls.ACCOUNT_READ, Nothing()))

    async def login_chatgpt(self, device: bool) -> Login:
        params = calls.LoginParams(type="chatgptDeviceCode" if device else "chatgpt")
        started = await self._call(calls.LOGIN_START, params)
        url = started.auth_url or started.verification_url or ""
        return Login(id=started.login_id or "", url=url, code=started.user_code or "")

    async def login_api_key(self, key: str) -> None:
        await self._call(calls.LOGIN_START, calls.LoginParams(type="apiKey", api_key=key))

    async def models(self) -> tuple[Model, ...]:
        listed = await whole(lambda cursor: self._call(calls.MODEL_LIST, wire.CursorParams(cursor=cursor)))
        return tuple(to_model(model) for model in listed)

    async def beginning(self, cwd: str) -> RunSettings:
        return to_beginning((await self._call(calls.CONFIG_READ, calls.ConfigReadParams(cwd=cwd))).config)

    async def rate_limits(self) -> RateLimits:
        return to_limits((await self._call(calls.RATE_LIMITS, Nothing())).rate_limits)

    async def _call(self, method: Method[R], params: Wire) -> R:
        try:
            return await once_written(lambda: self._link.standing.connection.call(method, params))
        except CallRefused as error:
            if error.message.startswith(_NO_ROLLOUT):
                raise NoRollout(error.method, error.code, error.message) from error
            raise

    def _keep(self, opened: wire.OpenedThread) -> ThreadInfo:
        self._opened.add(opened.thread.id)
        return to_opened_thread(opened)

    async def _fetch_patch(self, request: FileChangeRequest) -> Patch:
        """The patch of an item that is not done. Codex lists it nowhere but in the answer to a resume that
        asks for the items of the newest turn (seen on 0.163).
        """
        self._hub.intake.resuming(request.thread_id, quietly=True)
        opened = await self._call(
            calls.THREAD_RESUME,
            wire.ThreadResumeParams(
                thread_id=request.thread_id,
                initial_turns_page=wire.TurnsPageParams(limit=1, items_view="full"),
            ),
        )
        turns = opened.initial_turns_page.data if opened.initial_turns_page else ()
        for raw in (raw for turn in turns for raw in turn.items):
            item = to_item(raw)
            if item.id == request.item_id and is_file_change(item):
                return patch_of(item)
        return ()
