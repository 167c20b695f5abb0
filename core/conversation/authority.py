"""What is authorized in one conversation, and in which run: a turn that was begun here, or that a message of ours went into.

In a turn of another program's nothing is authorized: no rule decides in it, and no tool of ours runs.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from core.access.policy import Authorization
from core.agent.port import TurnOptions
from core.agent.requests import Request
from core.conversation.switching import Switching
from core.errors import Unauthorized
from core.thread.durable import DurableThread

log = logging.getLogger(__name__)

Options = Callable[[TurnOptions | None], TurnOptions]
"""What a turn has to say, from what the message that begins it asks for."""

Authorized = Callable[[], Awaitable[Authorization | None]]
"""What may decide on a request; None: nothing here may but a person. It is waited for, so it has an end."""

Found = Authorization | None
OnceReached = Callable[[Callable[[], Found]], asyncio.Future[Found]]
"""Looks once all is handled that was heard by now; done at once, where nobody was to wait."""

PUMP_SECONDS = 1.0
"""How long a request waits for the events before it: a conversation that is being attached may read for longer."""


class Authority:
    def __init__(self, conversation_id: str, thread: DurableThread, switching: Switching) -> None:
        self._id = conversation_id
        self._thread = thread
        self._switching = switching
        self._looked_at = 0

    def begin(self) -> Options:
        """Bind what a run that begins now may do; what its turn says is of the same moment. Raises Unauthorized."""
        selector = self._switching.begin()
        self._thread.authorize(*selector.access)
        return selector.options

    def join(self) -> None:
        """A message is to go into a turn that another program began: may it, with what that turn runs with?

        Raises Unauthorized. It becomes ours once the message is seen in it.
        """
        self._switching.join()

    def give_up(self) -> None:
        """Nothing begins, or nobody knows whether it did."""
        self._thread.clear_authorization()

    def look(self) -> None:
        """Bind where a run turned out to be ours: it was begun before we came, or a message of ours was seen in it."""
        state = self._thread.state
        job = state.job
        if job is None or job.turn_id is None or not state.ours or job.number == self._looked_at:
            return
        self._looked_at = job.number
        if self._thread.actions.authorization is None:
            try:
                self._thread.authorize(*self._switching.access(running=True))
            except Unauthorized as error:
                log.warning("what runs in %s is not authorized now: %s", self._id, error)

    def among(self, once_reached: OnceReached, request: Request, thread_id: str | None) -> Authorized:
        """As `over`, at the request's place among the events: it is heard before those ahead of it are handled.

        What authorizes its turn by now does so to that turn's end, so that is not waited for.
        """
        now = self.over(request, thread_id)
        reached = once_reached(lambda: self.over(request, thread_id)) if now is None else None

        async def authorized() -> Authorization | None:
            if reached is None:
                return now
            await asyncio.wait((reached,), timeout=PUMP_SECONDS)
            return reached.result() if reached.done() else None

        return authorized

    def over(self, request: Request, thread_id: str | None) -> Authorization | None:
        """What may decide on a request, raised in our thread or below it; None where only a person may.

        It may be heard before the end of the turn before it is handled: so its turn has to be that of the run.
        """
        state = self._thread.state
        if state.job is None or not state.ours:
            return None
        turn_id = request.turn_id if request.thread_id == thread_id else None
        if turn_id is not None and (turn_id != state.job.turn_id or turn_id in state.ended_turns()):
            return None
        return self._thread.actions.authorization
