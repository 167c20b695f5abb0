"""Noticing that something changed in folders."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from pathlib import Path

_QUIET_MS = 50
_LONGEST_MS = 200

Next = Callable[[], Awaitable[bool]]
"""Waits for the next change. False: watch anew, for the stop came, or one of the folders is another one now."""


@asynccontextmanager
async def watching(
    folders: Collection[str], roots: Collection[Path], stop: asyncio.Event
) -> AsyncGenerator[Next]:
    """Every change from here on counts, in the folders but not below them, and to one of `roots`.

    Changes that come close together count as one. Raises OSError where the system does not watch (a folder
    that is gone, no more watches), at the beginning or from `Next`.
    """
    from watchfiles import Change, awatch  # pyright: ignore[reportUnknownVariableType] - names trio, not installed

    def touches(_: Change, changed: str) -> bool:
        path = Path(changed)
        return any(path.is_relative_to(root) or root.is_relative_to(path) for root in roots)

    changes = awatch(
        *folders,
        watch_filter=touches,
        recursive=False,
        debounce=_LONGEST_MS,
        step=_QUIET_MS,
        rust_timeout=0,
        stop_event=stop,
    )
    # awatch begins to watch when it is first asked: what changes while the caller looks is then waiting.
    following = asyncio.ensure_future(anext(changes, None))

    async def next_change() -> bool:
        nonlocal following
        try:
            changed = await following
        except RuntimeError as error:
            raise OSError(str(error)) from error
        if changed is None or any(path in folders for _, path in changed):
            return False
        following = asyncio.ensure_future(anext(changes, None))
        return True

    try:
        await asyncio.sleep(0)
        yield next_change
    finally:
        stop.set()
        await asyncio.wait([following])
        await changes.aclose()
