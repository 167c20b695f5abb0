"""Keeping documents true to the files that they come from."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from core.errors import Closed, StoreError
from core.knowledge.documents import FileText, Import, Skipped
from core.knowledge.folders import scan
from core.knowledge.port import ImportStore
from core.knowledge.watching import watching

log = logging.getLogger(__name__)

RETRY_SECONDS = 30.0
"""Until watching that was refused is tried again."""

_WRITTEN_AT_ONCE = 50
_NAME_TAKEN = "another document has its name"


@dataclass(frozen=True, slots=True)
class ImportReport:
    """How an import stands: how many documents it has, and what makes none."""

    followed: Import
    documents: int
    skipped: tuple[Skipped, ...]


class Follower:
    """Owns the task that watches. One look at the files follows another, and each begins after a change."""

    def __init__(self, imports: ImportStore, changed: Callable[[], None]) -> None:
        """`changed` is called after documents, a report or the trouble have changed."""
        self.reports: dict[int, ImportReport] = {}
        self.trouble = ""
        self._imports = imports
        self._changed = changed
        self._looking = asyncio.Lock()
        self._wake = asyncio.Event()
        self._folders: dict[int, set[str]] = {}
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Look at every import, and at each again when its files change."""
        if self._task is None:
            self._task = asyncio.create_task(self._follow(), name="follow imports")

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    def imports_changed(self) -> None:
        """Watch what there is now."""
        self._wake.set()

    async def look(self, followed: Import) -> ImportReport:
        """Make its documents say what its files say now. Raises StoreError, Closed."""
        async with self._looking:
            known = await self._imports.stamps(followed.id)
            found = await asyncio.to_thread(scan, followed, known)
            gone = known.keys() - found.unchanged - {text.name for text in found.changed}
            changed, refused = await self._write(followed, found.changed, sorted(gone))
            skipped = (*found.skipped, *(Skipped(name, _NAME_TAKEN) for name in refused))
            documents = len(found.changed) + len(found.unchanged) - len(refused)
            report = ImportReport(followed, documents, skipped)
            self._folders[followed.id] = found.folders
            if changed or self.reports.get(followed.id) != report:
                self.reports[followed.id] = report
                self._changed()
            return report

    async def _write(
        self, followed: Import, texts: Sequence[FileText], gone: Sequence[str]
    ) -> tuple[bool, list[str]]:
        """Whether anything changed, and the names that were refused; no write waits for all of the texts."""
        changed, refused = False, list[str]()
        for first in range(0, max(len(texts), 1), _WRITTEN_AT_ONCE):
            part = texts[first : first + _WRITTEN_AT_ONCE]
            written = await self._imports.follow(followed.id, part, gone if first == 0 else ())
            changed = changed or written.changed
            refused.extend(written.refused)
        return changed, refused

    async def _follow(self) -> None:
        while True:
            self._wake = asyncio.Event()
            try:
                await self._watch()
            except Closed:
                return
            except (OSError, StoreError) as error:
                log.warning("imports are not followed: %s", error)
                self._tell_trouble(f"Changes of imported files are not noticed: {error}")
                await self._pause()
            except Exception as error:
                log.exception("imports are no longer followed")
                self._tell_trouble(f"Changes of imported files are no longer noticed: {error}")
                raise

    async def _watch(self) -> None:
        """Look at every import now and after every change, until other folders are to be watched."""
        roots = [Path(followed.path) for followed in await self._imports.all()]
        watched = self._to_watch()
        if not watched:
            if await self._look_at_all() == watched:
                await self._wake.wait()
            return
        try:
            async with watching(watched, roots, self._wake) as next_change:
                self._tell_trouble("")
                while await self._look_at_all() == watched and await next_change():
                    pass
        except OSError:
            # A folder may have gone before it was watched: then there are others to watch.
            if await self._look_at_all() == watched:
                raise

    async def _look_at_all(self) -> set[str]:
        """Returns the folders that are to be watched."""
        present = await self._imports.all()
        for followed in present:
            await self.look(followed)
        gone = self.reports.keys() - {followed.id for followed in present}
        for import_id in gone:
            del self.reports[import_id], self._folders[import_id]
        if gone:
            self._changed()
        return self._to_watch()

    def _to_watch(self) -> set[str]:
        return {folder for folders in self._folders.values() for folder in folders}

    def _tell_trouble(self, trouble: str) -> None:
        if trouble != self.trouble:
            self.trouble = trouble
            self._changed()

    async def _pause(self) -> None:
        self._wake = asyncio.Event()
        with suppress(TimeoutError):
            async with asyncio.timeout(RETRY_SECONDS):
                await self._wake.wait()
