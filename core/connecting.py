"""Getting to Codex at the start."""

from __future__ import annotations

import asyncio

from core.codex.client import CodexAgent
from core.conversation.feed import Feed, Told
from core.conversation.hub import AgentHub
from core.errors import CodexError

FIRST_RETRY_SECONDS = 2.0
LAST_RETRY_SECONDS = 30.0


async def open_agent(agent: CodexAgent, hub: AgentHub, feed: Feed) -> None:
    """Until it goes well: a Codex that is not there yet may be installed, or freed, meanwhile."""
    told = ""
    seconds = FIRST_RETRY_SECONDS
    while True:
        try:
            await agent.open()
            return
        except CodexError as error:
            if str(error) != told:
                told = str(error)
                hub.host_unavailable(error.what)
                feed.tell(Told("error", told))
        await asyncio.sleep(seconds)
        seconds = min(seconds * 2, LAST_RETRY_SECONDS)
