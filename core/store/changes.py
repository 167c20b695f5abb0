"""Tells when another process has committed to the database."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import suppress

from core.errors import Closed
from core.store.database import Database
from core.store.files import companion

_QUIET_MS = 50
_LONGEST_MS = 200

_LOOK_AGAIN_SECONDS = (0.1, 0.3, 1.0, 3.0)
"""After a write to the log the commit shows only once the disk has it, and that writes nothing more to the log."""


class Changes:
    """Watches the write-ahead log: the file system tells of a write, `data_version` whose it was."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._watching: set[asyncio.Event] = set()

    async def watch(self) -> AsyncGenerator[None]:
        """Yields at once, when the watch stands: read everything then. After that once a change, within 0.1 s.

        Commits of this database object do not count; several of others that come close together count as
        one. Nothing asks the database but for some moments after a write. Ends when the store closes. Raises StoreError.
        """
        from watchfiles import awatch  # pyright: ignore[reportUnknownVariableType] - names trio, not installed

        stop = asyncio.Event()
        self._watching.add(stop)
        log = companion(self._database.path, "-wal")
        written = awatch(log, debounce=_LONGEST_MS, step=_QUIET_MS, rust_timeout=0, stop_event=stop)
        # awatch begins to watch when it is first asked, so it is asked before the state is looked at.
        following = asyncio.ensure_future(anext(written, None))
        try:
            await asyncio.sleep(0)
            with suppress(Closed):
                seen = await self._database.data_version()
                yield
                later = iter(_LOOK_AGAIN_SECONDS)
                while True:
                    done, _ = await asyncio.wait({following}, timeout=next(later, None))
                    if done:
                        if following.result() is None:
                            break
                        following = asyncio.ensure_future(anext(written, None))
                        later = iter(_LOOK_AGAIN_SECONDS)
                    version = await self._database.data_version()
                    if version != seen:
                        seen = version
                        yield
        finally:
            stop.set()
            self._watching.discard(stop)
            await asyncio.wait([following])
            await written.aclose()

    def close(self) -> None:
        """End every watch."""
        for stop in self._watching:
            stop.set()
