"""`engine.export`: conversations into files, and from files.

Markdown and HTML are for people, JSON Lines has every record and can be imported. Secrets are covered
unless they are asked for.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import IO, Final

from core.errors import InvalidRequest
from core.export.html import Html
from core.export.lines import JsonLines
from core.export.markdown import Markdown
from core.export.parsing import Taken, TakenConversation, parse
from core.export.parts import Format, Head, Writer, masked
from core.export.reading import ConversationReader, Items, file_name
from core.export.writing import write_file
from core.masking import mask
from core.paths import expanded
from core.store.store import Store
from core.store.transfer import ConversationDraft

WRITERS: Final[dict[Format, Callable[[], Writer]]] = {
    Format.MARKDOWN: Markdown,
    Format.HTML: Html,
    Format.JSONL: JsonLines,
}
_PIECE = 64 * 1024


@dataclass(frozen=True, slots=True)
class Exported:
    """`path` was written, `size` bytes of it; `missing` says what could not be had, a sentence each."""

    path: Path
    size: int
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Imported:
    """`conversation_id` is the conversation's id here; `again`: it had been imported before.

    `sub_agents` and `boxes` are how many came. `masked`: its secrets were covered as it was exported.
    """

    conversation_id: str
    title: str
    sub_agents: int
    boxes: int
    again: bool
    masked: bool


@dataclass(slots=True)
class Pieces:
    """The text of an export, in pieces. `missing` is complete when all was taken."""

    text: AsyncIterator[str]
    missing: list[str] = field(default_factory=list[str])


class Export:
    """One for a store. `codex` is asked for what is not in the store."""

    def __init__(self, store: Store, codex: Items) -> None:
        self._store = store
        self._codex = codex

    async def name(self, conversation_id: str, format_: Format) -> str:
        """A name for its file. Raises NotFound, StoreError."""
        row = await self._store.conversations.get(conversation_id)
        return file_name(mask(row.title), row.id, format_.value)

    def pieces(self, conversation_id: str, format_: Format, *, secrets: bool = False) -> Pieces:
        """The whole export as text. Taking it raises NotFound, StoreError, InvalidState."""
        missing: list[str] = []
        return Pieces(self._joined(self._written(conversation_id, format_, secrets, missing)), missing)

    async def to_file(
        self,
        conversation_id: str,
        path: Path,
        format_: Format,
        *,
        secrets: bool = False,
        overwrite: bool = False,
    ) -> Exported:
        """Write it to `path`, whole or not at all.

        Raises NotFound, Conflict where the file is there already, StoreError, and QuarterdeckError where it
        cannot be written.
        """
        path = _absolute(path)
        pieces = self.pieces(conversation_id, format_, secrets=secrets)
        size = await write_file(path, pieces.text, overwrite=overwrite)
        return Exported(path, size, tuple(pieces.missing))

    async def take(self, path: Path) -> Imported:
        """Import an export in JSON Lines: all of it, or nothing. The same again changes nothing.

        Raises InvalidRequest where it cannot be read or is not whole and right, with the line; StoreError.
        """
        taken = await asyncio.to_thread(_parsed, path)
        result = await self._store.transfer.take(taken.digest, [_draft(one) for one in taken.conversations])
        return Imported(
            conversation_id=result.ids[0],
            title=taken.conversations[0].begin.title,
            sub_agents=len(taken.conversations) - 1,
            boxes=sum(len(one.records) for one in taken.conversations),
            again=result.again,
            masked=taken.masked,
        )

    async def _written(
        self, conversation_id: str, format_: Format, secrets: bool, missing: list[str]
    ) -> AsyncIterator[str]:
        row = await self._store.conversations.get(conversation_id)
        writer = WRITERS[format_]()
        yield writer.begin(Head(time.time_ns() // 1_000_000, _version(), masked=not secrets))
        async for part in ConversationReader(self._store, self._codex, missing.append).parts(row):
            yield writer.part(part if secrets else await asyncio.to_thread(masked, part))
        yield writer.end()

    async def _joined(self, texts: AsyncIterator[str]) -> AsyncIterator[str]:
        """In pieces that are worth a write; others on the event loop get their turn between them."""
        waiting: list[str] = []
        size = 0
        async for text in texts:
            waiting.append(text)
            size += len(text)
            if size >= _PIECE:
                yield "".join(waiting)
                waiting, size = [], 0
                await asyncio.sleep(0)
        yield "".join(waiting)


def _absolute(path: Path) -> Path:
    return expanded(path).absolute()


def _parsed(path: Path) -> Taken:
    try:
        with _opened(path) as file:
            return parse(file, path.name if str(path) != "-" else "the input")
    except OSError as error:
        raise InvalidRequest(
            f"{path} cannot be imported",
            why=error.strerror or str(error),
            todo="Name an export in JSON Lines.",
        ) from error


def _opened(path: Path) -> IO[bytes]:
    return sys.stdin.buffer if str(path) == "-" else path.open("rb")


def _draft(taken: TakenConversation) -> ConversationDraft:
    begin = taken.begin
    return ConversationDraft(
        origin_id=begin.id,
        title=begin.title,
        folder=begin.folder,
        created_at_ms=begin.created_at_ms,
        updated_at_ms=begin.updated_at_ms,
        records=[(recorded.at_ms, recorded.record) for recorded in taken.records],
        decisions=[decided.entry for decided in taken.decisions],
    )


def _version() -> str:
    try:
        return version("quarterdeck")
    except PackageNotFoundError:
        return "unknown"
