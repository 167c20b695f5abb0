"""Notifications: what Codex waits on a person for, durable, with many listeners, resolved once.

The order is the promise (DESIGN, What must hold, 2): stored, then shown; the decision stored, then
marked as sent, then sent. A request that the host raises again although it is marked as sent was not
answered: the host is the witness, and the same decision is sent to it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Sequence

from core import generations
from core.access.destructive import DestructivePattern
from core.access.judge import Judge, answer_of
from core.access.rules import Decision
from core.agent.items import Item
from core.agent.outcomes import outcome_of
from core.agent.port import Agent
from core.agent.requests import Answer, Request, RequestKey, dump_answer
from core.conversation.asked import draft_of, notification_of
from core.conversation.asking import OwnQuestions
from core.conversation.authority import Authorized
from core.conversation.feed import Feed, Notification
from core.conversation.grounds import Grounds, grounds_for
from core.conversation.in_order import InOrder
from core.conversation.ports import NotificationQueue
from core.conversation.sending import ANSWERED, DecisionSender, Keep, Speak
from core.conversation.unsettled import Unsettled
from core.ending import to_its_end
from core.errors import Conflict, NotFound, StoreError
from core.rows import NotificationRow, NotificationState

log = logging.getLogger(__name__)

TURN_OVER = "its turn ended"
ANSWERED_ELSEWHERE = "answered in another program"
UNWATCHED = "answered elsewhere, or its turn ended, while nobody watched"


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
        self._destructive = tuple(destructive)
        self._unsettled = Unsettled(queue, feed)
        self.questions = OwnQuestions(self._hear_own, self.hear_settled)
        self._sender = DecisionSender(queue, self._unsettled, self.questions, agent, feed)
        self._ended_turns: set[str] = set()
        """Those under which something still waits: what is settled after that ended with its turn."""
        self._work = InOrder(feed, "a notification")

    async def start(self, speak: Speak | None = None, keep: Keep | None = None) -> None:
        """Take up what an earlier run left: what it decided and had not said yet is said. Raises StoreError.

        `speak`: how what a person says with a decision gets to Codex; `keep`: where its
        conversation keeps it.
        """
        self._sender.speak = speak
        self._sender.keep = keep or self._sender.keep
        for row in await self._queue.unsettled():
            notification = notification_of(row)
            self._unsettled.keep(notification)
            if row.state is NotificationState.DECIDED:
                self._work.put(lambda said=notification: self._sender.say(said))
        self._work.start("notifications")

    async def close(self) -> None:
        """Answers nothing: what is pending stays pending. What was heard, and decided, is recorded."""
        await self._work.close()

    def pending(self, conversation_id: str | None = None) -> tuple[Notification, ...]:
        """What waits for a decision, oldest first; of one conversation, or of all."""
        return self._unsettled.pending(conversation_id)

    async def recall(self, conversation_id: str, item_ids: Sequence[str]) -> None:
        """Know again what was decided on items whose end nobody saw, in whichever console. Raises StoreError."""
        for row in await self._queue.on_items(conversation_id, item_ids):
            self._unsettled.recall(notification_of(row))

    def declined(self, item_id: str) -> bool:
        """Was an item declined, by a person or a rule?"""
        return item_id in self._unsettled.declined

    def stopped(self, turn_id: str) -> bool:
        """Did somebody answer something in this turn in a way that ends it?"""
        return turn_id in self._unsettled.stopped

    def hear_raised(
        self,
        conversation_id: str | None,
        request: Request,
        authorized: Authorized,
        sandbox: str = "",
    ) -> None:
        """Codex asks. `sandbox`: what the thread runs in, "" where that is not known. Never waits."""
        self._work.put(lambda: self._judge_and_raise(conversation_id, request, authorized, sandbox))

    def _hear_own(self, conversation_id: str, request: Request, grounds: Grounds) -> None:
        self._work.put(lambda: self._raise(conversation_id, request, grounds))

    def hear_settled(self, key: RequestKey) -> None:
        """Somebody answered, or the turn ended under it. Never waits."""
        self._work.put(lambda: self._settle(key))

    def hear_turn_ended(self, turn_id: str) -> None:
        """What is settled after this was not answered (PROTOCOL, Turns: the order at an interrupt). Never waits."""
        self._work.put(lambda: self._end_turn(turn_id))

    def hear_item_ended(self, conversation_id: str, thread_id: str, item: Item) -> None:
        """Something a sub-agent did is over: the ledger is told of the decision on it. Never waits."""
        outcome = outcome_of(item)
        if outcome is not None:
            self._work.put(lambda: self._queue.item_ended(conversation_id, thread_id, item.id, outcome))

    def hear_others(self) -> None:
        """Another console wrote to the store: take up what it raised and decided. Never waits."""
        self._work.put(self._take_up_others)

    def hear_lost(self) -> None:
        """The connection is gone: what still waits is raised again on the next one."""
        self._sender.raised.clear()

    def hear_host(self, generation: str) -> None:
        """This host is there now: what hosts and consoles that are gone still waited for has died with them.

        Another that lives keeps what it waits for: another console may be connected to it. Never waits.
        """
        self._work.put(lambda: self._bury_others(generation))

    def hear_replayed(self, thread_id: str, generation: str, raised: Iterable[RequestKey]) -> None:
        """All that a thread still waits for was raised again: the rest of it was settled while we were away."""
        kept = frozenset(raised)
        self._work.put(lambda: self._settle_others(thread_id, generation, kept))

    async def drained(self) -> None:
        """Return when everything heard so far is recorded."""
        await self._work.drained()

    async def decide(self, notification_id: int, answer: Answer, by: str, shown_hash: str) -> None:
        """Record a decision and send it. A caller that is cancelled takes nothing back: it is sent all the same.

        Raises NotFound, Conflict (decided before, or changed since it was shown), StoreError, or CodexError
        where it is recorded and could not be sent.
        """
        notification = self._unsettled.get(notification_id)
        if notification is None:
            raise NotFound("This notification is gone", why="it was settled meanwhile")
        if notification.shown_hash != shown_hash:
            raise Conflict("The request changed since it was shown", todo="Look at it again and decide.")
        await to_its_end(self._decide(notification, answer, by))

    async def _decide(self, notification: Notification, answer: Answer, by: str) -> None:
        self._unsettled.decided_here.add(notification.id)
        try:
            row = await self._queue.decide(
                notification.id,
                decided_by=by,
                answer=dump_answer(answer),
                shown_hash=notification.shown_hash,
            )
        except Conflict:
            self._unsettled.decided_here.discard(notification.id)
            self.hear_others()
            raise
        self._unsettled.tell(row)
        await self._sender.send(notification_of(row))

    def snooze(self, notification_id: int, *, snoozed: bool = True) -> None:
        """Not now, or now again: it stays pending, and every screen of this console hears of it."""
        self._unsettled.snooze(notification_id, snoozed=snoozed)

    async def _judge_and_raise(
        self,
        conversation_id: str | None,
        request: Request,
        authorized: Authorized,
        sandbox: str,
    ) -> None:
        authorization = await authorized()
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
        self._sender.raised.add(request.key)
        notification = notification_of(row)
        if row.state in ANSWERED:
            await self._sender.send(notification)
        elif row.state is NotificationState.PENDING:
            answer = None if decision is None else answer_of(request, decision.verdict)
            if decision is None or answer is None:
                self._unsettled.tell(row)
            else:
                await self._decide_by_rule(row, decision, answer)

    async def _decide_by_rule(self, row: NotificationRow, decision: Decision, answer: Answer) -> None:
        """Nobody is asked meanwhile; where it cannot be recorded, a person is."""
        try:
            await to_its_end(self._decide(notification_of(row), answer, decision.by))
        except Conflict as error:
            log.info("somebody was faster than %s: %s", decision.by, error)
        except StoreError:
            self._unsettled.tell(row)
            raise
        else:
            await self._judge.count(decision)

    async def _settle(self, key: RequestKey) -> None:
        for notification in self._unsettled.all():
            if notification.request.key == key:
                over = notification.request.turn_id in self._ended_turns
                await self._close(notification, TURN_OVER if over else ANSWERED_ELSEWHERE)

    async def _end_turn(self, turn_id: str) -> None:
        self._ended_turns = {
            notification.request.turn_id
            for notification in self._unsettled.all()
            if notification.request.turn_id is not None
            and notification.request.turn_id in (turn_id, *self._ended_turns)
        }

    async def _close(self, notification: Notification, undecided: str) -> None:
        """It is settled at Codex. Another console on this database may have recorded that first."""
        row = await self._queue.get(notification.id)
        if row.state is NotificationState.SENT:
            await self._unsettled.move(row.id, NotificationState.DELIVERED)
        elif row.state in (NotificationState.PENDING, NotificationState.DECIDED):
            await self._unsettled.move(row.id, NotificationState.WITHDRAWN, undecided)
        else:
            self._unsettled.tell(row)

    async def _settle_others(self, thread_id: str, generation: str, kept: frozenset[RequestKey]) -> None:
        for notification in self._unsettled.all():
            key = notification.request.key
            if (notification.request.thread_id, key.generation) == (
                thread_id,
                generation,
            ) and key not in kept:
                await self._close(notification, UNWATCHED)

    async def _take_up_others(self) -> None:
        unsettled = {row.id: row for row in await self._queue.unsettled()}
        for notification in self._unsettled.all():
            row = unsettled.pop(notification.id, None) or await self._queue.get(notification.id)
            if row.state is notification.state:
                continue
            self._unsettled.tell(row)
            if row.state is NotificationState.DECIDED and row.id not in self._unsettled.decided_here:
                await self._sender.send(notification_of(row))
        for row in unsettled.values():
            self._unsettled.tell(row)

    async def _bury_others(self, generation: str) -> None:
        askers = {notification.request.key.generation for notification in self._unsettled.all()}
        for other in askers - {generation, self.questions.generation}:
            if await asyncio.to_thread(generations.lives, other):
                continue
            for row in await self._queue.host_died(other):
                self._unsettled.tell(row)
