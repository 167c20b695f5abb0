"""The connection: ids, waiters, limits, and what becomes of them when the other side goes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.codex.protocol.base import Method, Nothing, Wire
from core.codex.rpc import OVERLOADED, REFUSED, Asked, Connection, Incoming, Limits, Malformed, Told
from core.errors import CallRefused, CallTimedOut, ConnectionLost
from tests.core.codex.peers import FakeTransport


class Echoed(Wire):
    value: int


ECHO = Method("echo", Echoed, 5.0)
QUICK = Method("quick", Echoed, 0.05)


class Say(Wire):
    value: int | None = None


class Rig:
    """A running connection over a `FakeTransport`."""

    def __init__(self, **limits: Any) -> None:
        self.transport = FakeTransport()
        self.heard: list[Incoming] = []
        self._news = asyncio.Event()
        self.connection = Connection(self.transport, self.hear, Limits(**limits))
        self.reader = asyncio.create_task(self.connection.run())

    def call(self, value: int, method: Method[Echoed] = ECHO) -> asyncio.Task[Echoed]:
        return asyncio.create_task(self.connection.call(method, Say(value=value)))

    async def sent(self) -> dict[str, Any]:
        async with asyncio.timeout(5):
            return await self.transport.sent.get()

    async def echo_all(self) -> None:
        while True:
            message = await self.sent()
            self.transport.give({"id": message["id"], "result": {"value": message["params"]["value"]}})

    def hear(self, message: Incoming) -> None:
        self.heard.append(message)
        self._news.set()

    async def hears(self, count: int) -> list[Incoming]:
        """Everything heard, once there are so many."""
        async with asyncio.timeout(5):
            while len(self.heard) < count:
                self._news.clear()
                await self._news.wait()
        return self.heard

    async def end(self) -> None:
        await self.connection.close()
        await self.reader


@pytest.fixture
async def rig() -> AsyncIterator[Rig]:
    made = Rig()
    yield made
    await made.end()


async def test_answers_out_of_order_reach_their_own_callers(rig: Rig) -> None:
    calls = [rig.call(n) for n in range(20)]
    messages = [await rig.sent() for _ in calls]
    for message in reversed(messages):
        rig.transport.give({"id": message["id"], "result": {"value": message["params"]["value"]}})
    assert [answer.value for answer in await asyncio.gather(*calls)] == list(range(20))


async def test_a_call_names_its_method_and_leaves_out_what_is_none(rig: Rig) -> None:
    task = asyncio.create_task(rig.connection.call(ECHO, Say()))
    message = await rig.sent()
    assert (message["method"], message["params"]) == ("echo", {})
    rig.transport.give({"id": message["id"], "result": {"value": 1}})
    assert (await task).value == 1


async def test_no_more_calls_than_allowed_are_in_flight() -> None:
    rig = Rig(in_flight=3)
    calls = [rig.call(n) for n in range(10)]
    first = [await rig.sent() for _ in range(3)]
    await asyncio.sleep(0)
    assert rig.transport.sent.empty()
    for message in first:
        rig.transport.give({"id": message["id"], "result": {"value": 0}})
    echo = asyncio.create_task(rig.echo_all())
    await asyncio.gather(*calls)
    echo.cancel()
    await rig.end()


async def test_a_cancelled_caller_frees_its_slot_and_its_late_answer_is_let_go() -> None:
    rig = Rig(in_flight=1)
    stuck = rig.call(1)
    late = await rig.sent()
    waiting = rig.call(2)
    stuck.cancel()
    with pytest.raises(asyncio.CancelledError):
        await stuck
    message = await rig.sent()
    assert message["params"]["value"] == 2
    rig.transport.give({"id": late["id"], "result": {"value": 1}})
    rig.transport.give({"id": message["id"], "result": {"value": 2}})
    assert (await waiting).value == 2
    await rig.end()


async def test_a_call_without_an_answer_times_out_and_frees_its_slot() -> None:
    rig = Rig(in_flight=1)
    with pytest.raises(CallTimedOut, match="quick"):
        await rig.call(1, QUICK)
    await rig.sent()
    task = rig.call(2)
    message = await rig.sent()
    rig.transport.give({"id": message["id"], "result": {"value": 2}})
    assert (await task).value == 2
    await rig.end()


async def test_a_storm_of_overloaded_answers_is_weathered() -> None:
    rig = Rig(in_flight=8, first_pause=0.001, longest_pause=0.004)
    refused: dict[int, int] = {}

    async def overloaded_twice() -> None:
        while True:
            message = await rig.sent()
            value = message["params"]["value"]
            refused[value] = refused.get(value, 0) + 1
            if refused[value] <= 2:
                error = {"code": OVERLOADED, "message": "Server overloaded; retry later."}
                rig.transport.give({"id": message["id"], "error": error})
            else:
                rig.transport.give({"id": message["id"], "result": {"value": value}})

    peer = asyncio.create_task(overloaded_twice())
    answers = await asyncio.gather(*(rig.call(n) for n in range(100)))
    peer.cancel()
    assert [answer.value for answer in answers] == list(range(100))
    assert set(refused.values()) == {3}
    await rig.end()


async def test_a_host_that_stays_overloaded_refuses_in_the_end() -> None:
    rig = Rig(retries=3, first_pause=0.001, longest_pause=0.001)
    task = rig.call(1)
    for _ in range(4):
        message = await rig.sent()
        rig.transport.give({"id": message["id"], "error": {"code": OVERLOADED, "message": "later"}})
    with pytest.raises(CallRefused) as refused:
        await task
    assert refused.value.code == OVERLOADED
    assert rig.transport.sent.empty()
    await rig.end()


async def test_any_other_error_is_told_at_once_with_codexs_words(rig: Rig) -> None:
    task = rig.call(1)
    message = await rig.sent()
    rig.transport.give({"id": message["id"], "error": {"code": -32600, "message": "no active turn to steer"}})
    with pytest.raises(CallRefused, match="no active turn to steer") as refused:
        await task
    assert (refused.value.code, refused.value.method) == (-32600, "echo")


@pytest.mark.parametrize("error", ["a word", None, {}, {"code": "x"}, []])
async def test_an_error_of_any_shape_refuses_the_call(rig: Rig, error: object) -> None:
    task = rig.call(1)
    message = await rig.sent()
    rig.transport.give({"id": message["id"], "error": error})
    with pytest.raises(CallRefused):
        await task


async def test_an_answer_of_an_unknown_shape_refuses_the_call(rig: Rig) -> None:
    task = rig.call(1)
    message = await rig.sent()
    rig.transport.give({"id": message["id"], "result": {"value": "not a number"}})
    with pytest.raises(CallRefused, match="shape"):
        await task


async def test_every_waiter_is_told_when_the_other_side_dies(rig: Rig) -> None:
    calls = [rig.call(n) for n in range(100)]
    await rig.sent()
    rig.transport.die("it was killed")
    results = await asyncio.gather(*calls, return_exceptions=True)
    assert all(isinstance(result, ConnectionLost) for result in results)
    assert all("it was killed" in str(result) for result in results)
    assert "it was killed" in str(await rig.reader)


async def test_a_call_after_the_end_is_told_at_once(rig: Rig) -> None:
    rig.transport.die("it was killed")
    await rig.reader
    with pytest.raises(ConnectionLost, match="it was killed"):
        await rig.call(1)
    assert rig.transport.sent.empty()


async def test_closing_tells_every_waiter(rig: Rig) -> None:
    task = rig.call(1)
    await rig.sent()
    await rig.connection.close()
    with pytest.raises(ConnectionLost):
        await task
    assert rig.transport.closed


async def test_messages_are_handed_on_in_the_order_of_the_wire(rig: Rig) -> None:
    for n in range(50):
        message = {"id": n, "method": "ask", "params": n} if n % 2 else {"method": "tell", "params": n}
        rig.transport.give(message)
    await rig.hears(50)
    assert [message.params for message in rig.heard if isinstance(message, Told | Asked)] == list(range(50))


async def test_a_request_with_id_zero_is_a_request_and_is_answered_under_it(rig: Rig) -> None:
    rig.transport.give({"id": 0, "method": "ask", "params": {}})
    await rig.hears(1)
    assert rig.heard == [Asked(0, "ask", {})]
    await rig.connection.reply(0, Say(value=1))
    assert await rig.sent() == {"id": 0, "result": {"value": 1}}
    await rig.connection.reply("text-id", Say(value=2))
    assert (await rig.sent())["id"] == "text-id"


async def test_a_request_can_be_refused_without_waiting(rig: Rig) -> None:
    rig.connection.refuse(7, 'not "ours"')
    assert await rig.sent() == {"id": 7, "error": {"code": REFUSED, "message": 'not "ours"'}}


async def test_a_handler_that_fails_does_not_stop_the_reader() -> None:
    transport, heard = FakeTransport(), list[Incoming]()

    def handler(message: Incoming) -> None:
        heard.append(message)
        raise RuntimeError("a fault of the handler's")

    connection = Connection(transport, handler)
    reader = asyncio.create_task(connection.run())
    for method in ("one", "two"):
        transport.give({"method": method})
    transport.die("done")
    await reader
    assert heard == [Told("one", None), Told("two", None)]
    await connection.close()


@pytest.mark.parametrize(
    "text",
    ["{", "", "[]", "null", "3", '"text"', "{}", '{"id": 1}', '{"method": 3}', b"\xff\xfe", "[" * 100_000],
)
async def test_what_is_no_message_is_counted_and_the_rest_goes_on(rig: Rig, text: str | bytes) -> None:
    rig.transport.give(text)
    rig.transport.give(text)
    rig.transport.give({"method": "after"})
    first, second, after = await rig.hears(3)
    assert isinstance(first, Malformed)
    assert isinstance(second, Malformed)
    assert (first.count, second.count) == (1, 2)
    assert len(second.excerpt) <= 200
    assert after == Told("after", None)


async def test_an_answer_that_nobody_waits_for_is_let_go(rig: Rig) -> None:
    for call_id in (999, "text", None, [1], True):
        rig.transport.give({"id": call_id, "result": {}})
    rig.transport.give({"method": "after"})
    await rig.hears(1)
    assert rig.heard == [Told("after", None)]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda children: st.lists(children, max_size=3) | st.dictionaries(st.text(), children, max_size=3),
    max_leaves=8,
)
MESSAGES = st.dictionaries(st.sampled_from(["id", "method", "params", "result", "error", "x"]), JSON)


@given(messages=st.lists(MESSAGES, max_size=20))
@settings(deadline=None, max_examples=50)
def test_no_message_whatever_is_in_it_ends_the_reader(messages: list[dict[str, object]]) -> None:
    async def run() -> None:
        rig = Rig()
        for message in messages:
            rig.transport.give(message)
        task = asyncio.create_task(rig.connection.call(Method("ping", Nothing, 5.0), Nothing()))
        sent = await rig.sent()
        rig.transport.give({"id": sent["id"], "result": {}})
        try:
            await task
        except CallRefused:
            assert any(message.get("id") == sent["id"] for message in messages)
        await rig.end()

    asyncio.run(run())
