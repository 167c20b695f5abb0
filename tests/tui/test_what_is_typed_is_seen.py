"""Whatever else is on the screen, one sees what one types."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.tui import examples
from tests.tui.conftest import FOLDER, OpenConsole
from tests.tui.fake_engine import FakeEngine
from tests.tui.host import settled, until
from tui.screens.console import ConsoleScreen

SIZES = [(40, 10), (60, 20), (80, 24), (120, 40)]


def unseen(screen: ConsoleScreen) -> str:
    """What of the composer and of a prompt is not on the screen."""
    room = screen.query_one("#main").region
    field = screen.composer.input
    if not room.contains_region(field.region):
        return f"the message at {field.region}"
    if not field.region.contains_point(field.cursor_screen_offset):
        return f"the cursor at {field.cursor_screen_offset}"
    prompt = screen.prompts.prompt if screen.prompts is not None else None
    if prompt is None:
        return ""
    composer = screen.composer.region
    if not room.contains_region(prompt.region) or prompt.region.bottom > composer.y:
        return f"the prompt at {prompt.region}"
    return "" if prompt._body.region.height else "what is asked"


async def waiting(screen: ConsoleScreen, pilot: Pilot[Any], engine: FakeEngine) -> None:
    conversation = engine.add(FOLDER, "boats")
    screen.go_to(conversation.id)
    await until(pilot, lambda: screen.desk is not None and screen.desk.current.id == conversation.id)
    engine.ask(replace(examples.notified(examples.LONG_COMMAND, 1), conversation_id=conversation.id))
    await until(pilot, lambda: screen.prompts is not None and screen.prompts.prompt is not None)
    await settled(pilot)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("beside", ["nothing", "a notice", "a command", "completions"])
async def test_beside_a_long_request_the_message_is_seen(
    console: OpenConsole, engine: FakeEngine, size: tuple[int, int], beside: str
) -> None:
    async with console(size=size) as (screen, pilot):
        await waiting(screen, pilot, engine)
        if beside == "a notice":
            screen.notices.tell("something to know " * 20, "warning")
        elif beside == "a command":
            screen.composer.put("!make")
            screen.composer.submit()
            await until(pilot, lambda: screen.commands.pane is not None and engine.shell.commands)
        for lines in (1, 4, 8, 20):
            screen.composer.replace("\n".join(f"line {number}" for number in range(lines)))
            await settled(pilot)
            if beside == "completions":
                engine.catalogs.paths = [f"boat{number}.py" for number in range(20)]
                screen.composer.put("\n@boat")
                await until(pilot, lambda: screen.query_one("#completions").display)
            await until(pilot, lambda: not unseen(screen))


async def test_the_prompt_has_its_rows_again_when_the_message_is_short(
    console: OpenConsole, engine: FakeEngine
) -> None:
    async with console(size=(80, 24)) as (screen, pilot):
        await waiting(screen, pilot, engine)
        assert screen.prompts is not None and screen.prompts.prompt is not None
        prompt = screen.prompts.prompt
        await until(pilot, lambda: prompt.region.height == 14)
        screen.composer.replace("\n" * 12)
        await until(pilot, lambda: prompt.region.height == 11)
        screen.composer.replace("")
        await until(pilot, lambda: prompt.region.height == 14)
