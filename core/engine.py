"""The engine: everything wired together, and the only door the console comes in by.

`engine = await open_engine(settings)` returns as soon as the store is open: conversations can be read
and messages accepted while the host is still being started; `engine.feed` tells when it is ready.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Sequence
from pathlib import Path

from core.access.judge import Judge
from core.account import SignedIn
from core.agent import events as said
from core.agent.port import Login
from core.agent.requests import Answer
from core.background import Background
from core.catalog import StoreCatalog
from core.catalogs import Catalogs
from core.codex.client import CodexAgent
from core.connecting import open_agent
from core.conversation.conversation import CodexConversation
from core.conversation.feed import AccountRead, Feed, HostChanged, Notification, Told
from core.conversation.hub import AgentHub
from core.conversation.info import Conversation, ConversationInfo
from core.conversation.notifications import NotificationCenter
from core.conversation.reminders import Reminders
from core.conversation.unsettled import PERSON
from core.conversation.workspace import Choices, Workspace
from core.decided import DecisionLedger
from core.deleting import Deletions
from core.errors import CodexError, StoreError
from core.export.export import Export
from core.hosting import host_options, local_home
from core.knowing import ConversationKnowledge, gather_tools
from core.knowledge.base import KnowledgeBase
from core.limits import Limits
from core.opening import Opener
from core.operations.operations import Operations
from core.others import OthersThreads
from core.registry import Registry
from core.rulebook import Rulebook
from core.seen import SeenBoxes
from core.sessions.sessions import Sessions
from core.settings import Settings
from core.shell import Shell
from core.store.store import Store
from core.switches import Switches
from core.tools.toolset import Tool
from core.workspaces import Workspaces

log = logging.getLogger(__name__)

DATABASE = "quarterdeck.sqlite3"
CLOSE_SECONDS = 5.0
"""How long calls that are under way may take before quitting aborts them."""

GOES_ON = "it goes on. Start quarterdeck again to see it, or end it with `quarterdeck host stop`."


class Engine:
    """Made by `open_engine`, ended by `close`. Its background connects and watches the database."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self.feed = Feed()
        self._store = store
        self._agent = CodexAgent(host_options(settings))
        judge = Judge(store.rules)
        self._center = NotificationCenter(
            store.notifications, judge, self._agent, self.feed, settings.decisions.patterns
        )
        self._hub = AgentHub(self._center, self.feed)
        self._reminders = Reminders(self.feed, self._center.pending, settings.decisions.remind_minutes)
        self._settings = settings
        self.ledger = DecisionLedger(store.ledger)
        self.rules = Rulebook(store.rules, store.ledger, settings.access_policy, settings.defaults.profile)
        self.knowledge = KnowledgeBase(store.knowledge, store.imports)
        known = ConversationKnowledge(self.knowledge, settings.knowledge.policy)
        self.limits = Limits(self._agent, self.feed)
        self._signed_in = SignedIn(self._agent, self.limits, self.feed)
        catalog = StoreCatalog(store, settings.defaults, self.feed)
        workspaces = Workspaces(store, catalog)
        self.switches = Switches(self._agent, settings.access_policy, workspaces.effective)
        opener = Opener(
            settings,
            store,
            self._agent,
            self._center,
            self._hub,
            self.feed,
            judge,
            known,
            self.switches,
            catalog,
            workspaces,
        )
        self._registry = Registry(
            store, self._agent, self._center, self._hub, self.feed, known, catalog, workspaces, opener
        )
        self._others = OthersThreads(self._agent, self._registry, self._hub, self.feed)
        self.catalogs = Catalogs(self._agent.lookups)
        self.shell = Shell(self._agent.lookups, store.ledger)
        self.said = store.said
        self.seen = SeenBoxes(store.seen, store.records)
        self.export = Export(store, self._agent)
        self.sessions = Sessions(
            store, self._agent, self.feed, local_home(settings), self.pending, self._registry.adoption.adopt
        )
        self.operations = Operations(store, self._registry, self._agent, self.feed)
        self.deletions = Deletions(self._delete_session, self.feed)
        self._background = Background(self.feed)
        self._stop_listening = self._agent.listen(self._hear)

    @property
    def host(self) -> HostChanged:
        return self._hub.host

    @property
    def account(self) -> AccountRead | None:
        """None until it was read."""
        return self._signed_in.account

    @property
    def report(self) -> str:
        """What happened to the database at open that the person should know; "" for nothing."""
        return self._store.report.sentence

    async def start(self, tools: Sequence[Tool]) -> None:
        """Take up what an earlier run left, and begin to connect. Raises StoreError, InvalidRequest."""
        self.knowledge.start()
        gathered, broken = await gather_tools(
            self.knowledge, self._workspace_of, self._center.questions.ask, self._settings.tools.off
        )
        self._registry.offer((*tools, *gathered))
        for toolset in broken:
            log.warning("the toolset %s is not offered: %s", toolset.name, toolset.reason)
        await self._center.start(self._registry.say, self._hub.keep_decision)
        self._reminders.start()
        self.sessions.start()
        self._others.start()
        self._background.run(self._connect(), "connect")
        self._background.run(self._watch(), "watch")

    def use(self, settings: Settings) -> None:
        """Other defaults and profiles, for what is opened from now on; the rest holds at the next start."""
        self.switches.policy = settings.access_policy
        self._registry.use_defaults(settings.defaults)

    async def conversations(self, limit: int = 500) -> tuple[ConversationInfo, ...]:
        """Newest first. Raises StoreError."""
        return await self._registry.listing(limit)

    async def create(self, path: Path, choices: Choices | None = None) -> Conversation:
        """A new conversation on a folder; `choices` were made for it before.

        Raises InvalidRequest where the folder is none or cannot be read.
        """
        return await self._registry.create(path, choices)

    async def open(self, conversation_id: str) -> Conversation:
        """The conversation, ours to write unless another console does. Raises NotFound, StoreError."""
        return await self._registry.open(conversation_id)

    async def handle(self, conversation_id: str) -> CodexConversation:
        """The backend of a conversation, for programs. Raises NotFound, Conflict, StoreError."""
        return await self._registry.handle(conversation_id)

    async def workspace(self, path: Path) -> Workspace:
        """The workspace of a folder: its defaults and policy. Raises InvalidRequest, StoreError."""
        return await self._registry.workspaces.read(path)

    async def change_workspace(self, workspace: Workspace) -> None:
        """Set defaults and policy. Raises Conflict where it changed since it was read."""
        await self._registry.workspaces.change(workspace)

    async def latest(self, path: Path) -> ConversationInfo | None:
        """The conversation of this folder that was used last. Raises InvalidRequest, StoreError."""
        return await self._registry.latest(path)

    def pending(self) -> tuple[Notification, ...]:
        """All notifications that wait for a decision, oldest first."""
        return self._center.pending()

    async def decide(self, notification_id: int, answer: Answer, shown_hash: str, by: str = PERSON) -> None:
        """Record a decision and send it. `by` says who decided, for the ledger.

        Raises NotFound, Conflict (decided before, or changed since it was shown), StoreError, CodexError.
        """
        await self._center.decide(notification_id, answer, by, shown_hash)

    def snooze(self, notification_id: int, *, snoozed: bool = True) -> None:
        """Put a request off, or take it up again: it stays pending."""
        self._center.snooze(notification_id, snoozed=snoozed)

    async def draft(self, conversation_id: str) -> str:
        """What stood in the composer. Raises StoreError."""
        return await self._store.drafts.load(conversation_id)

    async def save_draft(self, conversation_id: str, text: str) -> None:
        """Raises StoreError."""
        await self._store.drafts.save(conversation_id, text)

    async def login_chatgpt(self, device: bool) -> Login:
        """Begin to sign in; the feed tells when it is done. Raises CodexError."""
        return await self._agent.login_chatgpt(device)

    async def login_api_key(self, key: str) -> None:
        """Raises CodexError."""
        await self._agent.login_api_key(key)

    async def close(self, then: str = GOES_ON) -> str:
        """Let go of everything. What still runs is said in the returned sentence, and what `then` becomes of it
        ("" for nothing).
        """
        self._stop_listening()
        try:
            undeleted = await self.deletions.close()
            threads = await self._stop()
            left = await self._leave(threads, then)
            return "\n".join(part for part in (undeleted, left) if part)
        finally:
            await self._store.close()

    async def _stop(self) -> Sequence[str]:
        """End all that was started here, as far as it was. Returns the threads that were open."""
        await self._background.close()
        await self.sessions.close()
        await self.operations.close()
        self._reminders.close()
        await self._others.close()
        threads = self._registry.bound_threads()
        await self._registry.close(asyncio.get_running_loop().time() + CLOSE_SECONDS)
        await self._center.close()
        await self.knowledge.close()
        return threads

    async def _leave(self, threads: Sequence[str], then: str) -> str:
        """Unsubscribe, and end the host if it is ours and has nothing left to do."""
        try:
            for thread in threads:
                await self._agent.unsubscribe(thread)
        except CodexError as error:
            log.info("not unsubscribed: %s", error)
        released = await self._agent.release()
        return f"{released.reason}: {then}" if released.reason else ""

    async def _delete_session(self, key: str) -> None:
        conversation_id = await self.sessions.open(key)
        await self.operations.delete(conversation_id)

    async def _workspace_of(self, conversation_id: str) -> str:
        return (await self._store.conversations.get(conversation_id)).workspace_id

    def _hear(self, event: said.AgentEvent) -> None:
        self._hub.hear(event)
        if isinstance(event, said.AccountChanged | said.LoginCompleted | said.HostReady):
            self._background.run(self._signed_in.read(), "account")
        if isinstance(event, said.LimitsUpdated):
            self.limits.hear(event.limits)
        if isinstance(event, said.HostReady):
            self._background.run(self._background.guarded(self.operations.settle), "settle")
        if isinstance(event, said.ThreadShelved | said.ThreadDeleted):
            self._background.run(self._background.guarded(lambda: self.operations.hear(event)), "shelf")
        if isinstance(event, said.LoginCompleted) and not event.success:
            self.feed.tell(Told("error", f"Signing in did not work: {event.error}"))

    async def _connect(self) -> None:
        await open_agent(self._agent, self._hub, self.feed)
        await self._background.guarded(self._registry.settle_cleanups)
        await self._background.guarded(self.operations.settle)
        await self._background.guarded(self.operations.look)
        await self._background.guarded(self._registry.open_unfinished)
        await self._background.guarded(self._registry.adoption.adopt_listed)

    async def _watch(self) -> None:
        """See what other consoles on this database write."""
        try:
            async for _ in self._store.changes.watch():
                await self._background.guarded(self._registry.others_wrote)
        except StoreError as error:
            log.exception("the database is no longer watched")
            self.feed.tell(Told("warning", f"What other consoles do is no longer shown. {error}"))


async def open_engine(settings: Settings, tools: Sequence[Tool] = ()) -> Engine:
    """Open the store and begin to connect; `tools` are offered to Codex in every new conversation.

    Raises StoreError where the database cannot be used, InvalidRequest for a tool that cannot be offered.
    """
    store = await Store.open(settings.data_dir / DATABASE, console=_console_name())
    engine: Engine | None = None
    try:
        engine = Engine(settings, store)
        await engine.start(tools)
    except BaseException:
        await (engine.close() if engine is not None else store.close())
        raise
    return engine


def _console_name() -> str:
    """The terminal's name, for other consoles to name this one by."""
    try:
        return os.ttyname(0)
    except OSError:
        return ""
