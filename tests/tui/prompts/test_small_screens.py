"""However small the screen is, each choice is on it, or is said to be there and shown by the arrows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from textual.pilot import Pilot

from core.agent.requests import Request
from tests.tui import examples
from tests.tui.conftest import FOLDER, OpenConsole
from tests.tui.fake_engine import FakeEngine
from tests.tui.host import press, settled, until
from tui.prompts.choice_bar import ChoiceBar
from tui.prompts.fitting import rows_of_choices
from tui.prompts.prompt import Prompt
from tui.screens.console import ConsoleScreen
from tui.screens.inbox import InboxScreen

pytestmark = pytest.mark.usefixtures("short_quiet")

SIZES = [(40, 10), (46, 12), (40, 24)]
ASKED = [examples.LONG_COMMAND, examples.PERMISSIONS, examples.FORM]

SAYS = 16
"""Characters of a label that tell it from the others, where the screen is too narrow for all of it."""


def shown(bar: ChoiceBar) -> str:
    """What of it is on the screen: not what other parts lie over or cut off."""
    region = bar.region
    visible = bar.screen.find_widget(bar).visible_region
    rows = range(visible.y - region.y, visible.bottom - region.y)
    return "\n".join(bar.render_line(row).text for row in rows)


async def every_choice(pilot: Pilot[Any], prompt: Prompt[Any]) -> None:
    """Go through the choices with the arrow: each is on the screen when it is marked."""
    bar = prompt.query_one(ChoiceBar)
    bar.focus()
    await settled(pilot)
    offers = prompt._offered()
    unseen = sum(f" {offer.key} " not in shown(bar) for offer in offers)
    assert (f"{unseen} more" in shown(bar)) == bool(unseen)
    for offer in offers:
        await press(pilot, "right")
        marked = bar.under_mark()
        assert marked is not None and marked.key == offer.key
        assert offer.label[:SAYS] in shown(bar)
        assert prompt._body.region.height >= 1
    await press(pilot, "right")
    assert bar.under_mark() is None and offers[0].label[:SAYS] in shown(bar)


async def asked_in_console(
    screen: ConsoleScreen, pilot: Pilot[Any], engine: FakeEngine, asked: Request
) -> Prompt[Any]:
    conversation = engine.add(FOLDER, "boats")
    screen.go_to(conversation.id)
    await until(pilot, lambda: screen.desk is not None and screen.desk.current.id == conversation.id)
    engine.ask(replace(examples.notified(asked, 1), conversation_id=conversation.id))
    await until(pilot, lambda: screen.prompts is not None and screen.prompts.prompt is not None)
    assert screen.prompts is not None and screen.prompts.prompt is not None
    return screen.prompts.prompt


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: str(asked.kind))
async def test_in_the_console_every_choice_can_be_seen(
    console: OpenConsole, engine: FakeEngine, size: tuple[int, int], asked: Request
) -> None:
    async with console(size=size) as (screen, pilot):
        prompt = await asked_in_console(screen, pilot, engine, asked)
        screen.composer.replace("one line\nand another\nand a third")
        screen.notices.tell("something to know " * 20, "warning")
        await settled(pilot)
        await press(pilot, "f6")
        await until(pilot, lambda: prompt.armed)
        await every_choice(pilot, prompt)
        assert screen.query_one("#main").region.contains_region(prompt.region)


@pytest.mark.parametrize("size", SIZES)
async def test_in_the_inbox_every_choice_can_be_seen(
    console: OpenConsole, engine: FakeEngine, size: tuple[int, int]
) -> None:
    async with console(size=size) as (screen, pilot):
        await asked_in_console(screen, pilot, engine, examples.LONG_COMMAND)
        await press(pilot, "f2")
        await until(pilot, lambda: isinstance(pilot.app.screen, InboxScreen))
        await until(pilot, lambda: pilot.app.screen.query(Prompt))
        prompt = pilot.app.screen.query_one(Prompt)
        await press(pilot, "f6")
        await until(pilot, lambda: prompt.armed)
        await every_choice(pilot, prompt)
        assert pilot.app.screen.query_one("#inbox-details").region.contains_region(prompt.region)


async def test_with_the_mouse_the_rest_is_shown_too(console: OpenConsole, engine: FakeEngine) -> None:
    async with console(size=(40, 10)) as (screen, pilot):
        bar = (await asked_in_console(screen, pilot, engine, examples.COMMAND)).query_one(ChoiceBar)
        await until(pilot, lambda: bar.size and "→" in shown(bar))
        assert "Not now" not in shown(bar)
        for _ in range(4):
            await pilot.click(bar, offset=(bar.size.width - 1, bar.size.height - 1))
            await settled(pilot)
            if "Not now" in shown(bar):
                break
        assert "Not now" in shown(bar) and "← " in shown(bar)


def test_what_is_asked_gives_way_first_and_never_wholly() -> None:
    rooms = (0, 2, 3, 4, 5, 6, 8, 20)
    assert [rows_of_choices(free, 6, entered=True) for free in rooms] == [1, 1, 2, 3, 3, 4, 6, 6]
    assert rows_of_choices(1, 6, entered=False) == 0
    assert rows_of_choices(20, 2, entered=True) == 2
