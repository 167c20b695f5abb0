"""The account's rate limits: read when somebody is signed in, then kept as Codex tells of them."""

from __future__ import annotations

import logging

from core.agent.events import RateLimits
from core.agent.port import Agent
from core.conversation.feed import Feed, LimitsChanged
from core.errors import CodexError

log = logging.getLogger(__name__)


class Limits:
    """`current` None: Codex said nothing, as with an API key or a provider of one's own."""

    def __init__(self, agent: Agent, feed: Feed) -> None:
        self.current: RateLimits | None = None
        self._agent = agent
        self._feed = feed

    async def read(self) -> None:
        """Ask Codex; where it refuses, nothing is known."""
        try:
            self.hear(await self._agent.rate_limits())
        except CodexError as error:
            log.info("the rate limits cannot be read: %s", error)

    def hear(self, told: RateLimits) -> None:
        """Put what was told over what was known."""
        before = self.current or RateLimits()
        limits = RateLimits(told.windows or before.windows, told.plan or before.plan)
        if limits.windows and limits != self.current:
            self.current = limits
            self._feed.tell(LimitsChanged(limits))
