"""Processes that are not our children: which one is it, does it run, who is connected to it, end it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import struct
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

POLL_SECONDS = 0.03
PS_SECONDS = 5.0
PROBE_SECONDS = 1.0
SECOND_TERM_SECONDS = 0.3
"""Two signals of one kind at once may count as one."""
_CONNECTED = "03"


@dataclass(frozen=True, slots=True)
class ProcessId:
    """A process for all time: pids are used again, a pid with its start time is not."""

    pid: int
    started: str

    def __str__(self) -> str:
        return f"{self.pid}-{self.started}"


def identify(pid: int) -> ProcessId | None:
    """None if no such process runs; one that ended and was not collected does not."""
    fields = _stat_fields(pid)
    if fields is not None:
        return None if fields[0] in ("Z", "X") else ProcessId(pid, fields[19])
    if Path("/proc/self/stat").exists():
        return None
    return _identify_by_ps(pid)


def _stat_fields(pid: int) -> list[str] | None:
    """The fields of /proc/PID/stat from the state on: 0 is the state, 19 the start in clock ticks."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    return text.rpartition(")")[2].split()


def _identify_by_ps(pid: int) -> ProcessId | None:
    """Where there is no /proc (macOS)."""
    command = ["ps", "-o", "state=,lstart=", "-p", str(pid)]
    try:
        said = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PS_SECONDS).stdout
    except (OSError, subprocess.TimeoutExpired):
        return None
    state, _, started = said.strip().partition(" ")
    if not started or state.startswith("Z"):
        return None
    return ProcessId(pid, started.strip().replace(" ", "_"))


def connections_to(socket_path: Path) -> int | None:
    """How many clients are connected to a unix socket, ours among them.

    Linux lists the accepted end of each connection under the path that the listener was bound to. None
    where the system does not tell.
    """
    try:
        table = Path("/proc/net/unix").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    path = str(socket_path.resolve())
    rows = [line.split(maxsplit=7) for line in table.splitlines()[1:]]
    count = sum(1 for row in rows if len(row) == 8 and row[7] == path and row[5] == _CONNECTED)
    return count or None


def peer_pid(connected: socket.socket) -> int | None:
    """The process that listens at the other end of a unix socket. None where the system does not tell."""
    try:
        if sys.platform == "darwin":
            sol_local, local_peerpid = 0, 2
            return struct.unpack("i", connected.getsockopt(sol_local, local_peerpid, 4))[0]
        if sys.platform == "linux":
            return struct.unpack("3i", connected.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]
    except OSError:
        return None
    return None


def listener_at(socket_path: Path) -> int | None:
    """The process that listens at a unix socket, even if it does nothing else any more."""
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(PROBE_SECONDS)
        try:
            probe.connect(str(socket_path.resolve()))
        except OSError:
            return None
        return peer_pid(probe)


async def end(process: ProcessId, *, forced: bool, seconds: float) -> bool:
    """Ask a process to end and wait for it, `seconds` at the most. True if it is gone.

    A Codex host takes the first SIGTERM as "when the turns are done" and the second as "now" (seen on
    0.163). `forced` sends both, and kills what is still there after `seconds`. Raises PermissionError.
    """
    if not _signal(process, signal.SIGTERM):
        return True
    if not forced:
        return await gone(process, seconds)
    if await gone(process, SECOND_TERM_SECONDS):
        return True
    _signal(process, signal.SIGTERM)
    if await gone(process, seconds):
        return True
    _signal(process, signal.SIGKILL)
    return await gone(process, seconds)


def _signal(process: ProcessId, number: signal.Signals) -> bool:
    """False if that process is gone, even if another one has its pid by now. Raises PermissionError."""
    if identify(process.pid) != process:
        return False
    with contextlib.suppress(ProcessLookupError):
        os.kill(process.pid, number)
    return True


async def gone(process: ProcessId, seconds: float) -> bool:
    """Wait until it ended; False if it has not by then.

    It is looked for again and again: nothing tells when a process ends that is not a child of ours.
    """
    deadline = time.monotonic() + seconds
    while identify(process.pid) == process:
        if time.monotonic() >= deadline:
            return False
        await asyncio.sleep(POLL_SECONDS)
    return True
