"""What a thread knows to be on disk is what is there, whatever becomes of those who had it written."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping, Sequence

from core.conversation import boxing
from core.conversation.session import RecordSession
from core.errors import SequenceConflict, StoreError
from core.thread.codec import Call, Note
from core.thread.durable import DurableThread
from core.thread.records import Record
from core.thread.state import ConversationState
from core.tools.actions import ThreadActions


class Disk:
    """A log that takes its time, and that nobody can stop in a write.

    `full` fails the next write, `lies` does it and says that it failed; `gone` fails as many reads.
    """

    def __init__(self) -> None:
        self.records: list[Record] = []
        self.settled: list[str] = []
        self.begun = asyncio.Event()
        self.go_on = asyncio.Event()
        self.full = False
        self.lies = False
        self.gone = 0
        self.drafts: dict[str, str] = {}

    async def append(
        self,
        conversation_id: str,
        expected_seq: int,
        records: Sequence[Record],
        *,
        settled: Sequence[str] = (),
        drafts: Mapping[str, str] = {},
    ) -> int:
        self.begun.set()
        return await asyncio.shield(asyncio.create_task(self._commit(expected_seq, records, settled, drafts)))

    async def _commit(
        self, expected_seq: int, records: Sequence[Record], settled: Sequence[str], drafts: Mapping[str, str]
    ) -> int:
        await self.go_on.wait()
        if self.full:
            self.full = False
            raise StoreError("The disk is full")
        if expected_seq != len(self.records):
            raise SequenceConflict("The log has moved on")
        self.records.extend(records)
        self.settled.extend(settled)
        self.drafts.update(drafts)
        if self.lies:
            self.lies = False
            raise StoreError("The disk did not answer")
        return len(self.records)

    async def read(self, conversation_id: str, after_seq: int = 0) -> list[Record]:
        if self.gone:
            self.gone -= 1
            raise StoreError("The disk is gone")
        return self.records[after_seq:]

    async def tail_boxes(self, *_: object) -> list[object]:
        return []


def _thread(disk: Disk) -> DurableThread:
    return DurableThread(ConversationState(), 0, RecordSession("c", disk), ThreadActions())


def _say(thread: DurableThread, text: str) -> None:
    thread.state.prepare_stage(None, None, [Note(boxing.notice("info", text))])


async def test_a_write_whose_caller_is_cancelled_goes_on_and_the_next_one_follows_on_it() -> None:
    disk = Disk()
    thread = _thread(disk)
    _say(thread, "one")
    caller = asyncio.create_task(thread.checkpoint())
    await disk.begun.wait()
    caller.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await caller
    _say(thread, "two")
    disk.go_on.set()
    await thread.checkpoint()
    assert [record.box.contents for record in disk.records] == ["one", "two"]
    assert thread.durable == 2


async def test_closing_waits_for_the_write_that_nobody_waits_for_any_more() -> None:
    disk = Disk()
    thread = _thread(disk)
    _say(thread, "one")
    caller = asyncio.create_task(thread.checkpoint())
    await disk.begun.wait()
    caller.cancel()
    closing = asyncio.create_task(thread.close())
    disk.go_on.set()
    await closing
    assert (thread.durable, len(disk.records)) == (1, 1)


async def test_a_return_whose_write_failed_once_lets_go_of_its_streamed_output_all_the_same() -> None:
    disk = Disk()
    disk.go_on.set()
    thread = _thread(disk)
    (call,) = thread.state.prepare_stage(None, None, [Call("command", "make", "i1", "turn", "")])
    await thread.checkpoint()
    thread.state.calls.accept_return(call.id, True, "built")
    disk.full = True
    with contextlib.suppress(StoreError):
        await thread.checkpoint()
    await thread.checkpoint()
    assert disk.settled == ["i1"]
