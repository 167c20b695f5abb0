"""What a host is doing, and whether anybody still needs it (DESIGN, Host).

That somebody else is there the gauges do not tell: `core.threads.live` counts the idle threads that we had
too, for minutes after we unsubscribed (seen on 0.163). On Linux the kernel tells how many clients are
connected to the socket. Elsewhere a loaded thread that we never opened means somebody else.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from pathlib import Path

from core.codex.host import Host
from core.codex.options import HostOptions
from core.codex.pages import whole
from core.codex.protocol.base import Nothing
from core.codex.protocol.calls import DIAGNOSTICS, TERMINALS, THREADS_LOADED
from core.codex.protocol.threads import CursorParams, ThreadParams
from core.codex.rpc import Connection
from core.codex.standing import Standing, visit
from core.errors import CallRefused, HostUnavailable
from core.process import connections_to

ASK_SECONDS = 5.0
"""Nobody waits longer than this to hear what a host does."""

HANGUP_SECONDS = 0.2
"""Within this a host has noticed that a client is gone (a few ms where nothing else runs, seen on 0.163)."""

POLL_SECONDS = 0.02


@dataclass(frozen=True, slots=True)
class HostStatus:
    """`pid` None: it runs elsewhere. `others`: clients beside us, None where the system does not tell.

    `loaded` are the ids of the threads in its memory, `background` commands that run on without a turn.
    """

    pid: int | None
    version: str
    started_by_us: bool
    socket: Path | None
    active_turns: int
    pending_requests: int
    loaded: tuple[str, ...]
    background: tuple[str, ...]
    others: int | None

    def busy(self, ours: frozenset[str] = frozenset()) -> str:
        """Why the host is still needed, as a sentence; "" if it is not. `ours`: threads that we opened."""
        if self.active_turns:
            return _counted(self.active_turns, "turn still runs", "turns still run")
        if self.pending_requests:
            return _counted(self.pending_requests, "request still waits", "requests still wait")
        if self.background:
            return f"A command still runs in the background: {self.background[0]}"
        if self.others:
            return _counted(self.others, "other program is connected", "other programs are connected")
        if self.others is None and not ours.issuperset(self.loaded):
            return "Another program may use it"
        return ""


async def status_of(standing: Standing) -> HostStatus:
    """Ask a host. Raises ConnectionLost, CallTimedOut, CallRefused."""
    connection = standing.connection
    diagnostics = await connection.call(DIAGNOSTICS, Nothing())
    loaded = await _loaded(connection)
    socket = standing.attached.socket
    clients = await _clients_of(socket) if socket else None
    return HostStatus(
        pid=standing.process.pid if standing.process else None,
        version=standing.version,
        started_by_us=standing.started_by_us,
        socket=socket,
        active_turns=diagnostics.gauge("core.turns.active"),
        pending_requests=diagnostics.gauge("app.server_requests.pending"),
        loaded=loaded,
        background=await _background(connection, loaded),
        others=None if clients is None else clients - 1,
    )


async def _clients_of(socket: Path) -> int | None:
    """How many are connected, ours among them. One that hung up counts until the host has noticed."""
    deadline = time.monotonic() + HANGUP_SECONDS
    while True:
        count = connections_to(socket)
        if count is None or count == 1 or time.monotonic() >= deadline:
            return count
        await asyncio.sleep(POLL_SECONDS)


async def _loaded(connection: Connection) -> tuple[str, ...]:
    return await whole(lambda cursor: connection.call(THREADS_LOADED, CursorParams(cursor=cursor)))


async def _background(connection: Connection, thread_ids: tuple[str, ...]) -> tuple[str, ...]:
    """Commands on terminals that outlived their turn. A thread that was just unloaded has none."""
    found: list[str] = []
    for thread_id in thread_ids:
        try:
            terminals = await connection.call(TERMINALS, ThreadParams(thread_id=thread_id))
        except CallRefused:
            continue
        found.extend(terminal.command for terminal in terminals.data)
    return tuple(found)


async def host_status(options: HostOptions) -> HostStatus | None:
    """For `quarterdeck host status`: what the host that runs does; None if none runs. Starts nothing.

    Raises HostUnavailable if something is there that does not answer, or CodexError as a call does.
    """
    visited = await visit_for_status(Host(options))
    return visited[1] if visited else None


async def visit_for_status(host: Host) -> tuple[Standing, HostStatus] | None:
    """Ask a host that runs what it does, on a connection that is closed again. Raises as `host_status`."""
    try:
        async with asyncio.timeout(ASK_SECONDS), visit(host) as standing:
            return (standing, await status_of(standing)) if standing else None
    except TimeoutError as error:
        raise HostUnavailable(
            "The Codex host does not answer",
            why=f"nothing came for {ASK_SECONDS:g} s",
            todo="Look at that process; `quarterdeck host stop --force` ends it.",
        ) from error


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"
