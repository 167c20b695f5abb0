"""The account that Codex is signed in with."""

from __future__ import annotations

import logging

from core.agent.port import Agent
from core.conversation.feed import AccountRead, Feed
from core.errors import CodexError
from core.limits import Limits

log = logging.getLogger(__name__)


class SignedIn:
    """The account, as it was read last; None before."""

    def __init__(self, agent: Agent, limits: Limits, feed: Feed) -> None:
        self.account: AccountRead | None = None
        self._agent = agent
        self._limits = limits
        self._feed = feed

    async def read(self) -> None:
        """Ask again and tell the feed; its limits too. Nothing changes where Codex cannot be asked."""
        try:
            account = await self._agent.account()
        except CodexError as error:
            log.info("the account cannot be read: %s", error)
            return
        self.account = AccountRead(account.signed_in, account.needed, account.label)
        self._feed.tell(self.account)
        if account.signed_in:
            await self._limits.read()
