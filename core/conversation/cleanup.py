"""What closing a conversation for good leaves to do at Codex and in what is known."""

from __future__ import annotations

from contextlib import suppress

from core.agent.port import Agent
from core.conversation.ports import Catalog, Knowledge
from core.errors import NoRollout


async def clean_up(
    conversation_id: str, thread_id: str | None, agent: Agent, catalog: Catalog, knowledge: Knowledge
) -> None:
    """What closing leaves to do; done again at the next start until it went well. Raises QuarterdeckError.

    What is known is forgotten first: that Codex refuses to put its thread away is no reason to keep it.
    """
    await knowledge.settle_forget(conversation_id)
    if thread_id is not None:
        await agent.unsubscribe(thread_id)
        with suppress(NoRollout):
            await agent.archive(thread_id)
    await catalog.finish_cleanup(conversation_id)
