"""The engine: everything wired together, and the only door the console comes in by.

`engine = await open_engine(settings)` returns as soon as the store is open: conversations can be read
and messages accepted while the host is still being started; `engine.feed` tells when it is ready.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.agent.port import Login
from core.agent.requests import Answer
from core.conversation.feed import (
    AccountRead,
    DiffChanged,
    Feed,
    HostChanged,
    Notification,
    OutboxEntry,
    PlanChanged,
    ThreadState,
    UsageChanged,
)
from core.settings import Settings
from core.thread.boxes import ChatBox


@dataclass(frozen=True, slots=True)
class ConversationInfo:
    """One line of the session list. `state`: idle, running, stalled; `pending`: open notifications."""

    id: str
    title: str
    path: str
    updated_at_ms: int
    state: str
    pending: int
    thread_id: str | None


class Conversation:
    """One open conversation."""

    id: str
    info: ConversationInfo
    state: ThreadState
    outbox: Sequence[OutboxEntry]
    usage: UsageChanged | None
    plan: PlanChanged | None
    diff: DiffChanged | None
    writer: str
    """Who else writes it, in words for the person; "" where we do."""

    async def page(self, before: int | None = None, limit: int = 200) -> tuple[ChatBox, ...]:
        """Boxes before box id `before` (None: the newest), oldest first."""
        ...

    async def live(self) -> None:
        """Tell the feed again what is streaming now (LiveStarted, LiveDelta), for a screen that just opened."""

    async def send(self, text: str, key: str) -> None:
        """Accept a message: on disk when this returns. `key` is unique to it; sending it again is harmless."""

    async def withdraw(self, key: str) -> str:
        """Take a message that waits back; its text. Raises TransitionError once it is on its way."""
        ...

    async def interrupt(self) -> None: ...

    async def restart(self) -> None:
        """Run a stalled job's input again. Raises NotStalled, NotRestartable, Unauthorized."""

    async def rename(self, title: str) -> None: ...


class Engine:
    feed: Feed
    host: HostChanged
    account: AccountRead | None

    async def conversations(self, limit: int = 500) -> tuple[ConversationInfo, ...]:
        """Newest first."""
        ...

    async def create(self, path: Path) -> Conversation:
        """A new conversation on a folder. Raises InvalidRequest where that is none or cannot be read."""
        ...

    async def open(self, conversation_id: str) -> Conversation:
        """Raises NotFound."""
        ...

    async def latest(self, path: Path) -> ConversationInfo | None:
        """The conversation of this folder that was used last."""
        ...

    def pending(self) -> tuple[Notification, ...]:
        """All notifications that wait for a decision, oldest first."""
        ...

    async def decide(self, notification_id: int, answer: Answer, shown_hash: str) -> None:
        """Record a person's decision and send it. Raises Conflict (decided, or changed since it was shown)."""

    async def draft(self, conversation_id: str) -> str:
        """What stood in the composer."""
        ...

    async def save_draft(self, conversation_id: str, text: str) -> None: ...

    async def login_chatgpt(self, device: bool) -> Login: ...

    async def login_api_key(self, key: str) -> None: ...

    async def close(self) -> str:
        """Let go of everything. What goes on running is said in the returned sentence ("" for nothing)."""
        ...


async def open_engine(settings: Settings) -> Engine:
    """Raises StoreError where the database cannot be used."""
    ...
