"""Finds the host to talk to, or starts one (DESIGN, Host).

There is one for a CODEX_HOME, at Codex's own control socket. If somebody answers there we attach; else we
start one in a session of its own, which outlives us. Codex puts a dead host's socket out of the way itself,
and refuses a second host on the same home (seen on 0.163).
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from core.codex.binary import find_binary
from core.codex.logs import opened_log, tail
from core.codex.options import Command, ControlSocket, HostOptions, PrivateChild, Remote, SocketPath
from core.codex.record import HostRecord
from core.codex.transport import ChildTransport, Transport
from core.errors import HostUnavailable
from core.process import identify

log = logging.getLogger(__name__)

START_SECONDS = 20.0
POLL_SECONDS = 0.03
_LONGEST_SOCKET_PATH = 103 if sys.platform == "darwin" else 107


@dataclass(frozen=True, slots=True)
class Attached:
    """A connection to a host that has not been spoken to yet.

    `socket` is the unix socket it listens at; `private`, that the host ends with the connection; `notice`
    is for the person.
    """

    transport: Transport
    socket: Path | None = None
    private: bool = False
    notice: str = ""


class _Lasting(subprocess.Popen[bytes]):
    """A process that is meant to outlive us, so that letting go of it is no leak to warn of."""

    def __del__(self) -> None:
        self.poll()


class SocketUnusable(HostUnavailable):
    """The reason lies with the socket or with who should listen there: another way may work."""


class Host:
    """Where `options` say that Codex is to be had."""

    def __init__(self, options: HostOptions) -> None:
        self.options = options
        self.record = HostRecord(options)
        self._codex_home = options.codex_home.expanduser().absolute()
        self._started: _Lasting | None = None

    @property
    def control_socket(self) -> Path:
        return self._codex_home / "app-server-control" / "app-server-control.sock"

    async def attach(self) -> Attached | None:
        """Connect to a host that is there already, starting nothing. None if nobody listens.

        Raises HostUnavailable if something is there that does not answer as a host does.
        """
        match self.options.mode:
            case ControlSocket():
                return await _attach_to_socket(self.control_socket)
            case SocketPath(path):
                return await _attach_to_socket(path.expanduser())
            case Remote(url, token):
                return await _attach_to_remote(url, token)
            case PrivateChild() | Command():
                return None

    async def connect(self) -> Attached:
        """Attach, or start what the mode says. Raises HostUnavailable, CodexNotFound, CodexTooOld."""
        self.collect()
        match self.options.mode:
            case ControlSocket():
                return await self._at_control_socket()
            case PrivateChild():
                return await self._private()
            case Command(argv):
                return await self._child(argv)
            case SocketPath(path):
                return await self.attach() or _nobody_at(str(path))
            case Remote(url, _):
                return await self.attach() or _nobody_at(url)

    def collect(self) -> None:
        """Take note of the end of a host that we started, so that it does not stay a zombie."""
        if self._started is not None and self._started.poll() is not None:
            self._started = None

    async def _at_control_socket(self) -> Attached:
        """A host at the control socket, and a private one where that fails."""
        try:
            return await _attach_to_socket(self.control_socket) or await self._start()
        except SocketUnusable as error:
            notice = (
                "Codex runs as a private child of this console, so what runs will end with it:"
                f" {error.what} ({error.why})."
            )
            return replace(await self._private(), notice=notice)

    async def _private(self) -> Attached:
        binary = await find_binary(self.options)
        return await self._child((str(binary), "app-server"))

    async def _child(self, argv: tuple[str, ...]) -> Attached:
        transport = await ChildTransport.start(argv, self._environment(), self.record.log)
        return Attached(transport, private=True)

    async def _start(self) -> Attached:
        binary = await find_binary(self.options)
        async with self.record.start_lock(START_SECONDS):
            return await _attach_to_socket(self.control_socket) or await self._start_locked(binary)

    async def _start_locked(self, binary: Path) -> Attached:
        """Start a host and wait until it answers, or another one that was there a moment before it.

        One that does not become ours to use is told to end.
        """
        process = self._started = self._spawn(binary)
        try:
            async with asyncio.timeout(START_SECONDS):
                return await self._answer_of(process)
        except TimeoutError as error:
            process.kill()
            raise self._unusable(f"it did not listen within {START_SECONDS:g} s") from error
        except (HostUnavailable, asyncio.CancelledError):
            process.terminate()
            raise

    async def _answer_of(self, process: _Lasting) -> Attached:
        while True:
            ended = process.poll()
            attached = await _attach_to_socket(self.control_socket)
            if attached is not None:
                return attached
            if ended is not None:
                raise self._unusable(f"it ended at once with exit code {ended}")
            await asyncio.sleep(POLL_SECONDS)

    def _spawn(self, binary: Path) -> _Lasting:
        try:
            self._codex_home.mkdir(parents=True, exist_ok=True, mode=0o700)
            with opened_log(self.record.log) as log:
                process = _Lasting(
                    [binary, "app-server", "--listen", "unix://"],
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    env={**os.environ, **self._environment()},
                    cwd=self._codex_home,
                    start_new_session=True,
                )
        except OSError as error:
            raise HostUnavailable(
                "No Codex host was started",
                why=str(error),
                todo="Mend that, or change `host` in the settings.",
            ) from error
        self._note_started(process.pid)
        return process

    def _note_started(self, pid: int) -> None:
        known = identify(pid)
        if known is None:
            return
        try:
            self.record.note_started(known)
        except OSError as error:
            log.warning("The host that was started will not be known as ours: %s", error)

    def _environment(self) -> dict[str, str]:
        return {**self.options.env, "CODEX_HOME": str(self._codex_home)}

    def _unusable(self, why: str) -> SocketUnusable:
        said = tail(self.record.log)
        return SocketUnusable(
            "The Codex host that was started cannot be used",
            why=f"{why}; it said: {said}" if said else why,
            todo=f"Its log is {self.record.log}.",
        )


async def _attach_to_socket(path: Path) -> Attached | None:
    """None if nobody listens. Raises SocketUnusable, or HostUnavailable if who listens is no host."""
    reached = _reachable(path)
    if reached is None:
        return None
    from core.codex.websocket import CONNECT_SECONDS, connect_unix

    try:
        return Attached(await connect_unix(reached), socket=reached)
    except (FileNotFoundError, ConnectionRefusedError, ConnectionResetError):
        return None
    except TimeoutError as error:
        raise HostUnavailable(
            f"The Codex host at {path} does not answer",
            why=f"it took the connection and said nothing for {CONNECT_SECONDS:g} s",
            todo="Look at that process; `quarterdeck host stop --force` ends it.",
        ) from error
    except OSError as error:
        raise SocketUnusable(f"The socket {path} cannot be used", why=str(error)) from error


def _reachable(path: Path) -> Path | None:
    """The socket behind a link: Codex links its control socket to a short path. None if there is none."""
    if not hasattr(socket, "AF_UNIX"):
        raise SocketUnusable("There are no unix sockets", why="this system has none")
    try:
        reached = path.resolve()
        if not reached.exists():
            return None
    except (OSError, RuntimeError) as error:
        raise SocketUnusable(f"The socket {path} cannot be looked for", why=str(error)) from error
    length = len(os.fsencode(reached))
    if length > _LONGEST_SOCKET_PATH:
        raise SocketUnusable(
            f"The socket {reached} cannot be used",
            why=f"its path has {length} bytes, and the system allows {_LONGEST_SOCKET_PATH}",
            todo="Use a shorter path.",
        )
    return reached


async def _attach_to_remote(url: str, token: str | None) -> Attached | None:
    from core.codex.websocket import CONNECT_SECONDS, connect_tcp

    try:
        return Attached(await connect_tcp(url, token))
    except (ConnectionRefusedError, ConnectionResetError):
        return None
    except OSError as error:
        why = str(error) or f"nothing came for {CONNECT_SECONDS:g} s"
        raise HostUnavailable(
            f"The host at {url} cannot be reached", why=why, todo="Check the network and host.url."
        ) from error


def _nobody_at(where: str) -> Attached:
    raise HostUnavailable(
        f"No Codex host listens at {where}",
        why="the connection was refused",
        todo="Start one there, or change `host` in the settings.",
    )
