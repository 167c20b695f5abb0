"""Files that are offered before anything of a path is typed: what changed in the working tree, then what lies in the
folder. Codex finds nothing for no letters.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tui.inspector.git import GitFailed, changed_below

MOST_CHANGED = 20
MOST = 50
LOOKED_AT = 2_000
"""Entries of a folder that are looked at, however many it has."""

SECONDS = 1.0
"""How long git may take to say what changed: then the folder is offered alone."""


@dataclass(frozen=True, slots=True)
class Near:
    """Its path is from the folder that one works in."""

    path: str
    folder: bool = False
    changed: bool = False


async def near(folder: Path) -> Sequence[Near]:
    """At most `MOST`; none where the folder cannot be read."""
    changed = [Near(path, changed=True) for path in (await _changed(folder))[:MOST_CHANGED]]
    known = {one.path for one in changed}
    entries = await asyncio.to_thread(_entries, folder)
    return [*changed, *(one for one in entries if one.path not in known)][:MOST]


async def _changed(folder: Path) -> Sequence[str]:
    """The newest first."""
    try:
        async with asyncio.timeout(SECONDS):
            paths = await changed_below(folder)
    except (GitFailed, TimeoutError):
        return ()
    return await asyncio.to_thread(_there_newest_first, folder, paths)


def _there_newest_first(folder: Path, paths: Sequence[str]) -> Sequence[str]:
    """Those that are still there."""
    times: dict[str, float] = {}
    for path in paths[:LOOKED_AT]:
        try:
            times[path] = (folder / path).lstat().st_mtime
        except OSError:
            continue
    return sorted(times, key=lambda path: (-times[path], path))


def _entries(folder: Path) -> Sequence[Near]:
    """What is not hidden, files first, each by name."""
    found: list[Near] = []
    try:
        with os.scandir(folder) as entries:
            for _, entry in zip(range(LOOKED_AT), entries, strict=False):
                if not entry.name.startswith("."):
                    found.append(Near(entry.name, folder=entry.is_dir()))
    except OSError:
        return ()
    return sorted(found, key=lambda one: (one.folder, one.path))
