"""What the command palette finds: everything a key or a slash command does, and conversations."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, cast

from textual import on
from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.fuzzy import Matcher
from textual.message import Message
from textual.widgets import Input, OptionList

from tui.screens.closing import ClosesOnce
from tui.screens.palette_entries import Entry
from tui.transcript import safe
from tui.widgets.key_bar import KeyBar
from tui.widgets.key_chips import TellsKeys

if TYPE_CHECKING:
    from tui.screens.console import ConsoleScreen

SHOWN_CONVERSATIONS = 8


class Palette(TellsKeys, CommandPalette, ClosesOnce[None]):  # pyright: ignore[reportIncompatibleMethodOverride]
    """Does one thing: Enter twice in one burst would have it done twice. The keys that work in it stand at its bottom."""

    def on_mount(self) -> None:
        bar = KeyBar(urgent=("submit",), last=("escape",), always="escape")
        bar.add_class("over-keys")
        self.mount(bar)

    def key_words(self, action: str) -> str | None:
        match action:
            case "submit":
                return "Do it"
            case "scroll_up" | "scroll_down":
                return "Choose"  # A line has nothing to scroll: the key goes on to the list.
            case "escape":
                return "Close"
            case _:
                return None

    @on(OptionList.OptionSelected)
    @on(Input.Submitted)
    def _nothing_more(self, message: Message) -> None:
        if self.closed:
            message.stop()
            message.prevent_default()


class ActionProvider(Provider):
    """Everything that can be done here now, in groups, each with its key and its slash command."""

    async def discover(self) -> Hits:
        for entry in self._entries():
            yield DiscoveryHit(Content(entry.words), self._do(entry), text=entry.words, help=_about(entry))

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for entry in self._entries():
            if score := fits(matcher, entry):
                yield Hit(
                    score,
                    _highlighted(matcher, entry.words),
                    self._do(entry),
                    text=entry.words,
                    help=_about(entry),
                )

    def _entries(self) -> Iterable[Entry]:
        return _console(self).palette_entries()

    def _do(self, entry: Entry) -> partial[object]:
        return partial(_run, _console(self), entry.action)


class ConversationProvider(Provider):
    """Conversations by their titles, which are other people's text: shown as it is, never as markup."""

    async def discover(self) -> Hits:
        for title, conversation_id in self._conversations()[:SHOWN_CONVERSATIONS]:
            yield DiscoveryHit(Content(title), self._go(conversation_id), text=title, help=_CONVERSATION)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for title, conversation_id in self._conversations():
            if score := matcher.match(title):
                yield Hit(
                    score,
                    _highlighted(matcher, title),
                    self._go(conversation_id),
                    text=title,
                    help=_CONVERSATION,
                )

    def _conversations(self) -> list[tuple[str, str]]:
        return [(safe.line(title, 100), found) for title, found in _console(self).palette_conversations()]

    def _go(self, conversation_id: str) -> partial[object]:
        return partial(_run, _console(self), f"to({conversation_id!r})")


_CONVERSATION = cast("str", Content("Go to this conversation"))
"""Textual takes a `Content` for the help too, and reads a plain text as markup."""


def _about(entry: Entry) -> str:
    keys = [("  ", ""), (entry.key, "$accent")] if entry.key else []
    slash = [("  ", ""), (f"/{entry.slash}", "$accent")] if entry.slash else []
    return cast("str", Content.assemble(entry.group, *keys, *slash))


def fits(matcher: Matcher, entry: Entry) -> float:
    """How well an entry fits what is looked for, 0 for not at all.

    Of the words that are not shown only the beginning counts: or everything would be found.
    """
    begun = matcher.query.strip().lower()
    found = f"{entry.words} /{entry.slash}" if entry.slash else entry.words
    other = (word for word in entry.also if begun and word.startswith(begun))
    return max(matcher.match(words) for words in (found, entry.slash, *other))


def _highlighted(matcher: Matcher, text: str) -> Content:
    """The text with what fits marked. `Matcher.highlight` would read the text as markup."""
    content = Content(text)
    score, offsets = matcher.fuzzy_search.match(matcher.query, text)
    if score:
        for offset in offsets:
            if not text[offset].isspace():
                content = content.stylize(matcher.match_style, offset, offset + 1)
    return content


async def _run(console: ConsoleScreen, action: str) -> None:
    """On the console: what lies over it is closed."""
    while console.app.screen is not console:
        console.app.screen.dismiss()
    await console.run_action(action)


def _console(provider: Provider) -> ConsoleScreen:
    """The console, also where the palette was called from a screen over it."""
    return cast("ConsoleScreen", provider.app.screen_stack[0])
