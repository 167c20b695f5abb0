"""What closing a conversation for good leaves to do at Codex and in what is known."""

from __future__ import annotations

from core.agent.port import Agent
from core.conversation.ports import Catalog, Knowledge


async def clean_up(
    conversation_id: str, thread_id: str | None, agent: Agent, catalog: Catalog, knowledge: Knowledge
) -> None:
    """What closing leaves to do; done again at the next start until it went well. Raises QuarterdeckError."""
    if thread_id is not None:
        await agent.unsubscribe(thread_id)
        await agent.archive(thread_id)
    await knowledge.settle_forget(conversation_id)
    await catalog.finish_cleanup(conversation_id)
