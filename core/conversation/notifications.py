"""Notifications: what Codex waits on a person for, durable, with many listeners, resolved once.

The order is the promise (DESIGN, What must hold, 2): stored, then shown; the decision stored, then
marked as sent, then sent. A request that the host raises again although it is marked as sent was not
answered: the host is the witness, and the same decision is sent to it.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import uuid
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import replace

from core.access.judge import Judge, answer_of
from core.access.policy import Authorization
from core.agent.port import Agent
from core.agent.requests import (
    Answer,
    Option,
    Question,
    QuestionPart,
    Reply,
    Request,
    RequestKey,
    dump_answer,
    dump_request,
    load_answer,
    load_request,
)
from core.conversation.feed import Feed, Notification, NotificationChanged, Told
from core.conversation.ports import NotificationQueue
from core.errors import CodexError, Conflict, NotFound, QuarterdeckError
from core.rows import NotificationDraft, NotificationRow, NotificationState
from core.tools.ask_user import UserQuestion

log = logging.getLogger(__name__)

PERSON = "you"


_ANSWERED = (NotificationState.DECIDED, NotificationState.SENT, NotificationState.DELIVERED)
"""A request that is raised in one of these did not get its answer, whatever we believed."""


def hash_of(request: Request) -> str:
    """The hash of exactly what is shown of a request."""
    return hashlib.sha256(dump_request(request).encode()).hexdigest()


class NotificationCenter:
    """All notifications of an agent. Owns one task that records what the agent raises and settles, in order."""

    def __init__(self, queue: NotificationQueue, judge: Judge, agent: Agent, feed: Feed) -> None:
        self._queue = queue
        self._judge = judge
        self._agent = agent
        self._feed = feed
        self._open: dict[int, Notification] = {}
        self._own_generation = f"console-{uuid.uuid4().hex}"
        """Of the questions that we ask ourselves; they die with this console."""
        self._waiters: dict[RequestKey, asyncio.Future[Answer]] = {}
        self._raised: set[RequestKey] = set()
        """What the host raised on the connection that stands now: only that can be answered on it."""
        self._work: asyncio.Queue[Callable[[], Coroutine[None, None, None]]] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Take up what an earlier run left."""
        for row in await self._queue.unsettled():
            self._keep(_notification(row))
        self._task = asyncio.create_task(self._run(), name="notifications")

    async def close(self) -> None:
        """Answers nothing: what is pending stays pending."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def pending(self, conversation_id: str | None = None) -> tuple[Notification, ...]:
        """What waits for a decision, oldest first; of one conversation, or of all."""
        return tuple(
            notification
            for _, notification in sorted(self._open.items())
            if notification.state is NotificationState.PENDING
            and conversation_id in (None, notification.conversation_id)
        )

    def hear_raised(
        self, conversation_id: str | None, request: Request, authorization: Authorization | None
    ) -> None:
        """Codex asks. Never waits."""
        self._work.put_nowait(lambda: self._raise(conversation_id, request, authorization))

    def hear_settled(self, key: RequestKey) -> None:
        """Somebody answered, or the turn ended under it. Never waits."""
        self._work.put_nowait(lambda: self._settle(key))

    def hear_lost(self) -> None:
        """The connection is gone: what still waits is raised again on the next one."""
        self._raised.clear()

    def hear_host(self, generation: str) -> None:
        """This host is there now: what others of its kind still waited for has died with them. Never waits."""
        self._work.put_nowait(lambda: self._bury_others(generation))

    def hear_replayed(self, thread_id: str, generation: str, raised: Iterable[RequestKey]) -> None:
        """All that a thread still waits for was raised again: the rest of it was settled while we were away."""
        kept = frozenset(raised)
        self._work.put_nowait(lambda: self._settle_others(thread_id, generation, kept))

    async def drained(self) -> None:
        """Return when everything heard so far is recorded."""
        await self._work.join()

    async def decide(self, notification_id: int, answer: Answer, by: str, shown_hash: str) -> None:
        """Record a decision and send it.

        Raises NotFound, Conflict (decided before, or changed since it was shown), StoreError, or CodexError
        where it is recorded and could not be sent.
        """
        notification = self._open.get(notification_id)
        if notification is None:
            raise NotFound("This notification is gone", why="it was settled meanwhile")
        if notification.shown_hash != shown_hash:
            raise Conflict("The request changed since it was shown", todo="Look at it again and decide.")
        row = await self._queue.decide(
            notification_id, decided_by=by, answer=dump_answer(answer), shown_hash=shown_hash
        )
        self._tell(row)
        await self._send(_notification(row))

    async def ask_person(self, question: UserQuestion) -> str | None:
        """Ask a question of ours, as Codex asks its own; the answer, or None where none is given.

        Waits for a person, for as long as it takes; a question whose call is cancelled is withdrawn.
        """
        key = RequestKey(generation=self._own_generation, id=uuid.uuid4().hex)
        options = tuple(Option(label=label) for label in question.options)
        part = QuestionPart(id="answer", header="", text=question.question, options=options, other=True)
        asked = Question(key=key, thread_id="", turn_id=None, item_id="", parts=(part,))
        waiter: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiters[key] = waiter
        self.hear_raised(question.conversation_id, asked, None)
        try:
            answer = await waiter
        finally:
            del self._waiters[key]
            self.hear_settled(key)
        given = answer.answers.get("answer", ()) if isinstance(answer, Reply) else ()
        return "; ".join(given) or None

    async def _run(self) -> None:
        while True:
            work = await self._work.get()
            try:
                await work()
            except QuarterdeckError as error:
                log.exception("a notification could not be recorded")
                self._feed.tell(Told("error", str(error)))
            except Exception as error:
                # A fault of ours in one request must not keep the others from the person.
                log.exception("a notification could not be handled")
                self._feed.tell(Told("error", f"A fault of Quarterdeck's own: {error!r}"))
            finally:
                self._work.task_done()

    async def _raise(
        self, conversation_id: str | None, request: Request, authorization: Authorization | None
    ) -> None:
        draft = NotificationDraft(
            conversation_id=conversation_id,
            thread_id=request.thread_id,
            generation=request.key.generation,
            request_id=json.dumps(request.key.id),
            kind=request.kind,
            request=dump_request(request),
        )
        row, _ = await self._queue.raise_(draft)
        self._raised.add(request.key)
        notification = _notification(row)
        if row.state in _ANSWERED:
            await self._send(notification)
            return
        if row.state is not NotificationState.PENDING:
            return
        decision = await self._judge.judge(request, conversation_id, authorization)
        answer = answer_of(request, decision.verdict)
        if answer is None:
            self._tell(row, decision.why)
            return
        self._open[notification.id] = notification
        await self.decide(notification.id, answer, decision.by, notification.shown_hash)
        await self._judge.count(decision)

    async def _send(self, notification: Notification) -> None:
        """Marked as sent before it is: it is never sent twice to a host that took it.

        A decision on something that was not raised again yet waits for that.
        """
        if notification.answer is None or notification.request.key not in self._raised:
            return
        if notification.state is NotificationState.DECIDED:
            self._tell(await self._queue.move(notification.id, NotificationState.SENT))
        waiter = self._waiters.get(notification.request.key)
        if waiter is not None:
            if not waiter.done():
                waiter.set_result(notification.answer)
            return
        try:
            taken = await self._agent.answer(notification.request.key, notification.answer)
        except CodexError as error:
            raise CodexError(
                "The decision is recorded and did not reach Codex",
                why=error.what,
                todo="It is sent when Codex asks again.",
            ) from error
        if not taken and notification.state is not NotificationState.DELIVERED:
            self._tell(
                await self._queue.move(
                    notification.id, NotificationState.WITHDRAWN, "too late: the request was gone"
                )
            )

    async def _settle(self, key: RequestKey) -> None:
        for notification in tuple(self._open.values()):
            if notification.request.key == key:
                await self._close(notification)

    async def _close(self, notification: Notification) -> None:
        """It is settled at Codex. Another console on this database may have recorded that first."""
        row = await self._queue.get(notification.id)
        try:
            if row.state is NotificationState.SENT:
                row = await self._queue.move(row.id, NotificationState.DELIVERED)
            elif row.state in (NotificationState.PENDING, NotificationState.DECIDED):
                outcome = "answered elsewhere, or its turn ended"
                row = await self._queue.move(row.id, NotificationState.WITHDRAWN, outcome)
        except Conflict:
            row = await self._queue.get(notification.id)
        self._tell(row)

    async def _settle_others(self, thread_id: str, generation: str, kept: frozenset[RequestKey]) -> None:
        for notification in tuple(self._open.values()):
            key = notification.request.key
            if (notification.request.thread_id, key.generation) == (
                thread_id,
                generation,
            ) and key not in kept:
                await self._close(notification)

    async def _bury_others(self, generation: str) -> None:
        generations = {notification.request.key.generation for notification in self._open.values()}
        others = generations - {generation, self._own_generation}
        for other in others:
            for row in await self._queue.host_died(other):
                self._tell(row)

    def _tell(self, row: NotificationRow, why: str = "") -> None:
        """`why`: why a person is asked; what was said before stays said."""
        before = self._open.get(row.id)
        said = why or (before.why_asked if before is not None else "")
        notification = replace(_notification(row), why_asked=said)
        self._keep(notification)
        self._feed.tell(NotificationChanged(notification))

    def _keep(self, notification: Notification) -> None:
        if notification.state in (
            NotificationState.PENDING,
            NotificationState.DECIDED,
            NotificationState.SENT,
        ):
            self._open[notification.id] = notification
        else:
            self._open.pop(notification.id, None)


def _notification(row: NotificationRow) -> Notification:
    request = load_request(row.request)
    return Notification(
        id=row.id,
        conversation_id=row.conversation_id,
        request=request,
        raised_at_ms=row.raised_at_ms,
        shown_hash=hash_of(request),
        state=row.state,
        decided_by=row.decided_by or "",
        answer=load_answer(row.answer) if row.answer is not None else None,
        outcome=row.outcome,
    )
