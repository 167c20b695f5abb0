"""An engine in memory, for what a screen does with one. The end-to-end tests use the real one.

It has the names of `core.engine.Engine` and `core.conversation.info.Conversation` that the console uses; what a
test wants to happen it makes happen with `feed.tell` and the fields.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path

from core.access.policy import SHIPPED, Profile
from core.agent.events import RateLimits
from core.agent.port import Login, Model, Orphan
from core.agent.requests import Answer
from core.conversation.choosing import Selected
from core.conversation.feed import (
    AccountRead,
    BoxesAdded,
    ConversationsChanged,
    Delivery,
    DiffChanged,
    Feed,
    FeedEvent,
    HostChanged,
    HostPhase,
    Notification,
    NotificationChanged,
    NotificationState,
    OutboxChanged,
    OutboxEntry,
    PlanChanged,
    SelectionChanged,
    StateChanged,
    ThreadState,
    UsageChanged,
)
from core.conversation.info import NO_DRAFTS, ConversationInfo
from core.conversation.workspace import Choices
from core.errors import NotFound, QuarterdeckError
from core.settings import Settings
from core.thread.boxes import USER, BoxDraft, BoxId, ChatBox, InputMeta, draft
from core.thread.state import Status
from tests.tui.composing.fakes import FakeCatalogs, FakeSaid, FakeShell
from tests.tui.fake_operations import FakeOperations
from tui.launch import Launch
from tui.startup import Session

IDLE = ThreadState(Status.IDLE)
BEGINS = Selected("gpt-5", "medium", "operator", "workspace-write", "on-request")
EFFORTS = ("low", "medium", "high")
MODELS = (
    Model("gpt-5", "GPT-5", "For most work", EFFORTS, "medium", True, ("Quick", "Balanced", "Thorough")),
    Model(
        "gpt-5-mini", "GPT-5 mini", "Faster, for small work", EFFORTS[:2], "low", False, ("Quick", "Balanced")
    ),
)


@dataclass
class FakeConversation:
    id: str
    info: ConversationInfo
    feed: Feed
    boxes: list[ChatBox] = field(default_factory=list[ChatBox])
    state: ThreadState = IDLE
    outbox: Sequence[OutboxEntry] = ()
    usage: UsageChanged | None = None
    plan: PlanChanged | None = None
    diff: DiffChanged | None = None
    writer: str = ""
    streaming: tuple[FeedEvent, ...] = ()
    sent: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    attached: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    drafts: dict[str, str] = field(default_factory=dict[str, str])
    fails: QuarterdeckError | None = None
    interrupted: int = 0
    restarted: int = 0
    asked_again: int = 0
    orphans: Sequence[Orphan] = ()
    selection: Selected = field(default_factory=lambda: BEGINS)
    selected: list[Choices] = field(default_factory=list[Choices])

    async def select(self, change: Choices) -> None:
        if self.fails is not None:
            raise self.fails
        self.selected.append(change)
        update = {name: str(value) for name, value in change if value is not None}
        self.selection = replace(self.selection, **update, coming=self.selection.coming | set(update))
        self.feed.tell(SelectionChanged(self.id, self.selection))

    async def page(self, before: int | None = None, limit: int = 200) -> tuple[ChatBox, ...]:
        older = [box for box in self.boxes if before is None or box.id < before]
        return tuple(older[-limit:])

    async def live(self) -> None:
        for event in self.streaming:
            self.feed.tell(event)

    async def send(
        self,
        text: str,
        key: str,
        *,
        queue: bool = False,
        attachments: Sequence[str] = (),
        drafts: Mapping[str, str] = NO_DRAFTS,
    ) -> None:
        if self.fails is not None:
            raise self.fails
        self.drafts.update(drafts)
        attached = tuple(attachments)
        if queue and self.state.status is Status.RUNNING:
            self.wait_for([*self.outbox, OutboxEntry(key, text, Delivery.QUEUED, attached)])
            return
        self.sent.append((text, key))
        self.attached[key] = attached
        self.add(draft(USER, text, InputMeta(key=key, attachments=attached)))

    async def interrupt(self) -> None:
        assert not any(entry.delivery is Delivery.QUEUED for entry in self.outbox), "it would begin now"
        self.interrupted += 1

    async def restart(self) -> None:
        self.restarted += 1

    async def ask_again(self) -> None:
        self.asked_again += 1

    async def withdraw(self, *keys: str, drafts: Mapping[str, str] = NO_DRAFTS) -> list[str]:
        self.drafts.update(drafts)
        taken = [entry for entry in self.outbox if entry.key in keys]
        self.wait_for([entry for entry in self.outbox if entry not in taken])
        if self.fails is not None:
            raise self.fails
        return [entry.text for entry in taken]

    async def reorder(self, keys: Sequence[str]) -> None:
        self.wait_for(sorted(self.outbox, key=lambda entry: keys.index(entry.key)))

    async def end_orphans(self) -> None:
        self.orphans = ()

    async def detach(self) -> None: ...

    def wait_for(self, entries: Sequence[OutboxEntry]) -> None:
        """These messages wait now."""
        self.outbox = tuple(entries)
        self.feed.tell(OutboxChanged(self.id, self.outbox))

    def add(self, *drafts: BoxDraft) -> None:
        """Record boxes and tell of them."""
        added = tuple(
            ChatBox(
                BoxId(len(self.boxes) + number),
                one.box_type,
                one.contents,
                one.hidden_type,
                one.hidden_contents,
            )
            for number, one in enumerate(drafts, 1)
        )
        self.boxes.extend(added)
        self.feed.tell(BoxesAdded(self.id, added))

    def become(
        self,
        status: Status,
        problem: str = "",
        *,
        restartable: bool = False,
        turn_id: str | None = "turn",
    ) -> None:
        """Tell another state."""
        self.state = ThreadState(status, turn_id, problem, restartable)
        self.info = replace(self.info, state=status.value)
        self.feed.tell(StateChanged(self.id, self.state))


class FakeLimits:
    current: RateLimits | None = None


class FakeSwitches:
    """A Codex with two models, and the profiles that ship."""

    def __init__(self) -> None:
        self.begins = replace(BEGINS, effort="")

    async def models(self) -> tuple[Model, ...]:
        return MODELS

    def profiles(self) -> tuple[Profile, ...]:
        return SHIPPED

    async def beginning(self, path: Path, choices: Choices) -> Selected:
        chosen = {name: str(value) for name, value in choices if value is not None}
        return replace(self.begins, **chosen)

    async def choose(self, path: Path, choices: Choices, change: Choices) -> Choices:
        return choices.model_copy(update={name: value for name, value in change if value is not None})


class FakeSeen:
    """`boxes`: up to which box each conversation was seen; `unseen_of` those in which something is new."""

    def __init__(self) -> None:
        self.boxes: dict[str, int] = {}
        self.unseen_of: set[str] = set()

    async def mark(self, boxes: Mapping[str, int]) -> None:
        self.boxes.update(boxes)

    async def unseen(self) -> frozenset[str]:
        return frozenset(self.unseen_of)


class FakeEngine:
    def __init__(self) -> None:
        self.switches = FakeSwitches()
        self.used: list[Settings] = []
        self.config: Path | None = None
        self.settings = Settings()
        self.limits = FakeLimits()
        self.feed = Feed()
        self.host = HostChanged(HostPhase.READY, "Codex 1.2.3")
        self.account: AccountRead | None = None
        self.report = ""
        self.catalogs = FakeCatalogs()
        self.shell = FakeShell()
        self.said = FakeSaid()
        self.seen = FakeSeen()
        self.open_conversations: dict[str, FakeConversation] = {}
        self.notifications: dict[int, Notification] = {}
        self.drafts: dict[str, str] = {}
        self.decisions: list[tuple[int, Answer, str]] = []
        self.decision_fails: QuarterdeckError | None = None
        self.api_keys: list[str] = []
        self.logins: list[bool] = []
        self.operations = FakeOperations(self)
        self.closed = False
        self.left = ""
        self._numbers = count(1)
        self._times = count(1_000)

    # What a test makes happen.

    def add(self, path: Path, title: str = "", *drafts: BoxDraft) -> FakeConversation:
        """A conversation that is there already."""
        conversation_id = f"c{next(self._numbers)}"
        info = ConversationInfo(conversation_id, title, str(path), next(self._times), "idle", 0, None)
        conversation = FakeConversation(conversation_id, info, self.feed, drafts=self.drafts)
        conversation.add(*drafts)
        self.open_conversations[conversation_id] = conversation
        self.feed.tell(ConversationsChanged())
        return conversation

    def folder_of(self, conversation: FakeConversation) -> Path:
        return Path(conversation.info.path)

    def ask(self, notification: Notification) -> None:
        """Codex asks, or what it asks changes."""
        self.notifications[notification.id] = notification
        self.feed.tell(NotificationChanged(notification))

    # What the console asks.

    def use(self, settings: Settings) -> None:
        self.used.append(settings)

    async def conversations(self, limit: int = 500) -> tuple[ConversationInfo, ...]:
        infos = [self._info(one) for one in self.open_conversations.values()]
        return tuple(sorted(infos, key=lambda info: -info.updated_at_ms)[:limit])

    async def create(self, path: Path, choices: Choices | None = None) -> FakeConversation:
        conversation = self.add(path)
        conversation.selection = await self.switches.beginning(path, choices or Choices())
        return conversation

    async def open(self, conversation_id: str) -> FakeConversation:
        try:
            return self.open_conversations[conversation_id]
        except KeyError:
            raise NotFound("There is no such conversation") from None

    async def latest(self, path: Path) -> ConversationInfo | None:
        return next((info for info in await self.conversations() if info.path == str(path)), None)

    def pending(self) -> tuple[Notification, ...]:
        return tuple(one for one in self.notifications.values() if one.state is NotificationState.PENDING)

    async def decide(self, notification_id: int, answer: Answer, shown_hash: str) -> None:
        if self.decision_fails is not None:
            raise self.decision_fails
        self.decisions.append((notification_id, answer, shown_hash))
        decided = replace(self.notifications[notification_id], state=NotificationState.SENT, decided_by="you")
        self.ask(decided)

    def snooze(self, notification_id: int, *, snoozed: bool = True) -> None:
        self.ask(replace(self.notifications[notification_id], snoozed=snoozed))

    async def draft(self, conversation_id: str) -> str:
        return self.drafts.get(conversation_id, "")

    async def save_draft(self, conversation_id: str, text: str) -> None:
        self.drafts[conversation_id] = text

    async def login_chatgpt(self, device: bool) -> Login:
        self.logins.append(device)
        return Login("login", "https://sign.example/in", "AB-12" if device else "")

    async def login_api_key(self, key: str) -> None:
        self.api_keys.append(key)

    async def close(self, then: str = "") -> str:
        self.closed = True
        return self.left

    def _info(self, conversation: FakeConversation) -> ConversationInfo:
        pending = sum(one.conversation_id == conversation.id for one in self.pending())
        return replace(conversation.info, pending=pending)

    async def opener(self, launch: Launch) -> Session:
        """What the app is given in place of `tui.startup.open_session`."""
        return Session(self, self.settings, launch.folder, AsyncExitStack(), config=self.config)  # type: ignore[arg-type]
