"""A conversation that was imported from another machine: read, searched and exported, never gone on with.

Its thread is Codex's there; none is begun for it here, so nothing of it ever runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.agent.port import Orphan
from core.conversation.choosing import Selected
from core.conversation.feed import DiffChanged, OutboxEntry, PlanChanged, ThreadState, UsageChanged
from core.conversation.info import NO_DRAFTS, ConversationInfo
from core.conversation.ports import RecordLog
from core.conversation.workspace import Choices
from core.errors import Unsupported
from core.rows import IMPORTED
from core.thread.boxes import ChatBox
from core.thread.state import Status


class ImportedConversation:
    """Implements `core.conversation.info.Conversation`; whatever would write raises Unsupported."""

    def __init__(self, info: ConversationInfo, selection: Selected, records: RecordLog) -> None:
        self.info = info
        self.writer = IMPORTED
        self.state = ThreadState(Status.IDLE)
        self.usage: UsageChanged | None = None
        self.plan: PlanChanged | None = None
        self.diff: DiffChanged | None = None
        self.outbox: Sequence[OutboxEntry] = ()
        self.orphans: Sequence[Orphan] = ()
        self.selection = selection
        self._records = records

    @property
    def id(self) -> str:
        return self.info.id

    async def page(self, before: int | None = None, limit: int = 200) -> tuple[ChatBox, ...]:
        return tuple(await self._records.tail_boxes(self.id, before, limit))

    async def live(self) -> None:
        """Nothing streams."""

    async def send(
        self,
        text: str,
        key: str,
        *,
        queue: bool = False,
        attachments: Sequence[str] = (),
        drafts: Mapping[str, str] = NO_DRAFTS,
    ) -> None:
        raise _refusal()

    async def withdraw(self, key: str, drafts: Mapping[str, str] = NO_DRAFTS) -> str:
        raise _refusal()

    async def select(self, change: Choices) -> None:
        raise _refusal()

    async def interrupt(self) -> None:
        raise _refusal()

    async def restart(self) -> None:
        raise _refusal()

    async def ask_again(self) -> None:
        raise _refusal()

    async def reorder(self, keys: Sequence[str]) -> None:
        raise _refusal()

    async def end_orphans(self) -> None:
        raise _refusal()

    async def rename(self, title: str) -> None:
        raise _refusal()

    async def detach(self) -> None:
        """Nothing is held."""


def _refusal() -> Unsupported:
    return Unsupported(
        "This conversation was imported: it can be read, and not gone on with",
        why="its thread is at the Codex that it came from",
        todo="Fork it in the sessions browser (F3): a new conversation begins with its text.",
    )
