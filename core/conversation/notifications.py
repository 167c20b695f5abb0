"""Notifications: what Codex waits on a person for, durable, with many listeners, resolved once.

The order is the promise (DESIGN, What must hold, 2): stored, then shown; the decision stored, then
marked as sent, then sent. A request that the host raises again although it is marked as sent was not
answered: the host is the witness, and the same decision is sent to it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from dataclasses import replace

from core.access.destructive import DestructivePattern
from core.access.judge import Judge, answer_of
from core.access.policy import Authorization
from core.access.rules import Decision
from core.agent.port import Agent
from core.agent.requests import (
    Answer,
    Request,
    RequestKey,
    ToolResult,
    dump_answer,
)
from core.conversation.asked import draft_of, message_key, notification_of
from core.conversation.asking import OwnQuestions, asker_lives
from core.conversation.feed import Feed, Notification, NotificationChanged, Told
from core.conversation.grounds import Grounds, grounds_for
from core.conversation.ports import NotificationQueue
from core.errors import CodexError, Conflict, NotFound, QuarterdeckError
from core.rows import NotificationRow, NotificationState

log = logging.getLogger(__name__)

PERSON = "you"
PERSON_ELSEWHERE = "you, in another console"

TURN_OVER = "its turn ended"
ANSWERED_ELSEWHERE = "answered in another program"
TOO_LATE = "too late: the request was gone"
UNWATCHED = "answered elsewhere, or its turn ended, while nobody watched"

Speak = Callable[[str, str, str], Awaitable[None]]
"""Say something to Codex in a conversation: its id, the message's key and the text.

On disk when it returns; the same key again changes nothing. Raises QuarterdeckError.
"""


_ANSWERED = (NotificationState.DECIDED, NotificationState.SENT, NotificationState.DELIVERED)
"""A request that is raised in one of these did not get its answer, whatever we believed."""


class NotificationCenter:
    """All notifications of an agent. Owns one task that records what the agent raises and settles, in order."""

    def __init__(
        self,
        queue: NotificationQueue,
        judge: Judge,
        agent: Agent,
        feed: Feed,
        destructive: Sequence[DestructivePattern] = (),
    ) -> None:
        self._queue = queue
        self._judge = judge
        self._agent = agent
        self._feed = feed
        self._destructive = tuple(destructive)
        self._open: dict[int, Notification] = {}
        self.questions = OwnQuestions(self._hear_own, self.hear_settled)
        self._raised: set[RequestKey] = set()
        """What the host raised on the connection that stands now: only that can be answered on it."""
        self._ended_turns: set[str] = set()
        """Those under which something still waits: what is settled after that ended with its turn."""
        self._decided_here: set[int] = set()
        self._sending = asyncio.Lock()
        """Held from looking how far a decision is to having sent it."""
        self._speak: Speak | None = None
        self._work: asyncio.Queue[Callable[[], Coroutine[None, None, None]]] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    async def start(self, speak: Speak | None = None) -> None:
        """Take up what an earlier run left: what it decided and had not said yet is said. Raises StoreError.

        `speak`: how what a person says with a decision gets to Codex.
        """
        self._speak = speak
        for row in await self._queue.unsettled():
            notification = notification_of(row)
            self._keep(notification)
            if row.state is NotificationState.DECIDED:
                self._work.put_nowait(lambda said=notification: self._say(said))
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
        self,
        conversation_id: str | None,
        request: Request,
        authorization: Authorization | None,
        sandbox: str = "",
    ) -> None:
        """Codex asks. `authorization` None: nothing here may decide it but a person. Never waits.

        `sandbox`: what the thread runs in, "" where that is not known.
        """
        self._work.put_nowait(lambda: self._judge_and_raise(conversation_id, request, authorization, sandbox))

    def _hear_own(self, conversation_id: str, request: Request, grounds: Grounds) -> None:
        self._work.put_nowait(lambda: self._raise(conversation_id, request, grounds))

    def hear_settled(self, key: RequestKey) -> None:
        """Somebody answered, or the turn ended under it. Never waits."""
        self._work.put_nowait(lambda: self._settle(key))

    def hear_turn_ended(self, turn_id: str) -> None:
        """What is settled after this was not answered (PROTOCOL, Turns: the order at an interrupt). Never waits."""
        self._work.put_nowait(lambda: self._end_turn(turn_id))

    def hear_others(self) -> None:
        """Another console wrote to the store: take up what it raised and decided. Never waits."""
        self._work.put_nowait(self._take_up_others)

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
        self._decided_here.add(notification_id)
        try:
            row = await self._queue.decide(
                notification_id, decided_by=by, answer=dump_answer(answer), shown_hash=shown_hash
            )
        except Conflict:
            self._decided_here.discard(notification_id)
            self.hear_others()
            raise
        self._tell(row)
        await self._send(notification_of(row))

    def snooze(self, notification_id: int, *, snoozed: bool = True) -> None:
        """Not now, or now again: it stays pending, and every screen of this console hears of it."""
        notification = self._open.get(notification_id)
        if notification is not None and notification.snoozed is not snoozed:
            self._open[notification_id] = replace(notification, snoozed=snoozed)
            self._feed.tell(NotificationChanged(self._open[notification_id]))

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

    async def _judge_and_raise(
        self,
        conversation_id: str | None,
        request: Request,
        authorization: Authorization | None,
        sandbox: str,
    ) -> None:
        decision = await self._judge.judge(request, conversation_id, authorization)
        grounds = await grounds_for(request, decision, authorization, sandbox, self._destructive)
        await self._raise(conversation_id, request, grounds, decision)

    async def _raise(
        self,
        conversation_id: str | None,
        request: Request,
        grounds: Grounds,
        decision: Decision | None = None,
    ) -> None:
        """`decision` None: only a person decides it."""
        row, _ = await self._queue.raise_(draft_of(conversation_id, request, grounds))
        self._raised.add(request.key)
        notification = notification_of(row)
        if row.state in _ANSWERED:
            await self._send(notification)
        elif row.state is NotificationState.PENDING:
            answer = None if decision is None else answer_of(request, decision.verdict)
            if decision is None or answer is None:
                self._tell(row)
            else:
                await self._decide_by_rule(notification, decision, answer)

    async def _decide_by_rule(self, notification: Notification, decision: Decision, answer: Answer) -> None:
        self._open[notification.id] = notification
        try:
            await self.decide(notification.id, answer, decision.by, notification.shown_hash)
        except Conflict as error:
            log.info("somebody was faster than %s: %s", decision.by, error)
        else:
            await self._judge.count(decision)

    async def _say(self, notification: Notification) -> None:
        """Have what a person said with a decision wait for Codex, under a key of its own: it is said once."""
        answer, conversation_id = notification.answer, notification.conversation_id
        message = "" if answer is None or isinstance(answer, ToolResult) else answer.message
        if not message or conversation_id is None or self._speak is None:
            return
        try:
            await self._speak(conversation_id, message_key(notification.request.key), message)
        except QuarterdeckError as error:
            log.warning("what was said with decision %d is not sent: %s", notification.id, error)
            self._feed.tell(Told("error", f"Codex was not told “{message}”. {error}", conversation_id))

    async def _send(self, notification: Notification) -> None:
        """What is said with it is on disk first. It is marked as sent before it is: never sent twice to a host
        that took it.

        A decision on something that was not raised again yet waits for that.
        """
        async with self._sending:
            await self._send_now(notification_of(await self._queue.get(notification.id)))

    async def _send_now(self, notification: Notification) -> None:
        key = notification.request.key
        ours = self.questions.waits(key)
        if notification.state not in _ANSWERED or notification.answer is None:
            return
        if not (ours or key in self._raised):
            return
        if notification.state is NotificationState.DECIDED:
            await self._say(notification)
            if not await self._move(notification.id, NotificationState.SENT):
                return
        if ours:
            self.questions.give(key, notification.answer)
            return
        try:
            taken = await self._agent.answer(notification.request.key, notification.answer)
        except CodexError as error:
            raise CodexError(
                "The decision is recorded and did not reach Codex",
                why=error.what,
                todo="It is sent when Codex asks again.",
            ) from error
        # One that was sent before may have been taken then; it is settled when the host says so.
        if not taken and notification.state is NotificationState.DECIDED:
            await self._move(notification.id, NotificationState.WITHDRAWN, TOO_LATE)

    async def _move(self, notification_id: int, state: NotificationState, outcome: str = "") -> bool:
        """False where it went another way meanwhile; what it is now is told in any case."""
        try:
            self._tell(await self._queue.move(notification_id, state, outcome))
        except Conflict as error:
            log.info("request %d went another way: %s", notification_id, error)
            self._tell(await self._queue.get(notification_id))
            return False
        return True

    async def _settle(self, key: RequestKey) -> None:
        for notification in tuple(self._open.values()):
            if notification.request.key == key:
                over = notification.request.turn_id in self._ended_turns
                await self._close(notification, TURN_OVER if over else ANSWERED_ELSEWHERE)

    async def _end_turn(self, turn_id: str) -> None:
        self._ended_turns = {
            notification.request.turn_id
            for notification in self._open.values()
            if notification.request.turn_id is not None
            and notification.request.turn_id in (turn_id, *self._ended_turns)
        }

    async def _close(self, notification: Notification, undecided: str) -> None:
        """It is settled at Codex. Another console on this database may have recorded that first."""
        row = await self._queue.get(notification.id)
        if row.state is NotificationState.SENT:
            await self._move(row.id, NotificationState.DELIVERED)
        elif row.state in (NotificationState.PENDING, NotificationState.DECIDED):
            await self._move(row.id, NotificationState.WITHDRAWN, undecided)
        else:
            self._tell(row)

    async def _settle_others(self, thread_id: str, generation: str, kept: frozenset[RequestKey]) -> None:
        for notification in tuple(self._open.values()):
            key = notification.request.key
            if (notification.request.thread_id, key.generation) == (
                thread_id,
                generation,
            ) and key not in kept:
                await self._close(notification, UNWATCHED)

    async def _take_up_others(self) -> None:
        unsettled = {row.id: row for row in await self._queue.unsettled()}
        for notification in tuple(self._open.values()):
            row = unsettled.pop(notification.id, None) or await self._queue.get(notification.id)
            if row.state is notification.state:
                continue
            self._tell(row)
            if row.state is NotificationState.DECIDED and row.id not in self._decided_here:
                await self._send(notification_of(row))
        for row in unsettled.values():
            self._tell(row)

    async def _bury_others(self, generation: str) -> None:
        generations = {notification.request.key.generation for notification in self._open.values()}
        for other in generations - {generation, self.questions.generation}:
            if asker_lives(other):
                continue
            for row in await self._queue.host_died(other):
                self._tell(row)

    def _tell(self, row: NotificationRow) -> None:
        before = self._open.get(row.id)
        notification = replace(notification_of(row), snoozed=before is not None and before.snoozed)
        if notification.decided_by == PERSON and notification.id not in self._decided_here:
            notification = replace(notification, decided_by=PERSON_ELSEWHERE)
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
