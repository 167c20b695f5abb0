"""One conversation's switches: model, effort, profile, sandbox, approvals.

What is switched is on disk at once and holds from the next turn on. A run keeps the access that it began
with, whatever is switched meanwhile.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace

from core.access.policy import authorize
from core.agent.events import RunSettings
from core.agent.port import Agent, Model, ThreadSpec, TurnOptions
from core.conversation.choosing import Access, Selected, Selector
from core.conversation.feed import Feed, SelectionChanged
from core.conversation.ports import Catalog
from core.conversation.workspace import Choices


class Switching:
    def __init__(
        self, conversation_id: str, selector: Selector, agent: Agent, catalog: Catalog, feed: Feed
    ) -> None:
        self._id = conversation_id
        self._selector = selector
        self._bound = selector
        self._saved = selector.choices
        self._choosing = asyncio.Lock()
        self._agent = agent
        self._catalog = catalog
        self._feed = feed

    @property
    def selected(self) -> Selected:
        return self._selector.selected

    def access(self, *, running: bool) -> Access:
        """What a message is accepted under: that of the run it goes into, or of the one it will begin."""
        return (self._bound if running else self._selector).access

    def begin(self) -> Selector:
        """A run begins now: with this, whatever is switched while it is on its way."""
        self._bound = self._selector
        return self._bound

    def join(self) -> None:
        """A message goes into a turn that another program began. Raises Unauthorized where that turn may do more."""
        selector = self._selector
        authorize(selector.joined, selector.profile, selector.policy)
        self._bound = selector

    async def enforce(self, thread_id: str) -> None:
        """Have Codex use what is chosen, for a turn that nothing is said with. Raises Unauthorized, CodexError."""
        selector = self._selector
        authorize(*selector.access)
        options = selector.options()
        if options != TurnOptions():
            await self._agent.operations.use(thread_id, options)

    def spec(self, spec: ThreadSpec) -> ThreadSpec:
        """How a thread that begins now is to run."""
        selector = self._selector
        return replace(spec, model=selector.model, sandbox=selector.sandbox, approvals=selector.approvals)

    def hear(self, used: RunSettings) -> None:
        """What Codex says that it uses."""
        self._become(self._selector.heard(used))

    async def select(self, change: Choices) -> None:
        """Switch what `change` says. Raises InvalidRequest, Unauthorized, CodexError, StoreError."""
        models: tuple[Model, ...] = ()
        if change.model is not None or change.effort is not None:
            models = await self._agent.models()
        async with self._choosing:
            chosen = self._selector.choose(change, models).choices
            await self._catalog.choose(self._id, chosen.model_dump_json())
            self._saved = chosen
            self._become(replace(self._selector, choices=chosen))

    async def save(self) -> None:
        """Keep what another client made the choice. Raises StoreError."""
        choices = self._selector.choices
        if choices != self._saved:
            await self._catalog.choose(self._id, choices.model_dump_json())
            self._saved = choices

    def _become(self, selector: Selector) -> None:
        before, self._selector = self._selector.selected, selector
        if selector.selected != before:
            self._feed.tell(SelectionChanged(self._id, selector.selected))
