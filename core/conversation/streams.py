"""Streamed text on its way to being boxes: kept whole in memory, and on disk but for the last moment.

What is not on disk yet is at most 250 ms old (DESIGN, What must hold, 3): one write for all that came in
that time costs little, and a write for every 4 KiB would cost a fast stream a quarter of its speed.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from core.agent.events import Channel, Delta
from core.agent.items import Item
from core.conversation import boxing
from core.conversation.ports import ChunkStore
from core.errors import StoreError
from core.rows import Chunk, ChunkDraft

log = logging.getLogger(__name__)

FLUSH_SECONDS = 0.25

UNSEEN = "… not seen: the console was away …"
"""Stands in a text for what came of it while nobody here heard it, until the whole text comes."""

_GAPS = {
    Channel.MESSAGE: f"\n\n{UNSEEN}\n\n",
    Channel.PLAN: f"\n\n{UNSEEN}\n\n",
    Channel.SUMMARY: f"\n\n{UNSEEN}\n\n",
    Channel.REASONING: f"\n\n{UNSEEN}\n\n",
    Channel.OUTPUT: f"\n{UNSEEN}\n",
}


@dataclass(slots=True)
class LiveText:
    """The text of one item so far, by channel and part.

    `item` is as it was when it started, or as much of it as its text says; None for what an action puts out.
    `missed`: what comes next does not follow on what is here.
    """

    item: Item | None = None
    turn_id: str = ""
    missed: bool = False
    pieces: dict[tuple[Channel, int], list[str]] = field(default_factory=dict[tuple[Channel, int], list[str]])

    def text(self, channel: Channel, part: int = 0) -> str:
        """Joined once and kept joined."""
        pieces = self.pieces.get((channel, part))
        if pieces is None:
            return ""
        if len(pieces) > 1:
            pieces[:] = ["".join(pieces)]
        return pieces[0]

    def parts(self, *channels: Channel) -> dict[int, str]:
        return {part: self.text(channel, part) for channel, part in self.pieces if channel in channels}


class StreamRecorder:
    """The live texts of one conversation.

    `close` ends its timer; a write that fails is logged and tried again with the next one, for the text
    is still here and its box will hold it.
    """

    def __init__(self, conversation_id: str, store: ChunkStore) -> None:
        self._conversation_id = conversation_id
        self._store = store
        self.live: dict[str, LiveText] = {}
        self._unwritten: dict[tuple[str, Channel, int], list[str]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._flush_task: asyncio.Task[None] | None = None

    def load(self, chunks: Iterable[Chunk]) -> None:
        """Take up what an earlier run wrote; what came since then, nobody here heard."""
        for chunk in chunks:
            channel = Channel(chunk.channel)
            live = self.take_up(chunk.item_id)
            live.item = live.item or boxing.streamed_as(channel, chunk.item_id)
            live.pieces.setdefault((channel, chunk.part), []).append(chunk.text)

    def take_up(self, item_id: str) -> LiveText:
        """An item that an earlier run heard the beginning of."""
        return self.live.setdefault(item_id, LiveText(missed=True))

    def miss(self) -> None:
        """Nobody hears what comes of these texts now: the next that is heard does not follow on them."""
        for live in self.live.values():
            live.missed = True

    def start(self, item: Item, turn_id: str, *, missed: bool = False) -> None:
        """`missed`: its beginning was not heard."""
        live = self.live.setdefault(item.id, LiveText(missed=missed))
        live.item, live.turn_id = item, turn_id

    def add(self, delta: Delta) -> str:
        """Keep a piece. Returns it, after what stands for the text that was missed before it."""
        live = self.live.setdefault(delta.item_id, LiveText(turn_id=delta.turn_id))
        live.turn_id = delta.turn_id
        text = delta.text
        if live.missed and delta.channel in _GAPS:
            live.missed = False
            text = _GAPS[delta.channel] + text
        live.pieces.setdefault((delta.channel, delta.part), []).append(text)
        self._unwritten.setdefault((delta.item_id, delta.channel, delta.part), []).append(text)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(FLUSH_SECONDS, self._start_flush)
        return text

    def finish(self, item_id: str) -> LiveText | None:
        """The item is complete: its text goes into a box now, and nothing more of it is written here."""
        for key in [key for key in self._unwritten if key[0] == item_id]:
            del self._unwritten[key]
        return self.live.pop(item_id, None)

    def of_turn(self, turn_id: str) -> Sequence[str]:
        """The items of a turn that are still open."""
        return [item_id for item_id, live in self.live.items() if live.turn_id in (turn_id, "")]

    async def close(self) -> None:
        self._stop_timer()
        if self._flush_task is not None:
            await self._flush_task
        await self._flush()

    def _start_flush(self) -> None:
        self._stop_timer()
        if self._flush_task is None or self._flush_task.done():
            self._flush_task = asyncio.create_task(self._flush(), name="stream-flush")
        else:
            self._timer = asyncio.get_running_loop().call_later(FLUSH_SECONDS, self._start_flush)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def _flush(self) -> None:
        taken, self._unwritten = self._unwritten, {}
        if not taken:
            return
        chunks = [
            ChunkDraft(self._conversation_id, item_id, channel.value, part, "".join(texts))
            for (item_id, channel, part), texts in taken.items()
        ]
        try:
            await self._store.append_chunks(chunks)
        except StoreError:
            log.exception("streamed text was not written")
            for key, texts in taken.items():
                if key[0] in self.live:
                    self._unwritten[key] = [*texts, *self._unwritten.get(key, [])]
