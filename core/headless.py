"""One prompt without a screen: `quarterdeck exec`.

The answer goes to stdout; with `json` every event does, a JSON object a line, and nothing else. What a
person would be asked is denied, and said so on stderr: nobody is there to decide.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from core.conversation.conversation import CodexConversation
from core.conversation.feed import FeedEvent, HostChanged, HostPhase, NotificationChanged
from core.conversation.info import Conversation
from core.conversation.prompting import PromptRequest, PromptResponse
from core.conversation.refusal import refusal, subject
from core.ending import to_its_end
from core.engine import Engine, open_engine
from core.errors import (
    AnswerMismatch,
    DeadlineElapsed,
    HostUnavailable,
    InvalidRequest,
    NotFound,
    QuarterdeckError,
    SettingsError,
    StoreError,
    Unauthorized,
)
from core.rows import NotificationState
from core.settings import Settings

NOBODY = "nobody: exec runs without a person"
HOST_SECONDS = 30.0


class Exit(IntEnum):
    """Exit codes."""

    ANSWERED = 0
    FAILED = 1
    BAD_REQUEST = 2
    TIMED_OUT = 3
    MISMATCH = 4
    NO_CODEX = 5
    NOT_ALLOWED = 6


_CODES: tuple[tuple[type[QuarterdeckError], Exit], ...] = (
    (InvalidRequest, Exit.BAD_REQUEST),
    (NotFound, Exit.BAD_REQUEST),
    (SettingsError, Exit.BAD_REQUEST),
    (DeadlineElapsed, Exit.TIMED_OUT),
    (AnswerMismatch, Exit.MISMATCH),
    (HostUnavailable, Exit.NO_CODEX),
    (Unauthorized, Exit.NOT_ALLOWED),
)


@dataclass(frozen=True, slots=True)
class Order:
    """What `exec` is to do. `schema` is a JSON Schema as text."""

    prompt: str
    folder: Path
    as_json: bool = False
    schema: str | None = None
    model: str | None = None
    seconds: float | None = None


async def execute(
    settings: Settings, order: Order, out: Callable[[str], None], err: Callable[[str], None]
) -> Exit:
    """Run it to its end. `out` and `err` take a line each."""
    try:
        engine = await open_engine(settings)
    except QuarterdeckError as error:
        err(str(error))
        return _code_of(error)
    run = _Run(engine, order, out, err)
    try:
        await run.run()
        return Exit.ANSWERED
    except QuarterdeckError as error:
        if isinstance(error, AnswerMismatch):
            out(error.text)
        err(str(error))
        return _code_of(error)
    finally:
        left = await to_its_end(engine.close())
        if left:
            err(left)


class _Run:
    def __init__(
        self, engine: Engine, order: Order, out: Callable[[str], None], err: Callable[[str], None]
    ) -> None:
        self._engine = engine
        self._order = order
        self._out = out
        self._err = err
        self._denials: set[asyncio.Task[None]] = set()
        self._unheard: BrokenPipeError | None = None

    async def run(self) -> None:
        ready = asyncio.Event()
        trouble: list[str] = []

        def hear(event: FeedEvent) -> None:
            if isinstance(event, HostChanged):
                trouble[:] = [event.text] if event.phase is HostPhase.UNAVAILABLE else []
                if event.phase in (HostPhase.READY, HostPhase.UNAVAILABLE):
                    ready.set()

        stop = self._engine.feed.listen(hear)
        try:
            async with asyncio.timeout(HOST_SECONDS):
                if self._engine.host.phase is not HostPhase.READY:
                    await ready.wait()
        except TimeoutError as error:
            raise HostUnavailable("Codex did not start in time") from error
        finally:
            stop()
        if trouble:
            raise HostUnavailable(trouble[0])
        await self._ask()

    async def _ask(self) -> None:
        conversation = await self._engine.create(self._order.folder)
        handle = await self._engine.handle(conversation.id)
        order = self._order
        request = PromptRequest(order.prompt, model=order.model, shape=order.schema, seconds=order.seconds)
        asking = asyncio.create_task(handle.prompt(request))

        def hear(event: FeedEvent) -> None:
            try:
                self._hear(handle, event)
            except BrokenPipeError as error:
                self._unheard = error
                asking.cancel()

        stop = self._engine.feed.listen(hear)
        try:
            response = await asking
        except asyncio.CancelledError:
            if self._unheard is not None:
                raise self._unheard from None
            raise
        finally:
            stop()
            await asyncio.gather(*self._denials, return_exceptions=True)
        if not order.as_json:
            self._out(_shown(response))
        await self._note_seen(conversation)

    async def _note_seen(self, conversation: Conversation) -> None:
        """What was printed is no news in the console."""
        try:
            for box in await conversation.page(limit=1):
                await self._engine.seen.mark({conversation.id: box.id})
        except StoreError as error:
            self._err(str(error))

    def _hear(self, handle: CodexConversation, event: FeedEvent) -> None:
        if getattr(event, "conversation_id", None) == handle.id and self._order.as_json:
            self._out(json.dumps({"event": type(event).__name__, **asdict(event)}, default=_plain))
        if not isinstance(event, NotificationChanged):
            return
        notification = event.notification
        if notification.conversation_id == handle.id and notification.state is NotificationState.PENDING:
            task = asyncio.create_task(self._deny(event))
            self._denials.add(task)
            task.add_done_callback(self._denials.discard)

    async def _deny(self, event: NotificationChanged) -> None:
        notification = event.notification
        answer = refusal(notification.request)
        what = subject(notification.request)
        if answer is None:
            self._err(f"Left unanswered: {what}.")
            return
        try:
            await self._engine.decide(notification.id, answer, notification.shown_hash, by=NOBODY)
            self._err(f"Denied, as nobody is here to decide: {what}.")
        except QuarterdeckError as error:
            self._err(str(error))


def _shown(response: PromptResponse) -> str:
    if isinstance(response.value, BaseModel):
        return response.value.model_dump_json()
    return response.text if response.value is None else json.dumps(response.value)


def _plain(value: Any) -> Any:
    """What JSON does not know: models, sets, dataclasses inside."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    return str(value)


def _code_of(error: QuarterdeckError) -> Exit:
    for kind, code in _CODES:
        if isinstance(error, kind):
            return code
    return Exit.FAILED
