"""A folder's working tree, kept true for as long as somebody looks at it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from core.errors import QuarterdeckError
from core.knowledge.watching import watching
from tui.inspector.git import Tree, read_tree

log = logging.getLogger(__name__)

MOST_FOLDERS = 400
"""Folders that are watched; a larger repository is read again when it is asked for."""

PAUSE = 0.5
"""Seconds between two readings, at least."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What was read. `tree` None: no repository. `problem`: why it could not be read. `watched`: changes come
    by themselves.
    """

    tree: Tree | None = None
    problem: str = ""
    watched: bool = False


class Following:
    """Owns the task that reads and watches. `tell` is called on the event loop with what was read."""

    def __init__(self, folder: Path, tell: Callable[[Seen], None]) -> None:
        self._folder = folder
        self._tell = tell
        self._again = asyncio.Event()
        self._task = asyncio.create_task(self._run(), name=f"changes-{folder}")

    def read_again(self) -> None:
        """Something may be another. Never waits."""
        self._again.set()

    async def close(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            seen = await self._read()
            if seen.tree is not None and seen.watched:
                try:
                    await self._follow(seen.tree)
                    continue
                except OSError as error:
                    log.info("%s is not watched: %s", self._folder, error)
                    seen = replace(seen, watched=False)
            self._tell(seen)
            await self._again.wait()
            self._again.clear()
            await asyncio.sleep(PAUSE)

    async def _follow(self, tree: Tree) -> None:
        """Read and tell as it changes, until other folders are to be watched. Raises OSError."""
        async with watching(tree.folders, [tree.top, *map(Path, tree.folders)], asyncio.Event()) as changed:
            change = asyncio.ensure_future(changed())
            try:
                while (seen := await self._read()).tree is not None and seen.tree.folders == tree.folders:
                    self._tell(seen)
                    await self._either(change)
                    if change.done():
                        if not change.result():
                            return
                        change = asyncio.ensure_future(changed())
                    await asyncio.sleep(PAUSE)
            finally:
                change.cancel()
                await asyncio.gather(change, return_exceptions=True)

    async def _either(self, change: asyncio.Future[bool]) -> None:
        """Return at a change, or when it is to be read again."""
        again = asyncio.ensure_future(self._again.wait())
        try:
            await asyncio.wait([change, again], return_when=asyncio.FIRST_COMPLETED)
        finally:
            again.cancel()
            self._again.clear()

    async def _read(self) -> Seen:
        try:
            tree = await read_tree(self._folder, MOST_FOLDERS)
        except QuarterdeckError as error:
            return Seen(problem=str(error))
        return Seen(tree, watched=tree is not None and len(tree.folders) <= MOST_FOLDERS)
