"""Codex's own listings, which come in pages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol, TypeVar

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")


class Listed(Protocol[T_co]):
    """A page as it is on the wire."""

    @property
    def data(self) -> Sequence[T_co]: ...

    @property
    def next_cursor(self) -> str | None: ...


async def whole(ask: Callable[[str | None], Awaitable[Listed[T]]]) -> tuple[T, ...]:
    """All that is listed; `ask` gets the cursor of the page that is wanted, None for the first. Raises as it does."""
    found: list[T] = []
    cursor: str | None = None
    while True:
        listed = await ask(cursor)
        found.extend(listed.data)
        cursor = listed.next_cursor
        if cursor is None:
            return tuple(found)
