"""What waits for a person, seen and decided on from outside a console: `quarterdeck approvals`.

Where a console has the conversation open, the decision is written to the store they share, and the console
sends it: two programs never answer one request. Where none has, an engine is opened for it, which attaches
to the host, is asked again, and answers.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from core.agent.requests import (
    Answer,
    CommandApproval,
    Decide,
    Elicited,
    FileApproval,
    Grant,
    McpForm,
    PermissionsApproval,
    Request,
    dump_answer,
    load_request,
)
from core.conversation.asked import hash_of
from core.conversation.feed import FeedEvent, HostPhase, NotificationChanged
from core.conversation.grounds import Grounds
from core.conversation.refusal import refusal
from core.ending import to_its_end
from core.engine import DATABASE, Engine, open_engine
from core.errors import Conflict, HostUnavailable, InvalidRequest, NotFound, QuarterdeckError, Unsupported
from core.rows import NotificationRow, NotificationState
from core.settings import Settings
from core.store.leases import Holder
from core.store.store import Store

log = logging.getLogger(__name__)

SECONDS = 30.0
"""How long a console, or Codex, may take."""

LEAST_HASH = 8
"""So many characters of a hash name what was seen."""

_ENDS = (NotificationState.DELIVERED, NotificationState.WITHDRAWN, NotificationState.DIED)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A request that waits. `shown_hash` is of exactly what `request` says; `title` of its conversation; `sandbox` and
    `cautions` as in `Grounds`.
    """

    id: int
    conversation_id: str | None
    title: str
    request: Request
    raised_at_ms: int
    shown_hash: str
    sandbox: str = ""
    cautions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Became:
    """What became of a decision: where it got to, and the words for it."""

    state: NotificationState
    decided_by: str
    outcome: str


def who() -> str:
    """This terminal, for the ledger and for the console that is told."""
    with suppress(OSError):
        return f"you, from the command line on {os.ttyname(0)}"
    return "you, from the command line"


@asynccontextmanager
async def _opened(settings: Settings) -> AsyncGenerator[Store]:
    store = await Store.open(settings.data_dir / DATABASE, console="quarterdeck approvals")
    try:
        yield store
    finally:
        await store.close()


async def waiting(settings: Settings) -> tuple[Waiting, ...]:
    """All that waits for a person, the oldest first. Raises StoreError."""
    async with _opened(settings) as store:
        return tuple([await _waiting(store, row) for row in await store.notifications.pending()])


async def one_waiting(settings: Settings, number: int) -> Waiting:
    """Raises NotFound, Conflict for one that waits no more, StoreError."""
    async with _opened(settings) as store:
        return await _waiting(store, await _pending(store, number))


async def decide(settings: Settings, number: int, answer: Answer, shown_hash: str) -> Became:
    """Have it decided, once, and say what became of that.

    Raises NotFound, Conflict (it waits no more), StoreError, CodexError; the state is DECIDED or SENT where it
    is on disk and nobody has confirmed it within SECONDS.
    """
    async with _opened(settings) as store:
        row = await _pending(store, number)
        if row.conversation_id is None or _held(store, row.conversation_id):
            await store.notifications.decide(
                number, decided_by=who(), answer=dump_answer(answer), shown_hash=shown_hash
            )
            return await _sent_by_console(store, number)
    return await _by_engine(settings, number, answer, shown_hash)


def check_hash(waiting: Waiting, given: str) -> None:
    """Raises Conflict where the request is not the one that was seen, InvalidRequest for half a hash."""
    if len(given) < LEAST_HASH:
        raise InvalidRequest(
            f"{given or 'An empty text'} is not enough of a hash",
            todo=f"Give at least {LEAST_HASH} characters of the one that `approvals show` prints.",
        )
    if not waiting.shown_hash.startswith(given.lower()):
        raise Conflict(
            f"Request {waiting.id} is not the one that was seen",
            why=f"its hash is {waiting.shown_hash}",
            todo="Look at it again, then decide.",
        )


def acceptance(request: Request, message: str = "") -> Answer:
    """The answer that lets it happen, once. Raises Unsupported for what has to be filled in."""
    match request:
        case CommandApproval() | FileApproval():
            for choice in request.choices:
                if choice.verb == "accept":
                    return Decide(choice=choice, message=message)
        case PermissionsApproval():
            return Grant(rights=request.rights, message=message)
        case McpForm(approval_kind=str()):
            return Elicited(action="accept", content_json="{}", message=message)
        case _:
            pass
    raise Unsupported(
        "This cannot be accepted with a word",
        why="it has to be filled in, or offers no plain accept",
        todo="Answer it in a console, or decline it.",
    )


def refused(request: Request, message: str = "") -> Answer:
    """The answer that lets nothing happen. Raises Unsupported where this version cannot answer."""
    answer = refusal(request)
    if answer is None:
        raise Unsupported(f"A {request.kind} request cannot be declined from here", todo="Use a console.")
    return answer.model_copy(update={"message": message}) if message else answer


async def _waiting(store: Store, row: NotificationRow) -> Waiting:
    request = load_request(row.request)
    title = ""
    if row.conversation_id is not None:
        title = (await store.conversations.get(row.conversation_id)).title
    grounds = Grounds.load(row.grounds)
    return Waiting(
        row.id,
        row.conversation_id,
        title,
        request,
        row.raised_at_ms,
        hash_of(request),
        grounds.sandbox,
        grounds.cautions,
    )


async def _pending(store: Store, number: int) -> NotificationRow:
    row = await store.notifications.get(number)
    if row.state is not NotificationState.PENDING:
        by = f"{row.decided_by} decided it" if row.decided_by else row.outcome
        raise Conflict(f"Request {number} waits no more", why=by, todo="See `quarterdeck ledger`.")
    return row


def _held(store: Store, conversation_id: str) -> bool:
    """Has a console the conversation open?"""
    lease = store.leases.acquire(conversation_id)
    if isinstance(lease, Holder):
        return True
    lease.release()
    return False


async def _sent_by_console(store: Store, number: int) -> Became:
    """Wait for the console that has the conversation open."""
    row = await store.notifications.get(number)
    with suppress(TimeoutError):
        async with asyncio.timeout(SECONDS):
            async for _ in store.changes.watch():
                row = await store.notifications.get(number)
                if row.state in _ENDS:
                    break
    return Became(row.state, row.decided_by or "", row.outcome)


async def _by_engine(settings: Settings, number: int, answer: Answer, shown_hash: str) -> Became:
    engine = await open_engine(settings)
    try:
        return await _HeadlessDecision(engine, number).made(answer, shown_hash)
    finally:
        await to_its_end(engine.close())


class _HeadlessDecision:
    """One decision by an engine without a screen."""

    def __init__(self, engine: Engine, number: int) -> None:
        self._engine = engine
        self._number = number
        self._news = asyncio.Event()
        self._became = Became(NotificationState.PENDING, "", "")

    async def made(self, answer: Answer, shown_hash: str) -> Became:
        """Raises Conflict where somebody else was faster."""
        stop = self._engine.feed.listen(self._hear)
        late: QuarterdeckError | None = None
        try:
            async with asyncio.timeout(SECONDS):
                await self._until_ready()
                try:
                    await self._engine.decide(self._number, answer, shown_hash, by=who())
                except (NotFound, Conflict) as error:
                    # It may have died with the host that asked: then that is what became of it.
                    late = error
                while self._became.state not in _ENDS:
                    await self._more()
        except TimeoutError:
            log.info("nobody confirmed decision %d in time", self._number)
        finally:
            stop()
        if late is not None and (self._became.decided_by or self._became.state not in _ENDS):
            raise late
        return self._became

    def _hear(self, event: FeedEvent) -> None:
        if isinstance(event, NotificationChanged) and event.notification.id == self._number:
            told = event.notification
            self._became = Became(told.state, told.decided_by, told.outcome)
        self._news.set()

    async def _until_ready(self) -> None:
        """Return when Codex is there. Raises HostUnavailable."""
        while self._engine.host.phase is not HostPhase.READY:
            if self._engine.host.phase is HostPhase.UNAVAILABLE:
                raise HostUnavailable(
                    "Nothing was decided", why=self._engine.host.text, todo="Try again when Codex runs."
                )
            await self._more()

    async def _more(self) -> None:
        await self._news.wait()
        self._news.clear()
