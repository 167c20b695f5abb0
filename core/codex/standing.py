"""A connection whose other end knows us, and which process that is."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.metadata
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from core import generations
from core.codex.binary import parse_version, version_text
from core.codex.host import Attached, Host
from core.codex.protocol.base import Nothing
from core.codex.protocol.calls import DIAGNOSTICS, INITIALIZE, ClientInfo, InitializeParams
from core.codex.rpc import Connection
from core.errors import CallRefused, CallTimedOut, ConnectionLost, HostUnavailable
from core.process import ProcessId, identify

CLIENT_NAME = "quarterdeck"


@dataclass(frozen=True, slots=True)
class Standing:
    """`process` is the host's, or the child of ours that stands for it; None where it cannot be told.

    `generation` names it. A host that cannot be told gets a new one with each connection: a decision must
    never reach another process's request of the same id (PROTOCOL, Framing).
    """

    connection: Connection
    attached: Attached
    generation: str
    version: str
    process: ProcessId | None
    started_by_us: bool


async def introduce(host: Host, connection: Connection, attached: Attached) -> Standing:
    """Say who we are on a fresh connection. Raises HostUnavailable."""
    params = InitializeParams(
        client_info=ClientInfo(name=CLIENT_NAME, title="Quarterdeck", version=_our_version())
    )
    try:
        initialized = await connection.call(INITIALIZE, params)
        await connection.notify("initialized")
        process = await _process_behind(connection, attached)
    except (ConnectionLost, CallRefused, CallTimedOut) as error:
        why = f"{error.what}: {error.why}" if error.why else error.what
        raise HostUnavailable("The Codex host cannot be used", why=why, todo=error.todo) from error
    version = parse_version(initialized.user_agent)
    return Standing(
        connection=connection,
        attached=attached,
        generation=generations.of_host(process) if process else generations.of_connection(),
        version=version_text(version) if version else "",
        process=process,
        started_by_us=attached.private or (process is not None and host.record.started(process)),
    )


@asynccontextmanager
async def visit(host: Host) -> AsyncGenerator[Standing | None]:
    """A short connection to a host that runs already; None if none does. Raises HostUnavailable."""
    attached = await host.attach()
    if attached is None:
        yield None
        return
    connection = Connection(attached.transport, lambda _: None)
    reader = asyncio.get_running_loop().create_task(connection.run())
    try:
        yield await introduce(host, connection, attached)
    finally:
        await connection.close()
        reader.cancel()
        await asyncio.gather(reader, return_exceptions=True)


async def _process_behind(connection: Connection, attached: Attached) -> ProcessId | None:
    """Of who listens at a socket the kernel's word counts only if the host's own agrees: behind a
    forwarded socket there is another process.
    """
    pid = attached.transport.peer_pid
    if pid is None:
        return None
    if not attached.private:
        try:
            diagnostics = await connection.call(DIAGNOSTICS, Nothing())
        except CallRefused:
            return None
        if diagnostics.process.id != pid:
            return None
    return identify(pid)


def _our_version() -> str:
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        return importlib.metadata.version("quarterdeck")
    return "0"
