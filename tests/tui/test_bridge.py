"""The bridge joins what the engine tells, in order, at most thirty times a second."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from core.agent.events import Channel
from core.conversation.feed import (
    ConversationsChanged,
    Feed,
    FeedEvent,
    LiveDelta,
    NotificationChanged,
    StateChanged,
    ThreadState,
)
from core.thread.state import Status
from tests.tui import examples
from tui.bridge import FRAMES, Bridge


def delta(
    text: str, item: str = "a", conversation: str = "c", channel: Channel = Channel.MESSAGE
) -> LiveDelta:
    return LiveDelta(conversation, item, channel, text)


class Screen:
    """Takes whenever it is woken, and remembers when that was."""

    def __init__(self, feed: Feed, clock: Callable[[], float]) -> None:
        self.clock = clock
        self.taken: list[tuple[float, tuple[FeedEvent, ...]]] = []
        self.woken = asyncio.Event()
        self.bridge = Bridge(feed, self.wake, clock=clock)

    def wake(self) -> None:
        self.taken.append((self.clock(), self.bridge.take()))
        self.woken.set()

    @property
    def events(self) -> list[FeedEvent]:
        return [event for _, batch in self.taken for event in batch]


async def test_four_thousand_deltas_are_at_most_thirty_updates_a_second_in_order_and_whole() -> None:
    feed, loop = Feed(), asyncio.get_running_loop()
    screen = Screen(feed, loop.time)
    words = [f"{number} " for number in range(4_000)]
    started = loop.time()
    for number, word in enumerate(words):
        feed.tell(delta(word))
        if number % 40 == 39:
            await asyncio.sleep(0.01)
    took = loop.time() - started
    while "".join(event.text for event in screen.events if isinstance(event, LiveDelta)) != "".join(words):
        screen.woken.clear()
        await asyncio.wait_for(screen.woken.wait(), 1)
    assert took > 0.9
    assert len(screen.taken) <= took * FRAMES + 2
    times = [at for at, _ in screen.taken]
    assert all(later - earlier >= 1 / FRAMES - 0.002 for earlier, later in itertools.pairwise(times))
    assert all(len(batch) == 1 for _, batch in screen.taken)


async def test_the_first_delta_after_silence_does_not_wait() -> None:
    feed = Feed()
    screen = Screen(feed, lambda: 1000.0)
    feed.tell(delta("now"))
    await asyncio.sleep(0)
    assert screen.events == [delta("now")]


async def test_a_request_goes_through_at_once_while_others_stream() -> None:
    feed, loop = Feed(), asyncio.get_running_loop()
    screen = Screen(feed, loop.time)
    feed.tell(delta("first"))
    await asyncio.wait_for(screen.woken.wait(), 1)
    screen.woken.clear()
    feed.tell(delta("second"))
    asked = NotificationChanged(examples.notified(examples.KINDS["command"], 1))
    told = loop.time()
    feed.tell(asked)
    await asyncio.wait_for(screen.woken.wait(), 1)
    assert screen.events[1:] == [delta("second"), asked]
    assert screen.taken[-1][0] - told < 1 / FRAMES / 2


async def test_a_screen_that_is_busy_is_not_woken_again_and_finds_everything_joined() -> None:
    feed, wakes = Feed(), 0

    def wake() -> None:
        nonlocal wakes
        wakes += 1

    ticks = iter(range(10_000))
    bridge = Bridge(feed, wake, clock=lambda: float(next(ticks)))
    for word in ("one ", "two ", "three"):
        feed.tell(delta(word))
        await asyncio.sleep(0)
    assert wakes == 1
    assert bridge.take() == (delta("one two three"),)
    feed.tell(delta("four"))
    await asyncio.sleep(0)
    assert wakes == 2


async def test_two_texts_are_joined_apart_and_another_event_of_the_conversation_keeps_its_place() -> None:
    feed = Feed()
    bridge = Bridge(feed, lambda: None)
    running = StateChanged("c", ThreadState(Status.RUNNING))
    feed.tell(delta("a1"))
    feed.tell(delta("b1", item="b"))
    feed.tell(delta("x1", conversation="other"))
    feed.tell(delta("a2"))
    feed.tell(running)
    feed.tell(delta("a3"))
    feed.tell(delta("x2", conversation="other"))
    assert bridge.take() == (
        delta("a1a2"),
        delta("b1", item="b"),
        delta("x1x2", conversation="other"),
        running,
        delta("a3"),
    )


async def test_a_closed_bridge_hears_no_more_and_gives_what_it_had() -> None:
    feed, woken = Feed(), False

    def wake() -> None:
        nonlocal woken
        woken = True

    bridge = Bridge(feed, wake)
    feed.tell(delta("kept"))
    bridge.close()
    feed.tell(delta("missed"))
    await asyncio.sleep(0)
    assert not woken
    assert bridge.take() == (delta("kept"),)


@given(
    st.lists(
        st.one_of(
            st.builds(
                delta,
                st.text("abc", max_size=3),
                item=st.sampled_from("ab"),
                conversation=st.sampled_from("cd"),
                channel=st.sampled_from([Channel.MESSAGE, Channel.OUTPUT]),
            ),
            st.builds(
                StateChanged, st.sampled_from("cd"), st.builds(ThreadState, st.sampled_from(list(Status)))
            ),
            st.just(ConversationsChanged()),
            st.none(),
        )
    )
)
def test_whatever_is_told_each_text_is_whole_and_each_conversation_in_order(
    told: list[FeedEvent | None],
) -> None:
    async def run() -> None:
        feed = Feed()
        bridge = Bridge(feed, lambda: None)
        taken: list[FeedEvent] = []
        for event in told:
            if event is None:
                taken.extend(bridge.take())
            else:
                feed.tell(event)
        taken.extend(bridge.take())
        events = [event for event in told if event is not None]
        for conversation in ("c", "d"):
            assert folded(taken, conversation) == folded(events, conversation)

    asyncio.run(run())


def folded(events: list[FeedEvent], conversation: str) -> list[tuple[object, dict[tuple[str, str], str]]]:
    """What a screen would have shown of a conversation at each event that is no delta, and at the end."""
    texts: dict[tuple[str, str], str] = {}
    moments: list[tuple[object, dict[tuple[str, str], str]]] = []
    for event in events:
        if getattr(event, "conversation_id", None) != conversation:
            continue
        if isinstance(event, LiveDelta):
            name = (event.item_id, event.channel.value)
            texts[name] = texts.get(name, "") + event.text
        else:
            moments.append((event, dict(texts)))
    return [*moments, (None, texts)]
