"""The knowledge base as a conversation asks it, and the tools that every conversation is offered."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from core.conversation.ports import Rendered
from core.knowledge.base import KnowledgeBase
from core.knowledge.documents import KnowledgePolicy, Visible
from core.knowledge.tools import knowledge_toolset
from core.tools.ask_user import AskPerson, ask_user_toolset
from core.tools.discovery import BrokenToolset, discover
from core.tools.toolset import Tool

WorkspaceOf = Callable[[str], Awaitable[str]]
"""The workspace's id of a conversation."""


class ConversationKnowledge:
    """Implements `core.conversation.ports.Knowledge`."""

    def __init__(self, base: KnowledgeBase, policy: KnowledgePolicy) -> None:
        self._base = base
        self._policy = policy

    async def render_prompt(self, workspace_id: str, conversation_id: str, text: str) -> Rendered:
        visible = Visible.to(conversation_id, workspace_id)
        rendered = await self._base.render_prompt(visible, self._policy, text)
        return Rendered(rendered.text, tuple(inserted.source for inserted in rendered.inserted))

    async def settle_forget(self, conversation_id: str) -> None:
        if self._policy.forget_on_close:
            await self._base.forget(Visible.to(conversation_id, "").conversation)


async def gather_tools(
    base: KnowledgeBase, workspace_of: WorkspaceOf, ask: AskPerson, off: Sequence[str]
) -> tuple[tuple[Tool, ...], tuple[BrokenToolset, ...]]:
    """The tools that ship and that are installed, but for the sets in `off`; and what is broken."""

    async def visible_to(conversation_id: str) -> Visible:
        return Visible.to(conversation_id, await workspace_of(conversation_id))

    shipped = [knowledge_toolset(base, visible_to), ask_user_toolset(ask)]
    offered = [toolset for toolset in shipped if toolset.name not in off]
    found = await asyncio.to_thread(discover, shipped)
    offered += [toolset for toolset in found.toolsets if toolset.name not in off]
    return tuple(tool for toolset in offered for tool in toolset.tools), found.broken
