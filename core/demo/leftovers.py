"""Ends what a scratch CODEX_HOME may leave behind: a host at its control socket, and what that started."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import struct
import sys
import time
from pathlib import Path

END_SECONDS = 3.0
SECOND_TERM_SECONDS = 0.4
_POLL_SECONDS = 0.02


def control_socket(codex_home: Path) -> Path:
    """Where Codex's own host listens (PROTOCOL, Transports)."""
    return codex_home / "app-server-control" / "app-server-control.sock"


def end_leftovers(codex_home: Path) -> tuple[int, ...]:
    """End every process that runs for this CODEX_HOME; gives their ids. Blocks, some 3 s at the most.

    Found by who listens at the control socket and, on Linux, by the CODEX_HOME in a process's environment,
    which also finds commands that outlived their host. Ours is never among them.
    """
    found = {pid for pid in (_listener(control_socket(codex_home)), *_by_environment(codex_home)) if pid}
    found.discard(os.getpid())
    for pid in found:
        _signal(pid, signal.SIGTERM)
    if _ended(found, SECOND_TERM_SECONDS):
        return tuple(sorted(found))
    for pid in found:
        # A host takes the first one as "when the turns are done" and the second as "now" (seen on 0.163).
        _signal(pid, signal.SIGTERM)
    _ended(found, END_SECONDS)
    for pid in found:
        if _alive(pid):
            _signal(pid, signal.SIGKILL)
    return tuple(sorted(found))


def _ended(pids: set[int], seconds: float) -> bool:
    """Wait until all are gone, so long at the most. Nothing tells when a process ends that is not our child."""
    deadline = time.monotonic() + seconds
    while alive := any(_alive(pid) for pid in pids):
        if time.monotonic() >= deadline:
            break
        time.sleep(_POLL_SECONDS)
    return not alive


def _listener(path: Path) -> int | None:
    """The process that listens at a unix socket, asked of the kernel."""
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(1)
    try:
        client.connect(str(path.resolve()))
        if sys.platform == "darwin":
            sol_local, local_peerpid = 0, 2
            return struct.unpack("i", client.getsockopt(sol_local, local_peerpid, 4))[0]
        return struct.unpack("3i", client.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]
    except OSError:
        return None
    finally:
        client.close()


def _by_environment(codex_home: Path) -> list[int]:
    wanted = b"CODEX_HOME=" + os.fsencode(codex_home)
    found: list[int] = []
    for environment in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if wanted in environment.read_bytes().split(b"\0"):
                found.append(int(environment.parent.name))
    return found


def _signal(pid: int, number: signal.Signals) -> None:
    """To the process's whole group if it leads one, as a host in its own session does."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if os.getpgid(pid) == pid:
            os.killpg(pid, number)
        else:
            os.kill(pid, number)


def _alive(pid: int) -> bool:
    """Whether it runs. A child of ours that ended is collected here, or it would seem alive for ever."""
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
