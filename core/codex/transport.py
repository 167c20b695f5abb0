"""How messages travel, and the plainest way: JSON lines with a child process (`websocket` has the others).

One message is one JSON text on each of them (PROTOCOL, Transports), and none limits how long it is: a
resumed thread can be tens of MB.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Protocol

from core.codex.logs import opened_log, tail
from core.errors import ConnectionLost, HostUnavailable

CLOSE_SECONDS = 3.0
CHUNK = 256 * 1024


class Transport(Protocol):
    """One connection. The reader is one task; anybody may send."""

    @property
    def peer_pid(self) -> int | None:
        """The process at the other end, as the kernel knows it. None where it cannot tell."""
        ...

    async def send(self, text: str) -> None:
        """Raises ConnectionLost."""
        ...

    def messages(self) -> AsyncIterator[str | bytes]:
        """Every message, until `close`. Raises ConnectionLost, with the reason, when the other side goes."""
        ...

    async def close(self) -> None:
        """End it; within a few seconds, whatever the other side does. Twice does no harm."""
        ...


class LineBuffer:
    """Cuts a stream of bytes into lines of any length, looking at each byte once."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def feed(self, chunk: bytes) -> list[bytes]:
        """The lines that `chunk` completes, without their line feeds."""
        first, *rest = chunk.split(b"\n")
        self._pieces.append(first)
        if not rest:
            return []
        lines = [b"".join(self._pieces), *rest[:-1]]
        self._pieces = [rest[-1]]
        return lines


class ChildTransport:
    """JSON lines with a child process of ours. Closing it ends the child (PROTOCOL: EOF on stdin)."""

    def __init__(self, process: asyncio.subprocess.Process, name: str, log: Path) -> None:
        self._process = process
        self._name = name
        self._log = log
        self._closing = False

    @classmethod
    async def start(cls, argv: Sequence[str], env: Mapping[str, str], log: Path) -> ChildTransport:
        """Start `argv`; what it writes to stderr goes to `log`. Raises HostUnavailable.

        It gets a session of its own, so that Ctrl-C in the terminal is not sent to it.
        """
        try:
            stderr: IO[bytes] = opened_log(log)
            with stderr:
                process = await asyncio.create_subprocess_exec(
                    *argv,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=stderr,
                    env={**os.environ, **env},
                    start_new_session=True,
                    limit=CHUNK,
                )
        except OSError as error:
            raise HostUnavailable(
                f"{argv[0]} cannot be started", why=str(error), todo="Check `host` in the settings."
            ) from error
        return cls(process, Path(argv[0]).name, log)

    @property
    def peer_pid(self) -> int | None:
        return self._process.pid

    async def send(self, text: str) -> None:
        stdin = self._process.stdin
        assert stdin is not None
        if self._closing:
            raise ConnectionLost(f"{self._name} was closed")
        try:
            stdin.write(text.encode() + b"\n")
            await stdin.drain()
        except (BrokenPipeError, ConnectionResetError) as error:
            raise ConnectionLost(f"{self._name} ended", why=await self._obituary()) from error

    async def messages(self) -> AsyncIterator[str | bytes]:
        stdout = self._process.stdout
        assert stdout is not None
        lines = LineBuffer()
        while chunk := await stdout.read(CHUNK):
            for line in lines.feed(chunk):
                if line.strip():
                    yield line
        if not self._closing:
            raise ConnectionLost(f"{self._name} ended", why=await self._obituary())

    async def _obituary(self) -> str:
        """How it ended. Its stdout can be closed a moment before it is gone, or by a child of its own."""
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                code = await self._process.wait()
        except TimeoutError:
            return "it closed its output"
        how = f"by signal {-code}" if code < 0 else f"with exit code {code}"
        said = tail(self._log)
        return f"it ended {how}" + (f"; it said: {said}" if said else "")

    async def close(self) -> None:
        self._closing = True
        stdin = self._process.stdin
        assert stdin is not None
        stdin.close()
        for number in (None, signal.SIGTERM, signal.SIGKILL):
            if number is not None:
                self._signal(number)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(CLOSE_SECONDS):
                    await self._process.wait()
                return

    def _signal(self, number: signal.Signals) -> None:
        """To its whole session: what it started must not outlive a child that had to be killed."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, number)
