"""Generations: which process asks. A request is known by its generation and its id there (PROTOCOL, Framing).

What a host asks is of the host's process. Where that cannot be told it is of one connection, and what a console asks by
itself is of the console: both are of the console's process, and gone with it.
"""

from __future__ import annotations

import os
import uuid

from core.process import ProcessId, identify

_CONSOLE = "console"
_CONNECTION = "connection"


def of_host(process: ProcessId) -> str:
    return str(process)


def of_connection() -> str:
    """Another one at each call."""
    return _of_this_process(_CONNECTION)


def of_console() -> str:
    """Another one at each call."""
    return _of_this_process(_CONSOLE)


def lives(generation: str) -> bool:
    """Is who asked under it still there? May run `ps`, so not for the event loop.

    Nothing of this process counts but what it uses now, which it knows itself.
    """
    match generation.split("-"):
        case [kind, pid, started, _] if kind in (_CONSOLE, _CONNECTION) and pid.isdecimal():
            return int(pid) != os.getpid() and _runs(int(pid), started)
        case [pid, started] if pid.isdecimal():
            return _runs(int(pid), started)
        case _:
            return False


def _of_this_process(kind: str) -> str:
    me = identify(os.getpid())
    assert me is not None
    return f"{kind}-{me}-{uuid.uuid4().hex}"


def _runs(pid: int, started: str) -> bool:
    return identify(pid) == ProcessId(pid, started)
