"""WebSocket transports: over a unix socket, as Codex's own hosts listen, and over TCP to other machines."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import AsyncIterator, Generator
from pathlib import Path
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect, unix_connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI

from core.errors import ConnectionLost, HostUnavailable
from core.process import peer_pid

CONNECT_SECONDS = 5.0
CLOSE_SECONDS = 3.0
KEEPALIVE_SECONDS = 30.0
"""How often a far host is asked whether it is still there, and how long it may take to say so."""

_CHECK = "Check `host` in the settings."


class WebSocketTransport:
    """One message a text frame. `where` names the other end in errors."""

    def __init__(self, connection: ClientConnection, where: str) -> None:
        self._connection = connection
        self._where = where

    @property
    def peer_pid(self) -> int | None:
        held: socket.socket | None = self._connection.transport.get_extra_info("socket")
        if held is None or held.family != getattr(socket, "AF_UNIX", None):
            return None
        return peer_pid(held)

    async def send(self, text: str) -> None:
        try:
            await self._connection.send(text)
        except ConnectionClosed as error:
            raise self._lost(error) from error

    async def messages(self) -> AsyncIterator[str | bytes]:
        while True:
            try:
                message = await self._connection.recv(decode=False)
            except ConnectionClosed as error:
                raise self._lost(error) from error
            yield message

    async def close(self) -> None:
        await self._connection.close()

    def _lost(self, error: ConnectionClosed) -> ConnectionLost:
        if error.rcvd is None:
            why = "the connection broke"
        else:
            why = error.rcvd.reason or "it closed the connection"
        return ConnectionLost(f"The host at {self._where} is gone", why=why)


async def connect_unix(path: Path) -> WebSocketTransport:
    """Connect to a host's unix socket.

    Raises OSError as `connect(2)` does, TimeoutError (an OSError too) when it takes us and then says
    nothing, and HostUnavailable when something else than a Codex host listens there.
    """
    with _no_host(str(path)):
        connection = await unix_connect(
            str(path),
            uri="ws://localhost/",
            compression=None,
            max_size=None,
            open_timeout=CONNECT_SECONDS,
            close_timeout=CLOSE_SECONDS,
            ping_interval=None,
        )
    return WebSocketTransport(connection, str(path))


async def connect_tcp(url: str, token: str | None) -> WebSocketTransport:
    """Connect to a host on another machine. Raises as `connect_unix` does.

    Without TLS nothing of it passes through a proxy: the token would be read there.
    """
    with _no_host(url):
        connection = await connect(
            url,
            additional_headers={"Authorization": f"Bearer {token}"} if token else None,
            compression=None,
            max_size=None,
            open_timeout=CONNECT_SECONDS,
            close_timeout=CLOSE_SECONDS,
            ping_interval=KEEPALIVE_SECONDS,
            ping_timeout=KEEPALIVE_SECONDS,
            proxy=True if urlsplit(url).scheme == "wss" else None,
        )
    return WebSocketTransport(connection, url)


@contextlib.contextmanager
def _no_host(where: str) -> Generator[None]:
    """Turn what goes wrong after the connection stands into HostUnavailable.

    One that hangs up in the middle of the handshake is a host that is just ending: ConnectionResetError.
    """
    try:
        yield
    except InvalidStatus as error:
        status = error.response.status_code
        why = "the token is wrong or missing" if status in (401, 403) else f"it answered with status {status}"
        raise HostUnavailable(f"The host at {where} refused us", why=why, todo=_CHECK) from error
    except InvalidURI as error:
        raise HostUnavailable(f"{where} is not the address of a host", why=str(error), todo=_CHECK) from error
    except InvalidHandshake as error:
        if isinstance(error.__cause__, EOFError):
            raise ConnectionResetError(f"{where} hung up") from error
        why = str(error.__cause__ or error)
        raise HostUnavailable(f"What listens at {where} is no Codex host", why=why, todo=_CHECK) from error
