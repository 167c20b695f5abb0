"""Letting go of everything, even when told to hurry."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

LONGEST_SECONDS = 15.0
"""How long what was begun may still take after a cancellation."""


async def to_its_end(work: Coroutine[Any, Any, T]) -> T:
    """Do it to its end, even if whoever waits for it is cancelled meanwhile: that is passed on afterwards.

    A host that was started and not ended would stay for good.
    """
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait((task,), timeout=LONGEST_SECONDS)
        task.cancel()
        raise
