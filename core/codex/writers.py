"""Who writes a thread: Codex keeps its rollout file open as long as it may (seen on 0.163).

Linux only: elsewhere the system does not tell, and nobody is found.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_FOLDERS = ("sessions", "archived_sessions")


@dataclass(frozen=True, slots=True)
class Writer:
    """A process, by its number and its name."""

    pid: int
    name: str

    def __str__(self) -> str:
        return f"{self.name or 'Another program'} (process {self.pid})"


def find_writer(home: Path, thread_id: str, host_pid: int | None) -> Writer | None:
    """The process that has a thread's file open, other than the host. Blocks, for some milliseconds."""
    writers = writers_below(home).items()
    found = (writer for path, writer in writers if thread_id in path and writer.pid != host_pid)
    return next(found, None)


def writers_below(home: Path) -> dict[str, Writer]:
    """Who has a rollout file of this CODEX_HOME open, by its path. Blocks, for some milliseconds.

    Codex keeps the file of a thread open as long as it may write it (seen on 0.163). Linux only: elsewhere the
    system does not tell. Of a file that several have open, one is named.
    """
    folders = tuple(f"{(home / name).resolve()}{os.sep}" for name in _FOLDERS)
    found: dict[str, Writer] = {}
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            for path in _opened(process):
                if path.startswith(folders):
                    name = (process / "comm").read_text(errors="replace").strip()
                    found[path] = Writer(int(process.name), name)
    return found


def _opened(process: Path) -> Iterator[str]:
    for descriptor in (process / "fd").iterdir():
        with contextlib.suppress(OSError):
            yield str(descriptor.readlink())
