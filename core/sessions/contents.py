"""What threads hold: read through Codex, and from the rollout file where Codex refuses or does not list it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Generator, Sequence
from pathlib import Path

from core.agent.port import Agent, ItemEntry
from core.errors import CallRefused, CallTimedOut
from core.sessions.rollout import Batch, Report, read_texts
from core.sessions.rows import PAGE_OF_TEXTS, Reading, Text, Unread
from core.sessions.texts import texts_of_item
from core.store.sessions.index import SessionIndex

log = logging.getLogger(__name__)

ITEMS_AT_ONCE = 40
"""An item may hold a megabyte of output, and a page of them comes as one message."""

BATCHES_AT_ONCE = 8
"""Of a file, before what is more urgent has its turn."""

_OVERLOADED = -32001
"""Codex has too much to do (PROTOCOL, Framing and errors): it was asked again already, so leave it alone."""

_BYTE = "byte:"
"""Before the place in a file where a reading goes on; any other cursor is Codex's own."""


class Contents:
    """Reads a thread's texts into the index, one page a call."""

    def __init__(self, agent: Agent, index: SessionIndex) -> None:
        self._agent = agent
        self._index = index

    async def read_on(self, unread: Unread) -> None:
        """The next page; the last one notes that all is read. Raises CodexError (but for a refusal), StoreError."""
        if not unread.listed or (unread.cursor or "").startswith(_BYTE):
            await self._read_file(unread)
            return
        try:
            await (self._read_new(unread) if unread.begun else self._read_next(unread))
        except (CallRefused, CallTimedOut) as error:
            if isinstance(error, CallRefused) and error.code == _OVERLOADED:
                raise
            log.info("thread %s is read from its file: %s", unread.thread_id, error)
            await self._read_file(unread, refused=error.why or error.what)

    async def _read_next(self, unread: Unread) -> None:
        """The first time: from the beginning on."""
        page = await self._agent.items(unread.thread_id, cursor=unread.cursor, limit=ITEMS_AT_ONCE)
        if not page.entries and unread.cursor is None and unread.rollout:
            # A thread that another process begins while the host starts stays empty there (seen on 0.163).
            await self._read_file(unread)
            return
        end = Reading(stamp=unread.stamp) if page.cursor is None else Reading(cursor=page.cursor)
        await self._put(unread.session, _texts(page.entries), end, unread.cursor)

    async def _read_new(self, unread: Unread) -> None:
        """Later: from the end back, to what is known."""
        new: list[tuple[Text, ...]] = []
        cursor: str | None = None
        while True:
            page = await self._agent.items(
                unread.thread_id, cursor=cursor, newest_first=True, limit=ITEMS_AT_ONCE
            )
            texts = _texts(page.entries[::-1])
            if await self._index.has_texts(unread.session, texts):
                break
            new.append(texts)
            cursor = page.cursor
            if cursor is None:
                break
        texts = tuple(text for page_of in reversed(new) for text in page_of)
        await self._put(unread.session, texts, Reading(stamp=unread.stamp), None)

    async def _read_file(self, unread: Unread, refused: str = "") -> None:
        """A few batches of it; the next call goes on."""
        if not unread.rollout:
            why = (
                f"Codex does not read it: {refused}"
                if refused
                else "Neither Codex nor a file has its contents."
            )
            await self._index.cannot_read(unread.session, why, unread.stamp)
            return
        # A file only grows: what was read of it before stays read.
        offset = int((unread.cursor or "").removeprefix(_BYTE) or 0) if _is_byte(unread.cursor) else 0
        report = Report()
        batches = read_texts(Path(unread.rollout), offset, report)
        try:
            for _ in range(BATCHES_AT_ONCE):
                batch = await asyncio.to_thread(_next, batches)
                if batch is None:
                    break
                offset = batch.offset
                await self._put(unread.session, batch.texts, Reading(cursor=f"{_BYTE}{offset}"), None)
            else:
                return
        except OSError as error:
            why = f"Its file cannot be read: {error.strerror or error}."
            await self._index.cannot_read(unread.session, why, unread.stamp)
            return
        if report.sentence:
            log.info("%s: %s", unread.rollout, report.sentence)
        end = Reading(cursor=f"{_BYTE}{offset}", stamp=unread.stamp)
        await self._index.add_texts(unread.session, (), end)

    async def _put(self, session: int, texts: Sequence[Text], end: Reading, going_on: str | None) -> None:
        """In small transactions; only the last one moves on."""
        last = max(0, (len(texts) - 1) // PAGE_OF_TEXTS * PAGE_OF_TEXTS)
        for first in range(0, last, PAGE_OF_TEXTS):
            await self._index.add_texts(
                session, texts[first : first + PAGE_OF_TEXTS], Reading(cursor=going_on)
            )
        await self._index.add_texts(session, texts[last:], end)


def _is_byte(cursor: str | None) -> bool:
    return cursor is not None and cursor.startswith(_BYTE)


def _next(batches: Generator[Batch]) -> Batch | None:
    return next(batches, None)


def _texts(entries: Sequence[ItemEntry]) -> tuple[Text, ...]:
    return tuple(text for entry in entries for text in texts_of_item(entry.item, entry.turn_id, entry.at_ms))
