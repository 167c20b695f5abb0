"""What the console sees of a conversation, whoever writes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol

from core.agent.port import Orphan
from core.conversation.choosing import Selected
from core.conversation.feed import DiffChanged, OutboxEntry, PlanChanged, ThreadState, UsageChanged
from core.conversation.workspace import Choices
from core.thread.boxes import ChatBox

NO_DRAFTS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class ConversationInfo:
    """One line of the session list. `state`: idle, running, stalled; `pending`: open notifications.

    `parent_id`: the conversation whose sub-agent it shows; `forked_from`: the one it was copied from.
    """

    id: str
    title: str
    path: str
    updated_at_ms: int
    state: str
    pending: int
    thread_id: str | None
    archived: bool = False
    parent_id: str | None = None
    forked_from: str | None = None


class Conversation(Protocol):
    """An open conversation: ours to write, or followed while another console writes it."""

    @property
    def id(self) -> str: ...

    @property
    def info(self) -> ConversationInfo: ...

    @property
    def state(self) -> ThreadState: ...

    @property
    def outbox(self) -> Sequence[OutboxEntry]: ...

    @property
    def usage(self) -> UsageChanged | None: ...

    @property
    def plan(self) -> PlanChanged | None: ...

    @property
    def diff(self) -> DiffChanged | None: ...

    @property
    def writer(self) -> str:
        """Who else writes it, in words for the person; "" where we do."""
        ...

    @property
    def orphans(self) -> Sequence[Orphan]:
        """Commands that outlived a host that died."""
        ...

    @property
    def selection(self) -> Selected:
        """What the next turn runs with."""
        ...

    async def select(self, change: Choices) -> None:
        """Switch what `change` says, from the next turn on; on disk when this returns.

        Raises InvalidRequest (not of Codex's lists), Unauthorized (the profile does not allow it),
        Conflict (another console writes here), CodexError, StoreError.
        """
        ...

    async def end_orphans(self) -> None:
        """End them. Raises Unsupported, StoreError."""
        ...

    async def page(self, before: int | None = None, limit: int = 200) -> tuple[ChatBox, ...]:
        """Boxes before box id `before` (None: the newest), oldest first. Raises StoreError."""
        ...

    async def live(self) -> None:
        """Tell the feed again what streams now, for a screen that just opened."""
        ...

    async def send(
        self,
        text: str,
        key: str,
        *,
        queue: bool = False,
        attachments: Sequence[str] = (),
        drafts: Mapping[str, str] = NO_DRAFTS,
    ) -> None:
        """Accept a message: on disk when this returns. `key` is unique to it; again changes nothing.

        It steers the turn that runs; to `queue` it is to have it wait for the end of that turn. `attachments` are
        paths of images; they are copied. `drafts`, what stays in composers by their keys, is saved in the same write.
        Raises InvalidRequest, Conflict (another console writes here), Unauthorized, StoreError.
        """
        ...

    async def withdraw(self, *keys: str, drafts: Mapping[str, str] = NO_DRAFTS) -> list[str]:
        """Take waiting messages back, all or none; their texts.

        `drafts`, in which they stand now, are saved in the same write. What is no longer in the outbox when this
        is called raises TransitionError: it is on its way. Raises StoreError.
        """
        ...

    async def interrupt(self) -> None:
        """Stop the turn that runs. What waits for after it begins then: take it back first. Raises CodexError."""
        ...

    async def restart(self) -> None:
        """Run a stalled job's input again. Raises NotStalled, NotRestartable, Unauthorized, StoreError."""
        ...

    async def ask_again(self) -> None:
        """Ask Codex once more from where a stalled turn stands, also after it acted; nothing is said again.

        Raises NotStalled, NotRestartable, Unauthorized, StoreError.
        """
        ...

    async def reorder(self, keys: Sequence[str]) -> None:
        """Put the messages that wait into this order. Raises InvalidRequest unless `keys` are exactly those."""
        ...

    async def rename(self, title: str) -> None:
        """Raises StoreError."""
        ...

    async def detach(self) -> None:
        """Let go of it; what runs at Codex goes on."""
        ...
