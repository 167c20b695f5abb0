"""Many sessions for the benches, made through the store in the real format, and their index.

They are kept in the system's temporary folder by their shape, so that they are made once.
"""

from __future__ import annotations

import asyncio
import bisect
import itertools
import random
import shutil
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.agent.items import AgentMessage, CommandRun, Status, dump_item
from core.sessions.ours import OwnConversations
from core.store.sessions.index import SessionIndex
from core.store.store import Store
from core.thread.boxes import (
    ASSISTANT,
    TOOL_CALL,
    TOOL_RETURN,
    USER,
    BoxId,
    CallMeta,
    ChatBox,
    Hidden,
    InputMeta,
    ItemMeta,
    ResultMeta,
)
from core.thread.records import BoxRecord

FORMAT = 1
"""Goes up when what is made changes."""

FOLDERS = 40
AT_ONCE = 200
VOCABULARY = 30_000
START_MS = 1_700_000_000_000
MINUTE_MS = 60_000


@dataclass(frozen=True, slots=True)
class Shape:
    sessions: int
    boxes: int
    """Of each session."""


class Words:
    """Text whose words are as unevenly common as those of people: the n-th word has a share of 1/n."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self.words = [_word(number) for number in range(VOCABULARY)]
        self._shares = list(itertools.accumulate(1 / (number + 1) for number in range(VOCABULARY)))

    def text(self, count: int) -> str:
        return " ".join(self.one() for _ in range(count))

    def one(self) -> str:
        place = bisect.bisect(self._shares, self._random.random() * self._shares[-1])
        return self.words[min(place, VOCABULARY - 1)]


class _Ticks:
    """A clock that goes on by a minute at each look, so that sessions have times of their own."""

    def __init__(self) -> None:
        self._at_ms = START_MS

    def __call__(self) -> int:
        self._at_ms += MINUTE_MS
        return self._at_ms


async def made(shape: Shape) -> Path:
    """The folder of a database and an index of this shape."""
    folder = Path(tempfile.gettempdir(), f"qd-bench-sessions-{FORMAT}-{shape.sessions}x{shape.boxes}")
    if not folder.exists():
        unfinished = folder.with_name(f"{folder.name}.unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        began = time.monotonic()
        await _make(unfinished, shape)
        unfinished.rename(folder)
        print(f"made {folder} in {time.monotonic() - began:.0f} s", flush=True)
    return folder


async def _make(folder: Path, shape: Shape) -> None:
    words = Words(7)
    store = await Store.open(folder / "quarterdeck.sqlite3", clock=_Ticks())
    try:
        for number in range(FOLDERS):
            await store.workspaces.create(f"w{number}", f"/home/ann/{words.words[number * 50]}")
        numbers = iter(range(shape.sessions))
        while some := list(itertools.islice(numbers, AT_ONCE)):
            await asyncio.gather(*(_session(store, number, shape.boxes, words) for number in some))
        index = await SessionIndex.open(folder / "sessions.sqlite3")
        try:
            await OwnConversations(store.session_source, store.marks, index).catch_up()
        finally:
            await index.close()
    finally:
        await store.close()


async def _session(store: Store, number: int, boxes: int, words: Words) -> None:
    name = f"conversation-{number}"
    await store.conversations.create(name, f"w{number % FOLDERS}", 1, title=words.text(5))
    records = [BoxRecord(box) for box in itertools.islice(_boxes(name, words), boxes)]
    await store.records.append(name, 0, records)


def _boxes(name: str, words: Words) -> Iterator[ChatBox]:
    """A turn is a message, a command with its output, and an answer."""
    numbers = itertools.count(1)

    def box(box_type: str, contents: str, hidden: Hidden) -> ChatBox:
        box_id = BoxId(next(numbers))
        return ChatBox(box_id, box_type, contents, hidden.type, hidden.model_dump_json())

    for turn in itertools.count():
        turn_id = f"{name}-turn-{turn}"
        yield box(USER, words.text(12), InputMeta(key=f"{turn_id}-key"))
        run = CommandRun(
            id=f"{turn_id}-run", command=f"grep -rn {words.one()} src", cwd="/", status=Status.DONE
        )
        call = CallMeta(name="command", item_id=run.id, turn_id=turn_id, item_json=dump_item(run))
        called = box(TOOL_CALL, run.command, call)
        yield called
        result = ResultMeta(
            tool_call_id=called.id, success=True, metadata_type="item", metadata_contents=dump_item(run)
        )
        yield box(TOOL_RETURN, words.text(30), result)
        said = AgentMessage(id=f"{turn_id}-said", text=words.text(40))
        yield box(ASSISTANT, said.text, ItemMeta(item_id=said.id, turn_id=turn_id, item_json=dump_item(said)))


def _word(number: int) -> str:
    """A word of its own for each number, shorter for the common ones."""
    syllables = (
        "ba",
        "de",
        "fi",
        "go",
        "hu",
        "ka",
        "le",
        "mi",
        "no",
        "pu",
        "ra",
        "se",
        "ti",
        "vo",
        "wu",
        "za",
    )
    parts: list[str] = []
    rest = number + 16
    while rest:
        rest, part = divmod(rest, 16)
        parts.append(syllables[part])
    return "".join(parts)
