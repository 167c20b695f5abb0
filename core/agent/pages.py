"""Listings that come in pages, read entry by entry. Pure."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeVar

from core.agent.port import Page

T = TypeVar("T")


async def each(ask: Callable[[str | None], Awaitable[Page[T]]], pages: int | None = None) -> AsyncIterator[T]:
    """What is listed, in its order; `ask` gets the cursor of the page that is wanted, None for the first.

    `pages`: no more than so many are asked for. Raises as `ask` does.
    """
    cursor: str | None = None
    asked = 0
    while asked != pages:
        page = await ask(cursor)
        asked += 1
        for entry in page.entries:
            yield entry
        cursor = page.cursor
        if cursor is None:
            return
