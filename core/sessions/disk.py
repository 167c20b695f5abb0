"""The rollout files under a CODEX_HOME."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDERS = ("sessions", "archived_sessions")
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_COMPRESSED = (".zst", ".gz")


@dataclass(frozen=True, slots=True)
class RolloutFile:
    path: Path
    bytes: int
    changed_at_ms: int
    archived: bool

    @property
    def compressed(self) -> bool:
        return self.path.suffix in _COMPRESSED


def thread_of(path: Path) -> str:
    """The thread's id in a rollout's name; the whole name where there is none."""
    ids = _ID.findall(path.name)
    return ids[-1] if ids else path.name.partition(".jsonl")[0]


def is_rollout(path: Path) -> bool:
    """Whether a file has the name of one."""
    return path.name.startswith("rollout-") and ".jsonl" in path.suffixes


def find_rollouts(home: Path) -> dict[str, RolloutFile]:
    """All of them by thread. Blocks, about 10 ms a thousand. What cannot be looked into is left out."""
    found: dict[str, RolloutFile] = {}
    for name in FOLDERS:
        for entry in _walk(home / name):
            path = Path(entry.path)
            if is_rollout(path):
                file = look_at(path, archived=name != FOLDERS[0])
                if file is not None:
                    found.setdefault(thread_of(path), file)
    return found


def look_at(path: Path, *, archived: bool) -> RolloutFile | None:
    """None where it is gone."""
    try:
        status = path.stat()
    except OSError:
        return None
    return RolloutFile(path, status.st_size, status.st_mtime_ns // 1_000_000, archived)


def size_of(path: str) -> int:
    """Bytes; 0 for a file that is not there."""
    try:
        return os.stat(path).st_size if path else 0  # noqa: PTH116 - a hundred at once, and a Path for each costs more
    except OSError:
        return 0


def _walk(folder: Path) -> Iterator[os.DirEntry[str]]:
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            yield from _walk(Path(entry.path))
        else:
            yield entry
