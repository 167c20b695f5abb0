"""Calls and messages over one connection (PROTOCOL, Framing and errors).

One reader takes every message in wire order and hands it on without waiting for anybody. Calls are
bounded in flight, each ends by its time-out at the latest, "overloaded" is tried again, and when the other
side goes every waiter is told.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
import random
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from pydantic import ValidationError
from pydantic_core import from_json

from core.codex.protocol.base import Method, Wire
from core.codex.transport import Transport
from core.errors import CallRefused, CallTimedOut, ConnectionLost

OVERLOADED = -32001
UNREADABLE = -32700
"""Our own code for an answer in a shape that we do not understand."""
REFUSED = -32601
EXCERPT = 200

log = logging.getLogger(__name__)

RequestId = int | str
R = TypeVar("R", bound=Wire)


@dataclass(frozen=True, slots=True)
class Told:
    """A notification. `params` is whatever JSON came."""

    method: str
    params: object


@dataclass(frozen=True, slots=True)
class Asked:
    """A request of the other side's, to be answered with `reply` or not at all."""

    id: RequestId
    method: str
    params: object


@dataclass(frozen=True, slots=True)
class Malformed:
    """Something that is no message. `count` tells how many came on this connection by now."""

    count: int
    excerpt: str


Incoming = Told | Asked | Malformed


@dataclass(frozen=True, slots=True)
class Limits:
    """Calls at once; how often an overloaded host is asked again; its first and longest pause in seconds."""

    in_flight: int = 32
    retries: int = 8
    first_pause: float = 0.05
    longest_pause: float = 2.0


@dataclass(frozen=True, slots=True)
class _Fault:
    code: int
    message: str


class Connection:
    """Owns its transport and the tasks on it. `run` it in a task; it ends when the connection does."""

    def __init__(
        self, transport: Transport, on_message: Callable[[Incoming], None], limits: Limits = Limits()
    ) -> None:
        self._transport = transport
        self._on_message = on_message
        self._limits = limits
        self._slots = asyncio.Semaphore(limits.in_flight)
        self._ids = itertools.count(1)
        self._waiters: dict[int, asyncio.Future[object]] = {}
        self._posts: set[asyncio.Task[None]] = set()
        self._malformed = 0
        self._lost: ConnectionLost | None = None

    async def run(self) -> ConnectionLost:
        """Read until the connection ends, and give the reason. By then every waiter has been told."""
        try:
            async for text in self._transport.messages():
                self._take(text)
            reason = ConnectionLost("The connection to Codex was closed")
        except ConnectionLost as error:
            reason = error
        except asyncio.CancelledError:
            self._fail_all(ConnectionLost("The connection to Codex was closed"))
            raise
        self._fail_all(reason)
        return reason

    async def call(self, method: Method[R], params: Wire) -> R:
        """Ask and wait for the answer.

        Raises ConnectionLost, CallTimedOut after `method.seconds`, or CallRefused. Cancelling it forgets the
        call; Codex may still carry it out.
        """
        try:
            async with asyncio.timeout(method.seconds), self._slots:
                answer = await self._until_not_overloaded(method.name, params.to_json())
        except TimeoutError as error:
            raise CallTimedOut(
                f"Codex did not answer {method.name}",
                why=f"{method.seconds or 0:g} s went by",
                todo="It may still have been carried out; look before you try again.",
            ) from error
        try:
            return method.result.model_validate(answer)
        except ValidationError as error:
            raise CallRefused(
                method.name, UNREADABLE, f"the answer has a shape that we do not know: {error}"
            ) from error

    async def notify(self, method: str) -> None:
        """Tell something. Raises ConnectionLost."""
        await self._send(f'{{"method":{json.dumps(method)}}}')

    async def reply(self, request_id: RequestId, answer: Wire) -> None:
        """Answer a request. Raises ConnectionLost; that it was sent does not mean that it arrived."""
        await self._send(f'{{"id":{json.dumps(request_id)},"result":{answer.to_json()}}}')

    def refuse(self, request_id: RequestId, why: str) -> None:
        """Answer a request with an error, which ends it for every client. Does not wait."""
        fault = json.dumps({"code": REFUSED, "message": why})
        self._post(self._send(f'{{"id":{json.dumps(request_id)},"error":{fault}}}'))

    async def close(self) -> None:
        """Close the transport, tell every waiter, and end the tasks that still send."""
        self._fail_all(ConnectionLost("The connection to Codex was closed"))
        for task in tuple(self._posts):
            task.cancel()
        await asyncio.gather(*self._posts, return_exceptions=True)
        await self._transport.close()

    async def _until_not_overloaded(self, name: str, params: str) -> object:
        for attempt in itertools.count():
            answer = await self._ask_once(name, params)
            if not isinstance(answer, _Fault):
                return answer
            if answer.code != OVERLOADED or attempt >= self._limits.retries:
                raise CallRefused(name, answer.code, answer.message)
            pause = min(self._limits.first_pause * 2**attempt, self._limits.longest_pause)
            await asyncio.sleep(pause * random.uniform(0.5, 1.0))
        raise AssertionError("the loop above never ends by itself")

    async def _ask_once(self, name: str, params: str) -> object:
        call_id = next(self._ids)
        waiter: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        self._waiters[call_id] = waiter
        try:
            await self._send(f'{{"id":{call_id},"method":{json.dumps(name)},"params":{params}}}')
            return await waiter
        finally:
            self._waiters.pop(call_id, None)
            if waiter.done() and not waiter.cancelled():
                waiter.exception()

    async def _send(self, text: str) -> None:
        if self._lost is not None:
            raise self._copy_of_lost()
        await self._transport.send(text)

    def _post(self, sending: Coroutine[Any, Any, None]) -> None:
        async def quietly() -> None:
            with contextlib.suppress(ConnectionLost):
                await sending

        task = asyncio.get_running_loop().create_task(quietly())
        self._posts.add(task)
        task.add_done_callback(self._posts.discard)

    def _take(self, text: str | bytes) -> None:
        try:
            message: object = from_json(text)
        except ValueError:
            message = None
        if not isinstance(message, dict):
            self._note_malformed(text)
            return
        fields = cast("dict[str, object]", message)
        method, call_id = fields.get("method"), fields.get("id")
        if isinstance(method, str) and _is_id(call_id):
            self._hand_on(Asked(cast("RequestId", call_id), method, fields.get("params")))
        elif isinstance(method, str):
            self._hand_on(Told(method, fields.get("params")))
        elif "result" in fields or "error" in fields:
            self._settle(call_id, fields)
        else:
            self._note_malformed(text)

    def _settle(self, call_id: object, fields: dict[str, object]) -> None:
        """An answer that nobody waits for any more (timed out, cancelled) is let go."""
        waiter = self._waiters.get(call_id) if type(call_id) is int else None
        if waiter is not None and not waiter.done():
            waiter.set_result(fields["result"] if "result" in fields else _fault(fields["error"]))

    def _note_malformed(self, text: str | bytes) -> None:
        self._malformed += 1
        head = text[:EXCERPT]
        excerpt = head.decode("utf-8", "replace") if isinstance(head, bytes) else head
        self._hand_on(Malformed(self._malformed, excerpt))

    def _hand_on(self, message: Incoming) -> None:
        try:
            self._on_message(message)
        except Exception:
            log.exception("A message of Codex's could not be handled")

    def _fail_all(self, reason: ConnectionLost) -> None:
        if self._lost is None:
            self._lost = reason
        for waiter in self._waiters.values():
            if not waiter.done():
                waiter.set_exception(self._copy_of_lost())

    def _copy_of_lost(self) -> ConnectionLost:
        """An exception of its own for each waiter: they must not share a traceback."""
        lost = self._lost
        assert lost is not None
        return ConnectionLost(lost.what, why=lost.why, todo=lost.todo)


def _is_id(value: object) -> bool:
    return isinstance(value, int | str) and not isinstance(value, bool)


def _fault(error: object) -> _Fault:
    if not isinstance(error, dict):
        return _Fault(UNREADABLE, str(error))
    fields = cast("dict[str, object]", error)
    code, message = fields.get("code"), fields.get("message")
    return _Fault(code if isinstance(code, int) else UNREADABLE, str(message))
