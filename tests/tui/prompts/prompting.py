"""A prompt alone in an app, and what it posted."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from textual.pilot import Pilot

from core.agent.requests import Answer, Decide, Request
from core.conversation.feed import Notification
from tests.tui import examples
from tests.tui.host import HostApp, press, until
from tui.prompts.choice_bar import ChoiceBar
from tui.prompts.kinds import prompt_for
from tui.prompts.mcp_link import LinkPrompt
from tui.prompts.prompt import Prompt


class Deciding(HostApp):
    """Hears what a prompt decides."""

    def on_prompt_decided(self, event: Prompt.Decided) -> None:
        self.heard.append(event)

    def on_prompt_postponed(self, event: Prompt.Postponed) -> None:
        self.heard.append(event)

    def on_prompt_left(self, event: Prompt.Left) -> None:
        self.heard.append(event)

    def on_prompt_interrupted(self, event: Prompt.Interrupted) -> None:
        self.heard.append(event)

    def on_link_prompt_opened(self, event: LinkPrompt.Opened) -> None:
        self.heard.append(event)

    @property
    def prompt(self) -> Prompt[Any]:
        return self.query_one(Prompt)

    @property
    def answers(self) -> list[Answer]:
        return [event.answer for event in self.heard if isinstance(event, Prompt.Decided)]

    @property
    def hint(self) -> str:
        return str(self.prompt.border_subtitle)


@asynccontextmanager
async def shown(
    asked: Request | Notification, *, size: tuple[int, int] = (80, 40), enter: bool = True
) -> AsyncIterator[tuple[Deciding, Pilot[None]]]:
    notification = asked if isinstance(asked, Notification) else examples.notified(asked)
    app = Deciding(lambda: prompt_for(notification))
    async with app.run_test(size=size) as pilot:
        if enter:
            await go_in(app, pilot)
        yield app, pilot


async def go_in(app: Deciding, pilot: Pilot[None]) -> None:
    app.prompt.enter()
    await until(pilot, lambda: app.prompt.armed)


async def see_everything(app: Deciding, pilot: Pilot[None]) -> None:
    while not app.query_one(ChoiceBar).accepts:
        await press(pilot, "pagedown")


def verb(answer: Answer) -> str:
    assert isinstance(answer, Decide)
    return answer.choice.verb
