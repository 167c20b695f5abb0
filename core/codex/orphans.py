"""Commands that outlived their host (PROTOCOL, Turns: a kill of the process leaves a running command orphaned).

Codex gives each command its thread and its call in the environment (seen on 0.163): on Linux that names
them for certain. Elsewhere none are found.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from core.agent.port import Orphan
from core.process import ProcessId, end, identify

END_SECONDS = 3.0
_THREAD = b"CODEX_THREAD_ID="
_CALL = b"CODEX_TOOL_CALL_ID="
LONGEST_COMMAND = 500


def find_orphans(thread_id: str, host: ProcessId | None) -> tuple[Orphan, ...]:
    """Processes of this thread's commands that are not below `host`, the first of each group."""
    found: dict[int, Orphan] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        pid = int(entry.name)
        call_id = _call_of(entry, thread_id)
        if call_id is None or (host is not None and _is_below(pid, host.pid)):
            continue
        process = identify(pid)
        if process is None:
            continue
        group = _group_of(pid)
        known = found.get(group)
        if known is None or pid < known.pid:
            found[group] = Orphan(pid, process.started, call_id, _command_of(entry))
    return tuple(sorted(found.values(), key=lambda orphan: orphan.pid))


async def end_orphan(orphan: Orphan) -> bool:
    """End it and its group. True if it is gone. Raises PermissionError."""
    process = ProcessId(orphan.pid, orphan.started)
    if identify(orphan.pid) == process:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(os.getpgid(orphan.pid), 15)
    return await end(process, forced=True, seconds=END_SECONDS)


def _call_of(entry: Path, thread_id: str) -> str | None:
    try:
        environment = (entry / "environ").read_bytes().split(b"\0")
    except OSError:
        return None
    if _THREAD + thread_id.encode() not in environment:
        return None
    calls = (line[len(_CALL) :] for line in environment if line.startswith(_CALL))
    return next(calls, b"").decode("utf-8", "replace")


def _command_of(entry: Path) -> str:
    try:
        words = (entry / "cmdline").read_bytes().split(b"\0")
    except OSError:
        return ""
    return b" ".join(words).decode("utf-8", "replace").strip()[:LONGEST_COMMAND]


def _group_of(pid: int) -> int:
    try:
        return os.getpgid(pid)
    except OSError:
        return pid


def _is_below(pid: int, ancestor: int) -> bool:
    """Whether a process descends from another; the chain of parents ends at 1."""
    while pid > 1:
        if pid == ancestor:
            return True
        try:
            text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return False
        pid = int(text.rpartition(")")[2].split()[1])
    return False
