"""The scripted model's process, as its owner sees it. Imports nothing of the server's."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

from core.errors import HostUnavailable

START_SECONDS = 20.0
END_SECONDS = 3.0
CONTROL_SECONDS = 10.0
_PACKAGES = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class SeenRequest:
    """One request that Codex made.

    `said` is what the person had said in the whole history by then, oldest first, so
    `said.count(text)` tells how often Codex delivered a message; `outputs` are (call id, text) of every tool
    that had returned. `outcome`: running, completed, refused, cut, or dropped (by Codex).
    """

    thread_id: str
    turn_id: str
    kind: str
    model: str
    said: tuple[str, ...]
    outputs: tuple[tuple[str, str], ...]
    tools: tuple[str, ...]
    outcome: str


class ModelProcess:
    """A running scripted model. Use `start`; whoever started it ends it with `close`."""

    def __init__(self, process: subprocess.Popen[bytes], port: int) -> None:
        self._process = process
        self.port = port

    @classmethod
    def start(cls, *, port: int = 0, pace: float = 0.0, record: bool = False) -> ModelProcess:
        """Start it and wait until it listens (blocks; about 0.4 s). `pace` is seconds between two deltas.

        Raises HostUnavailable if it does not come up, e.g. since `port` is taken.
        """
        command = [sys.executable, "-m", "core.demo.server", "--port", str(port), "--pace", str(pace)]
        if record:
            command.append("--record")
        with tempfile.TemporaryFile() as complaints:
            process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=complaints,
                cwd=_PACKAGES,
                start_new_session=True,
            )
            try:
                return cls(process, _announced_port(process, complaints))
            except BaseException:
                _end(process)
                raise

    @property
    def base_url(self) -> str:
        """What Codex's `base_url` has to be."""
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def pid(self) -> int:
        return self._process.pid

    async def requests(self) -> tuple[SeenRequest, ...]:
        """What Codex asked since the start or the last `reset`, oldest first. Needs `record`.

        Raises HostUnavailable, as `release` and `reset` do.
        """
        body = await asyncio.to_thread(self._ask, "GET", "/requests")
        return tuple(_seen(entry) for entry in cast("list[dict[str, Any]]", json.loads(body)))

    async def release(self, name: str) -> None:
        """Let go a `/hold NAME`; one that comes later does not hold either."""
        await asyncio.to_thread(self._ask, "POST", f"/release/{name}")

    def reset(self) -> None:
        """Forget requests, turns and holds. Blocks, for milliseconds."""
        self._ask("POST", "/reset")

    def close(self) -> None:
        """End it. Blocks until it is gone, 3 s at the most before it is killed. Twice does no harm."""
        _end(self._process)

    def _ask(self, method: str, path: str) -> bytes:
        """One HTTP exchange: the body of the reply."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), CONTROL_SECONDS) as connection:
                connection.sendall(f"{method} {path} HTTP/1.0\r\ncontent-length: 0\r\n\r\n".encode())
                with connection.makefile("rb") as reply:
                    head, _, body = reply.read().partition(b"\r\n\r\n")
        except OSError as error:
            raise HostUnavailable("The scripted model does not answer", why=str(error)) from error
        status = head.partition(b"\r\n")[0].decode("latin-1")
        if " 200 " not in status:
            raise HostUnavailable(f"The scripted model refused {path}", why=status)
        return body


def _seen(entry: dict[str, Any]) -> SeenRequest:
    outputs: Sequence[Sequence[str]] = entry["outputs"]
    return SeenRequest(
        thread_id=entry["thread_id"],
        turn_id=entry["turn_id"],
        kind=entry["kind"],
        model=entry["model"],
        said=tuple(entry["said"]),
        outputs=tuple((call_id, text) for call_id, text in outputs),
        tools=tuple(entry["tools"]),
        outcome=entry["outcome"],
    )


def _announced_port(process: subprocess.Popen[bytes], complaints: IO[bytes]) -> int:
    """Read the line with the port. The timer ends a process that says nothing, which ends the read."""
    assert process.stdout is not None
    timer = threading.Timer(START_SECONDS, process.kill)
    timer.start()
    try:
        line = process.stdout.readline()
    finally:
        timer.cancel()
    try:
        return int(json.loads(line)["port"])
    except (ValueError, KeyError, TypeError) as error:
        _end(process)
        complaints.seek(0)
        why = complaints.read().decode("utf-8", "replace").strip()[-2000:]
        raise HostUnavailable(
            "The scripted model did not start", why=why or f"it was silent for {START_SECONDS:g} s"
        ) from error


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.stdin is not None and not process.stdin.closed:
        process.stdin.close()
    try:
        process.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(END_SECONDS)
    if process.stdout is not None:
        process.stdout.close()
