"""In whatever state the composer is, what was typed is there again: after quitting, elsewhere and back, a failure."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from core.conversation.feed import Detached
from core.errors import StoreError
from core.thread.state import Status
from tests.core.conversation.test_queue import PNG
from tests.tui.conftest import FOLDER, OpenConsole
from tests.tui.fake_engine import FakeConversation, FakeEngine
from tests.tui.host import press, until
from tui.composing.history import HistoryScreen
from tui.launch import Launch
from tui.screens.console import ConsoleScreen

LATEST = Launch(FOLDER, latest=True)
BIG = "\n".join(f"line {number}" for number in range(40))


class Scene:
    """A console on a conversation with another one beside it."""

    def __init__(self, engine: FakeEngine, image: Path) -> None:
        self.engine = engine
        self.image = image
        self.other = engine.add(FOLDER, "other")
        self.conversation: FakeConversation = engine.add(FOLDER, "boats")


async def popup(scene: Scene, screen: ConsoleScreen, pilot: Pilot[Any]) -> str:
    scene.engine.catalogs.paths = ("boats.py",)
    await press(pilot, *"see @boa")
    await until(pilot, lambda: screen.query_one("#completions").display)
    return "see @boa"


async def placeholder(scene: Scene, screen: ConsoleScreen, pilot: Pilot[Any]) -> str:
    await press(pilot, *"see ")
    screen.composer.put(BIG)
    return f"see {BIG}"


async def attachment(scene: Scene, screen: ConsoleScreen, pilot: Pilot[Any]) -> str:
    screen.composer.put(str(scene.image))
    return "[Image #1 dot.png 69 B] "


async def running_command(scene: Scene, screen: ConsoleScreen, pilot: Pilot[Any]) -> str:
    await press(pilot, *"!make", "enter")
    await until(pilot, lambda: scene.engine.shell.commands)
    await press(pilot, *"and then")
    return "!make\nand then"


async def history_open(scene: Scene, screen: ConsoleScreen, pilot: Pilot[Any]) -> str:
    await press(pilot, *"half", "ctrl+r")
    await until(pilot, lambda: isinstance(pilot.app.screen, HistoryScreen))
    return "half"


async def refused(scene: Scene, screen: ConsoleScreen, pilot: Pilot[Any]) -> str:
    scene.conversation.fails = StoreError("The message is not saved")
    screen.composer.put(BIG)
    await press(pilot, "enter")
    await until(pilot, lambda: screen.notices.showing)
    scene.conversation.fails = None
    return BIG


async def unknown_command(scene: Scene, screen: ConsoleScreen, pilot: Pilot[Any]) -> str:
    await press(pilot, *"/nosuch it", "enter")
    return "/nosuch it"


STATES = [popup, placeholder, attachment, running_command, history_open, refused, unknown_command]
State = Callable[[Scene, ConsoleScreen, Pilot[Any]], Awaitable[str]]


@pytest.fixture
def scene(engine: FakeEngine, tmp_path: Path) -> Scene:
    image = tmp_path / "dot.png"
    image.write_bytes(PNG)
    return Scene(engine, image)


def written(screen: ConsoleScreen) -> str:
    """The text as Codex would get it."""
    return screen.composer.writing.parts.expand(screen.composer.input.text)[0]


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
async def test_it_is_there_after_quitting(console: OpenConsole, scene: Scene, state: State) -> None:
    async with console(LATEST) as (screen, pilot):
        expected = await state(scene, screen, pilot)
        await pilot.press("ctrl+q")
        await until(pilot, lambda: scene.engine.closed)
    scene.engine.closed = False
    async with console(LATEST) as (screen, pilot):
        assert written(screen) == expected


@pytest.mark.parametrize(
    "state", [one for one in STATES if one is not history_open], ids=lambda s: s.__name__
)
async def test_it_is_there_after_going_elsewhere_and_back(
    console: OpenConsole, scene: Scene, state: State
) -> None:
    async with console(LATEST) as (screen, pilot):
        expected = await state(scene, screen, pilot)
        screen.go_to(scene.other.id)
        await until(pilot, lambda: screen.desk and screen.desk.current.id == scene.other.id)
        await until(pilot, lambda: written(screen) == "")
        assert not screen.query_one("#completions").display
        await press(pilot, *"other")
        screen.go_to(scene.conversation.id)
        await until(pilot, lambda: written(screen) in (expected, expected.removeprefix("!make\n")))
        if state is running_command:
            assert screen.commands.pane is not None and screen.commands.pane.display
        screen.go_to(scene.other.id)
        await until(pilot, lambda: written(screen) == "other")


async def test_what_is_queued_waits_at_the_engine_and_not_in_the_composer(
    console: OpenConsole, scene: Scene
) -> None:
    scene.conversation.become(Status.RUNNING)
    async with console(LATEST) as (screen, pilot):
        screen.composer.put(BIG)
        await press(pilot, "tab", *"and more")
        await until(pilot, lambda: scene.conversation.outbox)
        await pilot.press("ctrl+q")
        await until(pilot, lambda: scene.engine.closed)
    async with console(LATEST) as (screen, pilot):
        assert written(screen) == "and more"
        assert [entry.text for entry in scene.conversation.outbox] == [BIG]
        await press(pilot, "ctrl+t")
        await until(pilot, lambda: written(screen) == f"and more{BIG}")
        assert screen.composer.input.text == "and more[Pasted 40 lines #1]"


async def test_what_was_written_where_the_conversation_goes_is_brought_back_by_the_arrow_up(
    console: OpenConsole, engine: FakeEngine
) -> None:
    engine.drafts[str(FOLDER)] = ""
    conversation = engine.add(FOLDER, "boats")
    async with console() as (screen, pilot):
        screen.go_to(conversation.id)
        await until(pilot, lambda: screen.desk is not None and screen.desk.current.id == conversation.id)
        await press(pilot, *"half")
        del engine.open_conversations[conversation.id]
        engine.feed.tell(Detached(conversation.id))
        await until(pilot, lambda: screen.desk is not None and screen.desk.current.id is None)
        await until(pilot, lambda: screen.notices.showing)
        assert screen.composer.input.text == ""
        await press(pilot, "up")
        assert screen.composer.input.text == "half"
