"""The store's rows of workspaces and conversations, as the conversation layer asks for them."""

from __future__ import annotations

from dataclasses import replace

from core.conversation.feed import ConversationsChanged, Feed
from core.conversation.workspace import Defaults, ExecutionPolicy, Workspace
from core.rows import ConversationRow, Lifecycle, WorkspaceRow
from core.settings import DefaultsSettings
from core.store.store import Store


class StoreCatalog:
    """Implements `core.conversation.ports.Catalog`, and says when the list changed."""

    def __init__(self, store: Store, settings: DefaultsSettings, feed: Feed) -> None:
        """`settings`: what holds where a workspace says nothing itself."""
        self.defaults = settings
        self._workspaces = store.workspaces
        self._conversations = store.conversations
        self._feed = feed

    async def workspace(self, workspace_id: str) -> WorkspaceRow:
        return self.effective(await self._workspaces.get(workspace_id))

    def effective(self, row: WorkspaceRow) -> WorkspaceRow:
        """The row with the settings' defaults where it says nothing. Raises InvalidState for bad JSON."""
        own = Workspace.parse(row.id, row.path, row.revision, row.defaults, row.policy)
        return replace(
            row,
            defaults=Defaults(
                model=own.defaults.model or self.defaults.model,
                effort=own.defaults.effort or self.defaults.effort,
                personality=own.defaults.personality,
                profile=own.defaults.profile or self.defaults.profile,
            ).model_dump_json(),
            policy=ExecutionPolicy(
                sandbox=own.policy.sandbox or self.defaults.sandbox,
                approvals=own.policy.approvals or self.defaults.approvals,
            ).model_dump_json(),
        )

    async def conversation(self, conversation_id: str) -> ConversationRow:
        return await self._conversations.get(conversation_id)

    async def bind(self, conversation_id: str, thread_id: str) -> None:
        await self._conversations.change(conversation_id, thread_id=thread_id, materialised=False)
        self._feed.tell(ConversationsChanged())

    async def unbind(self, conversation_id: str) -> None:
        await self._conversations.change(conversation_id, thread_id=None, materialised=False)

    async def materialise(self, conversation_id: str) -> None:
        await self._conversations.change(conversation_id, materialised=True)

    async def note(self, conversation_id: str, state: str) -> None:
        await self._conversations.change(conversation_id, last_state=state)
        self._feed.tell(ConversationsChanged())

    async def entitle(self, conversation_id: str, title: str) -> None:
        await self._conversations.change(conversation_id, title=title)
        self._feed.tell(ConversationsChanged())

    async def choose(self, conversation_id: str, choices: str) -> None:
        await self._conversations.change(conversation_id, defaults=choices)

    async def select(self, conversation_id: str, selection: str) -> None:
        await self._conversations.change(conversation_id, selection=selection)

    async def close_conversation(self, conversation_id: str) -> None:
        await self._conversations.change(conversation_id, lifecycle=Lifecycle.CLOSING)
        self._feed.tell(ConversationsChanged())

    async def finish_cleanup(self, conversation_id: str) -> None:
        await self._conversations.change(conversation_id, lifecycle=Lifecycle.CLOSED)
        self._feed.tell(ConversationsChanged())
