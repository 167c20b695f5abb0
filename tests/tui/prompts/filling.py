"""Filling in a prompt, in the console or in the inbox."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Input

from core.conversation.feed import Notification
from tests.tui import examples
from tests.tui.fake_engine import FakeConversation
from tests.tui.host import press, settled, until
from tui.screens.console import ConsoleScreen
from tui.screens.inbox import InboxScreen


def asked(request: Any, number: int, conversation: FakeConversation) -> Notification:
    return replace(examples.notified(request, number), conversation_id=conversation.id)


async def go(screen: ConsoleScreen, pilot: Pilot[Any], conversation: FakeConversation) -> None:
    screen.go_to(conversation.id)
    await until(pilot, lambda: screen.desk is not None and screen.desk.current.id == conversation.id)
    await settled(pilot)


def shown(screen: InboxScreen | ConsoleScreen) -> Any:
    """The prompt that is shown; None for none."""
    if isinstance(screen, InboxScreen):
        return screen._details.prompt
    return screen.prompts and screen.prompts.prompt


def field(screen: InboxScreen | ConsoleScreen) -> str:
    """What is written in its first field."""
    fields = shown(screen).query(Input) if shown(screen) is not None else ()
    return fields.first().value if fields else ""


async def write(screen: InboxScreen | ConsoleScreen, pilot: Pilot[Any], text: Iterable[str]) -> None:
    """In the field of the question that is shown."""
    await press(pilot, "f6")
    await until(pilot, lambda: shown(screen).armed)
    shown(screen).query(Input).first().focus()
    await press(pilot, *text)
