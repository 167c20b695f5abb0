"""A message is in one place: with its sender, or accepted and on disk. A write that fails leaves it with its sender."""

from __future__ import annotations

import asyncio
import contextlib

import pytest

from core.access.policy import AccessContext, AccessPolicy, ProfileId
from core.conversation import boxing
from core.conversation.session import RecordSession
from core.errors import StoreError
from core.thread.boxes import USER, BoxDraft
from core.thread.durable import DurableThread
from core.thread.state import ConversationState, Status
from core.tools.actions import ThreadActions
from tests.core.thread.test_durable import Disk

CONTEXT = AccessContext("")


def _said(key: str, text: str = "hello", *, queue: bool = False) -> BoxDraft:
    return boxing.message_draft(key, text, steer=not queue)


def _wired() -> tuple[Disk, DurableThread]:
    disk = Disk()
    disk.go_on.set()
    return disk, DurableThread(ConversationState(), 0, RecordSession("c", disk), ThreadActions())


async def _accept(thread: DurableThread, box: BoxDraft, **drafts: str) -> str:
    return await thread.accept_user(CONTEXT, ProfileId("autopilot"), AccessPolicy.shipped(), box, drafts)


async def test_a_message_that_could_not_be_written_is_not_here_and_no_later_write_brings_it() -> None:
    disk, thread = _wired()
    disk.full = True
    with pytest.raises(StoreError):
        await _accept(thread, _said("k1"), composer="")
    assert thread.status is Status.IDLE
    assert (thread.state.arrivals, thread.boxes, thread.state.knows_key("k1")) == ((), [], False)
    assert thread.begin_input() is None
    await thread.checkpoint()
    assert disk.drafts == {}
    after = ConversationState.recover(disk.records)
    assert (after.status, after.begin(), len(after.boxes)) == (Status.IDLE, None, 0)


async def test_a_message_that_was_refused_is_taken_under_the_same_key_once_there_is_room() -> None:
    disk, thread = _wired()
    disk.full = True
    with pytest.raises(StoreError):
        await _accept(thread, _said("k1", "first"))
    assert await _accept(thread, _said("k1", "changed"), composer="") == "k1"
    begun = thread.begin_input()
    assert begun is not None and begun[1] == "changed"
    assert disk.drafts == {"composer": ""}


async def test_nothing_goes_out_of_a_message_that_is_still_being_written() -> None:
    disk, thread = _wired()
    disk.go_on.clear()
    taking = asyncio.create_task(_accept(thread, _said("k1")))
    await disk.begun.wait()
    assert (thread.status, thread.state.arrivals) == (Status.IDLE, ())
    assert thread.begin_input() is None
    disk.go_on.set()
    await taking
    assert [box.box_type for box in thread.boxes] == [USER]
    assert thread.begin_input() is not None


async def test_a_message_that_was_written_although_the_write_failed_is_accepted_once() -> None:
    disk, thread = _wired()
    disk.lies = True
    await _accept(thread, _said("k1"), composer="")
    assert thread.durable == len(disk.records) == 1
    await thread.checkpoint()
    assert [box.contents for box in ConversationState.recover(disk.records).boxes] == ["hello"]


async def test_a_message_that_nobody_can_say_was_written_is_its_senders_and_the_log_goes_on() -> None:
    disk, thread = _wired()
    disk.lies, disk.gone = True, 1
    with pytest.raises(StoreError, match="did not answer"):
        await _accept(thread, _said("k1"))
    assert thread.begin_input() is None
    await _accept(thread, _said("k2", "changed"))
    await thread.checkpoint()
    assert [box.contents for box in thread.boxes] == ["changed"]
    assert [box.contents for box in ConversationState.recover(disk.records).boxes] == ["changed"]


async def test_where_a_sender_leaves_the_write_decides() -> None:
    for full in (False, True):
        disk, thread = _wired()
        disk.go_on.clear()
        disk.full = full
        taking = asyncio.create_task(_accept(thread, _said("k1")))
        await disk.begun.wait()
        taking.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await taking
        disk.go_on.set()
        await thread.close()
        assert thread.state.knows_key("k1") is not full
        assert (thread.begin_input() is None) is full


async def test_a_message_that_is_sent_twice_at_once_is_accepted_or_refused_for_both() -> None:
    for full in (False, True):
        disk, thread = _wired()
        disk.full = full
        both = await asyncio.gather(
            _accept(thread, _said("k1")), _accept(thread, _said("k1")), return_exceptions=True
        )
        assert [isinstance(one, StoreError) for one in both] == [full, full]
        assert len(thread.boxes) == (0 if full else 1)


async def test_a_stalled_job_goes_on_only_for_a_message_that_was_written() -> None:
    disk, thread = _wired()
    await _accept(thread, _said("k1"))
    begun = thread.begin_input()
    assert begun is not None
    await thread.fail(begun[0].job, "broke", restartable=True)
    for queue in (False, True):
        disk.full = True
        with pytest.raises(StoreError):
            await _accept(thread, _said("k2", queue=queue))
        assert thread.status is Status.STALLED
        assert thread.begin_input() is None
    await _accept(thread, _said("k2", queue=True))
    assert thread.begin_input() is not None


async def test_what_a_message_taken_back_left_in_the_composer_is_kept_though_the_next_one_is_refused() -> (
    None
):
    disk, thread = _wired()
    await _accept(thread, _said("k1"))
    thread.begin_input()
    await _accept(thread, _said("k2"))
    thread.withdraw("k2", drafts={"composer": "taken back"})
    disk.full = True
    with pytest.raises(StoreError):
        await _accept(thread, _said("k3"), composer="")
    await thread.checkpoint()
    assert disk.drafts == {"composer": "taken back"}


async def test_a_stalled_job_goes_on_for_a_message_that_a_crash_left_just_written() -> None:
    for queue in (False, True):
        disk, thread = _wired()
        await _accept(thread, _said("k1"))
        begun = thread.begin_input()
        assert begun is not None
        await thread.fail(begun[0].job, "broke", restartable=True)
        written = len(disk.records)
        await _accept(thread, _said("k2", "and then", queue=queue))
        await thread.checkpoint()
        after = _recovered(disk, written + 1)
        assert after.status is Status.RUNNING
        assert after.begin_input() is not None
        assert _recovered(disk, written).status is Status.STALLED


def _recovered(disk: Disk, count: int) -> DurableThread:
    """From the first so many records."""
    return DurableThread.recover(disk.records[:count], RecordSession("c", disk), ThreadActions())
