"""The first moments of a thread: Codex makes its rollout, and writes into it an instant later.

What reads the file in between is refused ("rollout at … is empty", seen on 0.163): a sub-agent that was opened
as soon as it began would be shown as one that cannot be read. What resumes the thread then is refused too
("list_turns is not supported yet", seen on 0.163 for 70 ms). Such a call did nothing, so it is asked again.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import TypeVar

from core.errors import CallRefused

PAUSES = (0.05, 0.1, 0.2, 0.4, 0.8, 1.6)
"""Seconds before it is asked again; a file that is empty for longer than all of them stays so."""

_NOT_WRITTEN = re.compile(r"rollout at .* is empty|list_turns is not supported yet")

R = TypeVar("R")


async def once_written(ask: Callable[[], Awaitable[R]]) -> R:
    """What `ask` gives, asked again while Codex refuses for that reason only. Raises what `ask` raises."""
    for pause in PAUSES:
        try:
            return await ask()
        except CallRefused as error:
            if not _NOT_WRITTEN.search(error.message):
                raise
        await asyncio.sleep(pause)
    return await ask()
