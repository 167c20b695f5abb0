"""A reader who is slow gets everything, in fewer pieces."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

from core.agent.events import Channel
from core.conversation.backlog import Backlog
from core.conversation.feed import BoxesAdded, DiffChanged, FeedEvent, LiveDelta, LiveDropped
from core.conversation.prompting import PromptRequest
from core.demo.scratch import Scratch
from core.engine import Engine
from core.thread.boxes import ASSISTANT
from tests.support.watcher import Watcher

WORDS = 400


def _piece(item: str, text: str, channel: Channel = Channel.MESSAGE) -> LiveDelta:
    return LiveDelta("c", item, channel, text)


def _all(backlog: Backlog) -> list[FeedEvent]:
    return [backlog.take() for _ in range(len(backlog))]


def test_pieces_of_a_text_are_joined_and_texts_that_grow_together_stay_apart() -> None:
    backlog = Backlog()
    for number in range(1000):
        backlog.put(_piece("answer", f"{number} "))
        backlog.put(_piece("command", "x", Channel.OUTPUT))
    assert len(backlog) == 2
    answer, command = _all(backlog)
    assert isinstance(answer, LiveDelta) and isinstance(command, LiveDelta)
    assert answer.text == "".join(f"{number} " for number in range(1000))
    assert (command.text, command.channel) == ("x" * 1000, Channel.OUTPUT)


def test_what_has_a_place_among_the_texts_keeps_it() -> None:
    backlog = Backlog()
    dropped = LiveDropped("c", "other")
    for event in (_piece("answer", "be\r"), _piece("answer", "\nfore"), dropped, _piece("answer", "after")):
        backlog.put(event)
    assert _all(backlog) == [_piece("answer", "be\r\nfore"), dropped, _piece("answer", "after")]


def test_of_what_only_says_how_things_stand_the_last_word_is_kept() -> None:
    backlog = Backlog()
    for number in range(100):
        backlog.put(_piece("answer", "."))
        backlog.put(DiffChanged("c", f"diff {number}"))
    assert _all(backlog) == [_piece("answer", "." * 100), DiffChanged("c", "diff 99")]


async def test_who_waits_is_woken_by_what_comes() -> None:
    backlog = Backlog()
    waiting = asyncio.create_task(backlog.get())
    await asyncio.sleep(0)
    backlog.put(LiveDropped("c", "one"))
    async with asyncio.timeout(5):
        assert await waiting == LiveDropped("c", "one")


async def test_a_reader_of_a_prompt_who_reads_late_gets_the_whole_answer_in_few_pieces(
    engine: Engine, watcher: Watcher, scratch: Scratch
) -> None:
    conversation = await engine.create(scratch.project)
    await watcher.until(lambda: engine.host.phase.value == "ready")
    handle = await engine.handle(conversation.id)
    words = " ".join(f"w{number}" for number in range(WORDS))
    pieces: list[LiveDelta] = []
    answers: list[str] = []
    async with aclosing(handle.prompt_stream(PromptRequest(f"/say {words}", seconds=30))) as events:  # type: ignore[type-var]
        async for event in events:
            if not pieces:
                await watcher.box(conversation, ASSISTANT)
                await watcher.settled(conversation)
            if isinstance(event, LiveDelta):
                pieces.append(event)
            if isinstance(event, BoxesAdded):
                answers += [box.contents for box in event.boxes if box.box_type == ASSISTANT]
    assert answers == ["".join(piece.text for piece in pieces)] == [words]
    assert len(pieces) < 10
