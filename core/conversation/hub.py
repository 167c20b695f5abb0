"""Whose news it is: from one agent's events to the conversations, the notifications and the feed."""

from __future__ import annotations

import logging

from core.agent import events as said
from core.agent.items import SubAgentCall
from core.conversation.feed import Feed, HostChanged, HostPhase, Told
from core.conversation.live import LiveConversation
from core.conversation.notifications import NotificationCenter
from core.conversation.runtime import Decided

log = logging.getLogger(__name__)


class AgentHub:
    """Hears everything from an agent, on the event loop and in wire order; never waits."""

    def __init__(self, center: NotificationCenter, feed: Feed) -> None:
        self.host = HostChanged(HostPhase.STARTING, "Codex is starting…")
        self._center = center
        self._feed = feed
        self._conversations: dict[str, LiveConversation] = {}
        self._bound: dict[str, LiveConversation] = {}
        self._sub_agents: dict[str, LiveConversation] = {}
        """By a sub-agent's thread: the conversation that made it, and answers what it asks."""
        self._generation: str | None = None

    def add(self, conversation: LiveConversation) -> None:
        """From now on this conversation hears what is its own."""
        self._conversations[conversation.id] = conversation
        if self._generation is not None:
            conversation.host_ready(self._generation)

    def remove(self, conversation_id: str) -> None:
        """It was let go of: it hears nothing more."""
        gone = self._conversations.pop(conversation_id, None)
        for owners in (self._bound, self._sub_agents):
            for thread_id in [thread for thread, owner in owners.items() if owner is gone]:
                del owners[thread_id]

    def hears(self, thread_id: str) -> bool:
        """Is there a conversation here that hears this thread?"""
        return thread_id in self._sub_agents or self._bound_to(thread_id) is not None

    def note_sub_agent(self, thread_id: str, owner: LiveConversation) -> None:
        """What this thread asks belongs to the conversation that began it."""
        self._sub_agents.setdefault(thread_id, owner)

    def keep_decision(self, conversation_id: str, trace: str) -> None:
        """In the conversation, where it is open here. Never waits."""
        if (conversation := self._conversations.get(conversation_id)) is not None:
            conversation.runtime.hear(Decided(trace))

    def hear(self, event: said.AgentEvent) -> None:
        match event:
            case said.HostReady():
                self._host_ready(event)
            case said.HostLost():
                self._host_lost(event)
            case said.RequestSettled():
                self._center.hear_settled(event.key)
            case said.RequestRaised():
                thread_id = event.request.thread_id
                owner = self._sub_agents.get(thread_id) or self._bound_to(thread_id)
                if owner is not None:
                    owner.hear(event)
            case said.Notice(thread_id=None):
                log.info("codex %s: %s", event.level, event.text)
            case said.UnknownEvent():
                log.debug("codex said %s, which this version does not know", event.method)
            case (
                said.AccountChanged()
                | said.LoginCompleted()
                | said.ThreadAppeared()
                | said.ThreadShelved()
                | said.ThreadDeleted()
                | said.LimitsUpdated()
            ):
                pass
            case said.TurnEnded():
                self._center.hear_turn_ended(event.turn_id)
                self._of_thread(event)
            case _:
                self._of_thread(event)

    def host_unavailable(self, text: str) -> None:
        """The host does not start: said on the screen, with what to do."""
        self._tell_host(HostPhase.UNAVAILABLE, text)

    def _of_thread(self, event: said.AgentEvent) -> None:
        if isinstance(event, said.ItemCompleted) and (made_by := self._sub_agents.get(event.thread_id)):
            # What was decided on it is in the ledger of the conversation that answered for it.
            self._center.hear_item_ended(made_by.id, event.thread_id, event.item)
        owner = self._bound_to(getattr(event, "thread_id", ""))
        if owner is None:
            return
        if isinstance(event, said.ItemStarted | said.ItemCompleted) and isinstance(event.item, SubAgentCall):
            # What a sub-agent asks comes under its own thread: it belongs to the conversation that made it.
            for receiver in event.item.receivers:
                self._sub_agents.setdefault(receiver, owner)
        owner.hear(event)

    def _bound_to(self, thread_id: str) -> LiveConversation | None:
        owner = self._bound.get(thread_id)
        if owner is None or owner.thread_id != thread_id:
            owner = next((one for one in self._conversations.values() if one.thread_id == thread_id), None)
            if owner is not None:
                self._bound[thread_id] = owner
        return owner

    def _host_ready(self, event: said.HostReady) -> None:
        again = self.host.phase is HostPhase.LOST
        same = self._generation == event.generation
        self._generation = event.generation
        self._center.hear_host(event.generation)
        self._tell_host(HostPhase.READY, f"Codex {event.version}")
        if again:
            text = "Codex is back." if same else "Codex was started again; what ran in it has ended."
            self._feed.tell(Told("warning", text))
        for conversation in tuple(self._conversations.values()):
            conversation.host_ready(event.generation)

    def _host_lost(self, event: said.HostLost) -> None:
        self._center.hear_lost()
        self._tell_host(HostPhase.LOST, f"Codex is away: {event.reason}")
        for conversation in tuple(self._conversations.values()):
            conversation.host_lost(event)

    def _tell_host(self, phase: HostPhase, text: str) -> None:
        self.host = HostChanged(phase, text)
        self._feed.tell(self.host)
