"""Other sides to talk to that do what a test says: a host in this process, over real sockets."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from websockets.asyncio.server import ServerConnection, serve, unix_serve

from core.errors import ConnectionLost

Handler = Callable[[ServerConnection, dict[str, Any]], Awaitable[None]]


async def respond(peer: ServerConnection, message: dict[str, Any], result: object) -> None:
    await peer.send(json.dumps({"id": message["id"], "result": result}))


async def fail(peer: ServerConnection, message: dict[str, Any], code: int, text: str) -> None:
    await peer.send(json.dumps({"id": message["id"], "error": {"code": code, "message": text}}))


def _each(handler: Handler) -> Callable[[ServerConnection], Awaitable[None]]:
    async def serve_one(peer: ServerConnection) -> None:
        async for text in peer:
            await handler(peer, json.loads(text))

    return serve_one


@asynccontextmanager
async def unix_peer(path: Path, handler: Handler) -> AsyncIterator[None]:
    """A WebSocket server at a unix socket; `handler` gets each message."""
    async with unix_serve(_each(handler), str(path), max_size=None, compression=None):
        yield


@asynccontextmanager
async def tcp_peer(handler: Handler, token: str) -> AsyncIterator[str]:
    """A WebSocket server on loopback that wants a bearer token; its address."""

    def check(peer: ServerConnection, request: Any) -> Any:
        if request.headers.get("Authorization") != f"Bearer {token}":
            return peer.respond(401, "no")
        return None

    async with serve(_each(handler), "127.0.0.1", 0, process_request=check, max_size=None) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        yield f"ws://127.0.0.1:{port}/"


class FakeTransport:
    """A transport in memory: the test puts messages in and looks at what was sent."""

    def __init__(self) -> None:
        self.sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._incoming: asyncio.Queue[str | bytes | ConnectionLost | None] = asyncio.Queue()
        self.closed = False

    @property
    def peer_pid(self) -> int | None:
        return None

    def give(self, message: object) -> None:
        """A message from the other side: JSON, or text as it is."""
        self._incoming.put_nowait(message if isinstance(message, str | bytes) else json.dumps(message))

    def die(self, why: str) -> None:
        self._incoming.put_nowait(ConnectionLost("The host is gone", why=why))

    async def send(self, text: str) -> None:
        self.sent.put_nowait(json.loads(text))

    async def messages(self) -> AsyncIterator[str | bytes]:
        while True:
            message = await self._incoming.get()
            if message is None:
                return
            if isinstance(message, ConnectionLost):
                raise message
            yield message

    async def close(self) -> None:
        self.closed = True
        self._incoming.put_nowait(None)
