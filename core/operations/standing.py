"""Whether a conversation stands so that something can be done with it."""

from __future__ import annotations

from core.conversation.info import Conversation
from core.conversation.live import LiveConversation
from core.errors import Conflict
from core.registry import Registry
from core.thread.state import Status


async def idle(registry: Registry, conversation_id: str, what: str) -> Conversation:
    """The conversation, if nothing runs in it and nobody else writes it. `what`: "It was not …", for the person.

    Raises Conflict saying how to go on, NotFound, Closed, StoreError.
    """
    conversation = await registry.open(conversation_id)
    if conversation.writer and not conversation.info.archived:
        raise Conflict(what, why=f"{conversation.writer} writes this conversation", todo="Do it there.")
    if conversation.state.status is Status.RUNNING:
        running = conversation.state.turn_id is not None
        raise Conflict(
            what,
            why="a turn runs" if running else "messages wait",
            todo="Interrupt it, or wait for its end, then try again."
            if running
            else "Take them back, or wait until they are answered.",
        )
    return conversation


async def ours(registry: Registry, conversation_id: str, what: str) -> LiveConversation:
    """The conversation, if we may write it. Raises Conflict, NotFound, Closed, StoreError."""
    conversation = await registry.open(conversation_id)
    if conversation.info.archived:
        raise Conflict(what, why="the conversation is archived", todo="Bring it back first: /unarchive.")
    if conversation.writer or not isinstance(conversation, LiveConversation):
        raise Conflict(what, why=f"{conversation.writer} writes this conversation", todo="Do it there.")
    return conversation
