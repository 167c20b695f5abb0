"""What recording costs: a delta stream relayed with and without the store, and 1,000 boxes recovered."""

from __future__ import annotations

import json
import sqlite3
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic_core import from_json

from core.agent.events import ItemCompleted, ItemStarted, TurnStarted
from core.agent.items import AgentMessage
from core.codex.events import to_events
from core.codex.rpc import Told
from core.conversation.feed import Feed
from core.conversation.runtime import ConversationRuntime
from core.conversation.session import RecordSession
from core.conversation.streams import StreamRecorder
from core.rows import Chunk, ChunkDraft
from core.store.store import Store
from core.thread.boxes import ASSISTANT, ItemMeta, draft
from core.thread.codec import Note
from core.thread.durable import DurableThread
from core.thread.records import Record
from core.thread.state import ConversationState
from core.tools.actions import ThreadActions
from tests.bench.figures import Figure, bench, median

DELTAS = 4000
ROUNDS = 11
BOXES = 1000


class _Nowhere:
    """A log and a chunk store that keep nothing: what relaying costs by itself."""

    async def persist(self, after: int, records: Sequence[Record], drafts: Mapping[str, str]) -> None:
        """Nothing is kept."""

    async def kept(self, after: int) -> Sequence[Record]:
        return ()

    async def append_chunks(self, chunks: Sequence[ChunkDraft]) -> None:
        """Nothing is kept."""

    async def read_chunks(self, conversation_id: str) -> list[Chunk]:
        return []


@bench("engine.recording")
async def recording() -> Sequence[Figure]:
    with tempfile.TemporaryDirectory(prefix="qd-bench-") as folder:
        store = await Store.open(Path(folder, "bench.sqlite3"))
        await store.workspaces.create("w", folder)
        ours: list[float] = []
        floor: list[float] = []
        for number in range(ROUNDS):
            nowhere = _Nowhere()
            bare = DurableThread(ConversationState(), 0, nowhere, ThreadActions())
            floor.append(await _relay(bare, StreamRecorder("c", nowhere)))
            name = f"c{number}"
            await store.conversations.create(name, "w", 1)
            session = RecordSession(name, store.records)
            kept = DurableThread(ConversationState(), 0, session, ThreadActions())
            ours.append(await _relay(kept, StreamRecorder(name, store.streams), name))
        await store.close()
    return [
        Figure(
            f"relay {DELTAS:,} deltas: with the store ÷ without",
            min(ours) * 1000,
            1.10,
            min(floor) * 1000,
        )
    ]


async def _relay(thread: DurableThread, streams: StreamRecorder, name: str = "c") -> float:
    """The seconds that one streamed answer takes, from the wire's text to the listener, as fast as it goes."""
    feed = Feed()
    told = 0

    def hear(_: object) -> None:
        nonlocal told
        told += 1

    feed.listen(hear)
    runtime = ConversationRuntime(name, thread, streams, feed)
    runtime.start()
    began = time.perf_counter()
    runtime.hear(TurnStarted("t", "turn"))
    runtime.hear(ItemStarted("t", "turn", AgentMessage(id="m", text="")))
    for number in range(DELTAS):
        told_fields = from_json(_wire(f"word {number} "))
        for event in to_events(Told(told_fields["method"], told_fields["params"])):
            runtime.hear(event)
        if number % 40 == 39:
            await runtime.drained()
    runtime.hear(ItemCompleted("t", "turn", AgentMessage(id="m", text="x")))
    await runtime.drained()
    await runtime.close()
    assert told > DELTAS
    return time.perf_counter() - began


def _wire(text: str) -> str:
    """A delta as Codex sends it."""
    params = {"threadId": "t", "turnId": "turn", "itemId": "m", "delta": text}
    return json.dumps({"method": "item/agentMessage/delta", "params": params, "emittedAtMs": 0})


@bench("engine.recovery")
async def recovery() -> Sequence[Figure]:
    with tempfile.TemporaryDirectory(prefix="qd-bench-") as folder:
        path = Path(folder, "bench.sqlite3")
        store = await Store.open(path)
        await store.workspaces.create("w", folder)
        await store.conversations.create("c", "w", 1)
        state = ConversationState()
        text = "A paragraph of an answer, as long as they usually are. " * 8
        for number in range(BOXES):
            meta = ItemMeta(item_id=f"i{number}", turn_id="t", item_json='{"kind": "message"}')
            state.prepare_stage(None, None, [Note(draft(ASSISTANT, text, meta))])
        await store.records.append("c", 0, state.drain())
        ours: list[float] = []
        floor: list[float] = []
        for _ in range(15):
            began = time.perf_counter()
            with sqlite3.connect(path) as bare:
                bare.execute("SELECT * FROM records WHERE conversation_id = 'c' ORDER BY seq").fetchall()
            floor.append(time.perf_counter() - began)
            began = time.perf_counter()
            ConversationState.recover(await store.records.read("c"))
            ours.append(time.perf_counter() - began)
        await store.close()
    return [
        Figure(
            f"recover {BOXES:,} boxes ÷ SQLite reading their rows",
            median(ours) * 1000,
            3.0,
            median(floor) * 1000,
        )
    ]
