"""What conversations that are only read here have in common: whatever would write is refused."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from core.agent.port import Orphan
from core.conversation.choosing import Selected
from core.conversation.feed import DiffChanged, OutboxEntry, PlanChanged, UsageChanged
from core.conversation.info import NO_DRAFTS, ConversationInfo
from core.conversation.workspace import Choices
from core.errors import QuarterdeckError


class ReadOnlyConversation(ABC):
    """The part of `core.conversation.info.Conversation` that writes: none of it is done here.

    `selection` as far as the store knows it.
    """

    def __init__(self, info: ConversationInfo, writer: str, selection: Selected) -> None:
        self.info = info
        self.writer = writer
        self.usage: UsageChanged | None = None
        self.plan: PlanChanged | None = None
        self.diff: DiffChanged | None = None
        self.outbox: Sequence[OutboxEntry] = ()
        self.orphans: Sequence[Orphan] = ()
        self.selection = selection

    @property
    def id(self) -> str:
        return self.info.id

    @abstractmethod
    def _refusal(self) -> QuarterdeckError:
        """Why nothing is written here, and what to do instead."""

    async def send(
        self,
        text: str,
        key: str,
        *,
        queue: bool = False,
        attachments: Sequence[str] = (),
        drafts: Mapping[str, str] = NO_DRAFTS,
    ) -> None:
        raise self._refusal()

    async def withdraw(self, *keys: str, drafts: Mapping[str, str] = NO_DRAFTS) -> list[str]:
        raise self._refusal()

    async def select(self, change: Choices) -> None:
        raise self._refusal()

    async def interrupt(self) -> None:
        raise self._refusal()

    async def restart(self) -> None:
        raise self._refusal()

    async def ask_again(self) -> None:
        raise self._refusal()

    async def reorder(self, keys: Sequence[str]) -> None:
        raise self._refusal()

    async def end_orphans(self) -> None:
        raise self._refusal()

    async def rename(self, title: str) -> None:
        raise self._refusal()
