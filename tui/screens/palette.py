"""What the command palette finds: actions of the screen, and conversations."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, cast

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from tui.transcript import safe

if TYPE_CHECKING:
    from tui.screens.console import ConsoleScreen


class ActionProvider(Provider):
    """Everything that can be done here now."""

    async def discover(self) -> Hits:
        for words, action in self._actions():
            yield DiscoveryHit(words, partial(self.screen.run_action, action))

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for words, action in self._actions():
            if score := matcher.match(words):
                yield Hit(score, matcher.highlight(words), partial(self.screen.run_action, action))

    def _actions(self) -> Iterable[tuple[str, str]]:
        return _console(self).palette_actions()


class ConversationProvider(Provider):
    """Conversations by their titles, which are other people's text: shown as it is, never as markup."""

    async def discover(self) -> Hits:
        for title, conversation_id in self._conversations()[:8]:
            yield DiscoveryHit(_shown(title), self._go(conversation_id), text=title)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for title, conversation_id in self._conversations():
            if score := matcher.match(title):
                yield Hit(
                    score,
                    Content(title),
                    self._go(conversation_id),
                    text=title,
                    help="Go to this conversation",
                )

    def _conversations(self) -> list[tuple[str, str]]:
        return [(safe.line(title, 100), found) for title, found in _console(self).palette_conversations()]

    def _go(self, conversation_id: str) -> partial[None]:
        return partial(_console(self).go_to, conversation_id)


def _shown(title: str) -> Content:
    return Content.assemble(("Go to  ", "$primary"), title)


def _console(provider: Provider) -> ConsoleScreen:
    """The screen that the palette was called from."""
    return cast("ConsoleScreen", provider.screen)
