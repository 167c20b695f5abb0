"""From a link's connections to the listeners: events out, in wire order, and decisions back."""

from __future__ import annotations

import logging
from collections.abc import Callable

from core.agent.events import AgentEvent, HostLost, HostReady, Notice
from core.agent.port import Listener
from core.agent.requests import Answer, RequestKey
from core.codex.intake import FetchPatch, Intake
from core.codex.rpc import Incoming, RequestId
from core.codex.standing import Standing
from core.errors import ConnectionLost

log = logging.getLogger(__name__)


class Hub:
    """The owner of a link: it is told what happens there, and tells the listeners."""

    def __init__(self, fetch_patch: FetchPatch) -> None:
        self._listeners: list[Listener] = []
        self._standing: Standing | None = None
        self.intake = Intake(self._emit, self._refuse, fetch_patch)

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Hear everything from now on; the returned function stops it."""
        self._listeners.append(listener)

        def stop() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return stop

    async def answer(self, standing: Standing, key: RequestKey, answer: Answer) -> bool:
        """Send a decision. Raises ConnectionLost: then it can be given again."""
        reply = self.intake.reply_to(key, answer)
        if reply is None:
            return False
        try:
            await standing.connection.reply(reply.asked.id, reply.answer)
        except ConnectionLost:
            self.intake.not_sent(reply)
            raise
        return True

    def ready(self, standing: Standing) -> None:
        self._standing = standing
        self.intake.begin(standing.generation)
        self._emit(HostReady(standing.generation, standing.version, standing.started_by_us))
        if standing.attached.notice:
            self._emit(Notice(None, "warning", standing.attached.notice))

    def receive(self, message: Incoming) -> None:
        self.intake.take(message)

    async def lost(self, standing: Standing, reason: ConnectionLost) -> None:
        self._standing = None
        await self.intake.end()
        self._emit(HostLost(standing.generation, str(reason)))

    async def close(self) -> None:
        """Nothing more is told from now on."""
        self._standing = None
        await self.intake.end()

    def trouble(self, text: str) -> None:
        self._emit(Notice(None, "error", text))

    def _refuse(self, request_id: RequestId, why: str) -> None:
        if self._standing is not None:
            self._standing.connection.refuse(request_id, why)

    def _emit(self, event: AgentEvent) -> None:
        for listener in tuple(self._listeners):
            try:
                listener(event)
            except Exception:
                log.exception("A listener failed on %s", type(event).__name__)
