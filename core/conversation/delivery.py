"""Messages on their way to Codex: one task a conversation, the only one that begins turns and steers.

What is about to be sent is on disk first, under the key that comes back with the item (rule 1 of
DESIGN, What must hold). Where the connection breaks between sending and knowing, nothing is sent
again from here: `reconcile.py` asks Codex what it has.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from core.agent.port import Agent, TurnInput, TurnOptions, load_options
from core.conversation import boxing
from core.conversation.authority import Authority
from core.conversation.feed import Feed, Told
from core.conversation.runtime import ConversationRuntime
from core.errors import CallRefused, CallTimedOut, ConnectionLost, QuarterdeckError, StoreError, Unauthorized
from core.thread.boxes import InputMeta, hidden_of
from core.thread.state import Start

log = logging.getLogger(__name__)

RETRY_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Begun:
    """A job that was begun and did not go out yet, and what its turn is asked for with."""

    start: Start
    said: TurnInput
    options: TurnOptions


class Delivery:
    """Owns the sender task. `authority` says what may begin, and with what.

    `ready` gives the thread id to talk to, after attaching to it where needed, or None while the host
    is away. `unsure` is called when it cannot be known
    whether Codex took what was sent.
    """

    def __init__(
        self,
        runtime: ConversationRuntime,
        agent: Agent,
        feed: Feed,
        ready: Callable[[], Awaitable[str | None]],
        authority: Authority,
        unsure: Callable[[], None],
    ) -> None:
        self._runtime = runtime
        self._agent = agent
        self._feed = feed
        self._ready = ready
        self._authority = authority
        self._unsure = unsure
        self._unsteerable: str | None = None
        self._unsent: Begun | None = None
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._trouble = ""
        self._retry: asyncio.TimerHandle | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name=f"delivery-{self._runtime.conversation_id}")

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._retry is not None:
            self._retry.cancel()

    def wake(self) -> None:
        """Something may be ready to go out. Never waits."""
        self._wake.set()

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            try:
                await self._deliver()
                self._trouble = ""
            except QuarterdeckError as error:
                self._try_later(str(error))
            except Exception as error:
                # A fault of ours in one attempt must not keep every later message from going out.
                log.exception("a message could not be delivered")
                self._try_later(f"A fault of Quarterdeck's own: {error!r}")

    def _try_later(self, why: str) -> None:
        """What could not go out waits, and is tried again by itself; the reason is told once."""
        if why != self._trouble:
            self._trouble = why
            log.warning("a message could not be delivered: %s", why)
            self._feed.tell(Told("error", self._trouble, self._runtime.conversation_id))
        if self._retry is not None:
            self._retry.cancel()
        self._retry = asyncio.get_running_loop().call_later(RETRY_SECONDS, self.wake)

    async def _deliver(self) -> None:
        state = self._runtime.thread.state
        if not self._has_work():
            return
        thread_id = await self._ready()
        if thread_id is None:
            return
        async with self._runtime.handover:
            if state.job is None:
                self._begin()
            if self._unsent is not None and self._runs(self._unsent.start.job):
                await self._send(thread_id, self._unsent)
            elif state.job is not None and state.job.turn_id is not None:
                await self._steer(thread_id, state.job.number, state.job.turn_id)

    def _has_work(self) -> bool:
        state = self._runtime.thread.state
        if self._unsent is not None and self._runs(self._unsent.start.job):
            return True
        turn_id = state.job.turn_id if state.job is not None else None
        steerable = state.job is None or turn_id not in (None, self._unsteerable)
        return steerable and bool(state.waiting or state.arrivals)

    def _begin(self) -> None:
        options = self._authority.begin()
        begun = self._runtime.thread.begin_input()
        if begun is None:
            self._authority.give_up()
            return
        start, text = begun
        self._unsent = Begun(start, self._said(start, text), options(self._asked(start)))

    async def _send(self, thread_id: str, begun: Begun) -> None:
        """On disk first: where that fails nothing is sent, and this is done again."""
        await self._runtime.publish()
        self._unsent = None
        start = begun.start
        try:
            turn_id = await self._agent.start_turn(thread_id, begun.said, begun.options)
        except CallRefused as error:
            if self._runs(start.job):
                await self._runtime.fail(f"Codex did not take the message: {error.message}", restartable=True)
            return
        except (ConnectionLost, CallTimedOut):
            self._doubt(start)
            return
        if self._runs(start.job):
            self._runtime.thread.state.bind_turn(start.job, turn_id)
            await self._runtime.publish()
            self.wake()

    def _doubt(self, start: Start) -> None:
        """No answer: Codex is asked what it has, unless its turn was heard to begin meanwhile."""
        job = self._runtime.thread.state.job
        if job is not None and job.number == start.job and job.turn_id is not None:
            return
        log.warning("job %d of %s: unknown whether Codex has it", start.job, self._runtime.conversation_id)
        self._authority.give_up()
        self._unsure()

    def _asked(self, start: Start) -> TurnOptions | None:
        """What the message that begins the turn asks for."""
        metas = (hidden_of(self._runtime.thread.boxes[box - 1]) for box in start.boxes)
        asked = (meta.options for meta in metas if isinstance(meta, InputMeta) and meta.options)
        return next((load_options(text) for text in asked), None)

    def _said(self, start: Start, text: str) -> TurnInput:
        """A restarted job whose message Codex has already is sent without text: the model is asked again."""
        if start.again:
            return TurnInput((), start.key)
        boxes = (self._runtime.thread.boxes[box - 1] for box in start.boxes)
        return TurnInput((text,), start.key, boxing.images_of(boxes))

    def _runs(self, job: int) -> bool:
        active = self._runtime.thread.state.job
        return active is not None and active.number == job

    def _may_join(self, turn_id: str) -> bool:
        """May a message go into this turn? What may not begins the next one."""
        if self._runtime.thread.state.ours:
            return True
        try:
            self._authority.join()
        except Unauthorized as error:
            log.info("a message waits for the end of another program's turn: %s", error)
            self._unsteerable = turn_id
            return False
        return True

    async def _steer(self, thread_id: str, job: int, turn_id: str) -> None:
        thread = self._runtime.thread
        prepared = thread.state.prepare_steer(job)
        if prepared is None or not self._may_join(turn_id):
            return
        arrivals = {arrival.key: arrival.draft for arrival in thread.state.arrivals}
        images = boxing.images_of(arrivals[key] for key in prepared.arrivals)
        try:
            text = await thread.commit_steer(prepared)
        except StoreError:
            thread.state.refuse_steer(prepared.key)
            raise
        await self._runtime.publish()
        try:
            await self._agent.steer(thread_id, turn_id, TurnInput((text,), prepared.key, images))
        except CallRefused as error:
            # The turn ended meanwhile, or cannot be steered: what waits goes out with the next one.
            log.info("steer refused: %s", error.message)
            self._unsteerable = turn_id
            thread.state.refuse_steer(prepared.key)
            await self._runtime.publish()
        except (ConnectionLost, CallTimedOut):
            self._unsure()
