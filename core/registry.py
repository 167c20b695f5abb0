"""The conversations there are: on disk, and the open ones."""

from __future__ import annotations

import asyncio
import logging
import os
import uuid
from collections.abc import Sequence
from pathlib import Path

from core.access.judge import Judge
from core.access.policy import Authorization, Verdict
from core.agent.port import Agent, ThreadInfo, ThreadSpec
from core.catalog import StoreCatalog
from core.conversation.attachment import Binding
from core.conversation.choosing import Selector
from core.conversation.conversation import CodexConversation, clean_up
from core.conversation.feed import ConversationsChanged, Detached, Feed, FeedEvent
from core.conversation.follow import FollowedConversation
from core.conversation.hierarchy import Level
from core.conversation.hub import AgentHub
from core.conversation.imported import ImportedConversation
from core.conversation.info import Conversation, ConversationInfo
from core.conversation.live import LiveConversation, title_of
from core.conversation.notifications import NotificationCenter
from core.conversation.pages import REVERT_KINDS, reverted_in
from core.conversation.ports import Knowledge
from core.conversation.runtime import ConversationRuntime
from core.conversation.session import RecordSession
from core.conversation.streams import StreamRecorder
from core.conversation.workspace import Choices, Workspace
from core.decided import tool_decision
from core.errors import Closed, Conflict, InvalidRequest, Unauthorized
from core.rows import ConversationRow, Lifecycle, WorkspaceRow
from core.settings import DefaultsSettings, Settings
from core.store.leases import Holder
from core.store.store import Store
from core.switches import Switches
from core.thread.durable import DurableThread
from core.tools.actions import ThreadActions, ToolUse
from core.tools.toolset import Tool, check_tools

log = logging.getLogger(__name__)

MOST_LISTED = 500
LONGEST_TITLE = 200
"""Characters of a name that another client gave a thread."""
NOBODY = "nobody"
"""Who writes a conversation that is archived, in words."""
PARENT = "the conversation that began it"
"""Who writes a sub-agent's conversation, in words."""


class Registry:
    """Opens each conversation once, ours to write where no other console writes it."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        agent: Agent,
        center: NotificationCenter,
        hub: AgentHub,
        feed: Feed,
        judge: Judge,
        knowledge: Knowledge,
        switches: Switches,
    ) -> None:
        self._judge = judge
        self._tools: Sequence[Tool] = ()
        self._settings = settings
        self._store = store
        self._agent = agent
        self._center = center
        self._hub = hub
        self._feed = feed
        self._open: dict[str, Conversation] = {}
        self._opening = asyncio.Lock()
        self._paths: dict[str, str] = {}
        self._agent_level = Level("Codex")
        self._levels: dict[str, Level] = {}
        self._catalog = StoreCatalog(store, settings.defaults, feed)
        self._knowledge = knowledge
        self._switches = switches
        self.adopting = asyncio.Lock()
        """Held while threads become conversations: a thread that is being made for one is not adopted as another."""
        self._stop_listening = feed.listen(self._hear)

    def offer(self, tools: Sequence[Tool]) -> None:
        """Conversations that are opened from now on have these. Raises InvalidRequest."""
        check_tools(tools)
        self._tools = tools

    def use_defaults(self, defaults: DefaultsSettings) -> None:
        """What holds from now on where a workspace says nothing itself."""
        self._catalog.defaults = defaults

    async def listing(self, limit: int, *, archived: bool = False) -> tuple[ConversationInfo, ...]:
        """Newest first; those that were put away, or those that were not. Sub-agents' are left out.

        Raises StoreError.
        """
        rows = await self._store.conversations.recent(limit=limit)
        for workspace in await self._store.workspaces.all():
            self._paths[workspace.id] = workspace.path
        shown = (row for row in rows if row.lifecycle is Lifecycle.OPEN and row.archived == archived)
        return tuple(self._info(row) for row in shown if row.parent_id is None)

    async def create(self, path: Path, choices: Choices | None = None) -> Conversation:
        """A new conversation on a folder. Raises InvalidRequest where that is none or cannot be read."""
        workspace = await self._workspace(checked_folder(path))
        defaults = (choices or Choices()).model_dump_json(exclude_none=True)
        row = await self._store.conversations.create(
            uuid.uuid4().hex, workspace.id, workspace.revision, defaults=defaults
        )
        self._feed.tell(ConversationsChanged())
        return await self.open(row.id)

    async def open(self, conversation_id: str) -> Conversation:
        """Raises NotFound, Closed, StoreError, InvalidState for a log that contradicts itself."""
        async with self._opening:
            found = self._open.get(conversation_id)
            if found is None or (isinstance(found, FollowedConversation) and self._free(conversation_id)):
                row = await self._store.conversations.get(conversation_id)
                found = await self._open_row(row)
                self._open[conversation_id] = found
            return found

    async def open_unfinished(self) -> None:
        """Open what ran or waited when its console went away. Raises StoreError."""
        waiting = {notification.conversation_id for notification in self._center.pending()}
        for info in await self.listing(MOST_LISTED):
            if info.state == "running" or info.id in waiting:
                await self.open(info.id)

    async def latest(self, path: Path) -> ConversationInfo | None:
        """The conversation of this folder that was used last. Raises StoreError."""
        workspace = await self._store.workspaces.find(str(checked_folder(path)))
        if workspace is None:
            return None
        rows = await self._store.conversations.recent(workspace_id=workspace.id, limit=MOST_LISTED)
        self._paths[workspace.id] = workspace.path
        shown = (row for row in rows if row.lifecycle is Lifecycle.OPEN and not row.archived)
        for row in shown:
            if row.parent_id is None and not await self._store.transfer.imported(row.id):
                return self._info(row)
        return None

    async def adopt(self, thread: ThreadInfo) -> None:
        """Make a conversation of a thread that another client of Codex began. Raises StoreError."""
        if thread.parent_id is None:
            await self.adopt_any(thread)

    async def adopt_any(self, thread: ThreadInfo) -> str:
        """The conversation of a thread, made now where there is none; a sub-agent's too. Raises StoreError.

        A sub-agent's belongs to the conversation whose thread began it, where that is one of ours.
        """
        async with self.adopting:
            known = await self._store.conversations.find_by_thread(thread.id)
            return known.id if known is not None else await self._adopt(thread)

    async def entitle(self, conversation: Conversation, thread: ThreadInfo) -> None:
        """Give a conversation that has no title yet the one of its thread. Raises StoreError."""
        title = title_of(thread.name or thread.preview)
        if title and not conversation.info.title and isinstance(conversation, LiveConversation):
            await conversation.rename(title)

    async def renamed(self, thread_id: str, name: str) -> None:
        """Another client gave a thread another name: its conversation has it too. Raises StoreError."""
        row = await self._store.conversations.find_by_thread(thread_id)
        title = " ".join(name.split())[:LONGEST_TITLE]
        if row is None or not title or row.title == title:
            return
        live = self._open.get(row.id)
        if isinstance(live, LiveConversation):
            await live.rename(title)
        else:
            await self._catalog.entitle(row.id, title)

    async def _adopt(self, thread: ThreadInfo) -> str:
        find = self._store.conversations.find_by_thread
        parent = await find(thread.parent_id) if thread.parent_id is not None else None
        workspace = await self._workspace(Path(thread.cwd))
        title = title_of(thread.name or thread.preview)
        row = await self._store.conversations.create(
            uuid.uuid4().hex, workspace.id, workspace.revision, title=title
        )
        parent_id = parent.id if parent is not None else None
        try:
            await self._store.conversations.change(
                row.id, thread_id=thread.id, materialised=True, parent_id=parent_id
            )
        except Conflict:
            log.info("thread %s was adopted by another console first", thread.id)
            await self._store.conversations.change(row.id, lifecycle=Lifecycle.CLOSED)
            theirs = await find(thread.id)
            return row.id if theirs is None else theirs.id
        return row.id

    async def others_wrote(self) -> None:
        """Another console committed: catch up with what it writes. Raises StoreError."""
        self._center.hear_others()
        for conversation in tuple(self._open.values()):
            if isinstance(conversation, FollowedConversation):
                row = await self._store.conversations.get(conversation.id)
                await conversation.catch_up(self._info(row))
        self._feed.tell(ConversationsChanged())

    def bound_threads(self) -> tuple[str, ...]:
        """The Codex threads of the open conversations."""
        infos = (one.info for one in self._open.values() if isinstance(one, LiveConversation))
        return tuple(info.thread_id for info in infos if info.thread_id is not None)

    async def handle(self, conversation_id: str) -> CodexConversation:
        """The backend of a conversation, for programs. Raises Conflict where another console writes it."""
        live = await self.open(conversation_id)
        if not isinstance(live, LiveConversation):
            raise Conflict("The conversation cannot be used here", why=f"{live.writer} writes it")
        row = await self._store.conversations.get(conversation_id)
        workspace = await self._store.workspaces.get(row.workspace_id)
        if row.workspace_revision != workspace.revision:
            row = await self._store.conversations.change(row.id, workspace_revision=workspace.revision)
        return CodexConversation(
            live, row, self._agent, self._center, self._catalog, self._knowledge, self._feed
        )

    async def workspace(self, path: Path) -> Workspace:
        """The workspace of a folder, as it is set itself. Raises InvalidRequest, InvalidState, StoreError."""
        row = await self._workspace(checked_folder(path))
        return Workspace.parse(row.id, row.path, row.revision, row.defaults, row.policy)

    async def effective_workspace(self, path: Path) -> WorkspaceRow:
        """As what is begun there now sees it; nothing is made. Raises InvalidRequest, StoreError."""
        folder = str(checked_folder(path))
        row = await self._store.workspaces.find(folder) or WorkspaceRow("", folder, 1, "{}", "{}")
        return self._catalog.effective(row)

    async def change_workspace(self, workspace: Workspace) -> None:
        """Set its defaults and policy; handles on its conversations are stale from now on.

        Raises Conflict where it changed since it was read.
        """
        await self._store.workspaces.change(
            workspace.id,
            workspace.revision,
            defaults=workspace.defaults.model_dump_json(),
            policy=workspace.policy.model_dump_json(),
        )

    async def settle_cleanups(self) -> None:
        """Do again what closed conversations have left to clean up. Raises QuarterdeckError."""
        for row in await self._store.conversations.recent(limit=MOST_LISTED):
            if row.lifecycle is Lifecycle.CLOSING:
                await clean_up(row.id, row.thread_id, self._agent, self._catalog, self._knowledge)

    async def close(self, deadline: float) -> None:
        """Let go of every open conversation; what runs at Codex goes on."""
        self._stop_listening()
        await self._agent_level.close(deadline)
        for conversation in self._open.values():
            await conversation.detach()
        self._open.clear()

    def opened(self, conversation_id: str) -> Conversation | None:
        """The conversation, where it is open here."""
        return self._open.get(conversation_id)

    async def let_go(self, conversation_id: str) -> None:
        """Whoever opens it again gets it anew, as it is on disk then."""
        async with self._opening:
            found = self._open.get(conversation_id)
            if found is not None:
                await found.detach()
                self._forget(conversation_id)

    def _hear(self, event: FeedEvent) -> None:
        if isinstance(event, Detached):
            self._forget(event.conversation_id)

    def _forget(self, conversation_id: str) -> None:
        self._open.pop(conversation_id, None)
        self._hub.remove(conversation_id)
        self._store.leases.release(conversation_id)

    async def say(self, conversation_id: str, key: str, text: str) -> None:
        """Have a message wait for Codex; the same key again changes nothing. Raises QuarterdeckError."""
        await (await self.open(conversation_id)).send(text, key)

    async def _judge_tool(self, authorization: Authorization, use: ToolUse) -> Verdict:
        """Raises Unauthorized with the reason where a rule or the profile denies it."""
        decision = await self._judge.judge_tool(use.tool, use.conversation_id, authorization)
        if decision.verdict is not Verdict.ASK:
            await self._store.ledger.record(tool_decision(use, decision))
        await self._judge.count(decision)
        if decision.verdict is Verdict.DENY:
            raise Unauthorized(f"{use.tool} was not run", why=decision.why)
        return decision.verdict

    def _level(self, workspace: WorkspaceRow) -> Level:
        level = self._levels.get(workspace.id)
        if level is None:
            level = self._levels[workspace.id] = self._agent_level.below(f"The workspace {workspace.path}")
        return level

    def _info(self, row: ConversationRow) -> ConversationInfo:
        live = self._open.get(row.id)
        return ConversationInfo(
            id=row.id,
            title=row.title,
            path=self._paths.get(row.workspace_id, ""),
            updated_at_ms=row.updated_at_ms,
            state=live.state.status.value if isinstance(live, LiveConversation) else row.last_state,
            pending=len(self._center.pending(row.id)),
            thread_id=row.thread_id,
            archived=row.archived,
            parent_id=row.parent_id,
            forked_from=row.forked_from,
        )

    async def _workspace(self, path: Path) -> WorkspaceRow:
        row = await workspace_of(self._store, path)
        self._paths[row.id] = row.path
        return row

    def _free(self, conversation_id: str) -> bool:
        lease = self._store.leases.acquire(conversation_id)
        if isinstance(lease, Holder):
            return False
        lease.release()
        return True

    async def _open_row(self, row: ConversationRow) -> Conversation:
        if row.lifecycle is not Lifecycle.OPEN:
            raise Closed("This conversation is closed", why="it was closed for good, or deleted")
        workspace = await self._store.workspaces.get(row.workspace_id)
        self._paths[workspace.id] = workspace.path
        if await self._store.transfer.imported(row.id):
            selected = self._selector(row, workspace).selected
            return ImportedConversation(self._info(row), selected, self._store.records)
        if row.archived:
            return await self._followed(row, workspace, NOBODY)
        lease = self._store.leases.acquire(row.id)
        if isinstance(lease, Holder):
            return await self._followed(row, workspace, _words(lease))
        try:
            return await self._ours(row, workspace)
        except BaseException:
            lease.release()
            raise

    def _selector(self, row: ConversationRow, workspace: WorkspaceRow) -> Selector:
        choices = Choices.parse(row.defaults)
        return self._switches.selector(self._catalog.effective(workspace), choices)

    async def _followed(
        self, row: ConversationRow, workspace: WorkspaceRow, writer: str
    ) -> FollowedConversation:
        records = self._store.records
        seq = await records.last_seq(row.id)
        reverted = reverted_in(await records.read_events(row.id, REVERT_KINDS))
        selected = self._selector(row, workspace).selected
        return FollowedConversation(self._info(row), writer, selected, records, seq, self._feed, reverted)

    async def _ours(self, row: ConversationRow, workspace: WorkspaceRow) -> LiveConversation:
        records = await self._store.records.read(row.id)
        session = RecordSession(row.id, self._store.records)
        session.note_calls(records)
        actions = ThreadActions(
            self._tools, conversation_id=row.id, judge=self._judge_tool, ask=self._center.questions.permit
        )
        thread = DurableThread.recover(records, session, actions)
        streams = StreamRecorder(row.id, self._store.streams)
        streams.load(await self._store.streams.read_chunks(row.id))
        conversation = LiveConversation(
            info=self._info(row),
            binding=Binding(row.thread_id, row.materialised),
            spec=ThreadSpec(
                cwd=workspace.path,
                tools=actions.specs,
                config_json=self._settings.config_json,
            ),
            selector=self._selector(row, workspace),
            level=self._level(workspace).below("The conversation"),
            runtime=ConversationRuntime(row.id, thread, streams, self._feed),
            agent=self._agent,
            center=self._center,
            records=self._store.records,
            catalog=self._catalog,
            knowledge=self._knowledge,
            workspace_id=workspace.id,
            feed=self._feed,
            writer=PARENT if row.parent_id is not None else "",
        )
        conversation.start()
        self._hub.add(conversation)
        return conversation


async def workspace_of(store: Store, path: Path) -> WorkspaceRow:
    """The workspace of a folder, made where there is none. Raises Conflict, StoreError."""
    row = await store.workspaces.find(str(path))
    if row is None:
        try:
            row = await store.workspaces.create(uuid.uuid4().hex, str(path))
        except Conflict:
            row = await store.workspaces.find(str(path))
    if row is None:
        raise Conflict(f"The workspace of {path} changed meanwhile", todo="Try again.")
    return row


def checked_folder(path: Path) -> Path:
    """The folder, resolved. Raises InvalidRequest: Codex itself accepts one that is not there (PROTOCOL)."""
    try:
        folder = path.expanduser().resolve(strict=True)
    except OSError as error:
        raise InvalidRequest(
            f"{path} is not there", why=str(error.strerror or error), todo="Choose a folder that exists."
        ) from error
    if not folder.is_dir():
        raise InvalidRequest(f"{path} is not a folder", todo="Choose a folder.")
    if not os.access(folder, os.R_OK | os.X_OK):
        raise InvalidRequest(f"{path} cannot be read", why="permission denied", todo="Choose another folder.")
    return folder


def _words(holder: Holder) -> str:
    where = f" on {holder.console}" if holder.console else ""
    return f"another console (process {holder.pid}{where})" if holder.pid else "another console"
