"""A conversation with its sub-agents, as the parts of an export: from our log, and from Codex where we have none."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import PurePath
from typing import Final, Protocol

from core.access.ledger import LedgerFilter
from core.agent.items import CommandRun, FileChange, SubAgentCall, ToolCall, UserMessage, load_item
from core.agent.pages import each
from core.agent.port import ItemEntry, Page, TurnInfo
from core.conversation.boxing import box_of, call_of, dump_item, output_of, without_output
from core.conversation.titles import title_of
from core.errors import CodexError
from core.export.parts import Begin, Decided, Part, Recorded
from core.rows import ConversationRow
from core.store.store import Store
from core.thread.boxes import (
    TOOL_RETURN,
    BoxDraft,
    BoxId,
    CallMeta,
    ChatBox,
    InputMeta,
    ItemMeta,
    ResultMeta,
    draft,
    hidden_of,
)
from core.thread.log import TurnBound, parse_event
from core.thread.records import BoxRecord, Record

log = logging.getLogger(__name__)

PAGE: Final = 200
DEEPEST: Final = 8
"""Sub-agents of sub-agents that are followed."""


class Items(Protocol):
    """What is needed of Codex. Each call raises CodexError."""

    async def turns(self, thread_id: str, cursor: str | None = None) -> Page[TurnInfo]:
        """Newest first."""
        ...

    async def items(
        self, thread_id: str, turn_id: str | None = None, cursor: str | None = None
    ) -> Page[ItemEntry]:
        """Oldest first."""
        ...


class ConversationReader:
    """Reads one conversation. `told` hears what could not be had, a sentence each."""

    def __init__(self, store: Store, codex: Items, told: Callable[[str], None]) -> None:
        self._store = store
        self._codex = codex
        self._told = told
        self._seen: set[str] = set()

    async def parts(self, row: ConversationRow) -> AsyncIterator[Part]:
        """In the order of `core.export.parts`. Raises StoreError."""
        workspace = await self._store.workspaces.get(row.workspace_id)
        begin = Begin(
            id=row.id,
            title=row.title,
            folder=workspace.path,
            created_at_ms=row.created_at_ms,
            updated_at_ms=row.updated_at_ms,
            thread_id=row.thread_id,
        )
        if row.thread_id is not None:
            self._seen.add(row.thread_id)
        if row.thread_id is not None and not await self._store.records.last_seq(row.id):
            async for part in self._thread(begin, row.thread_id, 0):
                yield part
            return
        yield begin
        boxes = _Boxes()
        async for recorded in self._records(row.id):
            boxes.note(recorded.record)
            yield recorded
        if row.thread_id is not None and row.materialised:
            async for recorded in self._newer(row.thread_id, boxes):
                yield recorded
        async for decided in self._decisions(row.id):
            yield decided
        async for part in self._below(begin, boxes.called, 0):
            yield part

    async def _newer(self, thread_id: str, boxes: _Boxes) -> AsyncIterator[Recorded]:
        """What other clients did on the thread since it was last open here."""
        try:
            for turn_id in await self._unknown_turns(thread_id, boxes.turns):
                async for entry in self._items(thread_id, turn_id):
                    for record in boxes.of(entry):
                        yield Recorded(0, record)
        except CodexError as error:
            self._tell(f"What other programs added to it since it was last open here is missing: {error}")

    async def _unknown_turns(self, thread_id: str, known: set[str]) -> list[str]:
        """Oldest first."""
        found: list[str] = []
        async for turn in each(lambda cursor: self._codex.turns(thread_id, cursor)):
            if turn.id in known:
                break
            found.append(turn.id)
        return found[::-1]

    def _items(self, thread_id: str, turn_id: str | None = None) -> AsyncIterator[ItemEntry]:
        return each(lambda cursor: self._codex.items(thread_id, turn_id, cursor))

    def _tell(self, text: str) -> None:
        log.info("%s", text)
        self._told(text)

    async def _records(self, conversation_id: str) -> AsyncIterator[Recorded]:
        last = await self._store.records.last_seq(conversation_id)
        seq = 0
        while seq < last:
            page = await self._store.transfer.records(conversation_id, seq, min(PAGE, last - seq))
            for seq, at_ms, record in page:  # noqa: B007 - the last one is where the next page goes on
                yield Recorded(at_ms, record)
            if not page:
                return

    async def _decisions(self, conversation_id: str) -> AsyncIterator[Decided]:
        """Oldest first."""
        pages: list[Decided] = []
        before: int | None = None
        while True:
            page = await self._store.ledger.page(LedgerFilter(conversation_id=conversation_id), before=before)
            pages += [Decided(entry) for entry in page.entries]
            before = page.cursor
            if before is None:
                break
        for decided in reversed(pages):
            yield decided

    async def _below(self, parent: Begin, calls: list[SubAgentCall], depth: int) -> AsyncIterator[Part]:
        """The sub-agents that these calls made, each once."""
        for call in calls:
            for thread_id in call.receivers:
                if thread_id in self._seen or depth >= DEEPEST:
                    continue
                self._seen.add(thread_id)
                begin = replace(
                    parent,
                    id=thread_id,
                    title=title_of(call.prompt or "") or "Sub-agent",
                    thread_id=thread_id,
                    parent_id=parent.id,
                )
                async for part in self._thread(begin, thread_id, depth + 1):
                    yield part

    async def _thread(self, begin: Begin, thread_id: str, depth: int) -> AsyncIterator[Part]:
        """A thread that only Codex has, its items as boxes."""
        boxes = _Boxes()
        begun = False
        try:
            async for entry in self._items(thread_id):
                if not begun:
                    yield begin
                    begun = True
                for record in boxes.of(entry):
                    yield Recorded(0, record)
        except CodexError as error:
            why = f"What Codex has of {begin.title or thread_id} could not be read: {error}"
            self._tell(why)
            begin = replace(begin, missing=why)
        if not begun:
            yield begin
        async for part in self._below(begin, boxes.called, depth):
            yield part


class _Boxes:
    """Numbers the boxes of a thread, and knows what of the thread they hold.

    `turns` are Codex's ids of the turns that are there, `called` the sub-agents.
    """

    def __init__(self) -> None:
        self.turns: set[str] = set()
        self.called: list[SubAgentCall] = []
        self._last = 0
        self._keys: set[str] = set()

    def note(self, record: Record) -> None:
        """A record of our log. Raises InvalidState for one that cannot be read."""
        if not isinstance(record, BoxRecord):
            event = parse_event(record.kind, record.data)
            if isinstance(event, TurnBound):
                self.turns.add(event.turn_id)
            return
        self._last = record.box.id
        match hidden_of(record.box):
            case InputMeta(key=key):
                self._keys.add(key)
            case CallMeta(item_json=text, turn_id=turn_id) | ItemMeta(item_json=text, turn_id=turn_id):
                self.turns.add(turn_id)
                self._note_item(text)
            case ResultMeta(metadata_type="item", metadata_contents=text):
                self._note_item(text)
            case _:
                pass

    def _note_item(self, text: str) -> None:
        item = load_item(text) if text else None
        if isinstance(item, SubAgentCall):
            self.called.append(item)

    def of(self, entry: ItemEntry) -> list[Record]:
        """The boxes of an item of Codex's; none for a message that is there already."""
        item, turn_id = entry.item, entry.turn_id
        if isinstance(item, SubAgentCall):
            self.called.append(item)
        if isinstance(item, UserMessage) and (item.client_id or "").partition(".")[0] in self._keys:
            return []
        if not isinstance(item, CommandRun | FileChange | ToolCall | SubAgentCall):
            return [self._record(box_of(item, turn_id))]
        call = self._record(call_of(item, turn_id).draft())
        kept = dump_item(without_output(item))
        meta = ResultMeta(
            tool_call_id=self._last,
            success=item.status.value == "done",
            metadata_type="item",
            metadata_contents=kept,
        )
        return [call, self._record(draft(TOOL_RETURN, output_of(item), meta))]

    def _record(self, made: BoxDraft) -> BoxRecord:
        self._last += 1
        return BoxRecord(
            ChatBox(BoxId(self._last), made.box_type, made.contents, made.hidden_type, made.hidden_contents)
        )


def file_name(title: str, conversation_id: str, ending: str) -> str:
    """A name for the file of a conversation, of letters and digits that every file system takes."""
    kept = "".join(one if one.isalnum() and one.isascii() else " " for one in title[:200])
    words = "-".join(kept.lower().split())[:60].strip("-")
    return str(PurePath(f"{words or 'conversation'}-{conversation_id[:8]}.{ending}"))
