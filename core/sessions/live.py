"""What every session does now, from what Codex and our own conversations tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from core.agent import events as said
from core.conversation.feed import FeedEvent, Notification, StateChanged
from core.sessions.model import SessionState
from core.sessions.rows import Standing
from core.thread.state import Status

_STATES = {Status.RUNNING: SessionState.RUNNING, Status.STALLED: SessionState.STALLED}


class LiveStates:
    """Of threads on the host, whoever is subscribed to them (PROTOCOL, Transports), and of open conversations."""

    def __init__(self, pending: Callable[[], Sequence[Notification]]) -> None:
        self._pending = pending
        self._threads: dict[str, SessionState] = {}
        self._conversations: dict[str, SessionState] = {}

    @property
    def busy(self) -> bool:
        """Whether any of them is at work."""
        return bool(self._threads) or SessionState.RUNNING in self._conversations.values()

    def standing(self) -> Standing:
        pending = Counter(
            notification.conversation_id or notification.request.thread_id for notification in self._pending()
        )
        waiting = dict.fromkeys(pending, SessionState.NEEDS_YOU)
        return Standing({**self._threads, **self._conversations, **waiting}, pending)

    def hear(self, event: said.AgentEvent) -> bool:
        """Whether it changed what a session does."""
        match event:
            case said.ThreadStatusChanged(thread_id, active, waiting):
                if active:
                    self._threads[thread_id] = SessionState.NEEDS_YOU if waiting else SessionState.RUNNING
                else:
                    self._threads.pop(thread_id, None)
                return True
            case said.HostLost():
                self._threads.clear()
                return True
            case _:
                return False

    def hear_feed(self, event: FeedEvent) -> bool:
        """Whether it changed what a session does."""
        if not isinstance(event, StateChanged):
            return False
        state = _STATES.get(event.state.status)
        if state is None:
            return self._conversations.pop(event.conversation_id, None) is not None
        changed = self._conversations.get(event.conversation_id) is not state
        self._conversations[event.conversation_id] = state
        return changed
