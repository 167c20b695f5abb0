"""From what the store has of a conversation to an open one: ours to write, followed, or imported."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.access.judge import Judge
from core.access.policy import Authorization, Verdict
from core.agent.port import Agent, ThreadSpec
from core.catalog import StoreCatalog
from core.conversation.attachment import Binding
from core.conversation.choosing import Selector
from core.conversation.feed import Feed
from core.conversation.follow import FollowedConversation
from core.conversation.hierarchy import Level
from core.conversation.hub import AgentHub
from core.conversation.imported import ImportedConversation
from core.conversation.info import Conversation, ConversationInfo
from core.conversation.live import LiveConversation
from core.conversation.notifications import NotificationCenter
from core.conversation.pages import REVERT_KINDS, reverted_in
from core.conversation.ports import Knowledge
from core.conversation.runtime import ConversationRuntime
from core.conversation.session import RecordSession
from core.conversation.streams import StreamRecorder
from core.conversation.workspace import Choices
from core.decided import tool_decision
from core.errors import Closed, Unauthorized
from core.rows import ConversationRow, Lifecycle, WorkspaceRow
from core.settings import Settings
from core.store.leases import Holder
from core.store.store import Store
from core.switches import Switches
from core.thread.durable import DurableThread
from core.tools.actions import ThreadActions, ToolUse
from core.tools.toolset import Tool, check_tools
from core.workspaces import Workspaces

Describe = Callable[[ConversationRow], ConversationInfo]
"""What lists say of a row."""

NOBODY = "nobody"
"""Who writes a conversation that is archived, in words."""
PARENT = "the conversation that began it"
"""Who writes a sub-agent's conversation, in words."""


class Opener:
    """Opens rows for the registry, which keeps what is open."""

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
        catalog: StoreCatalog,
        workspaces: Workspaces,
    ) -> None:
        self._settings = settings
        self._store = store
        self._agent = agent
        self._center = center
        self._hub = hub
        self._feed = feed
        self._judge = judge
        self._knowledge = knowledge
        self._switches = switches
        self._catalog = catalog
        self._workspaces = workspaces
        self._agent_level = Level("Codex")
        self._levels: dict[str, Level] = {}
        self._tools: Sequence[Tool] = ()

    def offer(self, tools: Sequence[Tool]) -> None:
        """Conversations that are opened from now on have these. Raises InvalidRequest."""
        check_tools(tools)
        self._tools = tools

    async def close(self, deadline: float) -> None:
        """Admit nothing more to what was opened, and wait for what was. `deadline` in the event loop's time."""
        await self._agent_level.close(deadline)

    async def open(self, row: ConversationRow, describe: Describe) -> Conversation:
        """Raises Closed, StoreError, InvalidState for a log that contradicts itself."""
        if row.lifecycle is not Lifecycle.OPEN:
            raise Closed("This conversation is closed", why="it was closed for good, or deleted")
        workspace = await self._workspaces.get(row.workspace_id)
        if await self._store.transfer.imported(row.id):
            selected = self._selector(row, workspace).selected
            return ImportedConversation(describe(row), selected, self._store.records)
        if row.archived:
            return await self._followed(row, workspace, describe, NOBODY)
        lease = self._store.leases.acquire(row.id)
        if isinstance(lease, Holder):
            return await self._followed(row, workspace, describe, _words(lease))
        try:
            return await self._ours(row, workspace, describe)
        except BaseException:
            lease.release()
            raise

    async def _ours(
        self, row: ConversationRow, workspace: WorkspaceRow, describe: Describe
    ) -> LiveConversation:
        records = await self._store.records.read(row.id)
        session = RecordSession(row.id, self._store.records)
        session.note_calls(records)
        actions = ThreadActions(
            self._tools, conversation_id=row.id, judge=self._judge_tool, ask=self._center.questions.permit
        )
        thread = DurableThread.recover(records, session, actions)
        await self._center.recall(row.id, [item_id for _, item_id in thread.state.open_calls()])
        streams = StreamRecorder(row.id, self._store.streams)
        streams.load(await self._store.streams.read_chunks(row.id))
        conversation = LiveConversation(
            info=describe(row),
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
            images=self._store.images,
            workspace_id=workspace.id,
            feed=self._feed,
            writer=PARENT if row.parent_id is not None else "",
        )
        conversation.start()
        self._hub.add(conversation)
        return conversation

    async def _followed(
        self, row: ConversationRow, workspace: WorkspaceRow, describe: Describe, writer: str
    ) -> FollowedConversation:
        records = self._store.records
        seq = await records.last_seq(row.id)
        reverted = reverted_in(await records.read_events(row.id, REVERT_KINDS))
        selected = self._selector(row, workspace).selected
        return FollowedConversation(describe(row), writer, selected, records, seq, self._feed, reverted)

    def _selector(self, row: ConversationRow, workspace: WorkspaceRow) -> Selector:
        choices = Choices.parse(row.defaults)
        return self._switches.selector(self._catalog.effective(workspace), choices)

    def _level(self, workspace: WorkspaceRow) -> Level:
        level = self._levels.get(workspace.id)
        if level is None:
            level = self._levels[workspace.id] = self._agent_level.below(f"The workspace {workspace.path}")
        return level

    async def _judge_tool(self, authorization: Authorization, use: ToolUse) -> Verdict:
        """Raises Unauthorized with the reason where a rule or the profile denies it."""
        decision = await self._judge.judge_tool(use.tool, use.conversation_id, authorization)
        if decision.verdict is not Verdict.ASK:
            await self._store.ledger.record(tool_decision(use, decision))
        await self._judge.count(decision)
        if decision.verdict is Verdict.DENY:
            raise Unauthorized(f"{use.tool} was not run", why=decision.why)
        return decision.verdict


def _words(holder: Holder) -> str:
    where = f" on {holder.console}" if holder.console else ""
    return f"another console (process {holder.pid}{where})" if holder.pid else "another console"
