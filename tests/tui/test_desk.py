"""The desk keeps what it has open true to the engine, and forgets what nobody needs."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from core.agent.items import CommandRun
from core.agent.items import Status as ItemStatus
from core.conversation import boxing
from core.conversation.feed import BoxesReverted, Delivery, Detached, OutboxChanged, OutboxEntry, Told
from core.errors import NotFound, QuarterdeckError, StoreError
from core.rows import NotificationState
from core.thread.boxes import ASSISTANT, USER, InputMeta, draft
from core.thread.state import Status
from tests.tui.conftest import FOLDER
from tests.tui.examples import COMMAND, notified
from tests.tui.fake_engine import FakeEngine
from tui.desk import PAGE, Desk, new_key
from tui.open_places import KEPT
from tui.widgets.writing import Writing


def desk_of(engine: FakeEngine, failed: list[QuarterdeckError] | None = None) -> Desk:
    errors = [] if failed is None else failed
    return Desk(engine, FOLDER, Writing(new_key), wake=lambda: None, failed=errors.append)  # type: ignore[arg-type]


async def test_conversations_that_were_left_long_ago_are_forgotten_but_not_what_is_on_its_way() -> None:
    engine = FakeEngine()
    conversations = [engine.add(FOLDER, str(number)) for number in range(KEPT + 5)]
    desk = desk_of(engine)
    await desk.open(conversations[0].id)
    first = desk.current
    first.writing.text = "on its way"
    first.writing.submit()
    await desk.open(conversations[1].id)
    second = desk.current
    for conversation in conversations[2:]:
        await desk.open(conversation.id)
    await desk.open(conversations[0].id)
    assert desk.current is first
    await desk.open(conversations[1].id)
    assert desk.current is not second
    await desk.close()


async def test_a_sender_who_is_cut_off_while_the_engine_writes_leaves_no_second_copy_in_the_draft(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    engine = FakeEngine()
    conversation = engine.add(FOLDER, "one")
    desk = desk_of(engine)
    await desk.open(conversation.id)
    place = desk.current
    place.writing.text = "said once"
    message = place.writing.submit()
    assert message is not None
    begun, written, send = asyncio.Event(), asyncio.Event(), conversation.send

    async def slowly(*said: str, **how: object) -> None:
        begun.set()
        await written.wait()
        await send(*said, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(conversation, "send", slowly)
    sending = asyncio.create_task(desk.send(place, message))
    await begun.wait()
    sending.cancel()
    await asyncio.sleep(0)
    written.set()
    with pytest.raises(asyncio.CancelledError):
        await sending
    desk.edited(place.writing)
    await desk.close()
    assert conversation.sent == [("said once", message.key)]
    assert "said once" not in await engine.draft(conversation.id)


async def test_what_happens_in_a_conversation_that_is_not_shown_is_there_when_it_is() -> None:
    engine = FakeEngine()
    one, two = engine.add(FOLDER, "one"), engine.add(FOLDER, "two")
    desk = desk_of(engine)
    await desk.open(one.id)
    place = desk.current
    await desk.open(two.id)
    one.add(draft(ASSISTANT, "meanwhile"))
    one.become(Status.RUNNING)
    heard = desk.take()
    assert not heard.document
    assert heard.listing
    assert [entry.box.contents for entry in place.document.entries() if entry.box] == ["meanwhile"]
    assert place.running
    await desk.close()


async def test_messages_on_their_way_stand_at_the_end() -> None:
    engine = FakeEngine()
    conversation = engine.add(FOLDER, "one", draft(ASSISTANT, "hello"))
    desk = desk_of(engine)
    await desk.open(conversation.id)
    entry = OutboxEntry("k", "wait for me", Delivery.ACCEPTED)
    engine.feed.tell(OutboxChanged(conversation.id, (entry,)))
    assert desk.take().document
    last = desk.current.document.entries()[-1]
    assert last.waiting is not None and last.waiting.text == "wait for me"
    await desk.close()


async def test_a_page_that_cannot_be_read_leaves_nothing_half_open() -> None:
    engine = FakeEngine()
    conversation = engine.add(FOLDER, "one", draft(ASSISTANT, "hello"))
    desk = desk_of(engine)
    before = desk.current
    read = conversation.page

    async def broken(before: int | None = None, limit: int = 200) -> tuple[()]:
        raise StoreError("The page cannot be read")

    conversation.page = broken  # type: ignore[method-assign]
    with pytest.raises(StoreError):
        await desk.open(conversation.id)
    assert desk.current is before
    conversation.page = read  # type: ignore[method-assign]
    await desk.open(conversation.id)
    assert len(desk.current.document) == 1
    with pytest.raises(NotFound):
        await desk.open("no such")
    await desk.close()


async def test_pages_are_read_to_the_beginning_and_no_further() -> None:
    engine = FakeEngine()
    boxes = [draft(USER, str(number), InputMeta(key=str(number))) for number in range(2 * PAGE + 7)]
    conversation = engine.add(FOLDER, "long", *boxes)
    desk = desk_of(engine)
    await desk.open(conversation.id)
    assert [await desk.earlier(desk.current) for _ in range(3)] == [True, True, False]
    assert len(desk.current.document) == len(boxes)
    recalled = desk.current.writing.recall(-1)
    assert recalled == str(len(boxes) - 1)
    await desk.close()


async def test_two_messages_at_once_begin_one_conversation() -> None:
    engine = FakeEngine()
    desk = desk_of(engine)
    place = desk.current
    messages = []
    for text in ("one", "two"):
        place.writing.text = text
        message = place.writing.submit()
        assert message is not None
        messages.append(message)
    await asyncio.gather(*(desk.send(place, message) for message in messages))
    (conversation,) = engine.open_conversations.values()
    assert [text for text, _ in conversation.sent] == ["one", "two"]
    await desk.close()


async def test_another_folder_has_a_draft_of_its_own() -> None:
    engine = FakeEngine()
    engine.drafts["/elsewhere"] = "there"
    desk = desk_of(engine)
    here = desk.current
    await desk.begin(Path("/elsewhere"))
    assert desk.current.writing.text == "there"
    await desk.begin(FOLDER)
    assert desk.current is here
    await desk.close()


async def test_what_is_told_comes_in_the_order_it_was_told() -> None:
    engine = FakeEngine()
    desk = desk_of(engine)
    for number in range(3):
        engine.feed.tell(Told("info", str(number)))
    assert [told.text for told in desk.take().told] == ["0", "1", "2"]
    assert desk.take().told == []
    await desk.close()


async def test_the_next_conversation_is_not_written_with_the_text_of_the_one_that_was_gone_on_with() -> None:
    engine = FakeEngine()
    gone_on_with = engine.add(FOLDER, "earlier")
    desk = desk_of(engine)
    await desk.open(gone_on_with.id, desk.current.writing)
    await desk.begin(FOLDER)
    fresh = desk.current
    fresh.writing.text = "for a new one"
    message = fresh.writing.submit()
    assert message is not None
    assert desk.place_of(fresh.writing) is fresh
    await desk.send(fresh, message)
    assert gone_on_with.sent == []
    await desk.close()


async def test_what_was_taken_back_is_read_no_more_when_the_conversation_is_gone_to_again() -> None:
    engine = FakeEngine()
    talk = engine.add(FOLDER, "talk", draft(USER, "a", InputMeta(key="a")), draft(ASSISTANT, "b"))
    desk = desk_of(engine)
    await desk.open(talk.id)
    del talk.boxes[1:]
    engine.feed.tell(BoxesReverted(talk.id, 2, 2))
    assert desk.take().reread
    await desk.open(talk.id)
    assert [entry.box.contents for entry in desk.current.document.entries() if entry.box] == ["a"]
    await desk.close()


async def test_a_conversation_that_was_let_go_of_is_left() -> None:
    engine = FakeEngine()
    here, other = engine.add(FOLDER, "here"), engine.add(FOLDER, "other")
    desk = desk_of(engine)
    await desk.open(other.id)
    await desk.open(here.id)
    engine.feed.tell(Detached(other.id))
    assert not desk.take().left
    engine.feed.tell(Detached(here.id))
    assert desk.take().left
    await desk.close()


async def test_what_was_written_in_a_conversation_that_is_gone_stays_its_own_draft() -> None:
    engine = FakeEngine()
    engine.drafts[str(FOLDER)] = "the folder's"
    gone = engine.add(FOLDER, "gone")
    desk = desk_of(engine)
    await desk.begin(FOLDER, Writing(new_key))
    await desk.open(gone.id)
    writing = desk.current.writing
    writing.text = "half written in it"
    engine.feed.tell(Detached(gone.id))
    assert desk.take().left
    await desk.begin(FOLDER)
    assert desk.place_of(writing) is None
    desk.edited(writing)
    await desk.close()
    assert engine.drafts == {str(FOLDER): "the folder's", gone.id: "half written in it"}


async def test_what_is_written_while_the_stored_draft_is_read_does_not_replace_it() -> None:
    engine = FakeEngine()
    engine.drafts[str(FOLDER)] = "written before"
    writing = Writing(new_key, "written now")
    desk = Desk(engine, FOLDER, writing, wake=lambda: None, failed=lambda error: None)  # type: ignore[arg-type]
    desk.edited(writing)
    await desk.begin(FOLDER, writing)
    desk.edited(writing)
    await desk.close()
    assert engine.drafts == {str(FOLDER): "written before\nwritten now"}


async def test_a_draft_that_is_not_saved_yet_is_there_in_the_conversation_that_is_opened_again() -> None:
    engine = FakeEngine()
    conversation = engine.add(FOLDER, "boats")
    desk = desk_of(engine)
    await desk.open(conversation.id)
    desk.current.writing.text = "just now"
    desk.edited(desk.current.writing)
    engine.feed.tell(Detached(conversation.id))
    desk.take()
    await desk.open(conversation.id)
    assert desk.current.writing.text == "just now"
    await desk.close()


async def test_a_page_whose_reading_was_left_in_the_middle_is_read_when_it_is_gone_to_again() -> None:
    engine = FakeEngine()
    talk = engine.add(FOLDER, "talk", draft(USER, "a", InputMeta(key="a")))
    desk = desk_of(engine)
    await desk.open(talk.id)
    engine.feed.tell(BoxesReverted(talk.id, 2, 2))
    desk.take()
    going = asyncio.create_task(desk.open(talk.id))
    await asyncio.sleep(0)
    going.cancel()
    await asyncio.gather(going, return_exceptions=True)
    await desk.open(talk.id)
    assert [entry.box.contents for entry in desk.current.document.entries() if entry.box] == ["a"]
    await desk.close()


async def test_what_a_request_is_about_is_marked_while_it_waits() -> None:
    engine = FakeEngine()
    run = CommandRun(id=COMMAND.item_id, command=COMMAND.command, cwd="/", status=ItemStatus.RUNNING)
    conversation = engine.add(FOLDER, "one", boxing.call_of(run, "turn-1").draft())
    desk = desk_of(engine)
    engine.ask(notified(COMMAND, conversation_id=conversation.id))
    await desk.open(conversation.id)
    (entry,) = desk.current.document.entries()
    assert entry.asked
    engine.ask(notified(COMMAND, conversation_id=conversation.id, state=NotificationState.SENT))
    assert desk.take().document
    assert not entry.asked
    engine.ask(notified(COMMAND.model_copy(update={"stdin": True}), 2, conversation_id=conversation.id))
    desk.take()
    assert not entry.asked
    await desk.close()
